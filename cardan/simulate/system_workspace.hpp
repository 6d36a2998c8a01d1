// All that evaluating a System needs to remember: scratch memory, warm starts of loops, the charts that joints are in.
// One for each thread. To integrators it is the Problem that they move, in the coordinates of the system's formulation;
// everybody else speaks to it in states of the model.
#pragma once

#include "cardan/constraints/assembly.hpp"
#include "cardan/contact/contact_log.hpp"
#include "cardan/dynamics/maximal_problem.hpp"
#include "cardan/dynamics/reduced_problem.hpp"
#include "cardan/integrate/integrator.hpp"

namespace cardan {

class ContactLoads;

class SystemWorkspace : public Problem {
 public:
  explicit SystemWorkspace(const System& system);
  ~SystemWorkspace() override;

  const System& system() const { return system_; }
  const Model& model() const { return system_.model(); }
  /// Whether accelerations come from code that was compiled for the model.
  bool is_compiled() const { return problem_ == recursive_ && recursive_->is_compiled() && !system_.is_stepped(); }
  bool is_conservative() const { return system_.is_conservative(); }
  /// Counts where the time of runs goes; null: nobody asks.
  RunProfile* profile() const { return system_.settings().profile.get(); }
  /// What the inputs of the system are; whoever writes them restarts the integrator (Run::restart).
  std::span<double> inputs() { return u_; }

  // --- for integrators ---

  const StateSpace& space() const override { return problem_->space(); }
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override {
    const RunProfile::Scope scope(profile(), RunProfile::Part::accelerations);
    problem_->acceleration(at, a, z_dot);
  }
  void rates(const Point& at, Out<double> z_dot) override { problem_->rates(at, z_dot); }
  int rows() const override { return problem_->rows(); }
  void residual(const Point& at, In<double> a, In<double> lambda, Out<double> r, Out<double> row_error) override {
    problem_->residual(at, a, lambda, r, row_error);
  }
  void linearize(const Point& at, In<double> a, In<double> lambda, const Want& want) override {
    problem_->linearize(at, a, lambda, want);
  }
  void linearize_states(const Point& at, In<double> a, In<double> lambda, StateTangent& out) override {
    problem_->linearize_states(at, a, lambda, out);
  }
  /// The equations that integrators move where these are those in joint coordinates; else null.
  RecursiveProblem* in_joint_coordinates() { return problem_ == recursive_ ? recursive_ : nullptr; }
  /// Long trees in joint coordinates go through the elimination on the graph of bodies.
  bool step_implicitly(const Point& at, double h, Out<double> change) override;
  [[nodiscard]] Projection project(double t, State& state) override;
  /// What the last projection found.
  const Projection& last_projection() const { return last_projection_; }
  /// Euler angles that come near their lock go on in another order, where nothing else refers to them.
  bool reparameterize(State& state) override;
  Mechanism* mechanism() override { return problem_->mechanism(); }
  int singular_velocity(const Point& at) override { return problem_->singular_velocity(at); }
  std::string explain(const Point& at) override;
  /// Looks where bodies have poses of their own, or feedback closes the loops: projection would not.
  std::string lock(double t, const State& state) override;

  /// Projects an initial state of the model onto the constraints and fixes the number of independent rows; returns it
  /// in the problem's coordinates. Call once before stepping. Throws std::runtime_error, one line, where loops cannot
  /// be closed.
  State begin(double t, const State& initial);
  /// Changes the velocities of a state of the problem as impulses do where prescribed motions jump; t is just after
  /// it. Throws StepFailure, which names the motion, where a position jumps.
  void jump(double t, State& state);
  /// Texts that choose by the state; these are held only while somebody does so.
  SwitchBoard& switches() { return switches_; }
  /// Evaluates what they would choose at a state of the model.
  void look_at_switches(double t, const State& state);
  /// True if states between steps must be brought back to motions and loops.
  bool is_projected() const { return maximal_ || (!reduced_ && !system_.constraints().empty()); }
  /// Converts a state of the problem to one of the model, in the charts that its joints were given.
  State model_state(const State& state) const;
  /// How long a step from a state of the problem may be at most so that turns can be counted: joints of bodies with
  /// poses of their own, of loops and in other charts find their coordinates near the last ones.
  double longest_turning_step(const State& state) const;
  /// Converts a state of the model to one of the problem, as begin() does but without projection.
  State problem_state(const State& state) const;

  /// Converts likewise, and lets joints go back to the charts that they were given: for a step that is made again.
  State restart_from(const State& state);

