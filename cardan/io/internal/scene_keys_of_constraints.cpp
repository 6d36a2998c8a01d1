// The table of keys: loops, couplings, motions, rolling.
#include "cardan/io/internal/scene_key_tables.hpp"

namespace cardan::io {

namespace {

KeyTable loop_table() {
  using namespace keys;
  KeyTable out{"loop",
               "[[loop]]",
               "A joint of any type between two bodies of the tree; the keys of its type beside these",
               {{"name", name(), "what records call it", "", "its bodies, \"a-b\""},
                {"a", name(), "body, or \"world\"", "", std::string(kRequired)},
                {"b", name(), "another body", "", std::string(kRequired)},
                {"at_a", table("pose"), "the joint's frame on a"},
                {"at_b", table("pose"), "the frame on b that the joint moves"},
                {"bearing", table("bearing"), "friction that grows with what the joint carries"}},
               KeyTable::Choice::by_type};
  out.keys = out.keys + loop_dof_keys();
  out.variants_of = "joint";
  return out;
}

KeyTable motion_table() {
  using namespace keys;
  using Kind = KeyRule::Kind;
  const std::string required(kRequired);
  const auto body = [&](const char* owner, const char* meaning) {
    return KeyVariant{owner,
                      "leads a frame along a path in the world",
                      std::vector<SceneKey>{
                          {owner, name(), meaning, "", required},
                          {"at", vec3(), "the point that `position` leads, in the frame", "m", "[0, 0, 0]"},
                          {"position", list_of(3, expression()), "where that point is in the world", "m"},
                          {"rpy", list_of(3, expression()), "roll, pitch, yaw in the world", "rad"},
                          {"orientation", list_of(4, expression()), "or a quaternion (w, x, y, z) of any length"},
                          {"twist", list_of(6, expression()),
                           "or angular, then linear velocity of the origin; \"\" leaves a row free", "rad/s, m/s"},
                          {"axes", choice({"world", "frame"}), "whose axes the twist is given in", "", "\"world\""}} +
                          text_keys(),
                      {{Kind::any_of, {"position", "rpy", "orientation", "twist"}},
                       {Kind::at_most_one, {"rpy", "orientation"}},
                       {Kind::at_most_one, {"twist", "position"}},
                       {Kind::at_most_one, {"twist", "rpy"}},
                       {Kind::at_most_one, {"twist", "orientation"}},
                       {Kind::at_most_one, {"twist", "at"}},
                       {Kind::needs, {"axes", "twist"}},
                       {Kind::needs, {"at", "position"}}}};
  };
  KeyTable out{"motion",
               "[[motion]]",
               "A joint or a frame that moves as time says, whatever force that takes",
               {{"name", name(), "what records call it", "", "the name of what it moves"}},
               KeyTable::Choice::by_key};
  out.variants = {
      body("body", "the body"),
      body("frame", "a body, or a frame of a robot"),
      {"joint",
       "leads a joint; exactly one of position, velocity and acceleration",
       std::vector<SceneKey>{{"joint", name(), "the joint", "", required},
                             {"position", each(expression()), "its coordinates as texts of t", "m, rad"},
                             {"velocity", each(expression()), "its velocities; it starts from its `q`", "m/s, rad/s"},
                             {"acceleration", each(expression()), "its accelerations; it starts from its `q` and `v`",
                              "m/s^2, rad/s^2"}} +
           text_keys(),
       {{Kind::one_of, {"position", "velocity", "acceleration"}}}}};
  return out;
}

KeyTable rolling_shape_table() {
  using namespace keys;
  const auto one = [&](const char* key, const ValueType& type, const char* meaning, const char* unit = "m") {
    return KeyVariant{key, meaning, {{key, type, meaning, unit, std::string(kRequired)}}};
  };
  KeyTable out{"rolling.shape",
               "shape_a = { ... }, shape_b = { ... }",
               "What rolls, in its frame",
               {},
               KeyTable::Choice::by_key};
  out.variants = {one("sphere", positive(), "radius"), one("disc", positive(), "radius of an edge about z"),
                  one("cylinder", positive(), "radius, axis z"),
                  one("plane", of_kind(ValueType::Kind::yes), "z = 0 of the frame", "")};
  for (KeyVariant& variant : surface_variants()) out.variants.push_back(std::move(variant));
  return out;
}

}  // namespace

std::vector<KeyTable> constraint_key_tables() {
  using namespace keys;
  const std::string required(kRequired);
  return {
      loop_table(),
      {"coupling", "[[coupling]]", "One coordinate as a function of others",
       std::vector<SceneKey>{
           {"joint", name(), "the joint that follows; \"wrist.1\" of one with several coordinates", "", required},
           {"equals", expression(), "its coordinate as a text of others, by the names of joints", "m, rad", required}} +
           word_keys()},
      motion_table(),
      {"rolling",
       "[[rolling]]",
       "Two bodies that keep contact and do not slip",
       {{"name", name(), "what messages call it", "", "its bodies, \"a-b\""},
        {"a", name(), "body, or \"world\"", "", required},
        {"b", name(), "another body", "", required},
        {"at_a", table("pose"), "frame of its shape on a"},
        {"at_b", table("pose"), "frame of its shape on b"},
        {"shape_a", table("rolling.shape"), "what touches of a", "", required},
        {"shape_b", table("rolling.shape"), "what touches of b", "", required},
        {"spin", choice({"free", "held"}), "whether they may turn against each other about the normal", "",
         "\"free\""}}},
      rolling_shape_table()};
}

}  // namespace cardan::io
