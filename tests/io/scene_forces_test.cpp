// Scenes with springs, cables, strands and muscles against closed forms (shared data forces/closed_form.json).
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

using nlohmann::json;

const json* force_case(const json& file, const std::string& name) {
  for (const json& c : file.at("cases"))
    if (c.at("name") == name) return &c;
  return nullptr;
}

Scene force_scene(const std::string& gravity, const std::string& rest) {
  return parse_scene("cardan = 1\ngravity = " + gravity + "\n" + rest, "test.toml");
}

const char* const kFreeBody = "inertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\ntype = \"free\"\n";

/// A row of a run as the command writes it.
std::vector<double> row_of(const Trajectory& run, std::size_t i) {
  std::vector<double> out{run.times()[i]};
  for (const auto& part : {run.q(i), run.v(i)}) out.insert(out.end(), part.begin(), part.end());
  const Energy& energy = run.energies()[i];
  out.insert(out.end(), {energy.total(), energy.kinetic, energy.potential});
  out.insert(out.end(), run.recorded(i).begin(), run.recorded(i).end());
  return out;
}
double value_of(const Trajectory& run, std::size_t row, const std::string& column) {
  std::vector<std::string> names = trajectory_columns(run.model());
  for (const RecordedColumns& record : run.layout())
    names.insert(names.end(), record.columns.begin(), record.columns.end());
  const auto i = std::find(names.begin(), names.end(), column) - names.begin();
  return row_of(run, row).at(static_cast<std::size_t>(i));
}
double last_of(const Trajectory& run, const std::string& column) { return value_of(run, run.size() - 1, column); }

TEST(ForceScenes, ViscousDampingOfABody) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  const json& e = force_case(*file, "viscous_body_damping")->at("expected");
  for (const bool implicit : {true, false}) {
    const Trajectory run = simulate(force_scene(
        "[0, 0, 0]",
        fmt::format("[[body]]\nname = \"b\"\nmass = 2\n{}v = [0, 0, 0, 5, 0, 0]\n[[force]]\ntype = \"damping\"\n"
                    "body = \"b\"\ncoefficients = [0, 0, 0, 3, 3, 3]\n[simulation]\nduration = 1\nstep = 0.01\n"
                    "integrator = \"{}\"\n",
                    kFreeBody, implicit ? "linearly_implicit_euler" : "rk4")));
    EXPECT_NEAR(last_of(run, "v.b.3"), e.at(implicit ? "v_implicit_euler" : "v_exact").get<double>(),
                implicit ? 1e-13 : 1e-9);
  }
}

TEST(ForceScenes, SpringsOscillate) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  {
    const json& e = force_case(*file, "point_spring_harmonic")->at("expected");
    const Trajectory run = simulate(force_scene(
        "[0, 0, 0]", fmt::format("[[body]]\nname = \"b\"\nmass = 2\n{}q = [1, 0, 0, 0, 1, 0.2, -0.3]\n"
                                 "v = [0, 0, 0, 0.5, 0, 2]\n[[force]]\ntype = \"spring\"\nstiffness = 50\nrest = 0\n"
                                 "points = [{{ body = \"world\" }}, {{ body = \"b\" }}]\n[simulation]\nduration = 1.3\n"
                                 "tolerance = 1e-12\n",
                                 kFreeBody)));
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(last_of(run, fmt::format("q.b.{}", 4 + i)), e.at("x")[static_cast<std::size_t>(i)].get<double>(),
                  1e-10);
    EXPECT_NEAR(last_of(run, "energy"), e.at("energy").get<double>(), 1e-9);
  }
  {
    const json& e = force_case(*file, "two_bodies_spring")->at("expected");
    const Trajectory run = simulate(force_scene(
        "[0, 0, 0]",
        fmt::format(
            "[[body]]\nname = \"a\"\nmass = 1\n{0}[[body]]\nname = \"b\"\nmass = 3\n{0}q = [1, 0, 0, 0, 0.6, 0, 0]\n"
            "[[force]]\ntype = \"spring_damper\"\nname = \"s\"\nstiffness = 80\nrest = 0.5\n"  // 40 N over 0.5 m
            "points = [{{ body = \"a\" }}, {{ body = \"b\" }}]\n[[record]]\nname = \"l\"\nspring = \"s\"\n"
            "quantity = \"length\"\n[simulation]\nduration = 0.7\ntolerance = 1e-12\n",
            kFreeBody)));
    EXPECT_NEAR(last_of(run, "l"), e.at("l").get<double>(), 1e-9);
    EXPECT_NEAR(last_of(run, "energy"), e.at("energy").get<double>(), 1e-9);
  }
}

