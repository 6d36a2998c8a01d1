#include "cardan/simulate/simulate.hpp"

#include "cardan/constraints/coordinate_motion.hpp"
#include "cardan/forces/muscle.hpp"
#include "cardan/simulate/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  out.summary = simulator.run(
      scene.initial,
      [&](double t, const State& state) {
        const Energy energy = workspace.energy(state, t);
        out.add(t, state, energy, recorder(t, state, energy));
        if (options.on_output) options.on_output(out);
      },
      options.go_on,
      recorder.records_work()
          ? Simulator::Piece([&](double t, const Simulator::StateAt& state_at) { recorder.work_until(t, state_at); })
          : Simulator::Piece());
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

/// Returns the lines that assemble() does.
std::vector<std::string> close_loops(Scene& scene) {
  Settings settings = scene.settings;
  settings.code = Settings::Code::generic;
  if (!settings.independent.empty()) {  // loops are put together as any others
    settings.formulation = Formulation::recursive;
    settings.independent.clear();
  }
  SystemWorkspace workspace{System(scene.model, {}, scene.constraints, settings)};
  if (settings.stabilization == Stabilization::baumgarte) return {};
  const Assembly assembly = workspace.assemble(scene.settings.start, scene.initial, scene.kept);
  if (!assembly.closed) {
    std::string where = scene.where;
    for (const LoopJoint& loop : scene.model.loops())
      if (assembly.worst == fmt::format("loop \"{}\"", loop.name) && !loop.where.empty()) where = loop.where;
    throw ModelError(where.empty() ? assembly.complaint() : where + ": " + assembly.complaint());
  }
  std::vector<std::string> out;
  for (const int body : assembly.moved) {
    const Link& link = scene.model.link(body);
    const auto values = [&](const std::vector<double>& q) {
      std::string text;
      for (int k = 0; k < link.nq; ++k)
        text += fmt::format("{}{:.6g}", k == 0 ? "" : ", ", q[static_cast<std::size_t>(link.q + k)]);
      return text;
    };
    out.push_back(fmt::format("joint \"{}\": from [{}] to [{}]", scene.model.joint_name(body), values(scene.initial.q),
                              values(assembly.state.q)));
  }
  scene.initial.q = assembly.state.q;
  scene.initial.v = assembly.state.v;
  return out;
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
  if (scene.starts_at_equilibrium) settle(scene);
  warn_of_slack_muscles(scene);
  return out;
}

}  // namespace cardan
