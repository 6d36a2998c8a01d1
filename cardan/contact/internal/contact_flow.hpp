// The smooth motion between two events of contact: a Problem in which every law stays in its mode (contact_modes.hpp),
// for any of the integrators. States are brought back to gaps and velocities of zero after each step.
#pragma once

#include "cardan/contact/internal/contact_modes.hpp"
#include "cardan/dynamics/recursive_problem.hpp"

namespace cardan {

class ContactFlow : public Problem {
 public:
  /// The mechanism must outlive it.
  explicit ContactFlow(RecursiveProblem& mechanism);

  const StateSpace& space() const override { return mechanism_.space(); }
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override;
  void rates(const Point& at, Out<double> z_dot) override { mechanism_.rates(at, z_dot); }
  [[nodiscard]] Projection project(double t, State& state) override;
  bool reparameterize(State& state) override { return mechanism_.reparameterize(state); }
  int singular_velocity(const Point& at) override { return mechanism_.singular_velocity(at); }
  std::string explain(const Point& at) override { return mechanism_.explain(at); }

  ContactModes& modes() { return modes_; }
  /// The laws that act or are watched.
  std::vector<LawUnit>& units() { return units_; }
  /// Evaluates kinematics, forces and mass matrix at a state. False where the mass matrix is singular.
  [[nodiscard]] bool move_to(double t, const State& state);
  /// Evaluates all units at a state as well, in their modes.
  [[nodiscard]] bool evaluate(double t, const State& state);

 private:
  bool move_to(const Point& at);

  RecursiveProblem& mechanism_;
  ContactModes modes_;
  std::vector<LawUnit> units_;
  RunProfile* const profile_;
  std::vector<double> tau_, x_;
  Eigen::VectorXd change_;
};

}  // namespace cardan
