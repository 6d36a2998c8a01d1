// Accelerations of a whole system as machine code: bodies, springs, cables, muscles, controllers, loops, couplings and
// motions in one straight line.
#pragma once

#include "cardan/dynamics/system_trace.hpp"
#include "cardan/math/aligned.hpp"
#include "cardan/model/state.hpp"
#include "cardan/program/executable.hpp"

namespace cardan {

class SystemCode {
 public:
  /// Compiles; `rows` as independent_rows() gives them. Throws GraphTooLarge where it takes more nodes.
  SystemCode(const System& system, const IndependentRows& rows, std::size_t most_nodes,
             const ExecutableOptions& options = {});

  int instructions() const { return instructions_; }
  Backend backend() const { return code_->backend(); }
  std::size_t bytes() const { return code_->bytes(); }

  /// Computes accelerations and rates of states, tau acting beside all that the system has. False, and no numbers,
  /// where the rows nearly repeat one another, so that accelerations would be inexact, or where they are no numbers.
  /// For code of one lane.
  [[nodiscard]] bool run(double t, In<double> q, In<double> v, In<double> z, In<double> u, In<double> tau,
                         Out<double> a, Out<double> z_dot);

  /// Runs code of several lanes: arrays have each entry once for every lane, side by side; `out` has a, the rates and
  /// the clearance.
  void run_lanes(std::span<const double* const, 6> in, double* out) { code_->run(in.data(), &out, scratch_.data()); }

 private:
  std::optional<Executable> code_;
  int instructions_ = 0, nv_ = 0;
  AlignedVector<double> scratch_, out_;  // a, the rates, the clearance
};

/// The way back to the constraints as machine code.
class ProjectionCode {
 public:
  /// Throws GraphTooLarge where it takes more nodes.
  ProjectionCode(const System& system, const IndependentRows& rows, std::size_t most_nodes,
                 const ExecutableOptions& options = {});

  int instructions() const { return instructions_; }
  /// Brings a state back to the constraints, positions until no gap is larger than `enough`. False, with the state as
  /// it was, where rows are near to repeating one another, where positions do not close in a few rounds, or where rows
  /// contradict one another.
  [[nodiscard]] bool project(double t, State& state, double enough);
  /// How far constraints were from repeating one another then: the root of the ratio of the pivots.
  double clearance() const { return clearance_; }

 private:
  bool evaluate(double t, const State& state);

  Model model_;
  std::optional<Executable> code_;
  int instructions_ = 0;
  double clearance_ = 1.0;
  State moved_;
  AlignedVector<double> scratch_, out_;
};

/// The code of a system that moves from a state at which its constraints hold; none where something is beyond code,
/// where this machine has no machine code, where it would be too long to be quick, or where the state is singular.
/// `rank`: as of independent_rows().
struct CompiledSystem {
  std::unique_ptr<SystemCode> motion;
  std::unique_ptr<ProjectionCode> projection;  // where something holds the system
};
CompiledSystem compile(const System& system, double t, In<double> q, int rank = -1);

}  // namespace cardan
