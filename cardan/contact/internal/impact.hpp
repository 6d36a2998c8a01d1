// Impacts: velocities jump while nothing moves. Contacts that touch and approach take impulses by the law that is
// named: `newton` reverses each approach, u_n = -e u_n before, all at once; `poisson` first compresses without
// restitution and gives back e times those impulses; `sequential` treats one contact after another until none
// approaches. Limits of joints take part with the restitution of their joint. Friction acts by Coulomb's law on the
// impulses. Where kinetic energy would rise by more than moving surfaces and prescribed motions supply (Newton's law
// with friction can do that), restitution is lowered until it does not. With u = J v + b the impulses change kinetic
// energy by lambda' (u before + u after) / 2 - lambda' b: the last term is what is supplied.
#pragma once

#include "cardan/contact/contact_log.hpp"
#include "cardan/contact/internal/step_rows.hpp"
#include "cardan/solve/internal/island_solver.hpp"

namespace cardan {

class Impact {
 public:
  /// Contacts approach that are faster than `threshold` and nearer than `tolerance`.
  struct Limits {
    double threshold = 1e-3, tolerance = 1e-6;
  };
  /// Contacts that approach faster than the limit and touch: they bounce, or whoever is with them.
  static bool is_due(const StepRows& rows, std::span<const ContactPoint> points, const Limits& limits, double h);

  /// Changes v; `parts` is the mass matrix. `impulses` receives (normal, tangents) of each point.
  void apply(double t, StepRows& rows, const Limits& limits, const std::vector<LawProblem::Mass>& parts,
             IslandSolver& solver, Eigen::VectorXd& v, std::vector<Block3>& impulses, ContactSummary& summary);

  /// Certificate of the last impact (m/s).
  double residual() const { return residual_; }

 private:
  void begin(const std::vector<LawProblem::Mass>& parts, const Eigen::VectorXd& v);
  const IslandSolver::Result& simultaneous(double t, StepRows& rows, const Limits& limits,
                                           const std::vector<LawProblem::Mass>& parts, IslandSolver& solver,
                                           double share, const Eigen::VectorXd& before);
  void poisson(double t, StepRows& rows, const Limits& limits, const std::vector<LawProblem::Mass>& parts,
               IslandSolver& solver, double share, const Eigen::VectorXd& before);
  void sequential(double t, StepRows& rows, const Limits& limits, const std::vector<LawProblem::Mass>& parts,
                  IslandSolver& solver, const Eigen::VectorXd& before);
  void collect(const StepRows& rows, const IslandSolver::Result& result);

  LawProblem problem_;
  Eigen::VectorXd after_, compression_;  // velocities; impulses of Poisson's first phase
  std::vector<Block3> impulses_;
  /// Adds up what moving surfaces supply by the impulses so far.
  double supplied_by_surfaces(const StepRows& rows) const;

  double residual_ = 0.0;
  double supplied_by_motions_ = 0.0;  // J
  int unsolved_ = 0;
};

}  // namespace cardan
