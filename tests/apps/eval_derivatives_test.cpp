// Derivatives, linearizations and drive forces that `cardan eval` gives: against closed forms, against one another and
// against differences of its own accelerations.
#include "tests/apps/scene_runs.hpp"

#include <Eigen/Dense>

#include <fmt/format.h>

namespace cardan::test {
namespace {

class EvalDerivatives : public SceneRuns {
 protected:
  Json eval(const std::string& scene, const Json& request) {
    const Outcome outcome = run({"eval", scene, folder_.write("request.json", request.dump())});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out)["results"] : Json();
  }
  std::string refusal(const std::string& scene, const Json& request) {
    const Outcome outcome = run({"eval", scene, folder_.write("request.json", request.dump())});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    return outcome.err;
  }
  static Eigen::MatrixXd matrix(const Json& rows) {
    Eigen::MatrixXd out(rows.size(), rows.empty() ? 0 : rows[0].size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j].get<double>();
    return out;
  }
};

/// A rod of mass m and length l on a hinge, with a spring, a damper and a motor.
const char* const kDrivenRod = R"(cardan = 1
[[body]]
name = "rod"
mass = 2
com = [0, 0, -0.5]
inertia = [0.1, 0.1, 0.01, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
stiffness = 3
damping = 0.7
[[input]]
name = "motor"
joint = "rod"
[[controller]]
name = "lag"
type = "text"
joints = ["rod"]
state = ["x"]
rate = ["-5*x + rod"]
force = ["-4*x"]
)";

TEST_F(EvalDerivatives, OfARodAreItsClosedForm) {
  const double I = 0.1 + 2 * 0.25, weight = 2 * 9.81 * 0.5, q = 0.4;
  const Json request{{"quantities", {"linearization", "forward_dynamics_derivatives", "inverse_dynamics_derivatives"}},
                     {"forces", true},
                     {"states", {{{"q", {q}}, {"v", {0.3}}, {"a", {1.1}}}}}};
  const Json out = eval(file(kDrivenRod), request)[0];
  const Json& found = out["linearization"];
  EXPECT_EQ(found["states"], (Json{"q.rod", "v.rod", "z.lag"}));
  EXPECT_EQ(found["inputs"], (Json{"motor"}));
  Eigen::MatrixXd A(3, 3), B(3, 1);
  A << 0, 1, 0, (-3 - weight * std::cos(q)) / I, -0.7 / I, -4 / I, 1, 0, -5;
  B << 0, 1 / I, 0;
  EXPECT_TRUE(matrix(found["A"]).isApprox(A, 1e-13)) << matrix(found["A"]);
  EXPECT_TRUE(matrix(found["B"]).isApprox(B, 1e-13)) << matrix(found["B"]);
  EXPECT_NEAR(out["forward_dynamics_derivatives"]["dq"][0][0], A(1, 0), 1e-12);
  EXPECT_NEAR(out["forward_dynamics_derivatives"]["dtau"][0][0], 1 / I, 1e-13);
  EXPECT_NEAR(out["inverse_dynamics_derivatives"]["dq"][0][0], 3 + weight * std::cos(q), 1e-12);
  EXPECT_NEAR(out["inverse_dynamics_derivatives"]["dv"][0][0], 0.7, 1e-13);
  EXPECT_NEAR(out["inverse_dynamics_derivatives"]["da"][0][0], I, 1e-13);
  // without forces, bodies and gravity alone
  Json bare = request;
  bare["forces"] = false;
  bare["quantities"] = {"forward_dynamics_derivatives"};
  EXPECT_NEAR(eval(file(kDrivenRod), bare)[0]["forward_dynamics_derivatives"]["dq"][0][0], -weight * std::cos(q) / I,
              1e-12);
}

TEST_F(EvalDerivatives, OfAFreeBodyThatSpinsTurnWithIt) {
  // R moved by exp(x): dx/dt = domega - omega x x
  const std::string scene = file(
      "cardan = 1\ngravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 3, "
      "0, 0, 0]\n[body.joint]\ntype = \"free\"\n");
  const Json out = eval(scene, {{"quantities", {"linearization"}},
                                {"states", {{{"q", {1, 0, 0, 0, 0, 0, 0}}, {"v", {0.3, -0.5, 0.7, 0, 0, 0}}}}}})[0];
  const Eigen::MatrixXd A = matrix(out["linearization"]["A"]);
  Eigen::Matrix3d turning;
  turning << 0, 0.7, 0.5, -0.7, 0, 0.3, -0.5, -0.3, 0;
  EXPECT_TRUE((A.block<3, 3>(0, 0).isApprox(turning, 1e-15))) << A.block<3, 3>(0, 0);
  // Euler's equations: omega_x' = (I_y - I_z) omega_y omega_z / I_x
  EXPECT_NEAR(A(6, 7), (2.0 - 3.0) * 0.7, 1e-14);
  EXPECT_NEAR(A(6, 8), (2.0 - 3.0) * -0.5, 1e-14);
}

TEST_F(EvalDerivatives, OfClosedLoopsAreThoseOfTheirAccelerations) {
  const std::string scene = std::string(CARDAN_SOURCE_DIR) + "/examples/four_bar.toml";
  const Outcome info =
      run({"simulate", scene, "--duration", "0.3", "--output-every", "0.3", "--out", folder_.path("run.csv")});
  ASSERT_EQ(info.code, 0) << info.err;
  const CsvTable run = load_csv(folder_.path("run.csv"));
  std::vector<double> q, v;
  for (const char* joint : {"crank", "coupler", "rocker"}) {
    q.push_back(value(run, std::string("q.") + joint, run.rows.size() - 1));
    v.push_back(value(run, std::string("v.") + joint, run.rows.size() - 1));
  }
  // the loop's motion: velocities keep it closed, so they are a direction that does
  const double h = 1e-6;
  Json states{{{"q", q}, {"v", v}}};
  for (const double side : {h, -h}) {
    std::vector<double> moved = q;
    for (std::size_t i = 0; i < 3; ++i) moved[i] += side * v[i];
    states.push_back({{"q", moved}, {"v", v}});
  }
  const Json out =
      eval(scene, {{"quantities", {"forward_dynamics", "forward_dynamics_derivatives"}}, {"states", states}});
  const Eigen::MatrixXd dq = matrix(out[0]["forward_dynamics_derivatives"]["dq"]);
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double difference =
        (out[1]["forward_dynamics"][k].get<double>() - out[2]["forward_dynamics"][k].get<double>()) / (2.0 * h);
    EXPECT_NEAR(dq.row(i) * Eigen::Map<const Eigen::VectorXd>(v.data(), 3), difference,
                1e-5 * (1.0 + std::abs(difference)));
  }
}

