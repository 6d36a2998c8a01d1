// Explicit Runge-Kutta methods of any tableau. In the coordinates (Chart::on_manifold false):
//   q' = dq/dt(q, v), v' = a(t, q, v); on the manifold (Munthe-Kaas): q = q_n moved by x, x' = T(x)^-1 v, x = 0 at the
// start of every step. T is never expanded in a series, so the order is that of the tableau.
#pragma once

#include "cardan/integrate/internal/step_control.hpp"
#include "cardan/integrate/internal/stepper.hpp"
#include "cardan/integrate/internal/tableau.hpp"

namespace cardan {

class RungeKutta : public Stepper {
 public:
  RungeKutta(const char* name, const Tableau& tableau, Chart chart, Problem& problem, const IntegratorOptions& options);

 protected:
  void restart() override { forget(); }
  void forget() override;
  void corrected() override { first_known_ = false; }
  void advance(double h, double t1) override;
  void build_dense_output(const State& previous, double h, DenseOutput& out) const override;

  /// The stages of a step into next_, and the acceleration at its end. False where a stage is not finite.
  bool compute_stages(double h);
  /// Throws the StepFailure of the first stage that was not finite.
  void explain_stages(double h) const;
  /// The acceleration at the start of the step, which is often known from the end of the last one.
  void evaluate_first_stage();
  /// For the next step: its first acceleration is the last of this one, and what rounding took from the velocity's sum
  /// is added again (Kahan), or else it would be the larger part of the error at tight tolerances.
  void carry_over();

  /// The part of a stage's rates, or of their sum, that is the acceleration and the rates of element states.
  std::span<double> accelerations(std::vector<double>& rates) const { return std::span(rates).subspan(nx_); }

  const Tableau& tableau_;
  const std::size_t nx_;  // entries of an increment
  /// Rates at the stages and at the end of the step: of the increment, the velocities and the element states in turn.
  mutable std::vector<std::vector<double>> rates_;
  std::vector<double> change_;  // over the step, in the same order

 private:
  /// The nonzero entries of a tableau's row.
  struct Term {
    std::size_t stage;
    double weight;
  };
  using Terms = std::vector<Term>;
  static Terms terms_of(const Tableau::Row& row);

  /// out = scale * sum of the weighted rates.
  void combine(const Terms& terms, double scale, std::vector<double>& out) const;
  /// Computes the state of a stage and its rates. False where the acceleration is not finite.
  bool evaluate_stage(std::size_t stage, double t, double h);
  /// The state of a stage whose row has one entry, where positions are moved by adding: in one pass.
  void move_along(const double* rate, double h, double* new_rate);

  std::vector<Terms> stage_terms_;  // of each stage and of the end of the step
  Terms dense_terms_;
  const bool moves_by_adding_;
  mutable std::vector<double> extra_;  // for the dense output
  std::vector<double> zero_x_, lost_;  // lost_: by velocities and element states
  bool first_known_ = false;
};

/// Chooses its steps so that the difference to the embedded method stays within the tolerance.
class AdaptiveRungeKutta : public RungeKutta {
 public:
  using RungeKutta::RungeKutta;
  bool is_adaptive() const override { return true; }
  void start(double t, const State& state) override;
  void step(double t_max) override;

 protected:
  void restart() override;

 private:
  double error(double h) const;

  StepControl control_;
  double proposed_ = 0.0;
};

}  // namespace cardan
