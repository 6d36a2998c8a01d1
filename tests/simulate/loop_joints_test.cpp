// Joints of loops with springs, dampers, friction, limits, forces and inputs of their own: against the same at joints
// of the tree, and against conservation laws.
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/support/near.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan::test::loop_joints_test {
namespace {

std::string body(const std::string& name, const std::string& parent, const std::string& joint) {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1.3\ncom = [0.1, 0.05, -0.2]\ninertia = [0.08, 0.09, 0.05, "
      "0.01, 0, 0.005]\n[body.joint]\n{}\n",
      name, parent, joint);
}

/// A four-bar in the plane across y, whose coupler and rocker meet in a hinge that closes the loop.
std::string four_bar(const std::string& in_the_loop, const std::string& more) {
  const std::string hinge = "type = \"revolute\"\naxis = [0, 1, 0]\n";
  return "cardan = 1\ngravity = [0, 0, 0]\n" + body("crank", "world", hinge + "q = [0.5]\nv = [1.0]") +
         body("coupler", "crank", hinge + "at = { xyz = [0.25, 0, 0] }") +
         body("rocker", "world", hinge + "at = { xyz = [0.5, 0, 0] }") +
         "[[loop]]\nname = \"pin\"\na = \"coupler\"\nb = \"rocker\"\ntype = \"revolute\"\naxis = [0, 1, 0]\n"
         "at_a = { xyz = [0.5, 0, 0] }\nat_b = { xyz = [0.4, 0, 0] }\n" +
         in_the_loop + more + "[simulation]\nduration = 1\n";
}

Trajectory run(const std::string& text, const char* integrator = nullptr) {
  Scene scene = parse_scene(text, "loops");
  if (integrator != nullptr) scene.settings.choose_integrator(integrator);
  assemble(scene);
  Trajectory out = simulate(scene);
  EXPECT_EQ(out.summary.end, RunSummary::End::done) << out.summary.failure;
  return out;
}

/// The largest difference of coordinates over two runs.
double apart(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.size(), b.size());
  double out = 0.0;
  for (std::size_t row = 0; row < std::min(a.size(), b.size()); ++row)
    for (std::size_t i = 0; i < a.q(row).size(); ++i) out = std::max(out, std::abs(a.q(row)[i] - b.q(row)[i]));
  return out;
}

/// The hinge turns by rocker - crank - coupler: what acts in it acts on these three.
std::string at_the_tree(const std::string& effort) {
  std::string out;
  for (const auto& [joint, sign] : {std::pair("rocker", ""), {"crank", "-"}, {"coupler", "-"}})
    out += fmt::format("[[force]]\ntype = \"joint\"\njoint = \"{}\"\nforce = \"{}({})\"\n", joint, sign, effort);
  return out;
}

TEST(LoopJoints, SpringAndDamperActAsOnTheCoordinatesThatMakeUpTheirAngle) {
  const Trajectory own = run(four_bar("stiffness = 20\nrest = -2.0\ndamping = 0.4\n", "")),
                   same = run(four_bar("", at_the_tree("-20*(rocker - crank - coupler + 2.0) - "
                                                       "0.4*(v.rocker - v.crank - v.coupler)")));
  EXPECT_LT(apart(own, same), 1e-7);
  EXPECT_GT(apart(own, run(four_bar("", ""))), 0.1);
}

TEST(LoopJoints, ForcesAndInputsMayNameALoop) {
  const Trajectory own =
      run(four_bar("", "[[force]]\ntype = \"joint\"\njoint = \"pin\"\nforce = \"3*cos(4*t) - 0.5*v.rocker\"\n"));
  EXPECT_LT(apart(own, run(four_bar("", at_the_tree("3*cos(4*t) - 0.5*v.rocker")))), 1e-7);
  const Trajectory driven = run(four_bar("", "[[input]]\nname = \"motor\"\njoint = \"pin\"\ndefault = 1.5\n"));
  EXPECT_LT(apart(driven, run(four_bar("", at_the_tree("1.5")))), 1e-7);
}

TEST(LoopJoints, EveryFormulationAgrees) {
  const std::string text = four_bar("stiffness = 20\nrest = -2.0\ndamping = 0.4\n", "");
  const Trajectory recursive = run(text);
  for (const char* formulation : {"redmax", "maximal", "reduced"}) {
    SCOPED_TRACE(formulation);
    std::string other = text + fmt::format("formulation = \"{}\"\n", formulation);
    if (std::string_view(formulation) == "reduced") other += "independent = [\"crank\"]\n";
    EXPECT_LT(apart(recursive, run(other)), 2e-6);
  }
}

/// In space, with two coordinates that do not commute, and by a joint that a text describes.
TEST(LoopJoints, SpringsKeepTheEnergy) {
  const std::string arm = "cardan = 1\n" + body("a", "world", "type = \"spherical\"\nv = [0.5, 1, -0.3]") +
                          body("b", "a", "type = \"spherical\"\nat = { xyz = [0, 0, -0.6] }\nv = [0.2, -0.4, 0.6]");
  const std::string ends =
      "a = \"b\"\nb = \"world\"\nat_a = { xyz = [0.1, 0.2, -0.3] }\nat_b = { xyz = [0.2, 0.1, "
      "-0.6] }\n";
  for (const char* joint :
       {"type = \"universal\"\nstiffness = [6, 9]\nrest = [0.2, -0.1]\n",
        "type = \"expression\"\ncoordinates = [\"s\", \"u\"]\ntransform = \"rotx(s) * trans(0.1*u, 0, 0.2*sin(s)) * "
        "rotz(u)\"\nstiffness = [6, 9]\n"}) {
    const Trajectory motion =
        run(arm + "[[loop]]\n" + ends + joint + "[simulation]\nduration = 2\ntolerance = 1e-10\n");
    double potential = 0.0;
    for (const Energy& energy : motion.energies()) {
      EXPECT_NEAR(energy.total(), motion.energies().front().total(), 1e-7);
      potential = std::max(potential, std::abs(energy.potential - motion.energies().front().potential));
    }
    EXPECT_GT(potential, 0.1) << "the spring is to be strained";
  }
}

/// A sledge on a rail, guided once more by a loop along the same axis: what the loop has, the joint might have.
std::string sledge(const std::string& in_the_tree, const std::string& in_the_loop) {
  return "cardan = 1\n[[body]]\nname = \"sledge\"\nmass = 2\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\n[body.joint]\n"
         "type = \"prismatic\"\naxis = [1, 0, 0]\nv = [1.5]\n" +
         in_the_tree +
         "[[loop]]\nname = \"rail\"\na = \"world\"\nb = \"sledge\"\ntype = \"prismatic\"\naxis = [1, 0, 0]\n" +
         in_the_loop + "[simulation]\nduration = 1.2\nstep = 0.002\n";
}

TEST(LoopJoints, DryFrictionStopsTheSledge) {
  const Trajectory motion = run(sledge("", "friction = 5\n"));
  // it slows down by 2.5 m/s^2 and rests from 0.6 s on, after 0.45 m
  EXPECT_NEAR(motion.q(motion.size() - 1)[0], 0.45, 1e-9);
  EXPECT_NEAR(motion.v(motion.size() - 1)[0], 0.0, 1e-12);
  EXPECT_LT(apart(motion, run(sledge("friction = 5\n", ""))), 1e-9);
}

TEST(LoopJoints, LimitsHold) {
  const Trajectory motion = run(sledge("", "limits = [[-0.2, 0.7]]\n"));
  for (std::size_t row = 0; row < motion.size(); ++row) EXPECT_LT(motion.q(row)[0], 0.7 + 1e-6);
  EXPECT_NEAR(motion.q(motion.size() - 1)[0], 0.7, 1e-6);
  EXPECT_NEAR(motion.v(motion.size() - 1)[0], 0.0, 1e-9);
}

/// A four-bar is stopped by its floating hinge: where that angle is, a stop at the crank would be, too.
TEST(LoopJoints, ALimitOfTheHingeStopsTheLinkage) {
  const Trajectory free = run(four_bar("", "")), stopped = run(four_bar("limits = [[0, 1]]\n", ""));
  const auto hinge = [](const Trajectory& motion, std::size_t row) {
    return motion.q(row)[2] - motion.q(row)[0] - motion.q(row)[1];
  };
  double highest = 0.0, highest_stopped = 0.0;
  for (std::size_t row = 0; row < free.size(); ++row) {
    highest = std::max(highest, hinge(free, row));
    highest_stopped = std::max(highest_stopped, hinge(stopped, row));
  }
  EXPECT_GT(highest, 1.2) << "without the stop it goes beyond";
  EXPECT_LT(highest_stopped, 1.0 + 1e-5);
}

}  // namespace
}  // namespace cardan::test::loop_joints_test
