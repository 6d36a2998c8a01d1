// A model in independent coordinates y with q = gamma(y) given by the user: loops whose solution is known in closed
// form become ordinary equations of motion, without multipliers and without drift (section 8.11).
#pragma once

#include "cardan/constraints/reduced_coordinates.hpp"
#include "cardan/dynamics/problem.hpp"

#include <algorithm>
#include <functional>

namespace cardan {

/// Coordinates that are plain numbers, y0, y1, ...
class FlatSpace : public StateSpace {
 public:
  explicit FlatSpace(int n) : n_(n) {}

  Sizes sizes() const override { return {n_, n_, 0}; }
  bool is_flat() const override { return true; }
  bool moves_by_adding() const override { return true; }
  void move(const double* q, const double* x, double* out) const override;
  void difference(const double* q0, const double* q1, double* x) const override;
  void increment_rate(const double* x, const double* v, double* rate) const override;
  void increment_velocity(const double* x, const double* rate, double* v) const override;
  void increment_velocity_derivative(const double*, const double*, double* out) const override {
    std::fill_n(out, n_ * n_, 0.0);
  }
  void coordinate_rate(const double* q, const double* v, double* rate) const override;
  void normalize(double*) const override {}
  std::string name_of_coordinate(int i) const override { return "y" + std::to_string(i); }
  std::string name_of_velocity(int i) const override { return name_of_coordinate(i); }

 private:
  int n_;
};

class ClosureProblem : public Problem {
 public:
  /// Sets every entry of tau, which acts at the joints of the model.
  using JointForces = std::function<void(double t, In<double> q, In<double> v, Out<double> tau)>;

  explicit ClosureProblem(ReducedCoordinates coordinates, JointForces forces = {});

  const StateSpace& space() const override { return space_; }
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override;
  /// Computes all coordinates and velocities of the model.
  State model_state(const State& state);

 private:
  ReducedCoordinates coordinates_;
  FlatSpace space_;
  JointForces forces_;
  Eigen::VectorXd tau_;
};

}  // namespace cardan
