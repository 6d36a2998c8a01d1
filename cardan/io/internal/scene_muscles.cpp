#include "cardan/io/internal/scene_muscles.hpp"

#include "cardan/forces/muscle.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_paths.hpp"
#include "cardan/io/internal/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

using Curves = MuscleParameters::Curves;

void read_positive(const TomlValue& table, const char* key, double& out) {
  if (const TomlValue value = table.find(key)) out = value.positive();
}

void read_not_negative(const TomlValue& table, const char* key, double& out) {
  out = number_not_below_zero(table, key).value_or(out);
}

/// Reads n numbers that are not negative.
template <class Numbers>
void read_numbers(const TomlValue& table, const char* key, std::size_t n, Numbers& out) {
  const TomlValue list = table.find(key);
  if (!list) return;
  const std::vector<double> numbers = list.numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (numbers[i] < 0.0) list.fail(fmt::format("expected {} numbers not below 0, found a negative one", n));
    out[i] = numbers[i];
  }
}

void read_thelen(const TomlValue& table, MuscleParameters& p) {
  muscle::ThelenShape& shape = p.thelen;
  read_positive(table, "passive_strain", shape.passive_strain);
  read_positive(table, "tendon_strain", shape.tendon_strain);
  read_positive(table, "active_width", shape.active_width);
  read_positive(table, "passive_exponent", shape.passive_exponent);
  read_positive(table, "concentric_curvature", shape.concentric);
  read_positive(table, "eccentric_force", shape.eccentric);
  read_positive(table, "speed_threshold", shape.threshold);
  if (!(shape.eccentric > 1.0)) table.find("eccentric_force").fail("expected a number above 1, found another");
  if (!(shape.threshold < 1.0) || !(shape.threshold * shape.eccentric > 1.0))
    table.fail("expected a speed_threshold below 1 that leaves eccentric_force above 1, found another");
}

void read_millard(const TomlValue& table, MuscleParameters& p) {
  muscle::MillardShape& shape = p.millard;
  if (!table.find("fiber_damping")) p.fiber_damping = 0.1;
  read_positive(table, "tendon_strain", shape.tendon_strain);
  read_numbers(table, "active_range", 3, shape.active_range);
  read_not_negative(table, "active_slope", shape.active_slope);
  read_not_negative(table, "least_active", shape.least_active);
  read_numbers(table, "speed_slopes", 5, shape.speed_slopes);
  read_numbers(table, "speed_curviness", 2, shape.speed_curviness);
  read_positive(table, "eccentric_force", shape.eccentric);
  read_numbers(table, "passive_strains", 2, shape.passive_strains);
  if (table.find("passive_shape")) read_numbers(table, "passive_shape", 3, shape.passive_shape.emplace());
  if (table.find("tendon_shape")) read_numbers(table, "tendon_shape", 3, shape.tendon_shape.emplace());
}

void read_curves(const TomlValue& table, MuscleParameters& p) {
  const TomlValue curves = table.find("curves"), tendon = table.find("tendon");
  const std::vector<std::string>& names = choices("force", "curves", "muscle");
  const std::string name = curves ? curves.one_of(names) : names[0];
  const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  p.curves = static_cast<Curves>(index);
  for (const KeyRule& rule : rules_of("force", "muscle")) {
    const bool goes_with_curves = rule.kind == KeyRule::Kind::needs_word && rule.keys[1] == "curves";
    if (goes_with_curves && table.find(rule.keys[0]) &&
        std::find(rule.keys.begin() + 2, rule.keys.end(), name) == rule.keys.end())
      table.find(rule.keys[0]).fail(fmt::format("expected none with the curves {}, found one", in_quotes(name)));
  }
  p.elastic_tendon = tendon && tendon.one_of(choices("force", "tendon", "muscle")) == "elastic";
  if (name == "sueda") {
    if (p.elastic_tendon) tendon.fail("expected a rigid tendon with the curves \"sueda\", found an elastic one");
    if (p.pennation != 0.0) table.find("pennation").fail("expected none with the curves \"sueda\", found one");
  }
  if (name == "thelen") read_thelen(table, p);
  if (name == "millard") read_millard(table, p);
  if (p.elastic_tendon && p.slack_length == 0.0)
    table.find("slack_length").fail("expected a positive length of an elastic tendon, found 0");
}

