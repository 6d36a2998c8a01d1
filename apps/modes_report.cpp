#include "apps/modes_report.hpp"

#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace cardan::command {

namespace {

using Json = nlohmann::ordered_json;

long neutral_modes(const ModesReport& report) {
  return std::count_if(report.modes.begin(), report.modes.end(), [](const Mode& mode) { return mode.is_neutral(); });
}

Json equilibrium_object(const ModesReport& report) {
  Json out{{"q", report.equilibrium.q}, {"residual", report.residual}, {"stable", report.stable}};
  if (neutral_modes(report) > 0) out["neutral"] = neutral_modes(report);
  for (const RestingLimit& limit : report.limits)
    out["limits"].push_back({{"velocity", limit.velocity}, {"limit", limit.limit}, {"force", limit.force}});
  return out;
}

}  // namespace

ModesReport find_modes_of(Scene scene, const std::string& command) {
  scene.settings.code = Settings::Code::generic;
  scene.initial = within_limits(scene.model, scene.initial);
  State start = scene.initial;                               // the scene keeps its own, where springs were measured
  if (scene.settings.formulation == Formulation::maximal) {  // which finds the way where chains are long
    SystemWorkspace bodies{System(scene)};
    if (const Equilibrium found = find_equilibrium(bodies, scene.initial); found.found)
      start.q = bodies.model_state(found.state).q;
    scene.settings.formulation = Formulation::recursive;
  }
  scene.settings.maximal_bodies.clear();  // rest is rest in any coordinates, and stiffness is exact in those of joints
  SystemWorkspace workspace{System(scene)};
  const Equilibrium found = find_equilibrium(workspace, start);
  if (!found.found)
    throw std::runtime_error(
        fmt::format("{}: no equilibrium was found near the initial state: {:.3g} N or N m are left out of balance{}",
                    command, found.residual,
                    found.state_rate > 0.0
                        ? fmt::format(", states of controllers or muscles change by {:.3g} a second", found.state_rate)
                        : ""));
  ModesReport out{workspace.model_state(found.state), found.residual, false, find_modes(workspace, found),
                  found.limits};
  out.stable = is_stable(out.modes);
  return out;
}

std::string equilibrium_json(const ModesReport& report) { return equilibrium_object(report).dump(); }

std::string modes_json(const ModesReport& report) {
  Json out;
  out["equilibrium"] = equilibrium_object(report);
  out["modes"] = Json::array();
  for (const Mode& mode : report.modes)
    out["modes"].push_back({{"frequency", mode.frequency},
                            {"undamped", mode.undamped},
                            {"damping", mode.damping},
                            {"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}},
                            {"shape", std::vector<double>(mode.shape.begin(), mode.shape.end())}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string modes_text(const Model& model, const ModesReport& report) {
  std::string out =
      fmt::format("{}: equilibrium, {} ({:.2g} N or N m left)\n", io::printable(model.name()),
                  report.stable ? neutral_modes(report) > 0 ? "neutral: a mode neither grows nor returns" : "stable"
                                : "unstable: a mode grows",
                  report.residual);
  const auto each_joint = [&](const auto& write) {
    for (int body = 1; body <= model.bodies(); ++body) write(model.joint_name(body), model.link(body));
  };
  each_joint([&](const std::string& name, const Link& link) {
    out += fmt::format("  {:<24}", io::printable(name));
    for (int k = 0; k < link.nq; ++k)
      out += fmt::format(" {:.6g}", report.equilibrium.q[static_cast<std::size_t>(link.q + k)]);
    out += "\n";
  });
  for (const RestingLimit& limit : report.limits)
    out += fmt::format("  {} rests on its limit {:g}, which pushes with {:.6g} N or N m\n",
                       io::printable(model.joint_name(model.body_of_dof(limit.velocity))), limit.limit, limit.force);
  out += "\nmode  frequency [Hz]  undamped [Hz]  damping ratio\n";
  for (std::size_t i = 0; i < report.modes.size(); ++i) {
    const Mode& mode = report.modes[i];
    out += fmt::format("{:>4}  {:>14.6g}  {:>13.6g}  {:>13.6g}{}\n", i + 1, mode.frequency, mode.undamped, mode.damping,
                       mode.is_neutral()                                      ? "  neutral"
                       : mode.eigenvalue.real() > 0.0 && mode.damping < -1e-6 ? "  grows"
                                                                              : "");
    each_joint([&](const std::string& name, const Link& link) {
      double largest = 0.0;
      for (int k = link.v; k < link.v + link.nv; ++k) largest = std::max(largest, std::abs(mode.shape[k]));
      if (largest < 0.01) return;  // stands nearly still
      out += fmt::format("        {:<20}", io::printable(name));
      for (int k = link.v; k < link.v + link.nv; ++k) out += fmt::format(" {:>9.4f}", mode.shape[k]);
      out += "\n";
    });
  }
  return out;
}

}  // namespace cardan::command