/// Statement 26: with springs the energy is kept up to the order of the method.
TEST(ForceScenes, EnergyDriftsWithTheFourthPowerOfTheStep) {
  const auto drift = [](double h) {
    const Trajectory run = simulate(force_scene(
        "[0, 0, -9.81]",
        fmt::format(
            "[[body]]\nname = \"a\"\nmass = 1\n{}q = [1, 0, 0, 0, 0.3, 0, -1]\nv = [1, 2, 0.5, 0, 1, 0]\n[[force]]\n"
            "type = \"spring\"\nlaw = \"k*(l - rest) + 100*(l - rest)^3\"\nrest = 0.6\nparameters = {{ k = 40 }}\n"
            "points = [{{ body = \"world\" }}, {{ body = \"world\", at = [0.1, 0, -0.2] }}, {{ body = \"a\", at = "
            "[0.1, "
            "0.1, 0] }}]\n[simulation]\nduration = 1\nintegrator = \"rk4\"\nstep = {}\n",
            kFreeBody, h)));
    return std::abs(last_of(run, "energy") - value_of(run, 0, "energy"));
  };
  const double coarse = drift(0.01), fine = drift(0.005);
  EXPECT_LT(fine, 1e-5);
  EXPECT_GT(coarse / fine, 12.0);
}

/// H, K and forces of a scene at a state of its own.
struct Linear {
  explicit Linear(const Scene& scene) : workspace(System(scene)), state(workspace.begin(0.0, scene.initial)) {
    update();
  }
  void update() {
    const auto n = static_cast<int>(state.v.size());
    const std::vector<double> a(static_cast<std::size_t>(n));
    workspace.linearize({0.0, state}, a, {nullptr, 0}, {.H = &H, .K = &K, .D = &D, .f = &f});
  }
  /// Newton's method for the equilibrium.
  void settle() {
    for (int i = 0; i < 50; ++i) {
      const Eigen::VectorXd x = -K.fullPivLu().solve(f);
      std::vector<double> q(state.q.size());
      workspace.space().move(state.q.data(), x.data(), q.data());
      state.q = q;
      update();
      if (x.lpNorm<Eigen::Infinity>() < 1e-13) return;
    }
    ADD_FAILURE() << "no equilibrium";
  }
  SystemWorkspace workspace;
  State state;
  Eigen::MatrixXd H, K, D;
  Eigen::VectorXd f;
};

TEST(ForceScenes, StrandHangsAndSwings) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  {
    const json& e = force_case(*file, "hanging_strand")->at("expected");
    Linear strand(force_scene("[0, 0, -9.81]",
                              "[[strand]]\nname = \"s\"\nnodes = 11\nmass = 1.1\nstiffness = 200\nrest_length = 0.2\n"
                              "from = { body = \"world\" }\n"));
    // straight down at rest length the sideways stiffness is zero: begin a little longer
    for (std::size_t k = 0; k < 10; ++k) strand.state.q[3 * k + 2] *= 1.001;
    strand.update();
    strand.settle();
    for (std::size_t k = 0; k < 10; ++k)
      EXPECT_NEAR(strand.state.q[3 * k + 2], e.at("heights")[k].get<double>(), 1e-10);
  }
  const auto frequencies = [](const Linear& at) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(-0.5 * (at.K + at.K.transpose()), at.H);
    return Eigen::VectorXd(eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt());
  };
  {
    const json& e = force_case(*file, "strand_longitudinal_modes")->at("expected").at("omega");
    const Eigen::VectorXd w = frequencies(
        Linear(force_scene("[0, 0, 0]",
                           "[[strand]]\nnodes = 9\nmass = 2.7\nstiffness = 500\nfrom = { body = \"world\" }\n"
                           "to = { at = [2, 0, 0] }\n")));
    for (Eigen::Index k = 0; k < 8; ++k) {
      EXPECT_NEAR(w[16 + k], e[static_cast<std::size_t>(k)].get<double>(), 1e-10 * 321.0);
      EXPECT_NEAR(w[k], 0.0, 1e-4);  // across it
    }
  }
  {
    const json& e = force_case(*file, "strand_transverse_modes")->at("expected").at("omega");
    const Eigen::VectorXd w =
        frequencies(Linear(force_scene("[0, 0, 0]",
                                       "[[strand]]\nnodes = 9\nmass = 2.7\nstiffness = 500\nrest_length = 0.25\n"
                                       "from = { body = \"world\" }\nto = { body = \"world\", at = [2.03, 0, 0] }\n")));
    for (Eigen::Index k = 0; k < 7; ++k)  // each in two directions
      for (const Eigen::Index twin : {2 * k, 2 * k + 1})
        EXPECT_NEAR(w[twin], e[static_cast<std::size_t>(k)].get<double>(), 1e-9 * 39.0);
  }
}

