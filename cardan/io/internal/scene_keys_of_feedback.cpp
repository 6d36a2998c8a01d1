// The table of keys: inputs, controllers, records.
#include "cardan/dynamics/line_record.hpp"
#include "cardan/dynamics/records.hpp"
#include "cardan/io/internal/scene_key_tables.hpp"

namespace cardan::io {

namespace {

/// Quantities of joints, loops, motions and controllers: wrenches, what bearings carry, efforts.
std::vector<std::string> force_quantities(bool wrenches, bool bearing, bool efforts) {
  std::vector<std::string> out;
  for (const std::string& word : force_quantity_names()) {
    const bool of_wrench = word == "force" || word == "moment" || word == "wrench";
    if (word == "bearing" ? bearing : of_wrench ? wrenches : efforts) out.push_back(word);
  }
  return out;
}

std::vector<std::string> line_quantities(bool of_muscles) {
  std::vector<std::string> out;
  const std::vector<std::string>& all = line_quantity_names();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (of_muscles || !is_of_muscles(static_cast<LineQuantity>(i))) out.push_back(all[i]);
  return out;
}

KeyTable record_table() {
  using namespace keys;
  const std::string required(kRequired);
  const auto of = [&](const char* kind, const char* whose, std::vector<std::string> quantities,
                      std::vector<SceneKey> more = {}, std::vector<KeyRule> rules = {}) {
    std::vector<SceneKey> all{{kind, name(), whose, "", required},
                              {"quantity", choice(std::move(quantities)), "what of it is written", "", required}};
    return KeyVariant{kind, whose, all + more, std::move(rules)};
  };
  const std::vector<KeyRule> arm_alone{{KeyRule::Kind::needs_word, {"joint", "quantity", "moment_arm"}}};
  const std::vector<SceneKey> arm{{"joint", name(), "the joint about which `moment_arm` is, and only with that"}};
  KeyTable out{"record",
               "[[record]]",
               "Columns of the run's files beside the state, and a plot",
               {{"name", name(), "name of the columns", "", "what it is of and the quantity, \"rod.position\""}},
               KeyTable::Choice::by_key};
  out.variants = {of("muscle", "a muscle", line_quantities(true), arm, arm_alone),
                  of("spring", "a spring", line_quantities(false), arm, arm_alone),
                  of("cable", "a cable of [[force]]", line_quantities(false), arm, arm_alone),
                  of("frame", "a body, the frame that a joint moves, or a frame of a robot", frame_quantity_names(),
                     {{"at", vec3(), "the point, in the frame", "m", "[0, 0, 0]"}},
                     {{KeyRule::Kind::needs_word, {"at", "quantity", "position", "pose", "velocity", "acceleration"}}}),
                  of("joint", "a joint that moves", force_quantities(true, true, true)),
                  of("loop", "a loop", force_quantities(true, false, false)),
                  of("motion", "a motion", force_quantities(false, false, true)),
                  of("controller", "a controller", force_quantities(false, false, true)),
                  of("contact", "a pair \"a|b\", or \"all\"", contact_quantity_names()),
                  {"expression", "a text of columns and records further up",
                   std::vector<SceneKey>{{"name", name(), "name of the column", "", required},
                                         {"expression", expression(), "the text", "", required},
                                         {"unit", name(), "unit, for the plot"}} +
                       word_keys()}};
  return out;
}

KeyTable controller_table() {
  using namespace keys;
  const std::string required(kRequired), effort = "N, N m";
  const std::vector<SceneKey> target{
      {"target", each(expression()), "where the joints are to be: texts of t, one for each coordinate", "m, rad",
       required},
      {"kp", each(limit_not_negative()), "gain of the error", "", required},
      {"kd", each(limit_not_negative()), "gain of its rate", "", "0"}};
  const SceneKey ki{"ki", each(limit_not_negative()), "gain of its integral", "", required};
  KeyTable out{
      "controller",
      "[[controller]]",
      "Feedback that exerts forces at joints",
      {{"name", name(), "what records call it", "", "controller_1, controller_2, ..."},
       {"joints", each(name(), 1), "the joints at which it acts", "", required},
       {"limit", each(limit_not_negative()), "greatest force, both ways", effort, "the `effort_limit` of the joints"},
       {"period", not_negative(), "time between samples, between which its force is held; 0: continuous", "s", "0"}},
      KeyTable::Choice::by_type};
  out.variants = {{"pd", "kp (target - q) + kd (target' - v)", target + text_keys()},
                  {"pid", "pd and the integral of the error", target + std::vector{ki} + text_keys()},
                  {"computed_torque", "what gives the error its own dynamics, by inverse dynamics of the tree",
                   target + text_keys()},
                  {"gravity_compensation", "what holds the tree at rest", {}},
                  {"text",
                   "forces as texts, with states of its own",
                   std::vector<SceneKey>{
                       {"force", each(expression()), "one text for each velocity of the joints", effort, required},
                       {"state", list(word()), "names of its states"},
                       {"rate", each(expression()), "their rates, one for each"},
                       {"initial", one_or_each(number(), "state"), "their values at the start", "", "0 each"}} +
                       word_keys(),
                   {{KeyRule::Kind::needs, {"rate", "state"}}, {KeyRule::Kind::needs, {"initial", "state"}}}}};
  return out;
}

}  // namespace

std::vector<KeyTable> feedback_key_tables() {
  using namespace keys;
  const std::string required(kRequired);
  return {{"input",
           "[[input]]",
           "A number that a program writes while the mechanism moves",
           {{"name", name(), "what texts and programs call it", "", required},
            {"joint", name(), "the joint to whose force it is added"},
            {"coordinate", whole(0.0), "which of the joint's velocities", "", "0"},
            {"force", name(), "or the spring or cable to whose tension it is added, or the muscle that it excites"},
            {"limit", positive(), "it acts between -limit and limit", "", "inf"},
            {"default", number(), "its value where nobody writes it", "", "0"}},
           KeyTable::Choice::none,
           {},
           {{KeyRule::Kind::at_most_one, {"joint", "force"}}, {KeyRule::Kind::needs, {"coordinate", "joint"}}}},
          controller_table(),
          record_table()};
}

}  // namespace cardan::io
