#include "cardan/io/internal/scene_lines.hpp"

#include "cardan/forces/body_damping.hpp"
#include "cardan/forces/bushing.hpp"
#include "cardan/forces/fluid_drag.hpp"
#include "cardan/forces/soft_contact.hpp"
#include "cardan/forces/spring.hpp"
#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_muscles.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_paths.hpp"
#include "cardan/io/internal/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

/// law = "k*(l - rest) + d*ldot"
std::shared_ptr<const Force> read_law(const SceneWords& words, const TomlValue& table, const std::string& label,
                                      Path path) {
  const TomlValue law = table.find("law");
  for (const char* key : {"stiffness", "damping"})
    if (table.find(key)) table.fail_key(key, fmt::format("expected no {} beside a law, found one", key));
  const std::vector<std::string> used = names_used(table, law), inputs = words.inputs().names();
  std::vector<std::string> known{"l", "ldot", "t", "rest"};
  known.insert(known.end(), inputs.begin(), inputs.end());
  for (const std::string& word : used)
    if (std::find(known.begin(), known.end(), word) == known.end())
      law.fail(fmt::format("expected l, ldot, t, rest, inputs and parameters, found {}{}", in_quotes(word),
                           did_you_mean(word, known)));
  const auto uses = [&](const char* word) { return std::find(used.begin(), used.end(), word) != used.end(); };
  std::optional<double> rest = number_not_below_zero(table, "rest");
  if (!rest && !uses("rest")) rest = 0.0;  // where its energy begins
  bool of_length = !uses("ldot") && !uses("t");
  std::vector<Signal> signals;
  known.resize(4);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!uses(inputs[i].c_str())) continue;
    known.push_back(inputs[i]);
    signals.push_back({.kind = Signal::Kind::input, .index = static_cast<int>(i)});
    of_length = false;
  }
  const std::vector<Signal> read = signals;
  const TextScope scope = TextScope::of_names(table, known);
  try {
    return std::make_shared<const TensionText>(label, std::move(path), rest, of_length, std::move(signals),
                                               [&](Expr l, Expr ldot, Expr t, Expr start, std::span<const Expr> u) {
                                                 std::vector<Expr> values{l, ldot, t, start};
                                                 for (std::size_t i = 0; i < u.size(); ++i)
                                                   values.push_back(words.inputs().value(read[i].index, t, u[i]));
                                                 return read_expression(law, scope.symbols(values));
                                               });
  } catch (const GraphTooLarge& problem) {
    law.fail(problem.what());
  }
}

std::shared_ptr<const Force> read_elastic(const SceneWords& words, const TomlValue& table, const std::string& type,
                                          const std::string& label) {
  const bool is_cable = type == "cable";
  allow_keys(table, "force", type);
  Path path = read_path(words.model(), table);
  if (table.find("law")) return read_law(words, table, label, std::move(path));
  ElasticLine::Parameters parameters;
  parameters.stiffness = number_not_below_zero(table, "stiffness").value_or(0.0);
  parameters.damping = number_not_below_zero(table, "damping").value_or(0.0);
  parameters.rest = number_not_below_zero(table, "rest");
  parameters.smoothing = number_not_below_zero(table, "smoothing").value_or(0.0);
  if (parameters.stiffness == 0.0 && parameters.damping == 0.0)
    table.fail("expected the key \"stiffness\" or \"damping\", found neither");
  return std::make_shared<const ElasticLine>(is_cable ? ElasticLine::Kind::cable : ElasticLine::Kind::spring, label,
                                             std::move(path), parameters);
}

std::shared_ptr<const Force> read_damping(const Model& model, const TomlValue& table, const std::string& label) {
  allow_keys(table, "force", "damping");
  const Frame& frame = model.frame(read_moving_frame(model, table.required("body")));
  const TomlValue list = table.required("coefficients");
  const std::vector<double> numbers = list.numbers(6);
  BodyDamping out{label, frame.body, frame.X, {}};
  for (std::size_t i = 0; i < 6; ++i) {
    if (numbers[i] < 0.0) list.fail("expected 6 numbers not below 0, found a negative one");
    out.coefficients[i] = numbers[i];
  }
  return make_force(out);
}

