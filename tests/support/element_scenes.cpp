#include "tests/support/element_scenes.hpp"

#include <fmt/format.h>

namespace cardan::test {

namespace {

const std::string kHead = "cardan = 1\n";

std::string body(const std::string& name, const std::string& parent, const std::string& joint) {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1.3\ncom = [0.1, 0.05, -0.2]\ninertia = [0.08, "
      "0.09, 0.05, 0.01, 0, 0.005]\n[body.joint]\n{}\n",
      name, parent, joint);
}

const std::string kArm =
    kHead + body("a", "world", "type = \"revolute\"\naxis = [0, 1, 0]\nq = [0.4]\nv = [0.7]") +
    body("b", "a", "type = \"revolute\"\naxis = [1, 0, 0]\nat = { xyz = [0, 0, -0.6] }\nq = [0.8]\nv = [-0.3]") +
    body("c", "b", "type = \"spherical\"\nat = { xyz = [0, 0.1, -0.5] }");

const std::vector<std::pair<std::string, std::string>> kScenes = {
    {"tree", kArm},
    {"free body", kHead + body("f", "world", "type = \"free\"\nv = [1, -2, 0.5, 0.3, 0.2, -0.4]")},
    {"coupling", kArm + "[[coupling]]\njoint = \"b\"\nequals = \"0.5*a + 0.3*sin(2*a)\"\n"},
    {"loop",
     kArm +
         "[[loop]]\na = \"b\"\nb = \"world\"\ntype = \"universal\"\nat_a = { xyz = [0.1, 0.2, -0.3] }\nat_b = { xyz = "
         "[0.3, 0.1, -1.2] }\n"},
    {"springs in the joint of a loop",
     kArm + "[[loop]]\na = \"b\"\nb = \"world\"\ntype = \"universal\"\nat_a = { xyz = [0.1, 0.2, -0.3] }\nat_b = { xyz "
            "= [0.3, 0.1, -1.2] }\nstiffness = [30, 20]\nrest = [0.3, -0.2]\ndamping = [1, 2]\n"},
    {"force in the joint of a loop, by states and an input",
     kArm +
         "[[loop]]\nname = \"l\"\na = \"b\"\nb = \"a\"\ntype = \"spherical_euler\"\norder = \"XYZ\"\nat_a = { xyz = "
         "[0.1, 0, -0.1] }\n"
         "at_b = { xyz = [0.1, 0, -0.7] }\n[[input]]\nname = \"m\"\njoint = \"l\"\ncoordinate = 1\n[[force]]\ntype = "
         "\"joint\"\njoint = \"l\"\nforce = [\"-3*sin(a)\", \"-v.b\", \"a*b\"]\n"},
    {"motion of a joint", kArm + "[[motion]]\njoint = \"b\"\nposition = \"0.8 + sin(3*t)\"\n"},
    {"motion of a joint beside a loop", kArm + "[[motion]]\njoint = \"a\"\nposition = \"0.4 + "
                                               "0.3*sin(3*t)\"\n[[coupling]]\njoint = \"b\"\nequals = \"2*a\"\n"},
    {"motion of a point", kHead + body("f", "world", "type = \"free\"\nv = [1, -2, 0.5, 0.3, 0.2, -0.4]") +
                              "[[motion]]\nframe = \"f\"\nposition = [\"0.1 + 0.2*t\", \"sin(t)\", \"0.3\"]\n"},
    {"motion of an orientation", kArm + "[[motion]]\nframe = \"c\"\nrpy = [\"0.3*t\", \"0.2 + t\", \"sin(t)\"]\n"},
    {"twist", kArm + "[[motion]]\nframe = \"c\"\ntwist = [\"t\", \"\", \"0.2\", \"\", \"\", \"\"]\naxes = \"frame\"\n"},
    {"springs and dampers",
     kArm +
         "[[force]]\ntype = \"spring\"\npoints = [{ body = \"world\", at = [0.5, 0, 0] }, { body = \"b\", at = [0.1, "
         "0, -0.3] }, { "
         "body = \"c\", at = [0, 0.2, 0.1] }]\nstiffness = 90\ndamping = 4\nrest = 0.7\n[[force]]\ntype = "
         "\"bushing\"\na = \"a\"\nb = \"c\"\nstiffness = [3, 4, 5, 20, 30, 40]\ndamping = [0.1, 0.2, 0.3, 1, 2, 3]\n"},
    {"law over a wrap", kArm + R"([[force]]
type = "spring"
points = [{ body = "world", at = [0.6, 0, -0.3] }, { body = "b", at = [-0.3, 0, -0.3] }]
wraps = [{ body = "a", cylinder = 0.1, at = { xyz = [0, 0, -0.2], rpy = [1.5707963267948966, 0, 0] }, side = [0, 0.1, 0] }]
law = "40*(l - 0.5)^3 + 3*ldot"
)"},
    {"controllers",
     kArm +
         "[[controller]]\ntype = \"pid\"\njoints = [\"a\", \"b\"]\ntarget = [\"0.3*sin(t)\", \"0.5\"]\nkp = 30\nkd = "
         "3\nki "
         "= 7\n[[controller]]\nname = \"text\"\ntype = \"text\"\njoints = [\"b\"]\nstate = [\"x\"]\nrate = [\"-x*x + "
         "sin(a) + v.b\"]\nforce = [\"-2*x*b\"]\n"},
    {"computed torque",
     kArm +
         "[[controller]]\ntype = \"computed_torque\"\njoints = [\"a\"]\ntarget = [\"0.3*sin(t)\"]\nkp = 30\nkd = 3\n"},
    {"gravity compensation", kArm + "[[controller]]\ntype = \"gravity_compensation\"\njoints = [\"a\", \"b\"]\n"},
    {"rolling sphere",
     kHead + body("f", "world", "type = \"free\"\nq = [1, 0, 0, 0, 0, 0, 0.3]\nv = [1, -2, 0.5, -0.6, -0.3, 0]") +
         "[[rolling]]\na = \"world\"\nb = \"f\"\nshape_a = { plane = true }\nshape_b = { sphere = 0.3 }\n"},
    {"rolling disc",
     kHead + body("f", "world", "type = \"free\"\nq = [0.8, 0.6, 0, 0, 0, 0, 0.29]\nv = [1, -2, 0.5, 0, 0, 0]") +
         "[[rolling]]\na = \"world\"\nb = \"f\"\nshape_a = { plane = true }\nshape_b = { disc = 0.3 }\n"},
    {"rolling ellipsoid",
     kHead + body("f", "world", "type = \"free\"\nq = [0.8, 0.6, 0, 0, 0, 0, 0.3]\nv = [1, -2, 0.5, 0, 0, 0]") +
         "[[rolling]]\na = \"world\"\nb = \"f\"\nshape_a = { plane = true }\nshape_b = { ellipsoid = [0.3, 0.4, 0.25] "
         "}\n"},
};

}  // namespace

std::string arm_scene() { return kArm; }
const std::vector<std::pair<std::string, std::string>>& element_scenes() { return kScenes; }

}  // namespace cardan::test