TEST(ForceScenes, StiffnessOfAHingeWithASpring) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  const json& e = force_case(*file, "reduced_stiffness_of_point_spring")->at("expected");
  const json& step = force_case(*file, "linearly_implicit_hinge_step")->at("expected");
  const auto hinge = [](double damping, const std::string& simulation) {
    return force_scene(
        "[0, 0, 0]",
        fmt::format("[[body]]\nname = \"h\"\nmass = 1\ninertia = [0.5, 0.5, 0.5, 0, 0, 0]\n[body.joint]\n"
                    "type = \"revolute\"\naxis = [0, 0, 1]\nq = [0.4]\nv = [0.3]\ndamping = [{}]\n[[force]]\n"
                    "type = \"spring\"\nstiffness = 20\nrest = 0\npoints = [{{ body = \"world\", at = [1.1, 0, "
                    "0] }}, {{ body = \"h\", at = [0.7, 0, 0] }}]\n[simulation]\n{}",
                    damping, simulation));
  };
  const Linear at(hinge(0.0, ""));
  EXPECT_NEAR(at.f[0], e.at("torque").get<double>(), 1e-12);
  EXPECT_NEAR(at.K(0, 0), e.at("dtorque").get<double>(), 1e-12);
  const std::string one = "integrator = \"linearly_implicit_euler\"\nstep = 0.02\nduration = 0.02\n";
  EXPECT_NEAR(last_of(simulate(hinge(0.8, one + "implicit_forces = \"exact\"\n")), "v.h"), step.at("w1").get<double>(),
              1e-13);
  // by default the definite part only
  EXPECT_NEAR(last_of(simulate(hinge(0.8, one)), "v.h"), step.at("w1_without_geometric_term").get<double>(), 1e-13);
  // explicit: w0 + h (tau - d w0) / I
  EXPECT_NEAR(last_of(simulate(hinge(0.8, one + "implicit_forces = \"none\"\n")), "v.h"),
              0.3 + 0.02 * (e.at("torque").get<double>() - 0.8 * 0.3) / 0.5, 1e-13);
}