std::shared_ptr<const Force> read_fluid(const Model& model, const TomlValue& table, const std::string& label) {
  allow_keys(table, "force", "fluid");
  const Frame& frame = model.frame(read_moving_frame(model, table.required("body")));
  const TomlValue box = table.required("box"), wind = table.find("wind");
  const Pose<double> at = read_place(table);
  FluidDrag out{label, frame.body, from_pose(at.R, at.p) * frame.X};
  const std::vector<double> edges = box.numbers(3);
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(edges[i] > 0.0)) box.fail("expected 3 positive numbers, found another");
    out.box[i] = edges[i];
  }
  out.density = number_not_below_zero(table, "density").value_or(0.0);
  out.viscosity = number_not_below_zero(table, "viscosity").value_or(0.0);
  if (wind) out.wind = wind.vec3();
  if (out.density == 0.0 && out.viscosity == 0.0)
    table.fail("expected the key \"density\" or \"viscosity\", found neither");
  return make_force(out);
}

std::shared_ptr<const Force> read_bushing(const Model& model, const TomlValue& table, const std::string& label) {
  allow_keys(table, "force", "bushing");
  const auto end = [&](const char* key, const char* at_key) {
    const Frame& frame = model.frame(read_frame(model, table.required(key), "a body"));
    const TomlValue at = table.find(at_key);
    const Pose<double> pose = at ? read_pose(at) : Pose<double>{};
    return Bushing::End{frame.body, from_pose(pose.R, pose.p) * frame.X};
  };
  Bushing out{label, end("a", "at_a"), end("b", "at_b"), {}, {}};
  if (out.a.body == out.b.body)
    table.find("b").fail("expected bodies that move against each other, found " + in_quotes(table.find("b").text()) +
                         " on both sides");
  if (!table.find("stiffness") && !table.find("damping"))
    table.fail("expected the key \"stiffness\" or \"damping\", found neither");
  const auto six = [&](const char* key, std::array<double, 6>& values) {
    const TomlValue list = table.find(key);
    if (!list) return;
    const std::vector<double> numbers = list.numbers(6);
    for (std::size_t i = 0; i < 6; ++i) {
      if (numbers[i] < 0.0) list.fail("expected 6 numbers not below 0, found a negative one");
      values[i] = numbers[i];
    }
  };
  six("stiffness", out.stiffness);
  six("damping", out.damping);
  return make_force(out);
}

std::shared_ptr<const Force> read_soft_contact(const Model& model, const TomlValue& table, const std::string& label) {
  allow_keys(table, "force", "soft_contact");
  const Frame& frame = model.frame(read_moving_frame(model, table.required("body")));
  const TomlValue at = table.find("at"), normal = table.find("normal"), height = table.find("height"),
                  bending = table.find("tangential_stiffness"), drag = table.find("tangential_damping");
  SoftContact out;
  out.label = label;
  out.body = frame.body;
  const Vec3<double> center = at ? at.vec3() : Vec3<double>{};
  out.center = frame.X.r + rotate_back(frame.X.E, center);
  out.radius = number_not_below_zero(table, "radius").value_or(0.0);
  out.normal = normal ? read_direction(normal) : Vec3<double>{0.0, 0.0, 1.0};
  out.normal = (1.0 / norm(out.normal)) * out.normal;
  const Vec3<double> any = std::abs(out.normal[0]) < 0.9 ? Vec3<double>{1.0, 0.0, 0.0} : Vec3<double>{0.0, 1.0, 0.0};
  out.tangent[0] = cross(out.normal, any);
  out.tangent[0] = (1.0 / norm(out.tangent[0])) * out.tangent[0];
  out.tangent[1] = cross(out.normal, out.tangent[0]);
  out.height = height ? height.number() : 0.0;
  out.stiffness = table.required("stiffness").positive();
  out.damping = table.required("damping").positive();
  out.tangential_stiffness = bending ? bending.positive() : out.stiffness;
  out.tangential_damping = drag ? drag.positive() : out.damping;
  out.friction = number_not_below_zero(table, "friction").value_or(0.0);
  return make_force(out);
}

}  // namespace

std::shared_ptr<const Force> read_line_force(const SceneWords& words, const TomlValue& table, const std::string& type,
                                             const std::string& label) {
  const Model& model = words.model();
  if (type == "muscle") return read_muscle(words, table, label);
  if (type == "damping") return read_damping(model, table, label);
  if (type == "bushing") return read_bushing(model, table, label);
  if (type == "soft_contact") return read_soft_contact(model, table, label);
  if (type == "fluid") return read_fluid(model, table, label);
  if (type == "spring" || type == "spring_damper" || type == "cable") return read_elastic(words, table, type, label);
  throw std::logic_error("no reader for forces of type " + type);
}

}  // namespace cardan::io
