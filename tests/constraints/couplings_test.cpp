// Couplings as rows and by reduced coordinates, and a loop whose closure the user knows (Figure 8.3 of the book).
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/constraints/reduced_coordinates.hpp"
#include "cardan/io/load.hpp"
#include "tests/constraints/linkages.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// A chain of hinges in space; joints 1 and 3 follow others, one of them not linearly.
Model geared_chain() {
  ModelBuilder builder("geared");
  Random random(7);
  for (int i = 0; i < 5; ++i) {
    const std::string name = "b" + std::to_string(i), before = i == 0 ? "world" : "b" + std::to_string(i - 1);
    const Vec3<double> axis = random.direction();
    const Pose<double> at = random.pose();
    builder.body(name, random.mass()).joint(before, name, Revolute{axis}, at);
  }
  builder.coupling(
      {"b1", {"b0"}, [](std::span<const Expr> x) { return Expr(-2.0) * x[0] + Expr(0.3); }, "-2*b0 + 0.3", {}});
  builder.coupling({"b3",
                    {"b1", "b4"},
                    [](std::span<const Expr> x) { return sin(x[0]) * x[1] + x[1] * x[1]; },
                    "sin(b1)*b4 + b4^2",
                    {}});
  return builder.build();
}

TEST(Couplings, RowsAndReducedCoordinatesAgree) {
  const Model model = geared_chain();
  ReducedCoordinates reduced = ReducedCoordinates::of_couplings(model);
  ASSERT_EQ(reduced.size(), 3);
  const std::vector<double> y{0.4, -0.7, 0.9}, y_dot{1.1, -0.5, 0.8};
  reduced.evaluate(y, y_dot);
  Random random(3);
  const Eigen::VectorXd tau = random.values(5, 4.0);
  const Eigen::VectorXd expected = reduced.accelerations(reduced.forward_dynamics(tau));
  for (const auto method : {ConstraintMethod::direct, ConstraintMethod::dual, ConstraintMethod::elimination,
                            ConstraintMethod::articulated, ConstraintMethod::sparse}) {
    ConstrainedDynamics dynamics(ConstraintSet(model), method);
    EXPECT_LT(dynamics.position_error(0.0, reduced.q()), 1e-15);
    Eigen::VectorXd a(5);
    dynamics.forward_dynamics(0.0, reduced.q(), reduced.v(), tau, a);
    EXPECT_TRUE(near(a, expected, 1e-10)) << constraint_method_names()[static_cast<std::size_t>(method)];
    EXPECT_LT(dynamics.constraints().drift().norm(), 1e-14);
  }
}

TEST(Couplings, ReducedDynamicsIsConsistent) {
  const Model model = geared_chain();
  ReducedCoordinates reduced = ReducedCoordinates::of_couplings(model);
  const std::vector<double> y{0.4, -0.7, 0.9}, y_dot{1.1, -0.5, 0.8};
  reduced.evaluate(y, y_dot);
  const Eigen::VectorXd wanted = Eigen::Vector3d(0.3, -2.0, 1.5);
  // inverse dynamics is M y_dd + bias, and forward dynamics undoes it
  const Eigen::VectorXd force = reduced.inverse_dynamics(wanted);
  EXPECT_TRUE(near(force, Eigen::VectorXd(reduced.mass_matrix() * wanted + reduced.bias()), 1e-12));
  // G and g by differences of gamma
  constexpr double h = 1e-5;
  const auto q_at = [&](double t) {
    std::vector<double> moved(3);
    for (std::size_t i = 0; i < 3; ++i) moved[i] = y[i] + t * y_dot[i];
    reduced.evaluate(moved, y_dot);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(reduced.q().data(), 5));
  };
  const Eigen::VectorXd before = q_at(-h), here = q_at(0.0), after = q_at(h);
  q_at(0.0);
  EXPECT_TRUE(near(Eigen::VectorXd((after - before) / (2.0 * h)),
                   Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(reduced.v().data(), 5)), 1e-8));
  EXPECT_TRUE(near(Eigen::VectorXd((after - 2.0 * here + before) / (h * h)), reduced.g(), 1e-4));
}

