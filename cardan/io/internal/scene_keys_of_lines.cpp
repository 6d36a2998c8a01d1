// The table of keys: points and wraps of paths, strands, cables.
#include "cardan/io/internal/scene_key_tables.hpp"

namespace cardan::io {

namespace {

constexpr double kMostParts = 2000.0;  // of a strand or cable

KeyTable wrap_table() {
  using namespace keys;
  const std::string required(kRequired);
  const auto one = [&](const char* key, const ValueType& type, const char* meaning) {
    return KeyVariant{key, meaning, {{key, type, meaning, "m", required}}};
  };
  KeyTable out{"wrap",
               "wraps = [{ ... }, ...]",
               "A surface that a path goes round",
               {{"body", name(), "the body that carries it, or \"world\"", "", required},
                {"at", table("pose"), "its frame on the body"},
                {"side", vec3(), "a point near the middle of the contact, in its frame: which way round", "m",
                 "the shorter way"},
                {"after", called("whole number, or [first, last]", either(whole(1.0), list_of(2, whole(1.0)))),
                 "it lies between the points of this number and the next, or anywhere between these two", "", "1"}},
               KeyTable::Choice::by_key};
  out.variants = {one("sphere", positive(), "radius"),
                  {"cylinder",
                   "radius about z",
                   {{"cylinder", positive(), "radius about z", "m", required},
                    {"length", positive(), "length along z, about the origin", "m", "endless"}}},
                  one("ellipsoid", list_of(3, positive()), "semi-axes"),
                  one("torus", table("torus"), "radii of the ring and of its tube, axis z"),
                  {"surface",
                   "any surface, outside where point_u x point_v shows",
                   {{"surface", table("surface"), "the surface", "", required},
                    {"side", vec3(), "a point near the middle of the contact, in its frame", "m", required},
                    {"range", called("[[u0, u1], [v0, v1]]", list_of(2, list_of(2, number()))),
                     "the part that is there", "", "-pi to pi, of Bezier patches 0 to 1"}}}};
  return out;
}

KeyTable strand_table() {
  using namespace keys;
  const std::string required(kRequired);
  return {"strand",
          "[[strand]]",
          "A rope of mass points joined by springs",
          {{"name", name(), "its nodes are NAME.0, NAME.1 and so on, its springs NAME.1, NAME.2 and so on", "",
            "\"strand\", then strand_2"},
           {"nodes", whole(2.0, kMostParts), "number of mass points, ends included", "", required},
           {"mass", positive(), "mass of all nodes together", "kg", required},
           {"stiffness", positive(), "K of the energy K/2 ((l - L)/L)^2 of a segment", "J", required},
           {"rest_length", positive(), "length L of a segment without tension", "m", "its length at the start"},
           {"damping", not_negative(), "damping of a segment", "N s/m", "0"},
           {"tension_only", truth(), "whether segments pull and never push", "", "false"},
           {"from", table("strand.end"), "its first node", "", required},
           {"to", table("strand.end"), "its last node", "", "hangs along gravity"}},
          KeyTable::Choice::none,
          {},
          {{KeyRule::Kind::any_of, {"to", "rest_length"}}}};
}

KeyTable cable_table() {
  using namespace keys;
  const std::string required(kRequired);
  return {"cable",
          "[[cable]]",
          "A rod that bends and twists, of segments on ball joints",
          {{"name", name(), "its segments are NAME.1, NAME.2 and so on", "", "\"cable\", then cable_2"},
           {"segments", whole(1.0, kMostParts), "number of segments", "", required},
           {"length", positive(), "length of the whole", "m", "that of the points of `rest`"},
           {"radius", positive(), "radius of its section", "m", required},
           {"density", positive(), "density", "kg/m^3", required},
           {"young", positive(), "Young's modulus", "Pa"},
           {"shear", positive(), "shear modulus", "Pa"},
           {"EI", positive(), "or the bending stiffness", "N m^2"},
           {"GJ", positive(), "or the torsional stiffness", "N m^2"},
           {"damping", not_negative(), "damping of bending and torsion", "N m^2 s", "0"},
           {"rest", either(choice({"straight"}), list(vec3(), 2)),
            "its shape without load: straight, or points in the frame of the first body", "m", "\"straight\""},
           {"from", table("cable.end"), "what holds its first end", "", required},
           {"to", table("cable.end"), "what holds its last end, by a loop", "", "free"}},
          KeyTable::Choice::none,
          {},
          {{KeyRule::Kind::one_of, {"young", "EI"}},
           {KeyRule::Kind::one_of, {"shear", "GJ"}},
           {KeyRule::Kind::any_of, {"length", "rest"}}}};
}

}  // namespace

std::vector<KeyTable> line_key_tables() {
  using namespace keys;
  const std::string required(kRequired);
  return {
      {"point", "points = [{ ... }, ...]", "A point of a path",
       std::vector<SceneKey>{{"body", name(), "the body that carries it, or \"world\"", "", required},
                             {"at", list_of(3, expression()),
                              "where on the body: numbers, or texts of one coordinate by joint name", "m", "[0, 0, 0]"},
                             {"when", called("[joint, low, high]", list_of(3, limit())),
                              "the path goes through it only in this range of a joint", "m, rad", "always"}} +
           word_keys()},
      wrap_table(),
      strand_table(),
      {"strand.end",
       "from = { ... }, to = { ... } of a strand",
       "An end of a strand: held by a body, or free",
       {{"body", name(), "the body that holds it", "", "none: it is free"},
        {"at", vec3(), "where on the body, or where in the world a free one starts", "m", "[0, 0, 0]"}},
       KeyTable::Choice::none,
       {},
       {{KeyRule::Kind::any_of, {"body", "at"}}}},
      cable_table(),
      {"cable.end",
       "from = { ... }, to = { ... } of a cable",
       "An end of a cable",
       {{"body", name(), "the body that holds it, or \"world\"", "", required},
        {"at", vec3(), "where on the body", "m", "[0, 0, 0]"},
        {"direction", vec3(), "along which the cable runs there", "", "[0, 0, 1]"},
        {"end", choice({"clamped", "pinned"}), "whether its direction is held", "", "\"clamped\""}}}};
}

}  // namespace cardan::io
