// The table of keys: bodies, what joints carry, shapes, poses.
#include "cardan/io/internal/scene_key_tables.hpp"

namespace cardan::io {

namespace {

std::vector<SceneKey> keys_of_bodies() {
  using namespace keys;
  const std::string required(kRequired);
  return {{"name", name(), "what everything else calls it", "", required},
          {"parent", name(), "the body that carries it, described anywhere in the file", "", "\"world\""},
          {"mass", not_negative(), "mass", "kg", "that of its shapes"},
          {"com", vec3(), "center of mass in the body frame", "m", "that of its shapes"},
          {"inertia", called("6 numbers", list_of(6, number())),
           "xx yy zz xy xz yz about the center of mass, in body axes", "kg m^2", "that of its shapes"},
          {"joint", table("body.joint"), "the joint that places it; its moving frame is the body frame", "", required},
          {"shape", tables("body.shape"), "what it looks like and collides with"},
          {"maximal", truth(), "whether it has a pose of its own, with its joint as a constraint", "", "false"}};
}

std::vector<SceneKey> keys_of_body_joints() {
  using namespace keys;
  return std::vector<SceneKey>{
             {"name", name(), "what everything else calls it", "", "the name of its body"},
             {"at", table("pose"), "the joint's frame in the parent's body frame"},
             {"coordinates", list(word(), 1, 6), "names of its coordinates; an expression joint must have them", "",
              "those of its type"},
             {"q", one_or_each(number(), "coordinate"), "coordinates at the start", "m, rad", "the zero pose"},
             {"v", one_or_each(number(), "velocity"), "velocities at the start", "m/s, rad/s", "rest"}} +
         dof_keys() +
         std::vector<SceneKey>{
             {"bearing", table("bearing"), "friction that grows with what the joint carries"},
             {"drive", table("drive"), "where the drive of a joint of one coordinate sits, for records of reactions"}};
}

KeyTable bearing_keys() {
  using namespace keys;
  return {"bearing",
          "bearing = { ... }",
          "Friction of a joint that grows with what it carries",
          {{"mu", not_negative(), "coefficient of friction", "", std::string(kRequired)},
           {"radius", positive(), "radius of the journal", "m"},
           {"length", positive(), "distance of its two bearings", "m", "moments across the axis do not count"},
           {"kind", choice({"clearance", "fitted"}), "whether the journal has clearance or is pressed all around", "",
            "\"clearance\""},
           {"half_width", positive(), "arm that takes the moment about the axis of a slider", "m", "the radius"},
           {"collar", choice({"ring", "disc"}), "what takes the axial force", "", "\"ring\""},
           {"radii", each(not_negative()), "arm of friction for each coordinate of other joints", "m"}},
          KeyTable::Choice::none,
          {},
          {{KeyRule::Kind::any_of, {"radius", "radii"}}}};
}

KeyTable shape_keys() {
  using namespace keys;
  const std::string required(kRequired);
  const auto one = [&](const char* key, const ValueType& type, const char* meaning) {
    return KeyVariant{key, meaning, {{key, type, meaning, "m", required}}};
  };
  KeyTable out{"body.shape",
               "[[body.shape]]",
               "What a body looks like and collides with; it can give the mass",
               {{"at", table("pose"), "the shape's frame in the body frame"},
                {"density", not_negative(), "gives the body mass where it says none", "kg/m^3"},
                {"collide", truth(), "whether it touches others", "", "true"},
                {"color", of_kind(ValueType::Kind::color), "color of its picture", "", "one of the viewer's"},
                {"group", name(), "a name that rules of contact may use"},
                {"material", table("material"), "coefficients where no rule gives any"},
                {"patch", choice({"area", "points"}), "whether flat contacts rub over their area or at corners", "",
                 "\"points\""}},
               KeyTable::Choice::by_key};
  out.variants = {one("box", list_of(3, positive()), "edges along x, y, z"),
                  one("sphere", positive(), "radius"),
                  one("cylinder", table("round"), "radius and length, axis z"),
                  one("capsule", table("round"), "radius and length of its straight part, axis z"),
                  one("ellipsoid", list_of(3, positive()), "semi-axes along x, y, z"),
                  one("torus", table("torus"), "radii of the ring and of its tube, axis z"),
                  {"mesh",
                   "triangles from a file",
                   {{"mesh", file(), "an .obj, .stl or .dae file, relative to the scene", "", required},
                    {"hull", truth(), "whether it collides as its convex hull", "", "false"}}}};
  return out;
}

std::vector<KeyTable> pose_keys() {
  using namespace keys;
  const auto alone = [](const char* key) { return KeyRule{KeyRule::Kind::at_most_one, {"dh", key}}; };
  return {{"pose",
           "A pose (`at`, `at_a`, `at_b`, `frames`)",
           "Where a frame stands in another",
           {{"xyz", vec3(), "its origin", "m", "[0, 0, 0]"},
            {"rpy", vec3(), "roll, pitch, yaw: turns about the fixed x, then y, then z", "rad", "[0, 0, 0]"},
            {"quat", list_of(4, number()), "or its orientation as a quaternion (w, x, y, z) of length 1", "",
             "[1, 0, 0, 0]"},
            {"dh", table("dh"), "or the pose by Denavit and Hartenberg"}},
           KeyTable::Choice::none,
           {},
           {{KeyRule::Kind::at_most_one, {"rpy", "quat"}}, alone("xyz"), alone("rpy"), alone("quat")}},
          {"dh",
           "dh = { ... }",
           "rotx(alpha) trans(a, 0, 0) rotz(theta) trans(0, 0, d), from one joint axis to the next",
           {{"a", number(), "distance of the axes", "m", "0"},
            {"alpha", number(), "angle between the axes", "rad", "0"},
            {"d", number(), "displacement along the axis", "m", "0"},
            {"theta", number(), "turn about the axis", "rad", "0"}}}};
}

}  // namespace

std::vector<SceneKey> dof_keys() {
  using namespace keys;
  const std::string force = "N, N m";
  return {{"limits",
           called("[lower, upper] for each velocity, one may stand alone",
                  either(list_of(2, limit()), list(list_of(2, limit())))),
           "stops of its coordinates", "m, rad", "none"},
          {"stiffness", each(not_negative()), "spring towards `rest`", "N/m, N m/rad", "0"},
          {"rest", each(number()), "where that spring is at rest", "m, rad", "0"},
          {"damping", each(not_negative()), "force against the velocity", "N s/m, N m s/rad", "0"},
          {"armature", each(not_negative()), "inertia of drives, added to that of the coordinate", "kg, kg m^2", "0"},
          {"velocity_limit", each(limit_not_negative()), "data; a run that exceeds it says so", "m/s, rad/s", "inf"},
          {"effort_limit", each(limit_not_negative()), "bounds what controllers exert; a run that exceeds it says so",
           force, "inf"},
          {"friction", each(not_negative()), "dry friction: holds up to this force", force, "0"},
          {"restitution", each(from_0_to_1()), "part of its speed with which it leaves a stop", "", "0"}};
}

std::vector<SceneKey> loop_dof_keys() {
  std::vector<SceneKey> out;
  for (SceneKey& key : dof_keys())
    for (const char* name : {"limits", "stiffness", "rest", "damping", "friction"})
      if (key.name == name) out.push_back(std::move(key));
  return out;
}

std::vector<KeyTable> body_key_tables() {
  using namespace keys;
  const std::string required(kRequired);
  std::vector<KeyTable> out{
      {"body", "[[body]]", "A rigid body and the joint that places it", keys_of_bodies()},
      {"body.joint", "[body.joint]", "What a joint of any type may say beside the keys of its type",
       keys_of_body_joints(), KeyTable::Choice::by_type},
      bearing_keys(),
      {"drive",
       "drive = { ... }",
       "Where a drive takes hold of what the joint moves",
       {{"at", vec3(), "its point, in the joint's frame on the parent", "m", "[0, 0, 0]"},
        {"along", vec3(), "direction of its force, in the same frame", "", required}}},
      shape_keys(),
      {"round",
       "cylinder = { ... }, capsule = { ... }",
       "Radius and length",
       {{"radius", positive(), "radius", "m", required}, {"length", positive(), "length along z", "m", required}}},
      {"torus",
       "torus = { ... }",
       "A ring about z",
       {{"major", positive(), "radius of the ring", "m", required},
        {"minor", positive(), "radius of its tube, below the other", "m", required}}},
      {"material",
       "material = { ... }",
       "Coefficients of a shape, where no rule of contact gives any",
       {{"friction", not_negative(), "of a pair: sqrt(mu_a mu_b)", "", "0.5"},
        {"restitution", from_0_to_1(), "of a pair: the larger one", "", "0"}}}};
  out[1].variants_of = "joint";
  for (KeyTable& table : pose_keys()) out.push_back(std::move(table));
  return out;
}

}  // namespace cardan::io