TEST_F(EvalDerivatives, DrivesOfALoopGiveTheAccelerationsBack) {
  const std::string scene = std::string(CARDAN_SOURCE_DIR) + "/examples/four_bar.toml";
  const Json first =
      eval(scene, {{"quantities", {"forward_dynamics", "inverse_dynamics"}}, {"states", {Json::object()}}})[0];
  EXPECT_EQ(first["of"], "tree");
  // accelerations without any force at the joints are given back by drives of zero; with tau at the crank by that tau
  std::vector<double> tau(first["forward_dynamics"].size(), 0.0);
  tau[0] = 7.5;
  const Json pushed = eval(scene, {{"quantities", {"forward_dynamics"}}, {"states", {{{"tau", tau}}}}})[0];
  const Json request{
      {"quantities", {"drive_forces"}}, {"drives", {"crank"}}, {"states", {{{"a", pushed["forward_dynamics"]}}}}};
  EXPECT_NEAR(eval(scene, request)[0]["drive_forces"]["crank"][0], 7.5, 1e-9);
  // by another joint the same motion takes another force, which gives the same accelerations
  Json other = request;
  other["drives"] = {"rocker"};
  const Json driven = eval(scene, other)[0]["drive_forces"];
  std::vector<double> at_rocker(tau.size(), 0.0);
  at_rocker[2] = driven["rocker"][0];
  const Json again = eval(scene, {{"quantities", {"forward_dynamics"}}, {"states", {{{"tau", at_rocker}}}}})[0];
  for (std::size_t i = 0; i < tau.size(); ++i)
    EXPECT_NEAR(again["forward_dynamics"][i].get<double>(), pushed["forward_dynamics"][i].get<double>(), 1e-8);
  // two drives of one freedom share it
  other["drives"] = {"crank", "rocker"};
  EXPECT_EQ(eval(scene, other)[0]["drive_forces"]["redundant"], 1);
  // what breaks the loop, and what nothing drives
  Json broken = request;
  broken["states"][0]["a"][1] = 99.0;
  EXPECT_TRUE(says(refusal(scene, broken), "expected accelerations that obey loop")) << refusal(scene, broken);
  broken = request;
  broken["drives"] = Json::array();
  EXPECT_TRUE(says(refusal(scene, broken), "found 0 of 1 freedoms driven")) << refusal(scene, broken);
}

TEST_F(EvalDerivatives, WhatActsByContactHasNoLinearization) {
  const std::string scene = std::string(CARDAN_SOURCE_DIR) + "/examples/stack.toml";
  EXPECT_TRUE(says(refusal(scene, {{"quantities", {"linearization"}}, {"states", {Json::object()}}}),
                   "such motions have no linearization"));
}

}  // namespace
}  // namespace cardan::test
