// Explicit Runge-Kutta methods of any tableau. In the coordinates (Chart::on_manifold false):
//   q' = dq/dt(q, v), v' = a(t, q, v); on the manifold (Munthe-Kaas): q = q_n moved by x, x' = T(x)^-1 v, x = 0 at the
// start of every step. T is never expanded in a series, so the order is that of the tableau.
#pragma once

#include "cardan/integrate/step_control.hpp"
#include "cardan/integrate/stepper.hpp"
#include "cardan/integrate/tableau.hpp"

namespace cardan {

class RungeKutta : public Stepper {
 public:
  RungeKutta(const char* name, const Tableau& tableau, Chart chart, Dynamics& dynamics,
             const IntegratorOptions& options);

 protected:
  void restart() override { first_known_ = false; }
  void forget() override { first_known_ = false; }
  void advance(double h) override;

  /// The stages of a step into next_, and the acceleration at its end. False where a stage is not finite.
  bool compute_stages(double h);
  void set_dense_output(double h);
  /// The acceleration at the start of the step, which is often known from the end of the last one.
  void evaluate_first_stage();
  /// The first stage of the next step is the acceleration at the end of this one.
  void keep_last_stage();

  const Tableau& tableau_;
  const Chart chart_;
  std::vector<std::vector<double>> x_rate_, a_;  // of the stages, and one more: at the end of the step
  std::vector<double> x_;                        // the increment of the step

 private:
  /// out = scale * sum of c[s] rates[s].
  static void combine(const Tableau::Row& c, int stages, double scale, const std::vector<std::vector<double>>& rates,
                      std::vector<double>& out);
  void place(int stage, double t);

  std::vector<double> zero_x_, v_change_;
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
