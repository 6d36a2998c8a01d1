#include "cardan/io/scene_family.hpp"

#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace cardan {

namespace {

std::optional<double> plain_number(const std::string& text) {
  double out = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// One number of where a run starts, whether the scene gives it or not.
struct InitialNumber {
  bool is_position;
  int body, k;

  double& in(Scene& scene) const {
    const Link& link = scene.model.link(body);
    return is_position ? scene.initial.q[static_cast<std::size_t>(link.q + k)]
                       : scene.initial.v[static_cast<std::size_t>(link.v + k)];
  }
  void set(Scene& scene, double value) const {
    in(scene) = value;
    std::vector<int>& kept = is_position ? scene.kept.positions : scene.kept.velocities;
    if (std::find(kept.begin(), kept.end(), body) == kept.end()) kept.push_back(body);
  }
};

/// Reads initial.q.JOINT, initial.v.JOINT or, of a joint of several, initial.v.JOINT.K; nothing where it is none.
std::optional<InitialNumber> initial_number(const Model& model, const std::string& name) {
  constexpr std::string_view prefix = "initial.q.";
  if (!name.starts_with(prefix) && !name.starts_with("initial.v.")) return std::nullopt;
  const bool is_position = name.starts_with(prefix);
  const std::string joint = name.substr(prefix.size());
  const auto count = [&](int body) { return is_position ? model.link(body).nq : model.link(body).nv; };
  if (const int body = model.find_joint(joint); body > 0 && count(body) == 1)
    return InitialNumber{is_position, body, 0};
  const auto dot = joint.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const int body = model.find_joint(joint.substr(0, dot));
  const auto k = plain_number(joint.substr(dot + 1));
  if (body <= 0 || !k || *k < 0.0 || *k >= count(body) || *k != std::floor(*k)) return std::nullopt;
  if (is_position && !model.joint(body).is_flat()) return std::nullopt;  // no coordinate of a turn changes alone
  return InitialNumber{is_position, body, static_cast<int>(*k)};
}

/// Says why a name that begins like one of a start is none.
std::string start_problem(const Model& model, const std::string& name) {
  constexpr std::size_t prefix = std::string_view("initial.q.").size();
  if (!name.starts_with("initial.q.") && !name.starts_with("initial.v.")) return {};
  const std::string joint = name.substr(prefix);
  const bool is_position = name[prefix - 2] == 'q';
  for (const std::string& which : {joint, joint.substr(0, joint.rfind('.'))})
    if (const int body = model.find_joint(which); body > 0) {
      const int count = is_position ? model.link(body).nq : model.link(body).nv;
      if (is_position && !model.joint(body).is_flat())
        return fmt::format("no coordinate of joint {} changes alone: vary a parameter that its q follows from",
                           io::in_quotes(which));
      return fmt::format("expected {}{}.0 to {}{}.{}", name.substr(0, prefix), which, name.substr(0, prefix), which,
                         count - 1);
    }
  return fmt::format("no joint of this name{}", io::did_you_mean(joint, io::joint_names(model)));
}

/// Finds the path of a number in the scene's file: that of an input is what it is where nobody writes it.
std::string path_of(const Scene& scene, const std::string& name) {
  for (const Input& input : scene.inputs)
    if (name == "input." + input.name) return name + ".default";
  return name;
}

double number_of(const SceneSpec& spec, Scene& scene, const std::string& name) {
  const std::string where = io::printable(spec.name());
  if (name.empty()) throw ModelError(fmt::format("{}: expected the name of a number, found \"\"", where));
  if (const auto start = initial_number(scene.model, name)) return start->in(scene);
  if (const std::string problem = start_problem(scene.model, name); !problem.empty())
    throw ModelError(fmt::format("{}: {}: {}", where, io::in_quotes(name), problem));
  for (const auto& [parameter, value] : scene.parameters)
    if (parameter == name) return value;
  for (const Input& input : scene.inputs)
    if (name == "input." + input.name) return input.value;
  const std::string text = spec.value(name);
  if (const auto number = plain_number(text)) return *number;
  throw ModelError(
      fmt::format("{}: expected the name of a number, found {} = {}", where, io::in_quotes(name), io::printable(text)));
}

}  // namespace

SceneFamily scene_family(SceneSpec spec, const std::vector<std::string>& names, const FamilyOptions& options) {
  for (const std::string& change : options.set) spec.set(change);
  Scene given = spec.bind();
  SceneFamily out;
  out.names = names;
  std::vector<std::optional<InitialNumber>> starts;
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    paths.push_back(path_of(given, name));
    out.values.push_back(number_of(spec, given, name));
    starts.push_back(initial_number(given.model, name));
  }
  out.scene = [spec = std::move(spec), paths, starts, adjust = options.adjust](std::span<const double> values) {
    SceneSpec changed = spec;
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (!starts[i]) changed.set(paths[i], values[i]);
    Scene scene = changed.bind();
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (starts[i]) starts[i]->set(scene, values[i]);
    if (adjust) adjust(scene.settings);
    assemble(scene);
    return scene;
  };
  return out;
}

void set_number(SceneSpec& spec, const std::string& name, double value) {
  const Scene scene = spec.bind();
  const auto start = initial_number(scene.model, name);
  if (!start) return spec.set(path_of(scene, name), value);
  const Link& link = scene.model.link(start->body);
  const bool is_position = start->is_position;
  const int first = is_position ? link.q : link.v, count = is_position ? link.nq : link.nv;
  if (count == 1) return spec.set(fmt::format("{}={:.17g}", name, value));
  std::vector<std::string> numbers;  // a joint of several has a list of all
  for (int k = 0; k < count; ++k) {
    const std::vector<double>& given = is_position ? scene.initial.q : scene.initial.v;
    numbers.push_back(fmt::format("{:.17g}", k == start->k ? value : given[static_cast<std::size_t>(first + k)]));
  }
  spec.set(fmt::format("{}=[{}]", name.substr(0, name.rfind('.')), fmt::join(numbers, ", ")));
}

}  // namespace cardan
