// The equations of a state together with tangents of it, for integrators that know nothing of this: what they compute
// beside the motion is its derivative by the numbers that are varied.
#pragma once

#include "cardan/gradient/internal/tangent_space.hpp"
#include "cardan/gradient/internal/varied_system.hpp"
#include "cardan/gradient/run_gradient.hpp"

namespace cardan {

/// The equations bend within the places at which a number is varied: places nearer to one another may do.
struct NotSmooth : NotDifferentiable {
  NotSmooth(double at, const std::string& name);
};

class TangentProblem : public Problem {
 public:
  /// All must outlive it.
  TangentProblem(VariedSystem& base, std::span<VariedNumber> varied);

  const StateSpace& space() const override { return space_; }
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override;
  int rows() const override { return equations_.rows(); }
  [[nodiscard]] Projection project(double t, State& state) override;
  int singular_velocity(const Point& at) override { return equations_.singular_velocity(alone(at)); }
  std::string explain(const Point& at) override { return equations_.explain(alone(at)); }

  /// Where the run begins, with how that changes.
  State start();
  /// Whether anything that was evaluated so far has changed with a varied number.
  bool matters(std::size_t i) const { return matters_[i]; }
  const StateSpace& space_alone() const { return model_space_; }
  /// The state without tangents, and a state with tangents in which it is replaced.
  State alone(const State& state) const;
  void replace(const State& alone, State& state) const;
  /// Lets texts that choose by the state choose this, in all systems; nothing: what they would by themselves.
  void hold(std::span<const double> choices);
  /// Changes tangents where such a text jumps: with f the rates before and after and g what is compared there, the
  /// time of the jump changes by dt = -dg/(dg/dt), and tangents by (f_before - f_after) dt. Throws NotDifferentiable
  /// where the motion only grazes the jump, or slides along it.
  void cross_jump(double t, State& state, const std::vector<double>& before, const std::vector<double>& after);
  /// Slopes of all columns of an output by each varied number.
  Eigen::MatrixXd column_slopes(double t, const State& state);

 private:
  /// A tangent in the tangent space.
  struct Tangent {
    Eigen::VectorXd x, v, z;
  };
  Point alone(const Point& at) const;
  State alone_state(const Point& at) const;
  /// What of a tangent belongs to driven joints and yet moves with the state: linearizations leave it out.
  Tangent led_part(const Eigen::VectorXd& x, const Eigen::VectorXd& v) const;
  Tangent tangent(const double* q, const State& state, std::size_t i) const;
  void put(const double* q, const Tangent& tangent, std::size_t i, State& state) const;
  /// Rates of velocities and element states while these choices are held.
  Eigen::VectorXd rates_under(double t, const State& alone, std::span<const double> choices);
  /// By how much a tangent at unit length is to be scaled so that six points along it lie near enough and far enough.
  double reach(const State& alone, const Tangent& tangent) const;
  State moved(const State& alone, const Tangent& tangent, double by) const;
  /// Sets tangents as a projection leaves them: constraints hold for the scene as it is varied.
  void project_tangents(double t, State& state);
  void lead_tangents(double t, State& state);
  /// The slope of a function of the varied system and its place, per unit of the number. Throws NotSmooth where there
  /// is none.
  template <class F>
  Eigen::VectorXd slope(std::size_t i, double t, Eigen::Index n, double size, const F& value_of);

  VariedSystem& base_;
  RecursiveProblem& equations_;
  std::span<VariedNumber> varied_;
  const ModelSpace model_space_;
  TangentSpace space_;
  std::vector<bool> matters_;
  /// Driven joints in a tree whose coordinates follow from the state: of given velocities, and of given accelerations,
  /// where velocities follow as well.
  struct Lead {
    int body;
    bool keeps_velocity;
  };
  std::vector<Lead> leads_;
  const int nq_, nv_, nz_;
};

}  // namespace cardan
