// K and D of every force between what it touches, as small blocks: the implicit terms of a step, for solvers that never
// form a matrix of the whole mechanism.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/math/large_pages.hpp"

#include <span>
#include <vector>

namespace cardan {

class ForceBlocks {
 public:
  explicit ForceBlocks(const Forces& forces);

  using Matrix = Eigen::Map<const Eigen::MatrixXd>;

  std::size_t size() const { return blocks_.size(); }
  const Touches& touches(std::size_t i) const { return blocks_[i].touches; }
  /// What all forces touch, in their order.
  std::vector<Touches> all_touches() const;
  /// Evaluates the negative semidefinite tangent of a force (Force::add_definite_tangent) and keeps of it the added
  /// inertia of a step h. first_state[i]: where the states of the i-th force begin in z. The result holds until the
  /// next call: of many forces K and D would leave the cache before they are used.
  const Tangent& evaluate_definite(std::size_t i, const Instant& at, std::span<const int> first_state, double h);
  /// -h D - h^2 K of a force: what its implicit treatment adds to the inertia.
  Matrix added_inertia(std::size_t i) const {
    return {added_.data() + blocks_[i].first, blocks_[i].rows, blocks_[i].rows};
  }
  /// out = added_inertia(i) x.
  void multiply(std::size_t i, const Eigen::VectorXd& x, Eigen::VectorXd& out) const;

 private:
  struct Block {
    Touches touches;
    Eigen::Index rows;
    std::size_t first;    // in added_
    std::size_t scratch;  // of this size
  };
  Forces forces_;
  std::vector<Block> blocks_;
  std::vector<Tangent> scratch_;  // one for each size that there is
  LargeVector<double> added_;
};

/// Gathers motions of bodies and velocities of joints in the order of the rows of a Tangent.
template <class OfBody, class OfVelocity>
void gather_touched(const Touches& touches, const OfBody& of_body, const OfVelocity& of_velocity,
                    Eigen::VectorXd& out) {
  out.resize(static_cast<Eigen::Index>(6 * touches.bodies.size() + touches.velocities.size()));
  Eigen::Index row = 0;
  for (const int body : touches.bodies)
    for (int c = 0; c < 6; ++c) out[row++] = of_body(body)[c];
  for (const int v : touches.velocities) out[row++] = of_velocity(v);
}
/// Hands out such rows: on_body(body, wrench), on_velocity(v, force).
template <class OnBody, class OnVelocity>
void scatter_touched(const Touches& touches, const Eigen::VectorXd& rows, const OnBody& on_body,
                     const OnVelocity& on_velocity) {
  Eigen::Index row = 0;
  for (const int body : touches.bodies) {
    ForceVector<double> f;
    for (int c = 0; c < 6; ++c) f[c] = rows[row++];
    on_body(body, f);
  }
  for (const int v : touches.velocities) on_velocity(v, rows[row++]);
}

}  // namespace cardan