  /// Converts velocities of the problem at a state to those of the model.
  Eigen::VectorXd model_velocity(const State& at, const Eigen::VectorXd& velocity) const;
  /// Makes the integrator of a run with these settings: contact stepping where the system needs it. It must not outlive
  /// the workspace.
  std::unique_ptr<Integrator> make_run_integrator(const Settings& settings);
  /// Makes contact stepping, whatever the system needs.
  std::unique_ptr<Integrator> make_contact_stepper(const Settings& settings);
  /// Whether joints have limits that contact stepping can hold, from where they are reached on.
  bool may_reach_limits() const;
  bool is_beyond_limits(const State& state, double slack = 0.0) const;
  /// What contacts did in the last step and since the start, where there is stepping.
  const ContactLog& contact_log() const { return contact_log_; }

  // --- states of the model ---

  /// Computes the acceleration of a state of the model; element states that it lacks are those of the start.
  void acceleration(double t, const State& state, Out<double> a);
  /// Says why the last accelerations are not numbers, where bodies have coordinates of their own; empty if unknown.
  std::string why_singular() const;
  void acceleration(double t, In<double> q, In<double> v, Out<double> a) { acceleration(t, state_of(q, v), a); }
  /// Computes what holds and drives the mechanism at such a state.
  void loads(double t, const State& state, Loads& out);
  /// Computes the same if the constraints had these multipliers, at rest: for what follows from them alone.
  void loads_under(double t, const State& state, const Eigen::VectorXd& multipliers, Loads& out);
  /// Lets the forces look that do so at this time, or all that look now and then; for states of the problem.
  void sample(double t, State& state, RecursiveProblem::Look look = RecursiveProblem::Look::where_due);
  /// Loops, couplings and prescribed motions where they are solved by multipliers; else null.
  ConstrainedDynamics* constraints() { return recursive_->constraints(); }
  /// Finds a state nearby that satisfies the constraints at t, joints whose motion is prescribed where they are then.
  Assembly assemble(double t, const State& state, const KeptJoints& kept = {});
  /// Computes the distance (m) or angle (rad) by which the worst constraint is violated.
  double constraint_error(double t, const State& state);
  /// Computes the same at a state of the problem; joints of maximal bodies count too.
  double violation(double t, const State& state);
  /// Puts the joints whose position is prescribed where they are at t, and closes the loops.
  void follow(double t, State& state);
  /// Adds up springs, dampers and applied forces as generalized forces.
  void generalized_forces(double t, const State& state, Out<double> tau);
  void generalized_forces(double t, In<double> q, In<double> v, Out<double> tau) {
    generalized_forces(t, state_of(q, v), tau);
  }
  /// Computes what the prescribed motions of joints take, at the velocities that they drive (N or N m); zero elsewhere.
  void driving_forces(double t, const State& state, Out<double> tau);
  void driving_forces(double t, In<double> q, In<double> v, Out<double> tau) { driving_forces(t, state_of(q, v), tau); }
  /// Potential: of gravity, zero at the world's origin, and of springs.
  Energy energy(const State& state, double t = 0.0);

 private:
  static State state_of(In<double> q, In<double> v) {
    State out;
    out.q.assign(q.data(), q.data() + q.size());
    out.v.assign(v.data(), v.data() + v.size());
    return out;
  }

  /// True if accelerations are those of the laws of contact.
  bool has_contact_laws();
  ContactLoads& contact_loads();
  /// Those of the state, or those of the start where it has none.
  const std::vector<double>& element_states(const State& state) const;

  SwitchBoard switches_;  // of the system's forces
  std::vector<double> u_;
  System system_;
  std::vector<double> first_states_, rates_;  // of force elements
  std::unique_ptr<RecursiveProblem> own_;     // of the system's model
  std::unique_ptr<RecursiveProblem> other_;   // of a model whose joints are in other charts
  std::unique_ptr<ReducedProblem> reduced_;
  std::unique_ptr<MaximalProblem> maximal_;
  std::unique_ptr<MaximalProblem> direct_;     // in joint coordinates, for implicit steps; made when first needed
  RecursiveProblem* recursive_;                // own_ or other_
  Problem* problem_;                           // what integrators move
  std::vector<int> changes_chart_;             // bodies whose joints may change charts
  mutable std::vector<double> last_q_;         // of the model, from which Euler angles go on
  std::vector<std::vector<int>> round_loops_;  // velocities along each loop with coordinates of its own
  Projection last_projection_;
  ContactLog contact_log_;
  std::unique_ptr<ContactLoads> contact_loads_;  // made when first needed
  std::optional<bool> laws_are_plain_;           // once it was asked
};

}  // namespace cardan