TEST(ForceScenes, PathsOverPulleysAndPoints) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  {  // a helix round the axis of a hinge: the far end turns with it
    const json& e = force_case(*file, "pulley_moment_arm")->at("expected");
    const double R = 0.05, wrap = 1.0, r_P = std::hypot(R, 0.2), r_S = std::hypot(R, 0.3);
    const double turn = wrap + std::atan2(0.2, R) + std::atan2(0.3, R);
    const Scene scene = force_scene(
        "[0, 0, 0]",
        fmt::format("[[body]]\nname = \"h\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\n"
                    "type = \"revolute\"\naxis = [0, 0, 1]\n[[force]]\ntype = \"muscle\"\nname = \"m\"\n"
                    "max_force = 100\noptimal_length = 1\nslack_length = 0\nactivation = 0.5\n"
                    "points = [{{ body = \"world\", at = [{}, 0, 0] }}, {{ body = \"h\", at = [{}, {}, 0.1] }}]\n"
                    "wraps = [{{ body = \"world\", cylinder = 0.05, side = [{}, {}, 0] }}]\n"
                    "[[record]]\nname = \"arm\"\nmuscle = \"m\"\nquantity = \"moment_arm\"\njoint = \"h\"\n"
                    "[[record]]\nname = \"l\"\nmuscle = \"m\"\nquantity = \"length\"\n[simulation]\nduration = 1e-6\n",
                    r_P, r_S * std::cos(turn), r_S * std::sin(turn), std::cos(0.5 * turn), std::sin(0.5 * turn)));
    const Trajectory run = simulate(scene);
    EXPECT_NEAR(value_of(run, 0, "arm"), -e.at("moment_arm").get<double>(), 1e-12);  // it gets longer as it turns
    EXPECT_NEAR(value_of(run, 0, "l"), e.at("length").get<double>(), 1e-12);
  }
  {  // via a point of a body
    const Linear at(
        force_scene("[0, 0, 0]",
                    "[[body]]\nname = \"b\"\nmass = 1\n[body.joint]\ntype = \"translational\"\nq = [1, 0, 0]\n"
                    "[[force]]\ntype = \"spring\"\nlaw = \"10\"\npoints = [{ body = \"world\" }, { body = \"b\" }, "
                    "{ body = \"world\", at = [1, -2, 0] }]\n"));
    const json& force = force_case(*file, "via_point_wrench")->at("expected").at("force");
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(at.f[i], force[static_cast<std::size_t>(i)].get<double>(), 1e-14);
  }
  {  // a strand's end adds its node to the body that holds it
    const Linear at(
        force_scene("[0, 0, 0]",
                    "[[body]]\nname = \"h\"\nmass = 1e-9\ninertia = [0.4, 0.4, 0.4, 0, 0, 0]\n[body.joint]\n"
                    "type = \"revolute\"\naxis = [0, 0, 1]\n[[strand]]\nnodes = 2\nmass = 0.1\nstiffness = 1\n"
                    "from = { body = \"h\", at = [0.3, 0.1, 0] }\nto = { body = \"world\", at = [1, 0, 0] }\n"));
    EXPECT_NEAR(at.H(0, 0), force_case(*file, "attached_node_inertia")->at("expected").at("inertia").get<double>(),
                1e-14);
  }
}

/// A chain of massless links between two points, as a loop of ball joints with point masses: at rest.
TEST(ForceScenes, ChainHangsInAPolygon) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  const json& c = *force_case(*file, "hanging_chain_polygon");
  const json &given = c.at("given"), &e = c.at("expected");
  const int links = given.at("links");
  const double link = given.at("link"), mass = given.at("node_mass"), span = given.at("span");
  const auto angle = [&](int i) {  // of link i, from the given places, and a little off
    const auto d = [&](const char* axis) {
      return e.at(axis)[static_cast<std::size_t>(i + 1)].get<double>() -
             e.at(axis)[static_cast<std::size_t>(i)].get<double>();
    };
    return std::atan2(-d("y"), d("x")) + 0.02 * std::sin(3.0 * i);
  };
  std::string text;
  for (int i = 0; i < links; ++i) {
    const std::string at = i == 0 ? "[0, 0, 0]" : fmt::format("[{}, 0, 0]", link);
    text += fmt::format(
        "[[body]]\nname = \"l{}\"\nparent = \"{}\"\nmass = {}\ncom = [{}, 0, 0]\ninertia = [0, 0, 0, 0, 0, 0]\n"
        "[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\nat = {{ xyz = {} }}\nq = [{}]\n",
        i, i == 0 ? "world" : "l" + std::to_string(i - 1), i + 1 < links ? mass : 0.0, link, at,
        angle(i) - (i == 0 ? 0.0 : angle(i - 1)));
  }
  text += fmt::format(
      "[[loop]]\nname = \"end\"\na = \"world\"\nb = \"l{}\"\nat_a = {{ xyz = [{}, 0, 0] }}\n"
      "at_b = {{ xyz = [{}, 0, 0] }}\ntype = \"revolute\"\naxis = [0, 1, 0]\n"
      "[initial]\nequilibrium = true\n",
      links - 1, span, link);
  Scene scene = force_scene("[0, 0, -9.81]", text);
  assemble(scene);
  double x = 0.0, z = 0.0, turn = 0.0;
  for (int i = 0; i < links; ++i) {
    turn += scene.initial.q[static_cast<std::size_t>(i)];
    x += link * std::cos(turn);
    z -= link * std::sin(turn);
    EXPECT_NEAR(x, e.at("x")[static_cast<std::size_t>(i + 1)].get<double>(), 1e-9) << i;
    EXPECT_NEAR(z, e.at("y")[static_cast<std::size_t>(i + 1)].get<double>(), 1e-9) << i;
  }
  // the pin at the end holds the horizontal tension and half the weight
  scene.settings.duration = 1e-3;
  SystemWorkspace workspace{System(scene)};
  const State start = workspace.begin(0.0, scene.initial);
  Loads loads;
  workspace.loads(0.0, start, loads);
  EXPECT_NEAR(std::abs(loads.joints[1].force[0] * std::cos(scene.initial.q[0]) +
                       loads.joints[1].force[2] * std::sin(scene.initial.q[0])),
              e.at("horizontal_tension").get<double>(), 1e-8);
}

