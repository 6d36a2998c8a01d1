#include "cardan/simulate/simulate.hpp"

#include "cardan/constraints/branch.hpp"
#include "cardan/constraints/coordinate_motion.hpp"
#include "cardan/constraints/internal/loop_force.hpp"
#include "cardan/forces/muscle.hpp"
#include "cardan/math/internal/spectra.hpp"
#include "cardan/simulate/equilibrium.hpp"
#include "cardan/solve/rank_tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

bool follows_time(const Scene& scene, int body) {
  return std::any_of(scene.constraints.begin(), scene.constraints.end(), [&](const auto& constraint) {
    const auto* time = dynamic_cast<const CoordinateMotionConstraint*>(constraint.get());
    return time != nullptr && time->body() == body;
  });
}

Trajectory simulate(const Scene& scene, const SimulateOptions& options) {
  SystemWorkspace workspace{System(scene)};
  return simulate(scene, workspace, options);
}

Trajectory simulate(const Scene& scene, SystemWorkspace& workspace, const SimulateOptions& options) {
  Recorder recorder(workspace, scene.records);
  Trajectory out(scene.model, recorder.layout(), state_columns(workspace.system().forces()));
  Simulator simulator(workspace, scene.settings);
  out.settings = scene.settings;
  RunProfile* const profile = workspace.profile();
  const RunProfile::Scope run(profile, RunProfile::Part::method);
  out.summary = simulator.run(
      scene.initial,
      [&](double t, const State& state) {
        {
          const RunProfile::Scope scope(profile, RunProfile::Part::records);
          const Energy energy = workspace.energy(state, t);
          out.add(t, state, energy, recorder(t, state, energy));
        }
        const RunProfile::Scope scope(profile, RunProfile::Part::output);
        if (options.on_output) options.on_output(out);
      },
      options.go_on,
      recorder.records_work()
          ? Simulator::Piece([&](double t, const Simulator::StateAt& state_at) { recorder.work_until(t, state_at); })
          : Simulator::Piece(),
      recorder.records_work()
          ? Simulator::Jump([&](double t, const State& a, const State& b) { recorder.jump(t, a, b); })
          : Simulator::Jump());
  if (out.summary.contact && !out.summary.contact->integrator.empty()) {
    out.summary.notes.push_back(
        fmt::format("contact by events took {} in place of {}: no fixed step is short enough where slip begins or ends",
                    out.summary.contact->integrator, scene.settings.integrator));
    out.settings.integrator = out.summary.contact->integrator;
  }
  if (out.summary.contact && out.summary.contact->mode == "stepping" && workspace.system().is_stepped())
    out.settings.integrator = scene.settings.contact_solver == ContactSolver::bilateral_staggered_projections
                                  ? "bilateral_staggered_projections"
                                  : "stepping";
  return out;
}

