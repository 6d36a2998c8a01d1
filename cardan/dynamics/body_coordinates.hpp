// Coordinates in which some bodies, or all, have poses of their own (maximal coordinates) and the others follow from
// their parents by joint coordinates (reduced ones): Sueda's mixed systems (section 2.8). A maximal body has the
// coordinates and velocities of a free joint to the world; its joint is a condition. Elements speak of joint
// coordinates all the same: those of a maximal body's joint are found from where the two bodies are,
//   X_J(q) nearest to X_body X_parent^-1,  v_J = S^+ (v_body - X_J v_parent),
// and what the joint does not allow is its gap, log(X_body X_parent^-1 X_J^-1), along the directions T that it holds.
#pragma once

#include "cardan/algorithms/instant.hpp"
#include "cardan/dynamics/model_space.hpp"

#include <vector>

namespace cardan {

class BodyCoordinates {
 public:
  /// `maximal`: an entry for each body, the world first.
  BodyCoordinates(const Model& model, std::vector<bool> maximal, int element_states);

  const Model& model() const { return model_; }
  const ModelSpace& space() const { return space_; }
  bool is_maximal(int body) const { return maximal_[static_cast<std::size_t>(body)]; }
  /// Where the coordinates and velocities of a body stand.
  const Link& place(int body) const { return space_.model().link(body); }

  /// Evaluates a state of the space: poses and velocities of all bodies, and the state of the joints. Joint coordinates
  /// are searched for from those of the last state on.
  Instant evaluate(double t, In<double> q, In<double> v, In<double> z, In<double> u = {nullptr, 0});
  /// X and S of the joints there, and velocity products a_i - X_i a_parent = c_J + v_i x v_J.
  const Kinematics<double>& joints() const { return joints_; }
  MotionVector<double> velocity_product(int body) const;
  /// By how much the joint of a maximal body is violated there, in the coordinates of the body: its pose, and its
  /// velocity against the parent's that no joint velocity explains.
  const MotionVector<double>& gap(int body) const { return gap_[static_cast<std::size_t>(body)]; }
  MotionVector<double> drift(int body) const;

  /// Converts a state of the model, and makes it where joint coordinates are searched from.
  State from_model(const State& state);
  /// Converts to a state of the model; element states stay.
  State to_model(const State& state);

 private:
  void find_joint_coordinates();

  Model model_;
  std::vector<bool> maximal_;
  ModelSpace space_;
  Workspace<double> workspace_;
  Kinematics<double> joints_, bodies_;
  ElementMemory memory_;
  std::vector<double> q_, v_, at_rest_;  // of the joints
  std::vector<MotionVector<double>> gap_;
};

}  // namespace cardan