TEST(ForceScenes, ReactionOfAPendulum) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  const json& e = force_case(*file, "pendulum_reaction")->at("expected");
  const double theta = 0.5, inertia = 2.0 * 0.8 * 0.8 / 12.0;
  const Trajectory run = simulate(force_scene(
      "[0, 0, -9.81]",
      fmt::format(
          "[[body]]\nname = \"rod\"\nmass = 2\ncom = [0, 0, -0.4]\ninertia = [{0}, {0}, 1e-9, 0, 0, 0]\n"
          "[body.joint]\ntype = \"revolute\"\naxis = [0, -1, 0]\nq = [{1}]\nv = [1.7]\n[[record]]\nname = \"pin\"\n"
          "joint = \"rod\"\nquantity = \"force\"\n[[record]]\nname = \"tip\"\nframe = \"rod\"\nat = [0, 0, -1]\n"
          "quantity = \"acceleration\"\n[simulation]\nduration = 1e-6\n",
          inertia, theta)));
  // the rod points along (sin, 0, -cos), turns towards (cos, 0, sin)
  const double fx = value_of(run, 0, "pin.x"), fz = value_of(run, 0, "pin.z");
  EXPECT_NEAR(-fx * std::sin(theta) + fz * std::cos(theta), e.at("along").get<double>(), 1e-11);
  EXPECT_NEAR(fx * std::cos(theta) + fz * std::sin(theta), e.at("across").get<double>(), 1e-11);
  const double ax = value_of(run, 0, "tip.x"), az = value_of(run, 0, "tip.z");
  EXPECT_NEAR(ax * std::cos(theta) + az * std::sin(theta), e.at("thetadd").get<double>(), 1e-11);
}

/// A ladder of hinged bars moves as a chain of twice the mass: rails as two chains, rungs as loops.
TEST(ForceScenes, LadderIsAChain) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  const json& c = *force_case(*file, "ladder_equals_chain");
  const json &theta = c.at("given").at("theta"), &rate = c.at("given").at("rate");
  std::string text;
  double turn = 0.0, speed = 0.0;
  const auto bar = [&](const std::string& name, const std::string& parent, double mass, const std::string& at, double q,
                       double v) {
    text += fmt::format(
        "[[body]]\nname = \"{0}\"\nparent = \"{1}\"\nmass = {2}\ncom = [0.5, 0, 0]\n"
        "inertia = [1e-12, {3}, {3}, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\n"
        "at = {{ xyz = {4} }}\nq = [{5}]\nv = [{6}]\n",
        name, parent, mass, mass / 12.0, at, q, v);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const double q = theta[i].get<double>() - turn, v = rate[i].get<double>() - speed;
    turn = theta[i];
    speed = rate[i];
    const std::string before = std::to_string(i - 1);
    bar("left" + std::to_string(i), i == 0 ? "world" : "left" + before, 1.0, i == 0 ? "[0, 0, 0]" : "[1, 0, 0]", q, v);
    bar("right" + std::to_string(i), i == 0 ? "world" : "right" + before, 1.0, i == 0 ? "[1, 0, 0]" : "[1, 0, 0]", q,
        v);
    bar("rung" + std::to_string(i), "left" + std::to_string(i), 0.5, "[1, 0, 0]", -turn, -speed);
    text += fmt::format(
        "[[loop]]\nname = \"p{0}\"\na = \"rung{0}\"\nb = \"right{0}\"\nat_a = {{ xyz = [1, 0, 0] }}\n"
        "at_b = {{ xyz = [1, 0, 0] }}\ntype = \"revolute\"\naxis = [0, 0, 1]\n",
        i);
  }
  const Scene scene = force_scene("[0, -9.81, 0]", text);
  SystemWorkspace workspace{System(scene)};
  const State start = workspace.begin(0.0, scene.initial);
  std::vector<double> a(static_cast<std::size_t>(scene.model.nv()));
  workspace.acceleration(0.0, start, a);
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    sum += a[static_cast<std::size_t>(scene.model.link(scene.model.find_joint("left" + std::to_string(i))).v)];
    EXPECT_NEAR(sum, c.at("expected").at("thetadd")[i].get<double>(), 1e-11) << i;
  }
}