MuscleParameters read_parameters_of(const TomlValue& table) {
  MuscleParameters p;
  p.max_force = table.required("max_force").positive();
  p.optimal_length = table.required("optimal_length").positive();
  table.required("slack_length");
  p.slack_length = *number_not_below_zero(table, "slack_length");
  read_not_negative(table, "pennation", p.pennation);
  if (p.pennation >= 0.5 * std::acos(-1.0))
    table.find("pennation").fail("expected an angle below pi/2, found " + table.find("pennation").kind());
  read_positive(table, "max_velocity", p.max_velocity);
  read_positive(table, "activation_time", p.activation_time);
  read_positive(table, "deactivation_time", p.deactivation_time);
  read_not_negative(table, "fiber_damping", p.fiber_damping);
  read_positive(table, "passive_strain", p.passive_strain);
  read_positive(table, "tendon_strain", p.tendon_strain);
  read_positive(table, "width_scale", p.width_scale);
  read_positive(table, "activation_smoothing", p.activation_smoothing);
  read_positive(table, "least_activation", p.least_activation);
  if (!(p.least_activation < 1.0)) table.find("least_activation").fail("expected a number below 1, found another");
  read_curves(table, p);
  return p;
}

Muscle::Drive read_drive(const SceneWords& words, const TomlValue& table, const std::string& label) {
  const int input = words.inputs().find_force(label);
  if (input >= 0)
    for (const char* key : {"excitation", "activation"})
      if (table.find(key)) table.fail_key(key, "expected none, because an input excites the muscle, found one");
  const std::string drive = input >= 0 ? "excitation" : table.only_key({"excitation", "activation"}, "muscle");
  const TomlValue text = table.find(drive), start = table.find("initial_activation");
  std::optional<double> initial;
  if (start) {
    initial = start.number();
    if (drive == "activation") start.fail("expected an excitation beside it, found an activation");
    if (*initial < 0.0 || *initial > 1.0) start.fail("expected a number from 0 to 1, found " + start.kind());
  }
  if (input < 0 && text.is_number() && (text.number() < 0.0 || text.number() > 1.0))
    text.fail("expected a number from 0 to 1, found " + text.kind());
  SignalFunction value = input >= 0 ? words.inputs().function(input) : words.function(table, {text});
  for (const Signal& signal : value.signals())
    if (drive == "activation" && signal.kind != Signal::Kind::time)
      text.fail("expected a text of t, found one that follows the mechanism: feedback goes through an excitation");
  return {drive == "excitation", std::move(value), initial};
}

}  // namespace

std::optional<double> number_not_below_zero(const TomlValue& table, const char* key) {
  const TomlValue value = table.find(key);
  if (!value) return std::nullopt;
  const double number = value.number();
  if (number < 0.0) value.fail(fmt::format("expected a number not below 0, found {}", value.kind()));
  return number;
}

std::shared_ptr<const Force> read_muscle(const SceneWords& words, const TomlValue& table, const std::string& label) {
  allow_keys(table, "force", "muscle");
  const MuscleParameters parameters = read_parameters_of(table);
  Muscle::Drive drive = read_drive(words, table, label);
  Path path = read_path(words.model(), table);
  try {
    return std::make_shared<const Muscle>(label, std::move(path), parameters, std::move(drive));
  } catch (const std::invalid_argument& problem) {
    table.fail(fmt::format("expected a muscle that can be, found one that cannot: {}", problem.what()));
  }
}

}  // namespace cardan::io
