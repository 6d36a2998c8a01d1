// The table of keys: the types of forces.
#include "cardan/io/internal/scene_key_tables.hpp"

#include <numbers>

namespace cardan::io {

namespace {

std::vector<KeyVariant> applied_forces() {
  using namespace keys;
  const std::string required(kRequired);
  const std::vector<SceneKey> place{
      {"body", name(), "a body that moves", "", required},
      {"at", vec3(), "the point, in the body frame", "m", "[0, 0, 0]"},
      {"frame", choice({"world", "body"}), "whose axes force and moment are given in", "", "\"world\""}};
  const ValueType three = list_of(3, expression());
  return {
      {"point", "a force at a point of a body",
       place + std::vector<SceneKey>{{"force", three, "the force", "N", required}} + word_keys()},
      {"wrench",
       "a moment, and a force at a point of a body",
       place +
           std::vector<SceneKey>{{"moment", three, "the moment", "N m", "none"},
                                 {"force", three, "the force", "N", "none"}} +
           word_keys(),
       {{KeyRule::Kind::any_of, {"moment", "force"}}}},
      {"joint", "a generalized force at a joint",
       std::vector<SceneKey>{{"joint", name(), "the joint", "", required},
                             {"force", each(expression()), "the force, one for each velocity", "N, N m", required}} +
           word_keys()}};
}

std::vector<SceneKey> path_keys() {
  using namespace keys;
  const std::string required(kRequired);
  return {{"points", tables("point", 2, 1000), "points of bodies through which it runs, in order", "", required},
          {"wraps", tables("wrap"), "surfaces that it goes round"}};
}

std::vector<SceneKey> elastic_keys() {
  using namespace keys;
  return path_keys() +
         std::vector<SceneKey>{{"stiffness", not_negative(), "tension by length", "N/m", "0"},
                               {"damping", not_negative(), "tension by speed", "N s/m", "0"},
                               {"rest", not_negative(), "its length without tension", "m", "its length at the start"}};
}

std::vector<KeyVariant> elastic_forces() {
  using namespace keys;
  const auto spring = [](const char* type, const char* meaning) {
    return KeyVariant{type,
                      meaning,
                      elastic_keys() +
                          std::vector<SceneKey>{{"law", expression(),
                                                 "tension as a text of l, ldot, t, rest, inputs and parameters", "N"}} +
                          text_keys(),
                      {{KeyRule::Kind::any_of, {"stiffness", "damping", "law"}},
                       {KeyRule::Kind::at_most_one, {"law", "stiffness"}},
                       {KeyRule::Kind::at_most_one, {"law", "damping"}}}};
  };
  return {spring("spring", "pulls and pushes along a path: stiffness (l - rest) + damping dl/dt"),
          spring("spring_damper", "a spring by another name"),
          {"cable",
           "pulls along a path and never pushes",
           elastic_keys() +
               std::vector<SceneKey>{{"smoothing", not_negative(), "length over which it begins to pull", "m", "0"}} +
               text_keys(),
           {{KeyRule::Kind::any_of, {"stiffness", "damping"}}}}};
}

/// Lists shapes of the curves of Thelen and Millard.
std::vector<SceneKey> hill_keys() {
  using namespace keys;
  const ValueType part = number({.least = 0.0, .most = 1.0, .is_open = true});
  return {
      {"least_activation", called("number between 0 and 1", part), "the activation stays above it", "", "0.01"},
      {"active_width", positive(), "width of the active force-length curve", "", "0.45"},
      {"passive_exponent", positive(), "how steeply the passive force rises", "", "5"},
      {"concentric_curvature", positive(), "bend of the force-speed curve while fibers shorten", "", "0.25"},
      {"eccentric_force", positive(), "greatest force of fibers that lengthen, of max_force", "", "1.4"},
      {"speed_threshold", positive(), "where the force-speed curve goes on straight, of eccentric_force", "", "0.95"},
      {"active_range", list_of(3, not_negative()),
       "lengths where the active force begins, bends and ends, of optimal_length", "", "[0.4441, 0.73, 1.8123]"},
      {"active_slope", not_negative(), "slope of the active force's shallow part", "", "0.8616"},
      {"least_active", not_negative(), "least value of the active force-length curve", "", "0"},
      {"speed_slopes", list_of(5, not_negative()),
       "slopes of the force-speed curve at full and near full shortening, at rest, at near full and full lengthening",
       "", "[0, 0.25, 5, 0.15, 0]"},
      {"speed_curviness", list_of(2, not_negative()), "bend of both halves of that curve, 0 to 1", "", "[0.6, 0.9]"},
      {"passive_strains", list_of(2, not_negative()), "strains where the passive force begins and is 1", "",
       "[0, 0.7]"},
      {"passive_shape", list_of(3, not_negative()), "slopes and curviness of the passive force", "", "by its strains"},
      {"tendon_shape", list_of(3, not_negative()), "slope, force and curviness of the tendon's toe", "",
       "by tendon_strain"}};
}

/// Says which keys go with which curves.
std::vector<KeyRule> curve_rules() {
  using Words = std::vector<std::string>;
  std::vector<KeyRule> out;
  const auto add = [&](const Words& curves, const Words& own) {
    for (const std::string& key : own) {
      Words rule{key, "curves"};
      rule.insert(rule.end(), curves.begin(), curves.end());
      out.push_back({KeyRule::Kind::needs_word, rule});
    }
  };
  add({"degroote_fregly", "sueda", "millard"}, {"fiber_damping"});
  add({"degroote_fregly", "sueda", "thelen"}, {"passive_strain"});
  add({"degroote_fregly", "sueda"}, {"width_scale", "activation_smoothing"});
  add({"thelen", "millard"}, {"least_activation", "eccentric_force"});
  add({"thelen"}, {"active_width", "passive_exponent", "concentric_curvature", "speed_threshold"});
  add({"millard"}, {"active_range", "active_slope", "least_active", "speed_slopes", "speed_curviness",
                    "passive_strains", "passive_shape", "tendon_shape"});
  return out;
}

KeyVariant muscle_keys() {
  using namespace keys;
  std::vector<KeyRule> rules = curve_rules();
  rules.push_back({KeyRule::Kind::at_most_one, {"excitation", "activation"}});
  rules.push_back({KeyRule::Kind::at_most_one, {"activation", "initial_activation"}});
  const std::string required(kRequired);
  const ValueType angle = number({.least = 0.0, .most = std::numbers::pi / 2.0});
  const ValueType active = called("0 to 1, or a text", from_0_to_1());
  return {"muscle", "a muscle of Hill's type along a path (De Groote and Fregly 2016)",
          path_keys() +
              std::vector<SceneKey>{
                  {"max_force", positive(), "greatest isometric force", "N", required},
                  {"optimal_length", positive(), "fiber length at that force", "m", required},
                  {"slack_length", not_negative(), "length of the tendon without force", "m", required},
                  {"pennation", called("number from 0 to below pi/2", angle),
                   "angle of the fibers at the optimal length", "rad", "0"},
                  {"max_velocity", positive(), "greatest speed of shortening, optimal lengths a second", "1/s", "10"},
                  {"tendon", choice({"rigid", "elastic"}), "whether the tendon stretches", "", "\"rigid\""},
                  {"curves", choice({"degroote_fregly", "sueda", "thelen", "millard"}), "whose force curves", "",
                   "\"degroote_fregly\""},
                  {"excitation", active, "what the activation follows; may follow the mechanism"},
                  {"activation", active, "or the activation itself, a text of t"},
                  {"initial_activation", from_0_to_1(), "activation at the start", "", "the excitation there"},
                  {"activation_time", positive(), "time constant of rising activation", "s", "0.015"},
                  {"deactivation_time", positive(), "time constant of falling activation", "s", "0.06"},
                  {"fiber_damping", not_negative(), "damping of the fibers, by max_force and max_velocity", "",
                   "0, of millard 0.1"},
                  {"passive_strain", positive(), "strain at which the fibers alone carry max_force", "", "0.6"},
                  {"tendon_strain", positive(), "strain at which the tendon carries max_force", "",
                   "0.049, of thelen 0.04"},
                  {"width_scale", positive(), "width of the active force-length curve", "", "1"},
                  {"activation_smoothing", positive(), "over which activation turns to deactivation", "", "0.1"}} +
              hill_keys() + word_keys(),
          std::move(rules)};
}

std::vector<KeyVariant> body_forces() {
  using namespace keys;
  const std::string required(kRequired);
  const SceneKey body{"body", name(), "a body that moves", "", required};
  const ValueType six = list_of(6, not_negative());
  const std::string none = "[0, 0, 0, 0, 0, 0]";
  return {{"damping",
           "a wrench against the velocity of a body's origin, in body axes",
           {body,
            {"coefficients", six, "of angular velocity about x, y, z, then of velocity along them", "N m s/rad, N s/m",
             required}}},
          {"bushing",
           "six springs and dampers between two frames",
           {{"a", name(), "body, or \"world\"", "", required},
            {"b", name(), "another body", "", required},
            {"at_a", table("pose"), "its frame on a"},
            {"at_b", table("pose"), "its frame on b"},
            {"stiffness", six, "about x, y, z of the frame on a, then along them", "N m/rad, N/m", none},
            {"damping", six, "about x, y, z of the frame on a, then along them", "N m s/rad, N s/m", none}},
           {{KeyRule::Kind::any_of, {"stiffness", "damping"}}}},
          {"soft_contact",
           "a ball of a body on a plane with springs and dampers",
           {body,
            {"at", vec3(), "center of the ball, in the body frame", "m", "[0, 0, 0]"},
            {"radius", not_negative(), "radius of the ball", "m", "0"},
            {"normal", vec3(), "normal of the plane, in the world", "", "[0, 0, 1]"},
            {"height", number(), "height of the plane along it", "m", "0"},
            {"stiffness", positive(), "stiffness along the normal", "N/m", required},
            {"damping", positive(), "damping along the normal", "N s/m", required},
            {"friction", not_negative(), "coefficient of friction", "", "0"},
            {"tangential_stiffness", positive(), "stiffness along the plane", "N/m", "the stiffness"},
            {"tangential_damping", positive(), "damping along the plane", "N s/m", "the damping"}}},
          {"fluid",
           "drag of a fluid as on a box",
           {body,
            {"at", table("pose"), "pose of the box on the body"},
            {"box", list_of(3, positive()), "edges of the box", "m", required},
            {"density", not_negative(), "density of the fluid: drag by the square of the speed", "kg/m^3", "0"},
            {"viscosity", not_negative(), "viscosity of the fluid: drag by the speed", "Pa s", "0"},
            {"wind", vec3(), "velocity of the fluid in the world", "m/s", "[0, 0, 0]"}},
           {{KeyRule::Kind::any_of, {"density", "viscosity"}}}}};
}

}  // namespace

std::vector<KeyTable> force_key_tables() {
  using namespace keys;
  KeyTable out{"force",
               "[[force]]",
               "What acts on bodies and joints",
               {{"name", name(), "what records and inputs call it", "", "its type, then spring_2, spring_3"}},
               KeyTable::Choice::by_type};
  for (const auto& part : {applied_forces(), elastic_forces(), {muscle_keys()}, body_forces()})
    out.variants.insert(out.variants.end(), part.begin(), part.end());
  return {out};
}

}  // namespace cardan::io
