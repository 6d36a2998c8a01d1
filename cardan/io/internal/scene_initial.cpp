#include "cardan/io/internal/scene_initial.hpp"

#include "cardan/dynamics/joint_limits.hpp"
#include "cardan/dynamics/system.hpp"
#include "cardan/io/internal/motion_file.hpp"
#include "cardan/io/internal/scene_doubts.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_parameters.hpp"
#include "cardan/io/internal/scene_units.hpp"
#include "cardan/io/trajectory_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

namespace cardan {

namespace {

using Complain = std::function<void(const std::string&)>;

/// Writes values into the state and remembers that they are meant.
void put_initial(Scene& scene, InitialKind kind, int body, std::vector<double> values, const Complain& complain) {
  const Link& link = scene.model.link(body);
  const bool positions = kind == InitialKind::coordinates;
  const int n = positions ? link.nq : link.nv;
  if (static_cast<int>(values.size()) != n)
    complain(fmt::format("expected {} {}, found {}", n, n == 1 ? "number" : "numbers", values.size()));
  if (positions)
    if (const auto length = normalize_quaternions(scene.model.joint(body), values.data()))
      complain(fmt::format("expected a quaternion (w, x, y, z) of length 1, found length {:.9g}", *length));
  std::copy(values.begin(), values.end(),
            positions ? scene.initial.q.begin() + link.q : scene.initial.v.begin() + link.v);
  std::vector<int>& kept = positions ? scene.kept.positions : scene.kept.velocities;
  if (std::find(kept.begin(), kept.end(), body) == kept.end()) kept.push_back(body);
}

}  // namespace

namespace io {

namespace {

void read_values(const TomlValue& table, InitialKind kind, Scene& scene) {
  for (const std::string& joint : table.keys()) {
    const TomlValue value = table.find(joint);
    const int body = scene.model.find_joint(joint);
    if (body < 0)
      table.fail_key(joint, fmt::format("expected a joint that moves, found {}{}", in_quotes(joint),
                                        did_you_mean(joint, joint_names(scene.model))));
    check_unit(value, kind == InitialKind::coordinates ? "m, rad" : "m/s, rad/s", scene.model.joint(body).type_name());
    std::vector<double> numbers;
    if (value.is_list())
      for (const TomlValue& item : value.items()) numbers.push_back(item.number());
    else
      numbers.push_back(value.number());
    put_initial(scene, kind, body, std::move(numbers), [&](const std::string& what) { value.fail(what); });
  }
}

/// The row of a run at time t; where forces have states, it must be one of the rows.
State state_at(const Trajectory& run, double t, const TomlValue& at) {
  const std::vector<double>& times = run.times();
  const double first = times.front(), last = times.back();
  if (t < first || t > last) at.fail(fmt::format("expected a time from {:g} to {:g} s, found {:g}", first, last, t));
  const auto after = std::lower_bound(times.begin(), times.end(), t);
  const double before = after == times.begin() ? *after : *std::prev(after);
  const double near = t - before < *after - t ? before : *after;
  constexpr double kRounding = 1e-9;
  if (std::abs(t - near) <= kRounding * std::max(1.0, std::abs(t))) return run.at(near);
  if (!run.states().empty())
    at.fail(fmt::format("expected the time of a row, {:g} or {:g} s, because {} is known there only, found {:g}",
                        before, *after, in_quotes(run.states().front()), t));
  return run.at(t);
}

/// Takes the states of forces from a run; those that it does not know start anew, with a warning.
void take_states(const Trajectory& run, const std::vector<std::string>& columns, const std::string& file,
                 const State& state, Scene& scene) {
  const auto missing = [&](const std::string& column) {
    return std::find(run.states().begin(), run.states().end(), column) == run.states().end();
  };
  const auto first = std::find_if(columns.begin(), columns.end(), missing);
  if (first == columns.end())
    scene.initial.z = state.z;
  else
    scene.warnings.push_back(fmt::format("[initial] from: {} has no column {}: the states of {} start anew",
                                         in_quotes(file), in_quotes(*first),
                                         columns.size() == 1 ? "its force" : "all forces and controllers"));
}

/// Takes rest lengths from the beginning of the run that is continued.
void take_rest_lengths(const Trajectory& run, const std::string& file, Scene& scene) {
  const auto takes_length = [](const auto& force) { return force->needs_start() && force->touches().states == 0; };
  const auto force = std::find_if(scene.forces.begin(), scene.forces.end(), takes_length);
  if (run.times().front() == 0.0)
    scene.unstrained = run.at(0.0);
  else if (force != scene.forces.end())
    throw ModelError(
        fmt::format("expected the rest length of {} in the scene, because {} begins at t = {:g} s, found none",
                    (*force)->name(), in_quotes(file), run.times().front()));
}

/// Starts at a time of a motion file, its end by default: those coordinates that it has.
void read_motion(const TomlValue& table, const std::string& path, Scene& scene) {
  const TomlValue at = table.find("at");
  const double t = at ? at.number() : 0.0;
  const MotionState state = motion_state(scene.model, path, at ? &t : nullptr, scene.initial.q, scene.initial.v);
  scene.initial.q = state.q;
  scene.initial.v = state.v;
  scene.settings.start = state.t;
}

/// Goes on from an earlier run at a time, its end by default: positions, velocities, states of forces, the time.
void read_earlier_run(const TomlValue& table, const std::string& folder, Scene& scene) {
  const TomlValue from = table.find("from"), at = table.find("at");
  try {
    const std::string path = (std::filesystem::path(folder) / from.name()).string();
    if (is_motion_file(path)) return read_motion(table, path, scene);
    const std::vector<std::string> columns = state_columns(scene.forces);
    const Trajectory run = load_trajectory(scene.model, path, columns);
    const double t = at ? at.number() : run.times().back();
    const State state = state_at(run, t, at);
    scene.initial.q = state.q;
    scene.initial.v = state.v;
    scene.settings.start = t;
    take_states(run, columns, from.name(), state, scene);
    take_rest_lengths(run, from.name(), scene);
  } catch (const ModelError& problem) {
    if (std::string(problem.what()).starts_with("scene:")) throw;
    from.fail(problem.what());
  }
}

}  // namespace

void read_initial(const TomlValue& table, const std::string& folder, Scene& scene) {
  allow_keys(table, "initial");
  if (table.find("at") && !table.find("from")) table.find("at").fail("expected the key \"from\" beside it, found none");
  if (table.find("from")) read_earlier_run(table, folder, scene);
  if (const TomlValue t = table.find("t")) scene.settings.start = t.number();
  if (const TomlValue q = table.find("q")) read_values(q, InitialKind::coordinates, scene);
  if (const TomlValue v = table.find("v")) read_values(v, InitialKind::velocities, scene);
  if (const TomlValue clamp = table.find("clamp")) scene.starts_within_limits = clamp.truth();
  if (scene.starts_within_limits) scene.initial = within_limits(scene.model, std::move(scene.initial));
  if (const TomlValue equilibrium = table.find("equilibrium")) scene.starts_at_equilibrium = equilibrium.truth();
}

}  // namespace io

void set_initial(Scene& scene, InitialKind kind, const std::string& text) {
  const char* const option = kind == InitialKind::coordinates ? "--q" : "--v";
  const auto complain = [&](const std::string& what) {
    throw ModelError(fmt::format("{} {}: {}", option, io::in_quotes(text), what));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) complain("expected JOINT=VALUE");
  const std::string joint = text.substr(0, equals), rest = text.substr(equals + 1);
  const int body = scene.model.find_joint(joint);
  if (body < 0)
    complain(fmt::format("expected a joint that moves, found {}{}", io::in_quotes(joint),
                         io::did_you_mean(joint, io::joint_names(scene.model))));
  std::vector<double> values, plain;
  std::string_view list = rest;
  if (list.starts_with('[') && list.ends_with(']')) list = list.substr(1, list.size() - 2);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    try {
      values.push_back(io::value_of(std::string(list.substr(begin, end - begin)), {}));
      plain.push_back(io::parse_number(list.substr(begin, end - begin)).value_or(0.0));
    } catch (const ParseError& problem) {
      complain(fmt::format("expected numbers, found {}: {}", io::in_quotes(rest), problem.what()));
    }
    begin = end + 1;
  }
  put_initial(scene, kind, body, std::move(values), complain);
  if (kind == InitialKind::coordinates)
    if (const std::string doubt = io::doubt_of_coordinates(scene.model.joint(body).type_name(), plain); !doubt.empty())
      scene.warnings.push_back(fmt::format("{} {}: {}", option, io::in_quotes(text), doubt));
  if (scene.starts_within_limits) scene.initial = within_limits(scene.model, std::move(scene.initial));
}

}  // namespace cardan
