// A system in reduced coordinates: couplings, gears and mimic joints by q = gamma(y) instead of multipliers (sections
// 8.11 and 9.6 of the book; Sueda's hyper-reduced coordinates, section 2.6). With v = G y_dot and a = G y_ddot + g,
//   G'H G y_ddot = G'(f - H g).
// Loops are taken where the user chooses the independent coordinates (loop_coordinates.hpp). A state keeps all
// coordinates q, of which the dependent ones follow, and the independent velocities y_dot.
#pragma once

#include "cardan/dynamics/independent_coordinates.hpp"
#include "cardan/dynamics/recursive_problem.hpp"

namespace cardan {

/// Coordinates that couplings determine as functions of those that none does.
class CoupledCoordinates final : public IndependentCoordinates {
 public:
  explicit CoupledCoordinates(const Model& model);

  void close(double* q) const override;
  void expand(const double* q, const double* y_dot, double* v) const override;
  void expand(const double* q, const double* v, const double* y_ddot, double* a) const override;
  void matrix(const double* q, Eigen::MatrixXd& G) const override;

 private:
  struct Dependent {
    const Coupling* coupling;
    int q, v;
    std::vector<int> source_q, source_v;
  };
  /// Calls visit(dependent, memory) in an order in which sources come before what depends on them.
  template <class Visit>
  void each(const double* q, const double* v, const Visit& visit) const;

  Model model_;
  std::vector<Dependent> dependent_;
  mutable std::vector<CouplingFunction::Memory> memory_;  // of each; belongs to one thread
};

class ReducedSpace : public StateSpace {
 public:
  ReducedSpace(const StateSpace& full, const IndependentCoordinates& coordinates);

  Sizes sizes() const override { return {full_.sizes().q, coordinates_.size(), full_.sizes().z}; }
  bool is_flat() const override { return full_.is_flat(); }
  void move(const double* q, const double* x, double* out) const override;
  void difference(const double* q0, const double* q1, double* x) const override;
  void increment_rate(const double* x, const double* v, double* rate) const override;
  void increment_velocity(const double* x, const double* rate, double* v) const override;
  void increment_velocity_derivative(const double* x, const double* u, double* out) const override;
  void coordinate_rate(const double* q, const double* v, double* rate) const override;
  void normalize(double* q) const override;
  std::string name_of_coordinate(int i) const override { return full_.name_of_coordinate(i); }
  std::string name_of_velocity(int i) const override;

 private:
  /// x with zeros at the dependent velocities.
  const double* embed(const double* x, std::vector<double>& out) const;

  const StateSpace& full_;
  const IndependentCoordinates& coordinates_;
  mutable std::vector<double> a_, b_;
};

class RowCurvature;

class ReducedProblem : public Problem {
 public:
  /// `full`: the same system, without its couplings and loops; must outlive it. `independent`: joints whose coordinates
  /// are independent; none: those that no coupling determines.
  explicit ReducedProblem(RecursiveProblem& full, const std::vector<std::string>& independent = {});
  ~ReducedProblem() override;

  const StateSpace& space() const override { return space_; }
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override;
  void rates(const Point& at, Out<double> z_dot) override { full_.rates(expand(at), z_dot); }
  void residual(const Point& at, In<double> a, In<double> lambda, Out<double> r, Out<double> row_error) override;
  void linearize(const Point& at, In<double> a, In<double> lambda, const Want& want) override;
  void linearize_states(const Point& at, In<double> a, In<double> lambda, StateTangent& out) override;
  bool reparameterize(State&) override { return false; }
  int singular_velocity(const Point& at) override;
  std::string explain(const Point& at) override { return full_.explain(at); }

  /// Converts a state of the model; dependent coordinates and velocities are replaced.
  State reduce(const State& state) const;
  State expand(const State& state) const;
  /// Computes the model's accelerations from the reduced ones.
  void expand_acceleration(const State& state, In<double> y_ddot, Out<double> a) const;

 private:
  /// Velocities and velocity-product accelerations of the model.
  Point expand(const Point& at);

  RowCurvature& curvature();

  RecursiveProblem& full_;
  std::unique_ptr<RowCurvature> curvature_;  // made when first needed
  std::unique_ptr<const IndependentCoordinates> own_coordinates_;
  const IndependentCoordinates& coordinates_;
  ReducedSpace space_;
  std::vector<double> v_, a_, r_;
  Eigen::MatrixXd G_, H_;
};

}  // namespace cardan
