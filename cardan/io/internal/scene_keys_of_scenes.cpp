// The table of keys: the scene itself, robots, parameters, tables, starts.
#include "cardan/io/internal/scene_key_tables.hpp"
#include "cardan/symbolic/internal/piecewise_cubic.hpp"

namespace cardan::io {

std::vector<SceneKey> operator+(std::vector<SceneKey> a, const std::vector<SceneKey>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<SceneKey> text_keys() {
  return {{"parameters", keys::map(keys::number()), "numbers that the texts of this table may use by their names"},
          {"let", keys::map(keys::text()), "helpers: texts that the other texts of this table may use by their names"}};
}

std::vector<SceneKey> word_keys() {
  return text_keys() + std::vector<SceneKey>{{"with", keys::map(keys::name()),
                                              "what words of the texts stand for, where a name is no word: "
                                              "{ w = \"v.left/elbow\" }"}};
}

namespace {

std::vector<SceneKey> robot_change_keys() {
  using namespace keys;
  std::vector<SceneKey> out =
      dof_keys() +
      std::vector<SceneKey>{
          {"mass", not_negative(), "mass of the link; its inertia changes in proportion", "kg"},
          {"color", of_kind(ValueType::Kind::color), "color of all pictures of the link"},
          {"material", table("material"), "coefficients of all shapes of the link, where no rule gives any"}};
  for (SceneKey& key : out) key.otherwise = "that of the file";
  return out;
}

}  // namespace

std::vector<KeyTable> scene_key_tables() {
  using namespace keys;
  const std::string required(kRequired);
  ValueType version = called("1", plain_number());
  version.bounds = {.least = 1.0, .most = 1.0};
  return {
      {"scene",
       "The scene",
       "What stands above all tables",
       {{"cardan", version, "version of the format", "", required},
        {"name", name(), "what pages and summaries call the scene", "", "\"scene\""},
        {"gravity", vec3(), "acceleration of what falls, in the world", "m/s^2", "[0, 0, -9.81]"},
        {"parameters", map(number()), "numbers that every text of the scene may use; they may use one another"},
        {"tables", map(table("table")), "functions of one variable through given points, for every text"},
        {"robot", tables("robot"), "robots from other files"},
        {"body", tables("body"), "bodies, each with the joint that places it"},
        {"loop", tables("loop"), "joints that close loops"},
        {"coupling", tables("coupling"), "coordinates that follow others"},
        {"motion", tables("motion"), "joints and frames that move as time says"},
        {"rolling", tables("rolling"), "pairs that roll on each other without slip"},
        {"force", tables("force"), "what acts on bodies and joints"},
        {"strand", tables("strand"), "ropes of mass points and springs"},
        {"cable", tables("cable"), "rods that bend and twist"},
        {"input", tables("input"), "numbers that a program writes"},
        {"controller", tables("controller"), "feedback at joints"},
        {"ground", table("ground"), "what fills all below"},
        {"contact", tables("contact"), "coefficients of pairs that touch"},
        {"initial", table("initial"), "where the scene starts"},
        {"record", tables("record"), "what is written beside the state"},
        {"view", table("view"), "how the scene is shown"},
        {"simulation", table("simulation"), "how the scene is run"}}},
      {"robot",
       "[[robot]]",
       "Bodies and joints from a URDF file",
       {{"file", file(), "the file, relative to the scene", "", required},
        {"name", name(), "put before the names of its bodies and joints: \"left/elbow\""},
        {"base", choice({"fixed", "free"}), "whether its root is fixed to the world or floats", "", "\"fixed\""},
        {"at", table("pose"), "where its root stands in the world"},
        {"srdf", file(), "a file with pairs of bodies that never touch, relative to the scene"},
        {"set", map(table("robot.set"), false),
         "what is changed of its joints and links, by their names in the file"}}},
      {"robot.set", "[robot.set.NAME]",
       "What is changed of the joint or the link NAME of a robot; all else is as in its file", robot_change_keys()},
      {"table",
       "[tables.NAME]",
       "A function NAME(x) through points, with exact derivatives",
       {{"x", list(number(), 2, 100'000), "where it is given, rising"},
        {"y", list(number(), 2, 100'000), "its values there"},
        {"file", file(), "or a table (.csv, .mot, .sto) with x in its first column, relative to the scene"},
        {"column", text(), "the column of that file that has the values"},
        {"degrees", truth(), "whether these are degrees, to become radians", "", "as they stand"},
        {"method", choice(interpolation_names()),
         "what lies between: lines, a monotone cubic (C1), OpenSim's spline, a natural spline (C2)", "", "\"spline\""},
        {"periodic", truth(), "whether it repeats; first and last value are then equal", "", "false"}},
       KeyTable::Choice::none,
       {},
       {{KeyRule::Kind::one_of, {"x", "file"}},
        {KeyRule::Kind::needs, {"y", "x"}},
        {KeyRule::Kind::needs, {"x", "y"}},
        {KeyRule::Kind::needs, {"column", "file"}},
        {KeyRule::Kind::needs, {"file", "column"}},
        {KeyRule::Kind::needs, {"degrees", "file"}}}},
      {"initial",
       "[initial]",
       "Where the scene starts; goes before what joints say themselves",
       {{"q", map(each(number()), false), "coordinates by the names of joints", "m, rad"},
        {"v", map(each(number()), false), "velocities by the names of joints", "m/s, rad/s"},
        {"t", number(), "the time at the start", "s", "0"},
        {"from", file(), "a run (CSV) that is continued, relative to the scene"},
        {"at", number(), "the time at which that run is continued", "s", "its end"},
        {"clamp", truth(), "whether joints that would start beyond their limits start on them", "", "false"},
        {"equilibrium", truth(), "whether to start at rest in the equilibrium nearest to the start", "", "false"}},
       KeyTable::Choice::none,
       {},
       {{KeyRule::Kind::needs, {"at", "from"}}}}};
}

}  // namespace cardan::io
