#include "apps/unheeded.hpp"

#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/dynamics/joint_limits.hpp"
#include "cardan/forces/force_of.hpp"
#include "cardan/forces/joint_force.hpp"
#include "cardan/io/internal/toml_build.hpp"
#include "cardan/io/internal/toml_write.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace cardan::command {

namespace {

std::string joint_of(const Model& model, int v) {
  return fmt::format("joint \"{}\"", model.joint_name(model.body_of_dof(v)));
}

/// Bounds what rounding and projections of positions leave.
double slack(const Trajectory& run, double limit) {
  const double held = run.summary.contact ? 1e-4 : 0.0;
  return held + 1e-9 * std::max(1.0, std::abs(limit));
}

void add_positions(const Trajectory& run, std::vector<std::string>& out) {
  const Model& model = run.model();
  if (run.size() > 0)
    if (std::string start = start_outside_limits(model, run.q(0)); !start.empty()) out.push_back(std::move(start));
  for (int body = 1; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    for (int k = 0; link.nq == link.nv && k < link.nv; ++k) {
      const DofProperties& dof = model.dof(link.v + k);
      for (std::size_t row = 0; row < run.size(); ++row) {
        const double x = run.q(row)[static_cast<std::size_t>(link.q + k)];
        if (x >= dof.lower - slack(run, dof.lower) && x <= dof.upper + slack(run, dof.upper)) continue;
        if (row > 0)
          out.push_back(fmt::format("{}: leaves its limits [{:g}, {:g}] at t = {:.4g} s, which nothing prevents here",
                                    joint_of(model, link.v), dof.lower, dof.upper, run.times()[row]));
        break;
      }
    }
  }
}

void add_velocities(const Trajectory& run, std::vector<std::string>& out) {
  for (int v = 0; v < run.model().nv(); ++v) {
    const double limit = run.model().dof(v).velocity_limit;
    for (std::size_t row = 0; std::isfinite(limit) && row < run.size(); ++row) {
      if (std::abs(run.v(row)[static_cast<std::size_t>(v)]) <= limit * (1.0 + 1e-9)) continue;
      out.push_back(
          fmt::format("{}: exceeds its velocity_limit of {:g} at t = {:.4g} s: it is data alone, nothing holds it",
                      joint_of(run.model(), v), limit, run.times()[row]));
      break;
    }
  }
}

/// Looks for the first row in which `efforts` are more than the joint's limit.
void add_effort(const Trajectory& run, int v, const std::string& what, const std::function<double(std::size_t)>& effort,
                std::vector<std::string>& out) {
  const double limit = run.model().dof(v).effort_limit;
  for (std::size_t row = 0; std::isfinite(limit) && row < run.size(); ++row) {
    const double found = std::abs(effort(row));
    if (found <= limit * (1.0 + 1e-9)) continue;
    out.push_back(
        fmt::format("{}: {} exceeds its effort_limit of {:g} at t = {:.4g} s ({:.4g}): it limits controllers alone",
                    joint_of(run.model(), v), what, limit, run.times()[row], found));
    return;
  }
}

State state_of(const Trajectory& run, std::size_t row) {
  State out;
  out.q.assign(run.q(row).begin(), run.q(row).end());
  out.v.assign(run.v(row).begin(), run.v(row).end());
  out.z.assign(run.z(row).begin(), run.z(row).end());
  return out;
}

void add_efforts(const Trajectory& run, SystemWorkspace& workspace, std::vector<std::string>& out) {
  const Model& model = run.model();
  StateKinematics kinematics(model);
  std::vector<ForceVector<double>> bodies(static_cast<std::size_t>(model.bodies()) + 1);
  for (const auto& force : workspace.system().forces()) {
    const auto* at_joint = dynamic_cast<const ForceOf<JointForce>*>(force.get());
    if (at_joint == nullptr) continue;
    const JointForce& element = at_joint->element();
    for (int v = element.first; v < element.first + element.force.size(); ++v)
      add_effort(
          run, v, force->name(),
          [&](std::size_t row) {
            std::vector<double> tau(static_cast<std::size_t>(model.nv()));
            Pushes pushes(bodies, tau);
            force->add(kinematics.at(run.times()[row], run.q(row), run.v(row), {nullptr, 0}, workspace.system().u()),
                       pushes);
            return tau[static_cast<std::size_t>(v)];
          },
          out);
  }
  if (workspace.system().is_stepped()) return;
  Loads loads;
  for (const auto& constraint : workspace.system().constraints()) {
    const auto* motion = dynamic_cast<const JointMotionConstraint*>(constraint.get());
    if (motion == nullptr) continue;
    const Link& link = model.link(motion->motion().body);
    for (int v = link.v; v < link.v + link.nv; ++v)
      add_effort(
          run, v, "its motion",
          [&](std::size_t row) {
            workspace.loads(run.times()[row], state_of(run, row), loads);
            return loads.drives[static_cast<std::size_t>(v)];
          },
          out);
  }
}

}  // namespace

std::vector<std::string> unheeded(const Trajectory& run, SystemWorkspace& workspace) {
  std::vector<std::string> out;
  add_positions(run, out);
  add_velocities(run, out);
  add_efforts(run, workspace, out);
  return out;
}

std::string start_outside_limits(const Model& model, std::span<const double> q) {
  const std::vector<BeyondLimit> outside = beyond_limits(model, q);
  if (outside.empty()) return {};
  std::string joints;
  std::vector<double> inside(q.begin(), q.end());
  for (const BeyondLimit& at : outside) {
    const Link& link = model.link(at.body);
    const DofProperties& dof = model.dof(link.v + at.k);
    joints += fmt::format("{}{}{} at {:g} ({:g} to {:g})", joints.empty() ? "" : ", ", joint_of(model, link.v),
                          link.nq > 1 ? fmt::format(" coordinate {}", at.k) : "", at.q, dof.lower, dof.upper);
    inside[static_cast<std::size_t>(link.q + at.k)] = at.nearest;
  }
  io::TomlNode pose;
  for (const BeyondLimit& at : outside) {
    const Link& link = model.link(at.body);
    const std::span<const double> own(inside.data() + link.q, static_cast<std::size_t>(link.nq));
    io::put(pose, model.joint_name(at.body), link.nq == 1 ? io::toml_number(own[0]) : io::toml_numbers(own));
  }
  return fmt::format(
      "initial state: outside limits of joints, which do not hold there: {}; the nearest pose inside, where "
      "[initial] clamp = true starts: q = {}",
      joints, io::to_toml_value(pose));
}

std::string data_alone(const Model& model) {
  bool velocities = false, efforts = false;
  for (int v = 0; v < model.nv(); ++v) {
    velocities |= std::isfinite(model.dof(v).velocity_limit);
    efforts |= std::isfinite(model.dof(v).effort_limit);
  }
  std::string out;
  if (velocities) out += "velocity limits are data alone: nothing holds them";
  if (efforts) out += fmt::format("{}effort limits hold controllers alone", velocities ? "; " : "");
  return out;
}

}  // namespace cardan::command
