#include "cardan/io/internal/scene_controllers.hpp"

#include "cardan/forces/controller.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

/// A number for all forces, or a list with one for each; not negative.
std::vector<double> read_for_each(const TomlValue& table, const char* key, std::size_t n, double otherwise) {
  const TomlValue value = table.find(key);
  if (!value) return std::vector<double>(n, otherwise);
  const auto read = [](const TomlValue& item) {
    const double x = item.number_or_infinity();
    if (x < 0.0) item.fail(fmt::format("expected a number that is not negative, found {:g}", x));
    return x;
  };
  if (!value.is_list()) return std::vector<double>(n, read(value));
  std::vector<double> out;
  for (const TomlValue& item : value.items(n, n == 1 ? "number" : "numbers")) out.push_back(read(item));
  return out;
}

ControlledJoints read_joints(const Model& model, const TomlValue& table, const std::string& name) {
  const TomlValue list = table.required("joints");
  std::vector<int> bodies;
  for (const TomlValue& joint : list.is_list() ? list.items() : std::vector<TomlValue>{list}) {
    bodies.push_back(read_moving_joint(model, joint));
    if (std::count(bodies.begin(), bodies.end(), bodies.back()) > 1)
      joint.fail(fmt::format("expected each joint once, found {} twice", in_quotes(joint.text())));
  }
  if (bodies.empty()) list.fail("expected at least one joint, found none");
  ControlledJoints out = ControlledJoints::of(model, name, bodies);
  const std::vector<double> limit = read_for_each(table, "limit", out.velocities.size(), INFINITY);
  for (std::size_t i = 0; i < limit.size(); ++i) out.limit[i] = std::min(out.limit[i], limit[i]);
  if (const TomlValue period = table.find("period")) {
    out.period = period.number();
    constexpr double kShortest = 1e-9;
    if (out.period < 0.0) period.fail(fmt::format("expected seconds, 0 for continuous, found {:g}", out.period));
    if (out.period > 0.0 && out.period < kShortest)
      period.fail(fmt::format("expected at least {:g} s, or 0 for continuous, found {:g}", kShortest, out.period));
  }
  return out;
}

TimeFunction read_target(const Model& model, const TomlValue& table, const ControlledJoints& joints) {
  for (const TomlValue& joint :
       table.find("joints").is_list() ? table.find("joints").items() : std::vector<TomlValue>{table.find("joints")}) {
    const Link& link = model.link(model.find_joint(joint.text()));
    if (link.nq != link.nv)
      joint.fail(
          fmt::format("expected a joint with as many coordinates as velocities, found {}", in_quotes(joint.text())));
  }
  const std::vector<TomlValue> texts = one_each(table.required("target"), joints.velocities.size());
  return read_time_function(table, 2, [&](const Symbols& symbols) {
    std::vector<Expr> out;
    for (const TomlValue& text : texts) out.push_back(read_expression(text, symbols));
    return out;
  });
}

std::shared_ptr<const Force> read_tracking(const SceneWords& words, const TomlValue& table, const std::string& name) {
  const std::string& type = table.find("type").text();
  allow_keys(table, "controller", type);
  ControlledJoints joints = read_joints(words.model(), table, name);
  const std::size_t n = joints.velocities.size();
  table.required("kp");
  if (type == "pid") table.required("ki");
  Gains gains{read_for_each(table, "kp", n, 0.0), read_for_each(table, "kd", n, 0.0),
              read_for_each(table, "ki", n, 0.0)};
  TimeFunction target = read_target(words.model(), table, joints);
  if (type != "computed_torque")
    return pid_controller(words.model(), std::move(joints), std::move(target), std::move(gains));
  if (!words.model().loops().empty())
    table.find("type").fail("expected a mechanism without loops for computed_torque, found loop " +
                            in_quotes(words.model().loops().front().name));
  return computed_torque_controller(words.model(), std::move(joints), std::move(target), std::move(gains));
}

std::shared_ptr<const Force> read_gravity_compensation(const SceneWords& words, const TomlValue& table,
                                                       const std::string& name) {
  allow_keys(table, "controller", "gravity_compensation");
  return gravity_compensation(words.model(), read_joints(words.model(), table, name));
}

std::shared_ptr<const Force> read_text_controller(const SceneWords& words, const TomlValue& table,
                                                  const std::string& name) {
  allow_keys(table, "controller", "text");
  ControlledJoints joints = read_joints(words.model(), table, name);
  std::vector<std::string> states;
  const TomlValue state = table.find("state"), rate = table.find("rate"), initial = table.find("initial");
  if (state)
    for (const TomlValue& item : state.items()) {
      if (const std::string problem = name_problem(item.text()); !problem.empty()) item.fail(problem);
      if (item.text() == "t" || words.model().find_joint(item.text()) >= 0 ||
          std::find(states.begin(), states.end(), item.text()) != states.end())
        item.fail(fmt::format("expected a name that nothing else has, found {}", in_quotes(item.text())));
      states.push_back(item.text());
    }
  if (!state)
    for (const TomlValue& key : {rate, initial})
      if (key) key.fail("expected the key \"state\" beside it, found none");
  SignalFunction force = words.function(table, one_each(table.required("force"), joints.velocities.size()), states);
  std::optional<SignalFunction> rates;
  std::vector<double> start;
  if (!states.empty()) {
    rates = words.function(table, one_each(table.required("rate"), states.size()), states);
    if (initial) start = initial.numbers(states.size());
  }
  return signal_controller(std::move(joints), std::move(force), std::move(rates), std::move(start));
}

struct ControllerType {
  const char* name;
  std::shared_ptr<const Force> (*read)(const SceneWords& words, const TomlValue& table, const std::string& name);
};
constexpr ControllerType kControllerTypes[] = {
    {"pd", read_tracking},
    {"pid", read_tracking},
    {"computed_torque", read_tracking},
    {"gravity_compensation", read_gravity_compensation},
    {"text", read_text_controller},
};

}  // namespace

Forces read_controllers(const SceneWords& words, const std::vector<TomlValue>& controllers) {
  std::vector<std::string> names;
  Forces out;
  for (const TomlValue& table : controllers) {
    const TomlValue given = table.find("name");
    const std::string name = given ? given.name() : fmt::format("controller_{}", out.size() + 1);
    if (std::find(names.begin(), names.end(), name) != names.end())
      given.fail(fmt::format("expected names that differ, found {} twice", in_quotes(name)));
    names.push_back(name);
    const std::string& word = table.required("type").one_of(variant_names("controller"));
    for (const ControllerType& type : kControllerTypes)
      if (word == type.name) out.push_back(type.read(words, table, name));
  }
  return out;
}

}  // namespace cardan::io
