#include "cardan/io/internal/osim_muscles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

/// The numbers of a muscle; what it does not say is that of all muscles of its type, or OpenSim's own.
class MuscleNumbers {
 public:
  MuscleNumbers(const XmlElement& muscle, const XmlElement& defaults) : muscle_(muscle), defaults_(defaults) {}

  /// The element that has this child; false where there is none.
  XmlElement find(const char* tag) const {
    const XmlElement own = muscle_.child(tag);
    return own || !defaults_ ? own : defaults_.child(tag);
  }
  /// Numbers that must be positive, or not negative.
  double positive(const char* tag, double otherwise) const {
    const XmlElement element = find(tag);
    const double x = element ? element.content_number() : otherwise;
    if (!(x > 0.0)) element.fail(fmt::format("expected a positive number, found {:g}", x));
    return x;
  }
  double not_negative(const char* tag, double otherwise) const {
    const XmlElement element = find(tag);
    const double x = element ? element.content_number() : otherwise;
    if (!(x >= 0.0)) element.fail(fmt::format("expected a number not below 0, found {:g}", x));
    return x;
  }
  bool truth(const char* tag, bool otherwise) const {
    return osim_truth(muscle_.child(tag) || !defaults_ ? muscle_ : defaults_, tag, otherwise);
  }
  /// The curve that a child element describes; the muscle itself where it has none, for what is usual.
  XmlElement curve(const char* tag) const {
    const XmlElement element = find(tag);
    return element ? element : muscle_;
  }

 private:
  const XmlElement &muscle_, &defaults_;
};

constexpr double kLeastActivation = 1e-6;  // instead of 0, at which nothing balances the tendon

void put_thelen(const MuscleNumbers& read, TomlNode& table) {
  const auto put_number = [&](const char* key, const char* tag, double otherwise) {
    put(table, key, toml_number(read.positive(tag, otherwise)));
  };
  put(table, "curves", toml_text("thelen"));
  put_number("tendon_strain", "FmaxTendonStrain", 0.04);
  put_number("passive_strain", "FmaxMuscleStrain", 0.6);
  put_number("active_width", "KshapeActive", 0.45);
  put_number("passive_exponent", "KshapePassive", 5.0);
  put_number("concentric_curvature", "Af", 0.25);
  put_number("eccentric_force", "Flen", 1.4);
  put_number("speed_threshold", "fv_linear_extrap_threshold", 0.95);
  put_number("activation_time", "activation_time_constant", 0.015);
  put_number("deactivation_time", "deactivation_time_constant", 0.05);
  put(table, "least_activation",
      toml_number(std::max(read.not_negative("minimum_activation", 0.01), kLeastActivation)));
}

/// Three numbers that a curve has all or none of.
void put_shape(const XmlElement& curve, const char* const (&tags)[3], const char* key, TomlNode& table) {
  std::vector<double> numbers;
  for (const char* tag : tags)
    if (const XmlElement child = curve.child(tag); child && !child.content().empty())
      numbers.push_back(child.content_number());
  if (numbers.empty()) return;
  if (numbers.size() != 3)
    curve.fail(
        fmt::format("expected {}, {} and {} or none of them, found {}", tags[0], tags[1], tags[2], numbers.size()));
  put(table, key, toml_numbers(numbers));
}

/// As OpenSim adapts them: damped fibers and rigid tendons have no force where curves end, and level ends of the speed
/// curve; others need a force everywhere and slopes.
void put_millard(const MuscleNumbers& read, bool is_rigid, TomlNode& table) {
  const double damping = read.not_negative("fiber_damping", 0.1);
  const bool is_damped = damping >= 0.001 || is_rigid;
  const XmlElement active = read.curve("ActiveForceLengthCurve"), speed = read.curve("ForceVelocityCurve"),
                   passive = read.curve("FiberForceLengthCurve"), tendon = read.curve("TendonForceLengthCurve");
  put(table, "curves", toml_text("millard"));
  put(table, "fiber_damping", toml_number(damping >= 0.001 ? damping : 0.0));
  put(table, "activation_time", toml_number(read.positive("activation_time_constant", 0.010)));
  put(table, "deactivation_time", toml_number(read.positive("deactivation_time_constant", 0.040)));
  put(table, "least_activation",
      toml_number(std::max(read.not_negative("minimum_activation", 0.01), kLeastActivation)));
  put(table, "active_range",
      toml_numbers(std::array{number_in(active, "min_norm_active_fiber_length", 0.4441),
                              number_in(active, "transition_norm_fiber_length", 0.73),
                              number_in(active, "max_norm_active_fiber_length", 1.8123)}));
  put(table, "active_slope", toml_number(number_in(active, "shallow_ascending_slope", 0.8616)));
  put(table, "least_active", toml_number(is_damped ? 0.0 : std::max(number_in(active, "minimum_value", 0.1), 0.1)));
  const double near_C = number_in(speed, "concentric_slope_near_vmax", 0.25),
               near_E = number_in(speed, "eccentric_slope_near_vmax", 0.15);
  put(table, "speed_slopes",
      toml_numbers(std::array{is_damped ? 0.0 : number_in(speed, "concentric_slope_at_vmax", 0.0), near_C,
                              number_in(speed, "isometric_slope", 5.0), near_E,
                              is_damped ? 0.0 : number_in(speed, "eccentric_slope_at_vmax", 0.0)}));
  put(table, "speed_curviness",
      toml_numbers(
          std::array{number_in(speed, "concentric_curviness", 0.6), number_in(speed, "eccentric_curviness", 0.9)}));
  put(table, "eccentric_force", toml_number(number_in(speed, "max_eccentric_velocity_force_multiplier", 1.4)));
  put(table, "passive_strains",
      toml_numbers(std::array{number_in(passive, "strain_at_zero_force", 0.0),
                              number_in(passive, "strain_at_one_norm_force", 0.7)}));
  put_shape(passive, {"stiffness_at_low_force", "stiffness_at_one_norm_force", "curviness"}, "passive_shape", table);
  put(table, "tendon_strain", toml_number(number_in(tendon, "strain_at_one_norm_force", 0.049)));
  put_shape(tendon, {"stiffness_at_one_norm_force", "norm_force_at_toe_end", "curviness"}, "tendon_shape", table);
}