/// Two-link arm with a linear actuator on its first link: theta_2 and d are functions of y_1 (Eqs. 8.58 to 8.60).
TEST(LoopClosureFunction, OfTheBooksArm) {
  constexpr double l1 = 0.3, l2 = 0.8;
  ModelBuilder builder("arm");
  builder.gravity({0.0, -9.81, 0.0});
  builder.body("upper", bar(2.0, 1.0)).body("cylinder", bar(0.5, 0.4)).body("piston", bar(0.3, 0.4));
  builder.body("fore", bar(1.0, 0.7));
  builder.joint("world", "upper", about_z());
  builder.joint("world", "cylinder", about_z(), along_x(l1));
  builder.joint("cylinder", "piston", Prismatic{{1.0, 0.0, 0.0}});
  builder.joint("upper", "fore", about_z(), along_x(1.0));
  builder.joint(JointSpec{"pin", "upper", "piston", ball_in_tube(), along_x(l2), {}, {}, {}, {}, true});
  const Model model = builder.build();
  const auto place = [&](const char* joint) { return static_cast<std::size_t>(model.link(model.find_joint(joint)).q); };
  ReducedCoordinates reduced(model, 2, [&](std::span<const Expr> y) {
    std::vector<Expr> q(4);
    q[place("upper")] = y[0];
    q[place("fore")] = y[1];
    q[place("cylinder")] = atan2(Expr(l2) * sin(y[0]), Expr(l2) * cos(y[0]) - Expr(l1));
    q[place("piston")] = sqrt(Expr(l1 * l1 + l2 * l2) - Expr(2.0 * l1 * l2) * cos(y[0]));
    return q;
  });
  const double y1 = 0.9, rate = 1.3;
  reduced.evaluate(std::vector<double>{y1, 0.4}, std::vector<double>{rate, -0.6});
  const double c = std::cos(y1), s = std::sin(y1), d2 = l1 * l1 + l2 * l2 - 2.0 * l1 * l2 * c, d = std::sqrt(d2);
  const double u1 = (l2 * l2 - l1 * l2 * c) / d2, u2 = l1 * l2 * s / d;
  const auto row = [&](const char* joint) { return static_cast<Eigen::Index>(place(joint)); };
  EXPECT_NEAR(reduced.G()(row("cylinder"), 0), u1, 1e-14);
  EXPECT_NEAR(reduced.G()(row("piston"), 0), u2, 1e-14);
  EXPECT_NEAR(reduced.g()[row("cylinder")], (l1 * l1 - l2 * l2) * l1 * l2 * s * rate * rate / (d2 * d2), 1e-13);
  EXPECT_NEAR(reduced.g()[row("piston")], (l1 * l2 * c - u2 * u2) * rate * rate / d, 1e-13);

  // the same motion as the loop joint gives
  const Eigen::VectorXd tau = Eigen::Vector4d(1.0, -2.0, 3.0, 0.5);
  ConstrainedDynamics dynamics((ConstraintSet(model)));
  EXPECT_LT(dynamics.position_error(0.0, reduced.q()), 1e-15);
  Eigen::VectorXd a(4);
  dynamics.forward_dynamics(0.0, reduced.q(), reduced.v(), tau, a);
  EXPECT_TRUE(near(a, reduced.accelerations(reduced.forward_dynamics(tau)), 1e-11));
}

/// Bricard's ring has one freedom: opposite hinges turn alike, neighbors as cos a + cos b + cos a cos b = 0 says.
TEST(LoopClosureFunction, OfBricardsRing) {
  const Scene scene = load(CARDAN_SOURCE_DIR "/examples/bricard.toml");
  ReducedCoordinates reduced(scene.model, 1, [](std::span<const Expr> y) {
    const Expr b = acos(-cos(y[0]) / (Expr(1.0) + cos(y[0])));
    return std::vector<Expr>{y[0], b, y[0], b, y[0]};
  });
  Worst error("accelerations of the ring against its one freedom", 1e-10);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(5);
  for (const double angle : {0.4, 0.9, 1.3}) {
    reduced.evaluate(std::vector<double>{angle}, std::vector<double>{1.7});
    const Eigen::VectorXd expected = reduced.accelerations(reduced.forward_dynamics(none));
    for (const auto method : {ConstraintMethod::direct, ConstraintMethod::dual, ConstraintMethod::elimination,
                              ConstraintMethod::articulated}) {
      ConstrainedDynamics dynamics(ConstraintSet(scene.model), method);
      EXPECT_LT(dynamics.position_error(0.0, reduced.q()), 1e-14);
      Eigen::VectorXd a(5);
      dynamics.forward_dynamics(0.0, reduced.q(), reduced.v(), none, a);
      EXPECT_EQ(dynamics.rank(), 4);
      error.add(relative_error(expected, a), constraint_method_names()[static_cast<std::size_t>(method)]);
    }
  }
}

TEST(Couplings, RefusesCyclesAndOtherMistakes) {
  const auto chain = [] {
    ModelBuilder builder;
    builder.body("a", bar(1.0, 1.0)).body("b", bar(1.0, 1.0)).body("c", bar(1.0, 1.0));
    return builder.joint("world", "a", about_z()).joint("a", "b", about_z()).joint("b", "c", Universal{});
  };
  const auto follow = [](const char* joint, const char* source) {
    return CouplingSpec{joint, {source}, [](std::span<const Expr> x) { return x[0]; }, source, "scene:3"};
  };
  const auto message = [](const ModelBuilder& builder) -> std::string {
    try {
      builder.build();
    } catch (const ModelError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(message(chain().coupling(follow("a", "b")).coupling(follow("b", "a"))),
            "scene:3: coupling of \"b\": follows itself through \"a\"");
  EXPECT_EQ(message(chain().coupling(follow("a", "b")).coupling(follow("a", "c.0"))),
            "scene:3: coupling of \"a\": it already follows another");
  EXPECT_EQ(message(chain().coupling(follow("a", "c"))),
            "scene:3: coupling of \"a\": \"c\" has 2 coordinates, write which, \"c.0\"");
  EXPECT_EQ(message(chain().coupling(follow("a", "c.2"))),
            "scene:3: coupling of \"a\": \"c.2\" has only 2 coordinates");
  EXPECT_EQ(message(chain().coupling(follow("d", "a"))), "scene:3: coupling of \"d\": unknown joint \"d\"");
  EXPECT_EQ(chain().coupling(follow("a", "c.1")).build().couplings().size(), 1u);
}

}  // namespace
}  // namespace cardan::test
