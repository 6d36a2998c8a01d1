// `cardan modes` against closed forms: states of controllers, sampling, limits and neutral equilibria.
#include "tests/apps/scene_runs.hpp"

#include <Eigen/Eigenvalues>

#include <complex>

namespace cardan {
namespace {

using test::Json;
using test::Outcome;

class Modes : public test::SceneRuns {
 protected:
  Json modes_of(const std::string& scene) {
    const Outcome outcome = run({"modes", file(scene), "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
  }
  static std::vector<std::complex<double>> eigenvalues(const Json& report) {
    std::vector<std::complex<double>> out;
    for (const Json& mode : report.at("modes"))
      out.emplace_back(mode.at("eigenvalue").at(0).get<double>(), mode.at("eigenvalue").at(1).get<double>());
    return out;
  }
};

/// The roots of s^n + c[n-1] s^(n-1) + ... + c[0] that are not below the real axis.
std::vector<std::complex<double>> roots(const std::vector<double>& c) {
  const auto n = static_cast<Eigen::Index>(c.size());
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i > 0) companion(i, i - 1) = 1.0;
    companion(i, n - 1) = -c[static_cast<std::size_t>(i)];
  }
  const Eigen::VectorXcd all = companion.eigenvalues();
  std::vector<std::complex<double>> out;
  for (const std::complex<double>& x : all)
    if (x.imag() >= 0.0) out.push_back(x);
  return out;
}

/// Each of the values is among those found.
void expect_same(const std::vector<std::complex<double>>& found, const std::vector<std::complex<double>>& values) {
  EXPECT_EQ(found.size(), values.size());
  for (const std::complex<double>& value : values) {
    double nearest = 1e300;
    for (const std::complex<double>& x : found) nearest = std::min(nearest, std::abs(x - value));
    EXPECT_LT(nearest, 1e-6 * std::max(1.0, std::abs(value))) << value.real() << " + i " << value.imag();
  }
}

std::string pid(double kp, double ki, double kd, double target, const std::string& more = "") {
  return "[[controller]]\ntype = \"pid\"\njoints = [\"rod\"]\ntarget = [\"" + std::to_string(target) +
         "\"]\nkp = " + std::to_string(kp) + "\nki = " + std::to_string(ki) + "\nkd = " + std::to_string(kd) + "\n" +
         more;
}

/// A rod with integral action rests at its target, and its modes are the roots of a cubic:
/// I s^3 + kd s^2 + (kp + m g l cos q) s + ki = 0.
TEST_F(Modes, IntegralActionHasItsOwnState) {
  int unstable = 0;
  for (const auto& [kp, ki, kd, target] :
       {std::array{10.0, 50.0, 0.1, 0.3}, std::array{10.0, 2.0, 3.0, 0.3}, std::array{30.0, 20.0, 8.0, -1.2},
        std::array{20.0, 5.0, 0.5, 2.0}, std::array{40.0, 300.0, 2.0, 0.7}}) {
    const Json report = modes_of(test::kRod + pid(kp, ki, kd, target));
    EXPECT_NEAR(report.at("equilibrium").at("q").at(0).get<double>(), target, 1e-9);
    const double I = test::kRodInertia, k = kp + test::kRodMoment * std::cos(target);
    expect_same(eigenvalues(report), roots({ki / I, k / I, kd / I}));
    const bool stable = kd * k > I * ki;  // Routh and Hurwitz
    EXPECT_EQ(report.at("equilibrium").at("stable").get<bool>(), stable);
    unstable += !stable;
  }
  EXPECT_EQ(unstable, 2);
}

/// A mass that a controller samples and holds: from sample to sample (x, v) goes on by a matrix in closed form. At
/// 0.5 s the loop that is stable in continuous time grows.
TEST_F(Modes, SampledControllersAreSampled) {
  for (const double T : {0.01, 0.1, 0.5}) {
    const Json report = modes_of(R"toml(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "rod"
mass = 2
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
)toml" + pid(20.0, 0.0, 6.0, 0.4, "period = " + std::to_string(T) + "\n"));
    EXPECT_NEAR(report.at("equilibrium").at("q").at(0).get<double>(), 0.4, 1e-9);
    Eigen::Matrix2d step;
    step << 1.0 - 0.5 * T * T * 10.0, T - 0.5 * T * T * 3.0, -T * 10.0, 1.0 - T * 3.0;
    const Eigen::Vector2cd factors = step.eigenvalues();
    std::vector<std::complex<double>> values;
    for (const std::complex<double>& factor : factors)
      if (factor.imag() >= 0.0) values.push_back(std::log(factor) / T);
    expect_same(eigenvalues(report), values);
    EXPECT_EQ(report.at("equilibrium").at("stable").get<bool>(), factors.cwiseAbs().maxCoeff() < 1.0);
  }
  const Outcome two = run({"modes", file(test::kRod + test::kLowerRod +
                                         "[[controller]]\ntype = \"pd\"\njoints = [\"rod\"]\ntarget = [0]\nkp = 1\n"
                                         "period = 0.1\n[[controller]]\ntype = \"pd\"\njoints = [\"lower\"]\ntarget = "
                                         "[0]\nkp = 1\nperiod = 0.3\n")});
  EXPECT_TRUE(test::says(test::refusal(two), "controllers sample at different periods"));
}

/// A rod that would hang down at 0 rests on its limit at 0.2, with the moment m g l sin 0.2; the rod below it swings.
TEST_F(Modes, JointsRestOnTheirLimits) {
  const Json alone = modes_of(test::kRod + "limits = [[0.2, 1]]\n");
  EXPECT_DOUBLE_EQ(alone.at("equilibrium").at("q").at(0).get<double>(), 0.2);
  EXPECT_NEAR(alone.at("equilibrium").at("limits").at(0).at("force").get<double>(), test::kRodMoment * std::sin(0.2),
              1e-9);
  EXPECT_TRUE(alone.at("modes").empty());

  const Json two = modes_of(test::kRod + "limits = [[0.2, 1]]\n" + test::kLowerRod);
  EXPECT_NEAR(two.at("equilibrium").at("q").at(1).get<double>(), -0.2, 1e-9);
  ASSERT_EQ(two.at("modes").size(), 1u);
  EXPECT_NEAR(two.at("modes").at(0).at("frequency").get<double>(),
              std::sqrt(test::kRodMoment / test::kRodInertia) / (2.0 * std::numbers::pi), 1e-9);

  const Json outside = modes_of(test::kRod + "limits = [[0.5, 1]]\n");  // where it starts
  EXPECT_DOUBLE_EQ(outside.at("equilibrium").at("q").at(0).get<double>(), 0.5);

  const Json free = modes_of(test::kRod + "limits = [[-0.2, 1]]\n");  // not reached: as if there were none
  EXPECT_NEAR(free.at("equilibrium").at("q").at(0).get<double>(), 0.0, 1e-9);
  EXPECT_EQ(free.at("modes").size(), 1u);
  EXPECT_FALSE(free.at("equilibrium").contains("limits"));
}

/// Where nothing pushes and nothing holds, modes are neutral, exactly: gravity that is compensated, none at all, with
/// and without damping.
TEST_F(Modes, NeutralIsNotUnstable) {
  const std::string two = test::kRod + test::kLowerRod + "q = [0.5]\n";
  const std::string compensated = "[[controller]]\ntype = \"gravity_compensation\"\njoints = [\"rod\", \"lower\"]\n";
  const std::string weightless = "cardan = 1\ngravity = [0, 0, 0]\n" + two.substr(std::string("cardan = 1\n").size());
  for (const std::string& scene : {two + compensated, two + "damping = 0.3\n" + compensated, weightless}) {
    const Json report = modes_of(scene);
    EXPECT_TRUE(report.at("equilibrium").at("stable").get<bool>());
    EXPECT_GE(report.at("equilibrium").at("neutral").get<int>(), 2);
    for (const std::complex<double>& x : eigenvalues(report)) EXPECT_TRUE(x == 0.0 || x.real() < -0.1) << x.real();
  }
  // a spring, however soft beside the weight, is no rounding
  const Json soft = modes_of(two + "stiffness = 0.001\nrest = 0.5\n" + compensated);
  EXPECT_EQ(soft.at("equilibrium").at("neutral").get<int>(), 1);
  EXPECT_GT(soft.at("modes").back().at("frequency").get<double>(), 0.001);
}

/// A run that starts at the equilibrium stays there, integrals included.
TEST_F(Modes, ARunStartsAtTheEquilibriumOfItsController) {
  const CsvTable found =
      motion(test::kRod + pid(30.0, 20.0, 8.0, -1.2) + "[initial]\nequilibrium = true\n", {"--duration", "2"});
  for (const std::vector<double>& row : found.rows) EXPECT_NEAR(row[1], -1.2, 1e-8);
}

/// Where a mechanism rests does not depend on the coordinates of its bodies.
TEST_F(Modes, SingleMaximalBodiesRestWhereTheyWouldInJointCoordinates) {
  const std::string mixed = test::file_contents(test::kExamplesOfScenes + "mixed_arm.toml");
  std::string plain = mixed;
  const std::string key = "maximal = true\n";
  ASSERT_NE(plain.find(key), std::string::npos);
  plain.erase(plain.find(key), key.size());
  const Json a = modes_of(mixed), b = modes_of(plain);
  EXPECT_EQ(a.at("equilibrium").at("q"), b.at("equilibrium").at("q"));
  EXPECT_LT(a.at("equilibrium").at("residual").get<double>(), 1e-6);
}

TEST_F(Modes, MaximalCoordinatesHaveTheModesOfTheJoints) {
  const std::string scene = test::kRod + "damping = 0.1\n" + test::kLowerRod + "q = [0.7]\nstiffness = 2\n";
  const Json joints = modes_of(scene), bodies = modes_of(scene + "[simulation]\nformulation = \"maximal\"\n");
  ASSERT_EQ(bodies.at("modes").size(), joints.at("modes").size());
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(bodies.at("equilibrium").at("q")[i].get<double>(), joints.at("equilibrium").at("q")[i].get<double>(),
                1e-9);
    EXPECT_NEAR(bodies.at("modes")[i].at("frequency").get<double>(),
                joints.at("modes")[i].at("frequency").get<double>(), 1e-7);
  }
}

/// A bridge of 58 bodies finds its rest in body coordinates, where its long chain of planks is no obstacle; what is
/// left out of balance there is computed in joint coordinates.
TEST_F(Modes, ALongBridgeFindsItsRest) {
  const Json found = modes_of(test::file_contents(test::kExamplesOfScenes + "suspension_bridge.toml"));
  EXPECT_LT(found.at("equilibrium").at("residual").get<double>(), 1e-3);
  EXPECT_GT(found.at("modes").size(), 100u);
  EXPECT_TRUE(found.at("equilibrium").at("stable"));
}

}  // namespace
}  // namespace cardan