TEST(ForceScenes, OverdampedJoint) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  const json& e = force_case(*file, "overdamped_joint")->at("expected");
  const Trajectory run = simulate(
      force_scene("[0, 0, 0]",
                  "[[body]]\nname = \"h\"\nmass = 1\ninertia = [0.01, 0.01, 0.01, 0, 0, 0]\n[body.joint]\n"
                  "type = \"revolute\"\naxis = [0, 0, 1]\nq = [0.2]\nstiffness = [400]\ndamping = [8]\n[simulation]\n"
                  "duration = 0.05\ntolerance = 1e-13\n"));
  EXPECT_NEAR(last_of(run, "q.h"), e.at("q").get<double>(), 1e-10);
}

/// Statement 27: bending, twisting and buckling of a cable against beam theory.
TEST(ForceScenes, CableBendsAsABeam) {
  constexpr double L = 2.0, EI = 3.0, GJ = 2.0;
  const auto cable = [&](int n, const std::string& load) {
    return force_scene(
        "[0, 0, 0]",
        fmt::format("[[cable]]\nname = \"c\"\nsegments = {}\nlength = {}\nradius = 0.01\ndensity = 1000\nEI = {}\n"
                    "GJ = {}\nfrom = {{ body = \"world\", direction = [1, 0, 0] }}\n{}",
                    n, L, EI, GJ, load));
  };
  const auto tip_load = [&](int n, const char* what, const std::string& values) {
    return fmt::format("[[force]]\ntype = \"wrench\"\nbody = \"c.{}\"\nat = [0, 0, {}]\n{} = {}\n", n, L / n, what,
                       values);
  };
  std::vector<double> sag, twist, load;
  for (const int n : {10, 20}) {
    Linear bent(cable(n, tip_load(n, "force", "[0, 0, -1e-4]")));
    bent.settle();
    StateKinematics kinematics(bent.workspace.model());
    const Instant at = kinematics.at(0.0, bent.state.q, bent.state.v);
    const Pose<double> tip = frame_pose(at.model, at.bodies, at.model.find_frame(fmt::format("c.{}", n)));
    sag.push_back(-(tip.p + tip.R * Vec3<double>{0.0, 0.0, L / n})[2] / (1e-4 * L * L * L / (3.0 * EI)) - 1.0);
    Linear twisted(cable(n, tip_load(n, "moment", "[1e-3, 0, 0]")));
    twisted.settle();
    const Pose<double> end = frame_pose(at.model, kinematics.at(0.0, twisted.state.q, twisted.state.v).bodies,
                                        at.model.find_frame(fmt::format("c.{}", n)));
    const Pose<double> start = frame_pose(at.model, kinematics.at(0.0, State(at.model).q, State(at.model).v).bodies,
                                          at.model.find_frame(fmt::format("c.{}", n)));
    twist.push_back(norm(log_so3(end.R * transpose(start.R))) / (1e-3 * L / GJ) - 1.0);
    // K depends linearly on an axial load: the smallest load at which it becomes singular
    const Eigen::MatrixXd K0 = Linear(cable(n, "")).K, K1 = Linear(cable(n, tip_load(n, "force", "[-1, 0, 0]"))).K - K0;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (K1 + K1.transpose()),
                                                                          -0.5 * (K0 + K0.transpose()));
    load.push_back(1.0 / eigen.eigenvalues().maxCoeff() / (std::pow(std::numbers::pi, 2) * EI / (4.0 * L * L)) - 1.0);
  }
  EXPECT_LT(std::abs(sag[1]), 2e-3);
  EXPECT_NEAR(sag[0] / sag[1], 4.0, 0.2);  // falls with n^-2
  EXPECT_LT(std::abs(load[1]), 2e-3);
  EXPECT_NEAR(load[0] / load[1], 4.0, 0.2);
  // the last half segment does not twist: 1/(2n)
  EXPECT_NEAR(twist[0], -0.05, 1e-6);
  EXPECT_NEAR(twist[1], -0.025, 1e-6);
}