void put_degroote(const MuscleNumbers& read, TomlNode& table, LeftOut& left_out) {
  put(table, "curves", toml_text("degroote_fregly"));
  put(table, "activation_time", toml_number(read.positive("activation_time_constant", 0.015)));
  put(table, "deactivation_time", toml_number(read.positive("deactivation_time_constant", 0.060)));
  put(table, "activation_smoothing", toml_number(read.positive("activation_dynamics_smoothing", 0.1)));
  put(table, "width_scale", toml_number(read.positive("active_force_width_scale", 1.0)));
  put(table, "fiber_damping", toml_number(read.not_negative("fiber_damping", 0.0)));
  put(table, "passive_strain", toml_number(read.positive("passive_fiber_strain_at_one_norm_force", 0.6)));
  put(table, "tendon_strain", toml_number(read.positive("tendon_strain_at_one_norm_force", 0.049)));
  if (read.truth("ignore_passive_fiber_force", false)) left_out.add("ignore_passive_fiber_force");
}

}  // namespace

const std::vector<std::string>& osim_muscle_types() {
  static const std::vector<std::string> types{"Thelen2003Muscle", "Millard2012EquilibriumMuscle",
                                              "DeGrooteFregly2016Muscle"};
  return types;
}

TomlNode osim_muscle(const XmlElement& muscle, const XmlElement& defaults, const std::string& name, LeftOut& left_out) {
  const std::string tag = muscle.tag();
  const MuscleNumbers read(muscle, defaults);
  check_children(
      muscle,
      "GeometryPath path max_isometric_force optimal_fiber_length tendon_slack_length pennation_angle_at_optimal "
      "pennation_angle max_contraction_velocity Vmax Vmax0 ignore_tendon_compliance ignore_activation_dynamics "
      "activation_time_constant deactivation_time_constant minimum_activation default_activation default_fiber_length "
      "FmaxTendonStrain FmaxMuscleStrain KshapeActive KshapePassive Af Flen fv_linear_extrap_threshold damping "
      "fiber_damping ActiveForceLengthCurve ForceVelocityCurve FiberForceLengthCurve TendonForceLengthCurve "
      "ForceVelocityInverseCurve active_force_width_scale passive_fiber_strain_at_one_norm_force "
      "tendon_strain_at_one_norm_force activation_dynamics_smoothing ignore_passive_fiber_force appliesForce "
      "isDisabled "
      "min_control max_control optimal_force maximum_pennation_angle tendon_compliance_dynamics_mode "
      "default_normalized_tendon_force FunctionBasedPath Scholz2015GeometryPath",
      "components MuscleFirstOrderActivationDynamicModel MuscleFixedWidthPennationModel", left_out);
  TomlNode table = toml_table({{"type", toml_text("muscle")}, {"name", toml_text(name)}});
  const bool is_rigid = read.truth("ignore_tendon_compliance", tag == "DeGrooteFregly2016Muscle");
  const char* const angle = read.find("pennation_angle") ? "pennation_angle" : "pennation_angle_at_optimal";
  const char* const speed = read.find("Vmax") ? "Vmax" : "max_contraction_velocity";
  put(table, "max_force", toml_number(read.positive("max_isometric_force", 1000.0)));
  put(table, "optimal_length", toml_number(read.positive("optimal_fiber_length", 0.1)));
  put(table, "slack_length", toml_number(read.positive("tendon_slack_length", 0.2)));
  put(table, "pennation", toml_number(read.not_negative(angle, 0.0)));
  put(table, "max_velocity", toml_number(read.positive(speed, 10.0)));
  put(table, "tendon", toml_text(is_rigid ? "rigid" : "elastic"));
  const double start = read.not_negative("default_activation", 0.05);
  put(table, "initial_activation", toml_number(std::min(start, 1.0)));
  if (read.truth("ignore_activation_dynamics", false)) left_out.add("ignore_activation_dynamics");
  if (tag == "Thelen2003Muscle") put_thelen(read, table);
  if (tag == "Millard2012EquilibriumMuscle") put_millard(read, is_rigid, table);
  if (tag == "DeGrooteFregly2016Muscle") put_degroote(read, table, left_out);
  return table;
}

}  // namespace cardan::io
