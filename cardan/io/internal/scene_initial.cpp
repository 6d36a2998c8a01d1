#include "cardan/io/internal/scene_initial.hpp"

#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_parameters.hpp"
#include "cardan/io/trajectory_file.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    std::vector<double> numbers;
    if (value.is_list())
      for (const TomlValue& item : value.items()) numbers.push_back(item.number());
    else
      numbers.push_back(value.number());
    put_initial(scene, kind, body, std::move(numbers), [&](const std::string& what) { value.fail(what); });
  }
}

/// The state of an earlier run at a time, its end by default.
void read_earlier_run(const TomlValue& table, const std::string& folder, Scene& scene) {
  const TomlValue from = table.find("from"), at = table.find("at");
  try {
    const Trajectory run = load_trajectory(scene.model, (std::filesystem::path(folder) / from.name()).string());
    const double first = run.times().front(), last = run.times().back(), t = at ? at.number() : last;
    if (t < first || t > last) at.fail(fmt::format("expected a time from {:g} to {:g} s, found {:g}", first, last, t));
    const State state = run.at(t);
    scene.initial.q = state.q;
    scene.initial.v = state.v;
  } catch (const ModelError& problem) {
    if (std::string(problem.what()).starts_with("scene:")) throw;
    from.fail(problem.what());
  }
}

}  // namespace

void read_initial(const TomlValue& table, const std::string& folder, Scene& scene) {
  table.allow({"q", "v", "from", "at", "equilibrium"});
  if (table.find("at") && !table.find("from")) table.find("at").fail("expected the key \"from\" beside it, found none");
  if (table.find("from")) read_earlier_run(table, folder, scene);
  if (const TomlValue q = table.find("q")) read_values(q, InitialKind::coordinates, scene);
  if (const TomlValue v = table.find("v")) read_values(v, InitialKind::velocities, scene);
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
  std::vector<double> values;
  std::string_view list = rest;
  if (list.starts_with('[') && list.ends_with(']')) list = list.substr(1, list.size() - 2);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    try {
      values.push_back(io::value_of(std::string(list.substr(begin, end - begin)), {}));
    } catch (const ParseError& problem) {
      complain(fmt::format("expected numbers, found {}: {}", io::in_quotes(rest), problem.what()));
    }
    begin = end + 1;
  }
  put_initial(scene, kind, body, std::move(values), complain);
}

}  // namespace cardan