/// Statement 28: a strand that is pulled round a fixed point keeps its angular momentum.
TEST(ForceScenes, StrandRoundAPointKeepsItsAngularMomentum) {
  Scene scene = force_scene("[0, 0, 0]",
                            "[[strand]]\nname = \"s\"\nnodes = 5\nmass = 0.5\nstiffness = 5\ntension_only = true\n"
                            "rest_length = 0.2\nfrom = { body = \"world\" }\nto = { at = [0.9, 0, 0] }\n[simulation]\n"
                            "duration = 2\ntolerance = 1e-11\n");
  for (std::size_t k = 0; k < 4; ++k) scene.initial.v[3 * k + 1] = 1.0 + 0.5 * static_cast<double>(k);
  const auto momentum = [&](const std::vector<double>& row) {
    double sum = 0.0;  // about z; columns t, q (12), v (12)
    for (std::size_t k = 0; k < 4; ++k) {
      const double* q = row.data() + 1 + 3 * k;
      const double* v = q + 12;
      sum += 0.1 * (q[0] * v[1] - q[1] * v[0]);
    }
    return sum;
  };
  const Trajectory run = simulate(scene);
  EXPECT_NEAR(momentum(row_of(run, run.size() - 1)), momentum(row_of(run, 0)), 1e-9);
}

/// A path whose end goes behind a cylinder jumps to its other side: that is said, with the time.
TEST(ForceScenes, PathsThatJumpAreFound) {
  const auto turning = [](double speed) {
    return force_scene(
        "[0, 0, 0]",
        fmt::format("[[body]]\nname = \"h\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\n"
                    "type = \"revolute\"\naxis = [0, 0, 1]\nv = [{}]\n[[force]]\ntype = \"spring\"\n"
                    "name = \"s\"\nstiffness = 0.001\nrest = 0\npoints = [{{ body = \"world\", at = [-1, 0.3, 0] }}, "
                    "{{ body = \"h\", at = [1, 0, 0] }}]\nwraps = [{{ body = \"world\", cylinder = 0.2, side = "
                    "[0, 1, 0] }}]\n[simulation]\nduration = 1\n",
                    speed));
  };
  const auto events = [&](double speed) { return simulate(turning(speed)).summary.events; };
  for (const PathEvent& event : events(0.5)) EXPECT_NE(event.kind, PathEvent::Kind::jumps) << event.t;
  // past the half plane opposite to the side, at the angle -pi/2, where the spring changes the speed by less than 1e-3
  const std::vector<PathEvent> found = events(-2.5);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, "spring \"s\"");
  EXPECT_EQ(found[0].kind, PathEvent::Kind::jumps);
  EXPECT_NEAR(found[0].t, 0.5 * std::numbers::pi / 2.5, 1e-3);
  EXPECT_GT(std::abs(found[0].to - found[0].from), 0.1);
}

/// A path that lifts off is straight from there on: located where the straight line is a tangent. The end of the spring
/// turns about z at a constant rate; the other is at (-1, 0.3). The line through both is a tangent of the circle of
/// radius 0.2 where |a x b| / |b - a| = 0.2.
TEST(ForceScenes, LiftOffIsLocated) {
  const Scene scene = force_scene(
      "[0, 0, 0]",
      "[[body]]\nname = \"h\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\n"
      "axis = [0, 0, 1]\n[[motion]]\njoint = \"h\"\nposition = \"-0.3 + 2*t\"\n[[force]]\ntype = \"spring\"\n"
      "name = \"s\"\nstiffness = 1\nrest = 0\npoints = [{ body = \"world\", at = [-1, 0.1, 0] }, "
      "{ body = \"h\", at = [1, 0, 0] }]\nwraps = [{ body = \"world\", cylinder = 0.2, side = [0, 1, 0] }]\n"
      "[simulation]\nduration = 0.6\nstep = 0.01\nintegrator = \"rk4\"\n");
  const std::vector<PathEvent> found = simulate(scene).summary.events;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, PathEvent::Kind::lifts_off);
  const double angle = -0.3 + 2.0 * found[0].t, bx = std::cos(angle), by = std::sin(angle);
  const double distance = std::abs(-1.0 * by - 0.1 * bx) / std::hypot(bx + 1.0, by - 0.1);
  EXPECT_NEAR(distance, 0.2, 1e-9);
  EXPECT_NEAR(found[0].from, found[0].to, 1e-9);
}