namespace {

/// Makes a system of what a scene's initial state must satisfy. Loops are put together as any others where coordinates
/// are independent.
System system_to_assemble(const Scene& scene) {
  Settings settings = scene.settings;
  settings.code = Settings::Code::generic;
  if (!settings.independent.empty()) {
    settings.formulation = Formulation::recursive;
    settings.independent.clear();
  }
  return System(scene.model, {}, scene.constraints, settings);
}

/// Lists the joints that stay where they are if others can close the loops: those that are independent, else those
/// that the user gave.
KeptJoints joints_to_keep(const Scene& scene) {
  KeptJoints out = scene.kept;
  if (scene.settings.formulation != Formulation::reduced || scene.settings.independent.empty()) return out;
  out.positions.clear();
  for (const std::string& name : scene.settings.independent)
    if (const int body = scene.model.find_joint(name); body > 0) out.positions.push_back(body);
  return out;
}

std::string coordinates_text(const Link& link, const std::vector<double>& q) {
  const auto first = q.begin() + link.q;
  std::string out;
  for (int k = 0; k < link.nq; ++k) out += fmt::format("{}{:.6g}", k == 0 ? "" : ", ", first[k]);
  return out;
}

/// Warns where loops whose coordinates were all given are closed on another branch than these suggest.
void warn_of_another_branch(Scene& scene, const std::vector<double>& given) {
  std::vector<bool> known(static_cast<std::size_t>(scene.model.bodies()) + 1);
  for (const int body : scene.kept.positions) known[static_cast<std::size_t>(body)] = true;
  const ConstraintSet loops(scene.model, ConstraintSet::Include::loops);
  for (int i = 0; i < loops.size(); ++i)
    for (const int v : loops.velocities(i))
      if (!known[static_cast<std::size_t>(scene.model.body_of_dof(v))]) return;
  if (const std::string told = on_another_branch(scene, given, "at the coordinates that the scene gives");
      !told.empty())
    scene.warnings.push_back(told);
}

/// Returns the lines that assemble() does.
std::vector<std::string> close_loops(Scene& scene) {
  SystemWorkspace workspace{system_to_assemble(scene)};
  if (scene.settings.stabilization == Stabilization::baumgarte) return {};
  const Assembly assembly = workspace.assemble(scene.settings.start, scene.initial, joints_to_keep(scene));
  if (!assembly.closed) {
    std::string where = scene.where;
    for (const LoopJoint& loop : scene.model.loops())
      if (assembly.worst == fmt::format("loop \"{}\"", loop.name) && !loop.where.empty()) where = loop.where;
    throw ModelError(where.empty() ? assembly.complaint() : where + ": " + assembly.complaint());
  }
  std::vector<std::string> out;
  for (const int body : assembly.moved) {
    const Link& link = scene.model.link(body);
    out.push_back(fmt::format("joint \"{}\": from [{}] to [{}]", scene.model.joint_name(body),
                              coordinates_text(link, scene.initial.q), coordinates_text(link, assembly.state.q)));
  }
  const std::vector<double> given = scene.initial.q;
  scene.initial.q = assembly.state.q;
  scene.initial.v = assembly.state.v;
  if (!out.empty()) warn_of_another_branch(scene, given);
  return out;
}

/// Refuses loops whose own coordinates start outside of their limits: nothing could bring them there.
void require_loops_within_limits(const Scene& scene) {
  constexpr double kRounding = 1e-9;  // m or rad
  StateKinematics kinematics(scene.model);
  for (const LoopJoint& loop : scene.model.loops()) {
    if (!has_laws(loop)) continue;
    LoopMotion motion = loop_at_rest(loop);
    motion.find(kinematics.at(scene.settings.start, scene.initial.q, scene.initial.v));
    for (std::size_t i = 0; i < loop.dofs.size(); ++i) {
      const DofProperties& dof = loop.dofs[i];
      const double y = motion.coordinates()[i];
      if (y < dof.lower - kRounding || y > dof.upper + kRounding)
        throw ModelError(fmt::format("{}{}loop \"{}\": expected a start within its limits [{:g}, {:g}], found {:.6g}",
                                     loop.where, loop.where.empty() ? "" : ": ", loop.name, dof.lower, dof.upper, y));
    }
  }
}

/// Warns of muscles whose path is not longer than their slack tendon where the scene starts.
void warn_of_slack_muscles(Scene& scene) {
  StateKinematics kinematics(scene.model);
  const Instant at = kinematics.at(scene.settings.start, scene.initial.q, scene.initial.v);
  for (const auto& force : scene.forces)
    if (const auto* muscle = dynamic_cast<const Muscle*>(force.get())) {
      const double length = muscle->length(at), slack = muscle->parameters().slack_length;
      if (length <= slack)
        scene.warnings.push_back(
            fmt::format("{}: its path ({:.4g} m) is not longer than its slack tendon ({:.4g} m) at the start: it "
                        "exerts no force there",
                        muscle->name(), length, slack));
    }
}

void settle(Scene& scene) {
  Scene still = scene;
  still.initial = within_limits(scene.model, scene.initial);
  still.settings.code = Settings::Code::generic;
  still.settings.maximal_bodies.clear();  // rest is rest in any coordinates, and stiffness is exact in those of joints
  SystemWorkspace workspace{System(still)};
  const Equilibrium found = find_equilibrium(workspace, still.initial);
  if (!found.found)
    throw ModelError(fmt::format("{}{}[initial] equilibrium: none was found: {:.3g} N or N m are left out of balance",
                                 scene.where, scene.where.empty() ? "" : ": ", found.residual));
  const State rest = workspace.model_state(found.state);
  scene.initial.q = rest.q;
  scene.initial.z = rest.z;
  scene.starts_at_equilibrium = false;
}

}  // namespace

std::vector<std::string> assemble(Scene& scene) {
  std::vector<std::string> out = close_loops(scene);
  require_loops_within_limits(scene);
  if (scene.starts_at_equilibrium) settle(scene);
  warn_of_slack_muscles(scene);
  return out;
}

std::string on_another_branch(const Scene& scene, const std::vector<double>& q, const std::string& whose) {
  constexpr int kMostRows = 200;  // a dense factor of all of them is made at every step of the way
  SystemWorkspace workspace{system_to_assemble(scene)};
  if (!workspace.constraints() || scene.model.loops().empty() || q.size() != scene.initial.q.size()) return {};
  ConstraintSet& set = workspace.constraints()->constraints();
  if (set.rows() > kMostRows) return {};
  const BranchComparison found = compare_branches(set, scene.settings.start, q, scene.initial.q, joints_to_keep(scene));
  if (found.verdict == BranchComparison::Verdict::same) return {};
  if (found.verdict == BranchComparison::Verdict::unclear)
    return fmt::format("loops may be closed on another branch than {}: the way from there {}", whose,
                       found.end.share < 1.0 ? fmt::format("ends at a dead point or a limit, after {:.0f} % of it",
                                                           100.0 * found.end.share)
                                             : "leads through a position in which branches meet");
  std::vector<double> change(static_cast<std::size_t>(scene.model.nv()));
  difference(scene.model, found.end.q.data(), scene.initial.q.data(), change.data());
  const auto most =
      std::max_element(change.begin(), change.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const int body = scene.model.body_of_dof(static_cast<int>(most - change.begin()));
  return fmt::format(
      "loops are closed on another branch than {}: from there joint \"{}\" comes to [{}], and here it starts at [{}]",
      whose, scene.model.joint_name(body), coordinates_text(scene.model.link(body), found.end.q),
      coordinates_text(scene.model.link(body), scene.initial.q));
}

double singular_margin(const Scene& scene) {
  SystemWorkspace workspace{system_to_assemble(scene)};
  if (!workspace.constraints() || scene.model.loops().empty()) return 1.0;
  ConstraintSet& set = workspace.constraints()->constraints();
  const std::vector<double> rest(scene.initial.v.size());
  set.evaluate(scene.settings.start, scene.initial.q, rest);
  Eigen::MatrixXd J(set.rows(), scene.model.nv());
  set.matrix(J);
  const Eigen::VectorXd values = singular_value_sizes(J);
  double out = 1.0;
  for (const double value : values)
    if (value > kRankTolerance * values[0]) out = value / values[0];
  return out;
}

}  // namespace cardan
