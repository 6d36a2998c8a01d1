// The step of a variational integrator as code of its own for one tree: DiscreteTree traced on symbols, which drops the
// many zeros of its matrices, and translated.
#pragma once

#include "cardan/math/aligned.hpp"
#include "cardan/model/model.hpp"
#include "cardan/program/executable.hpp"

#include <memory>
#include <span>

namespace cardan {

class DiscreteStepCode {
 public:
  /// Returns null where the tree is too large for it, or where this machine can have no code.
  static std::unique_ptr<DiscreteStepCode> make(const Model& model);

  // What the step is about, to be set before a call: q0, q1 = q0 moved by x, the time h, and a momentum: for Newton's
  // method the one that left_momentum is to be, for the end of the step what is added to right_momentum.
  std::span<double> q0() { return part(0, nq_); }
  std::span<double> q1() { return part(nq_, nq_); }
  std::span<double> x() { return part(2 * nq_, nv_); }
  std::span<double> momentum() { return part(2 * nq_ + nv_, nv_); }
  std::span<double> diagonal() { return part(2 * nq_ + 2 * nv_, nv_); }
  void set_step(double h) { in_.back() = h; }

  /// Makes a step of Newton's method, by the Jacobian at q1 or by that of the last call with `fresh`. False where a
  /// body turns too far for this code (ShortTurn::kLongest), or where numbers are not finite.
  [[nodiscard]] bool correct(bool fresh);
  std::span<const double> correction() const { return {out_.data(), nv_}; }

  /// Computes the momentum and the velocity at q1.
  void finish();
  std::span<const double> end_momentum() const { return {out_.data(), nv_}; }
  std::span<const double> end_velocity() const { return {out_.data() + nv_, nv_}; }

 private:
  DiscreteStepCode(const Model& model, std::size_t most_nodes);
  std::span<double> part(std::size_t first, std::size_t n) { return {in_.data() + first, n}; }

  std::size_t nq_, nv_;
  AlignedVector<double> in_, factor_, out_, scratch_;
  std::optional<Executable> newton_, reuse_, finish_;
};

}  // namespace cardan