/// The examples with forces, run to their end: what their comments promise.
Trajectory run_example(const std::string& name) {
  const Trajectory run = simulate(load_scene(CARDAN_SOURCE_DIR "/examples/" + name + ".toml"));
  EXPECT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  return run;
}
double largest_of(const Trajectory& run, const std::string& column) {
  double most = value_of(run, 0, column);
  for (std::size_t i = 1; i < run.size(); ++i) most = std::max(most, value_of(run, i, column));
  return most;
}

TEST(ForceExamples, ArmBendsAndStretches) {
  const Trajectory run = run_example("arm26");
  EXPECT_GT(largest_of(run, "q.elbow"), 1.5);
  EXPECT_LT(largest_of(run, "q.elbow"), 2.27);  // within its limits
  EXPECT_LT(last_of(run, "q.elbow"), largest_of(run, "q.elbow") - 0.1);
  EXPECT_GT(largest_of(run, "BIClong.activation"), 0.1);
}

/// Lengths, speeds and moment arms of the muscles of OpenSim's arm26: exact where paths are straight between points;
/// over cylinders and ellipsoids OpenSim's curves are good to some 1e-5 m. The long triceps has other wraps there.
TEST(ForceExamples, ArmHasThePathsOfOpenSim) {
  const auto file = shared_json("forces/arm26.json");
  if (!file) GTEST_SKIP() << missing_data("forces/arm26.json");
  const Scene scene = load_scene(CARDAN_SOURCE_DIR "/examples/arm26.toml");
  const System system(scene);
  StateKinematics kinematics(scene.model);
  LineRecorder recorder(scene.model);
  Worst straight("paths through points against OpenSim (m, m/s, m)", 1e-9), wrapped("wrapped paths", 2e-5),
      arms("moment arms of wrapped paths", 1e-3);
  int exact = 0;
  for (const json& pose : file->at("poses")) {
    const auto q = pose.at("q").get<std::vector<double>>(), v = pose.at("u").get<std::vector<double>>();
    for (const auto& [name, expected] : pose.at("muscles").items()) {
      if (name == "TRIlong") continue;
      const Instant at = kinematics.at(0.0, q, v);
      const LineForce* line = find_line(system.forces(), name);
      ASSERT_TRUE(line) << name;
      PathShape shape;
      line->path().evaluate(at, WrapSurface::Want::slopes, shape);
      bool touches = false;
      for (const PathShape::Segment& segment : shape.segments) touches = touches || segment.wrap;
      const double length = std::abs(shape.length - expected.at("length").get<double>()),
                   speed = std::abs(shape.speed - expected.at("lengthening_speed").get<double>());
      (touches ? wrapped : straight).add(length, name);
      if (!touches) straight.add(speed, name);
      for (const auto& [joint, arm] : expected.at("moment_arms").items()) {
        std::vector<double> row;
        recorder.append(system, at, {name, LineQuantity::moment_arm, joint == "r_elbow_flex" ? 1 : 0, 1}, row);
        (touches ? arms : straight).add(std::abs(row.front() - arm.get<double>()), name + ", " + joint);
      }
      exact += touches ? 0 : 1;
    }
  }
  EXPECT_GT(exact, 12);
}

TEST(ForceExamples, KneeIsStretched) {
  const Trajectory run = run_example("knee_extensor");
  EXPECT_LT(last_of(run, "q.knee"), 0.5);
  EXPECT_LT(largest_of(run, "moment_arm"), -0.03);  // longer as the knee bends, over the cylinder
}

TEST(ForceExamples, NetHoldsTheChain) {
  const Trajectory run = run_example("strand_net");
  for (std::size_t i = 0; i < run.size(); ++i) EXPECT_GT(value_of(run, i, "tip.z"), 0.2);
  EXPECT_GT(largest_of(run, "pull"), 1.0);
}

TEST(ForceExamples, BowShootsTheArrow) {
  const Trajectory run = run_example("bow");
  EXPECT_GT(last_of(run, "speed"), 10.0);
  EXPECT_NEAR(last_of(run, "speed"), value_of(run, run.size() - 5, "speed"), 1e-9);  // it has left the string
}

TEST(ForceExamples, RodCastsTheLure) {
  const Trajectory run = run_example("fishing_rod");
  EXPECT_LT(value_of(run, 0, "q.lure.0"), 0.0);
  EXPECT_GT(last_of(run, "q.lure.0"), 1.0);
}

}  // namespace
}  // namespace cardan::test
