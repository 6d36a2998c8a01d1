// Scene files with one thing wrong in springs, cables, muscles, bushings, dampers, strands and their records.
#pragma once

#include "tests/io/sound_scene.hpp"

namespace cardan::test {

/// A table with these lines after the sound scene; the complaint is due at line `further`, 0 being the first of them.
inline BrokenScene line_force(const std::string& type, const std::string& keys, std::vector<std::string> says,
                              int further) {
  return extra("[[force]]\ntype = \"" + type + "\"\n" + keys, std::move(says), further);
}

inline std::vector<BrokenScene> broken_lines() {
  const std::string points = "points = [{ body = \"arm\" }, { body = \"world\" }]\n";
  const std::string muscle = points + "max_force = 100\noptimal_length = 0.1\nslack_length = 0.2\n";
  const auto wrapped = [&](const std::string& wrap) { return points + "wraps = [" + wrap + "]\nstiffness = 1\n"; };
  return {
      line_force("spring", "points = 3\nstiffness = 1\n", {"points: expected a list", "found the number 3"}, 2),
      line_force("spring", "points = [{ at = [0, 0, 0] }, { body = \"arm\" }]\nstiffness = 1\n",
                 {"expected the key \"body\", found none"}, 2),
      line_force("spring", "points = [{ body = \"arm\", at = [0, 1] }, { body = \"world\" }]\nstiffness = 1\n",
                 {"at: expected 3 numbers, found 2"}, 2),
      line_force("spring", "points = [{ body = \"arm\", at = [\"u\", 0, 0] }, { body = \"world\" }]\nstiffness = 1\n",
                 {"expected a joint that moves, found \"u\""}, 2),
      line_force("spring", "points = [{ body = \"arm\", at = [\"cam\", 0, 0] }, { body = \"world\" }]\nstiffness = 1\n",
                 {"expected a joint of one coordinate, found \"cam\", which has 2"}, 2),
      line_force("spring",
                 "points = [{ body = \"arm\", at = [\"arm +\", 0, 0] }, { body = \"world\" }]\nstiffness = 1\n",
                 {"expected"}, 2),
      line_force("spring",
                 "points = [{ body = \"arm\", when = [\"arm\", 0, 1] }, { body = \"world\" }]\nstiffness = 1\n",
                 {"the first and the last point of a path must be there always"}, 2),
      line_force("spring",
                 "points = [{ body = \"arm\" }, { body = \"cam\", when = [\"arm\", 2, 1] }, { body = \"world\" }]\n"
                 "stiffness = 1\n",
                 {"expected the lower limit first"}, 2),
      line_force("spring",
                 "points = [{ body = \"arm\" }, { body = \"cam\", when = [\"arm\", 2] }, { body = \"world\" }]\n"
                 "stiffness = 1\n",
                 {"expected 3 entries", "found 2"}, 2),
      line_force("spring", points + "law = \"k*l\"\n",
                 {"expected l, ldot, t, rest, inputs and parameters, found \"k\""}, 3),
      line_force("spring", points + "law = \"l\"\nstiffness = 2\n", {"expected no stiffness beside a law"}, 4),
      line_force("spring", points + "law = \"l +\"\n", {"law"}, 3),
      line_force("spring", points + "stiffness = 1\nsmoothing = 0.1\n", {"unknown key \"smoothing\""}, 4),
      line_force("spring", points + "stiffness = 1\nrest = -1\n", {"rest: expected a number not below 0"}, 4),
      line_force("spring",
                 points + "name = \"s\"\nstiffness = 1\n[[force]]\ntype = \"cable\"\n" + points +
                     "name = \"s\"\nstiffness = 1\n",
                 {"expected names that differ, found \"s\" twice"}, 8),
      line_force("cable", points + "stiffness = 1\nlaw = \"l\"\n", {"unknown key \"law\""}, 4),
      line_force("cable", points + "stiffness = 1\nsmoothing = -1\n", {"smoothing: expected a number not below 0"}, 4),
      line_force("spring", wrapped("{ body = \"arm\", sphere = 0.1, length = 1 }"),
                 {"expected none but for a cylinder"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", cylinder = 0.1, length = 0 }"), {"length: expected"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", sphere = 0.1, after = [1, 2] }"),
                 {"expected the number of a point from 1 to 1"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", surface = { sphere = 0.1 } }"),
                 {"expected the key \"side\", found none"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", side = [1, 0, 0] }"), {"expected a wrap: sphere, cylinder"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", sphere = 0.1, cylinder = 1, side = [1, 0, 0] }"),
                 {"expected one kind of wrap, found \"sphere\" and \"cylinder\""}, 3),
      line_force("spring", wrapped("{ body = \"arm\", sphere = -0.1, side = [1, 0, 0] }"), {"sphere: expected"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", sphere = 0.1, side = [0, 0, 0] }"),
                 {"the side of a sphere must not be its center"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", cylinder = 0.1, side = [0, 0, 1] }"),
                 {"the side of a cylinder must not lie on its axis z"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", torus = { major = 0.1, minor = 0.2 }, side = [1, 0, 0] }"),
                 {"the tube of a torus must be thinner than its circle"}, 3),
      line_force("spring", wrapped("{ body = \"arm\", sphere = 0.1, side = [1, 0, 0], after = 2 }"),
                 {"after: expected the number of a point from 1 to 1, found the number 2"}, 3),
      line_force(
          "spring",
          wrapped("{ body = \"arm\", sphere = 0.1, side = [1, 0, 0] }, { body = \"arm\", sphere = 0.2, side = [1, "
                  "0, 0] }, { body = \"arm\", sphere = 0.3, side = [1, 0, 0] }"),
          {"at most two wraps may be between the same two points"}, 2),
      line_force("muscle", points + "max_force = 100\noptimal_length = 0.1\nactivation = 1\n",
                 {"expected the key \"slack_length\", found none"}, 0),
      line_force("muscle", muscle, {"expected a muscle: excitation or activation"}, 0),
      line_force("muscle", muscle + "activation = 1\nexcitation = 1\n", {"expected one kind of muscle"}, 6),
      line_force("muscle", muscle + "activation = 1.5\n", {"activation: expected a number from 0 to 1"}, 6),
      line_force("muscle", muscle + "activation = \"sin(x)\"\n",
                 {"expected t, a joint, v.JOINT, an input or a record further up, found \"x\""}, 6),
      line_force("muscle", muscle + "excitation = \"0.1*amr\"\n", {"found \"amr\": did you mean \"arm\"?"}, 6),
      line_force("muscle", muscle + "activation = \"0.1*arm\"\n",
                 {"expected a text of t, found one that follows the mechanism: feedback goes through an excitation"},
                 6),
      line_force("spring", wrapped("{ body = \"world\", surface = { point = [\"u\", \"v\", 0] }, side = [0, 0, 0] }"),
                 {"expected the key \"coordinates\", found none"}, 3),
      line_force("spring",
                 wrapped("{ body = \"world\", surface = { coordinates = [\"u\", \"v\"], point = [\"u\", \"v\", 0] }, "
                         "range = [[1, 0], [0, 1]], side = [0, 0, 0] }"),
                 {"range entry 0: expected the lower end first"}, 3),
      line_force("spring", wrapped("{ body = \"world\", sphere = 0.1, range = [[0, 1], [0, 1]], side = [0, 0, 1] }"),
                 {"range: expected none but for a surface, found one"}, 3),
      line_force("muscle", muscle + "activation = 1\ninitial_activation = 0.5\n", {"expected an excitation beside it"},
                 7),
      line_force("muscle", muscle + "activation = 1\npennation = 2\n", {"pennation: expected an angle below pi/2"}, 7),
      line_force("muscle", muscle + "activation = 1\ntendon = \"soft\"\n", {"tendon: expected rigid or elastic"}, 7),
      line_force("muscle", muscle + "activation = 1\ncurves = \"thelen\"\nwidth_scale = 1\n",
                 {"width_scale: expected none with the curves \"thelen\", found one"}, 8),
      line_force("muscle", muscle + "activation = 1\ncurves = \"thelen\"\neccentric_force = 0.9\n",
                 {"eccentric_force: expected a number above 1"}, 8),
      line_force("muscle", muscle + "activation = 1\ncurves = \"millard\"\nspeed_slopes = [0, 1]\n",
                 {"speed_slopes: expected 5 numbers, found 2"}, 8),
      line_force("muscle", muscle + "activation = 1\ncurves = \"millard\"\nactive_range = [0.5, 0.4, 1.8]\n",
                 {"the ends of a muscle curve must rise in x"}, 0),
      line_force("muscle", muscle + "activation = 1\nleast_activation = 2\ncurves = \"millard\"\n",
                 {"least_activation: expected a number below 1"}, 7),
      line_force("muscle", muscle + "activation = 1\ncurves = \"sueda\"\ntendon = \"elastic\"\n",
                 {"expected a rigid tendon with the curves \"sueda\""}, 8),
      line_force("muscle", muscle + "activation = 1\nmax_velocity = 0\n", {"max_velocity: expected"}, 7),
      line_force("damping", "body = \"arm\"\ncoefficients = [1, 2, 3]\n", {"coefficients: expected 6 numbers, found 3"},
                 3),
      line_force("damping", "body = \"world\"\ncoefficients = [1, 1, 1, 1, 1, 1]\n", {"expected a body that moves"}, 2),
      line_force("damping", "body = \"arm\"\ncoefficients = [1, 1, 1, 1, 1, -1]\n", {"found a negative one"}, 3),
      line_force("bushing", "a = \"arm\"\nb = \"arm\"\nstiffness = [1, 1, 1, 1, 1, 1]\n",
                 {"expected bodies that move against each other, found \"arm\" on both sides"}, 3),
      line_force("bushing", "a = \"arm\"\nb = \"world\"\n", {"expected the key \"stiffness\" or \"damping\""}, 0),
      extra("[[record]]\nspring = \"s\"\nquantity = \"length\"\n", {"expected a spring of this scene, found \"s\""}, 1),
      line_force("spring",
                 points + "name = \"s\"\nstiffness = 1\n[[record]]\nspring = \"s\"\nquantity = \"activation\"\n",
                 {"expected a quantity that a spring has, found \"activation\""}, 7),
      line_force("spring",
                 points + "name = \"s\"\nstiffness = 1\n[[record]]\nspring = \"s\"\nquantity = \"moment_arm\"\n",
                 {"expected the key \"joint\", found none"}, 5),
      scene("integrator = \"rk4\"", "implicit_forces = \"some\"",
            {"implicit_forces: expected exact, definite or none"}),
  };
}

inline std::vector<BrokenScene> broken_strands() {
  const std::string strand = "[[strand]]\nmass = 1\nstiffness = 10\n",
                    ends = "from = { body = \"arm\" }\nto = { at = [0, 0, 0] }\n";
  const std::string cable =
      "[[cable]]\nsegments = 4\nlength = 1\nradius = 0.01\ndensity = 1000\nfrom = { body = \"arm\" }\n";
  return {
      extra(strand + ends, {"expected the key \"nodes\", found none"}),
      extra(strand + "nodes = 1\n" + ends, {"nodes: expected a whole number from 2 to 2000, found the number 1"}, 3),
      extra(strand + "nodes = 4\n", {"expected the key \"from\", found none"}),
      extra(strand + "nodes = 4\nfrom = { body = \"arm\" }\n", {"expected the key \"to\", or \"rest_length\""}),
      extra(strand + "nodes = 4\nfrom = { body = \"amr\" }\nto = { at = [0, 0, 0] }\n",
            {"expected a body of this scene, found \"amr\": did you mean \"arm\"?"}, 4),
      extra(strand + "nodes = 4\nfrom = {}\nto = { at = [0, 0, 0] }\n",
            {"expected the key \"body\" or \"at\", found neither"}, 4),
      extra(strand + "nodes = 2\nfrom = { body = \"world\" }\nto = { body = \"world\" }\n",
            {"found ends that coincide"}),
      extra(strand + "nodes = 4\nname = \"s\"\n" + ends + strand + "nodes = 4\nname = \"s\"\n" + ends,
            {"expected names that differ, found \"s.0\" twice"}, 7),
      extra(cable + "GJ = 1\n", {"expected the key \"young\" or \"EI\", found neither"}),
      extra(cable + "GJ = 1\nEI = 1\nyoung = 1\n", {"EI: expected EI or young, found both"}, 7),
      extra(cable + "GJ = 1\nEI = 1\nrest = [[0, 0, 0]]\n", {"rest: expected 2 points or more, found 1"}, 8),
      extra(cable + "GJ = 1\nEI = 1\nrest = [[0, 0, 0], [1, 0, 0]]\n",
            {"length: expected none beside the points of rest"}, 2),
      extra(cable + "GJ = 1\nEI = 1\nto = { body = \"ball\", end = \"glued\" }\n", {"end: expected clamped or pinned"},
            8),
  };
}

}  // namespace cardan::test
