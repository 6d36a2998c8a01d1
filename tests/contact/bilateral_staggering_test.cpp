// Bilateral staggered projections against closed forms, against the closed form of bearings in contact stepping, and
// against staggered projections on the same chains; and the other methods that a scene may name.
#include "cardan/contact/internal/implicit_contacts.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "cardan/solve/staggered_projections.hpp"
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"

namespace cardan::test {
namespace {

constexpr const char* kBilateral = "contact_solver = \"bilateral_staggered_projections\"\n";

/// How much one step of 1 ms slows a balanced rotor down that stands at an angle and carries its weight across its
/// axis.
double loss_of_rotor(double angle, const std::string& solver) {
  const Trajectory run = run_contact(fmt::format(
      "gravity = [0, 0, -9.81]\n[[body]]\nname = \"rotor\"\nmass = 2\ninertia = [0.02, 0.03, 0.02, 0, 0, 0]\n"
      "[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\nq = [{:.17g}]\nv = [5]\n"
      "bearing = {{ radius = 0.05, length = 0.2, mu = 0.3 }}\n[simulation]\nduration = 1e-3\nstep = 1e-3\n"
      "output_every = 1e-3\ncontact = \"stepping\"\n{}",
      angle, solver));
  return 5.0 - last_v(run, 0);
}

TEST(BilateralStaggering, FrictionOfAHingeDependsOnTheAngleUnlikeTheClosedForm) {
  const double expected = 1e-3 * 0.3 * 0.05 * 2.0 * 9.81 / 0.03;
  Worst closed("friction of a bearing, closed form, relative", 1e-12),
      points("friction at contact points against |cos| + |sin|, relative", 2e-6);
  double least = 1e300, most = 0.0;
  for (int k = 0; k <= 24; ++k) {
    const double angle = k * std::numbers::pi / 48.0;
    closed.add(std::abs(loss_of_rotor(angle, "") / expected - 1.0), "angle " + std::to_string(angle));
    const double loss = loss_of_rotor(angle, kBilateral) / expected;
    points.add(std::abs(loss / (std::cos(angle) + std::sin(angle)) - 1.0), "angle " + std::to_string(angle));
    least = std::min(least, loss);
    most = std::max(most, loss);
  }
  std::printf("    bilateral staggered projections vary by a factor %.9f with the angle\n", most / least);
  EXPECT_NEAR(most / least, std::sqrt(2.0), 1e-5);
}

/// A slider of mass 2 on a level rail loses mu m g, a ball joint with its weight on one axis mu r m g.
TEST(BilateralStaggering, SlidersAndBallsLoseWhatTheirWeightTakes) {
  const std::string head =
      "gravity = [0, 0, -9.81]\n[[body]]\nname = \"b\"\nmass = 2\n"
      "inertia = [0.03, 0.03, 0.03, 0, 0, 0]\n[body.joint]\n";
  const std::string tail =
      std::string("[simulation]\nduration = 1e-3\nstep = 1e-3\noutput_every = 1e-3\n") + kBilateral;
  const Trajectory slider = run_contact(head +
                                        "type = \"prismatic\"\naxis = [1, 0, 0]\nv = [1]\n"
                                        "bearing = { radius = 0.05, length = 0.2, mu = 0.3 }\n" +
                                        tail);
  EXPECT_NEAR(1.0 - last_v(slider, 0), 1e-3 * 0.3 * 9.81, 2e-6 * 3e-3);
  const Trajectory ball = run_contact(head +
                                      "type = \"spherical_exponential\"\nv = [5, 0, 0]\n"
                                      "bearing = { radius = 0.05, mu = 0.3 }\n" +
                                      tail);
  EXPECT_NEAR(5.0 - last_v(ball, 0), 1e-3 * 0.3 * 0.05 * 2.0 * 9.81 / 0.03, 1e-6);
}

std::string chain(int links, bool with_bearings = true) {
  std::string out = "gravity = [0, 0, -9.81]\n";
  for (int i = 0; i < links; ++i)
    out += fmt::format(
        "[[body]]\nname = \"link{0}\"\nparent = \"{1}\"\nmass = 1\ncom = [0.1, 0, 0]\n"
        "inertia = [0.001, 0.004, 0.004, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\n"
        "at = {{ xyz = [{2}, 0, 0] }}\nq = [0.1]\nv = [{3}]\n{4}",
        i, i == 0 ? std::string("world") : fmt::format("link{}", i - 1), i == 0 ? 0.0 : 0.2, with_bearings ? 0 : 3,
        with_bearings ? "bearing = { radius = 0.02, length = 0.05, mu = 0.3 }\n" : "");
  return out;
}

/// One step of a chain as free bodies that touch one another at the contact points of its hinges, each with a normal
/// that only pushes: what staggered projections solve.
LawProblem hinges_as_contacts(const Scene& scene, double h) {
  const Model& model = scene.model;
  StateKinematics kinematics(model);
  const Instant at = kinematics.at(0.0, scene.initial.q, scene.initial.v);
  LawProblem out;
  out.clear(6 * model.bodies());
  for (int body = 1; body <= model.bodies(); ++body) {
    Eigen::MatrixXd M(6, 6);
    for (int c = 0; c < 6; ++c) {
      MotionVector<double> unit;
      unit[c] = 1.0;
      const ForceVector<double> f = model.link(body).I * unit;
      for (int r = 0; r < 6; ++r) M(r, c) = f[r];
    }
    out.mass.push_back({6 * (body - 1), M});
    const Vec3<double> g = h * rotate(at.X_0(body).E, model.gravity());
    for (int k = 0; k < 3; ++k) out.v_free[6 * (body - 1) + 3 + k] = g[k];
  }
  for (const Bearing& bearing : scene.bearings) {
    const ImplicitContacts contacts = implicit_contacts(model, bearing);
    std::vector<int> columns;
    for (const int body : {contacts.body, contacts.other})
      for (int k = 0; body > 0 && k < 6; ++k) columns.push_back(6 * (body - 1) + k);
    for (const ImplicitContact& point : contacts.points)
      for (const Vec3<double>& normal : point.normals) {
        const int index = out.add(Law::cone, 3, columns, contacts.mu);
        auto J = out.J(out.blocks()[static_cast<std::size_t>(index)]);
        for (int row = 0; row < 2; ++row) {  // the second tangent stays zero
          const ForceVector<double> f = force_at_point(row == 0 ? normal : point.tangents.front(), point.point);
          for (int k = 0; k < 6; ++k) J(row, k) = f[k];
          if (contacts.other == 0) continue;
          const ForceVector<double> back = transpose_apply(at.bodies.X[static_cast<std::size_t>(contacts.body)], f);
          for (int k = 0; k < 6; ++k) J(row, 6 + k) = -back[k];
        }
      }
  }
  return out;
}

/// Without friction the method is linearly_implicit_euler, if joint reactions have their velocity products; as
/// published, it turns a fast chain into another one.
TEST(BilateralStaggering, WithoutFrictionItIsLinearlyImplicitEuler) {
  const std::string text = "cardan = 1\n" + chain(3, false) + "[simulation]\nduration = 0.2\nstep = 1e-3\n";
  const auto end = [&](const std::string& more) {
    const Trajectory run = simulate(parse_scene(text + more, "chain.toml"));
    return Eigen::Vector3d(last_q(run, 0), last_q(run, 1), last_q(run, 2));
  };
  const Eigen::Vector3d expected = end("integrator = \"linearly_implicit_euler\"\n");
  EXPECT_LT((end(kBilateral) - expected).norm(), 1e-11);
  EXPECT_GT((end(std::string(kBilateral) + "staggering = { velocity_products = false }\n") - expected).norm(), 1e-2);
}

/// Rounds of a first step, both to the same relative change of the constraint forces, sqrt(1e-3).
TEST(BilateralStaggering, NeedsFewerRoundsThanStaggeredProjectionsOnAChain) {
  constexpr double h = 1e-3;
  for (const int links : {4, 8}) {
    const Scene scene = parse_scene(
        "cardan = 1\n" + chain(links) + "[simulation]\nduration = 1e-3\nstep = 1e-3\n" + kBilateral, "chain.toml");
    SystemWorkspace workspace{System(scene)};
    const auto integrator = workspace.make_run_integrator(scene.settings);
    integrator->start(0.0, workspace.begin(0.0, scene.initial));
    const long before = workspace.contact_log().summary.rounds;
    integrator->step(1.0);
    const long rounds = workspace.contact_log().summary.rounds - before;
    const LawProblem problem = hinges_as_contacts(scene, h);
    const StaggeredSolution staggered = solve_by_staggered_projections(problem, {std::sqrt(1e-3), 100});
    std::printf("    %d links: bilateral %ld rounds, staggered %d rounds\n", links, rounds, staggered.rounds);
    EXPECT_LT(rounds, staggered.rounds);
    // both hold the joints: no contact point opens
    for (const LawBlock& block : problem.blocks()) {
      Eigen::VectorXd u = problem.J(block).row(0) * staggered.laws.v(std::vector<int>(problem.columns(block).begin(),
                                                                                      problem.columns(block).end()));
      EXPECT_GT(u[0], -1e-9);
    }
  }
}

/// How fast a box on level ground slows down that slides towards an azimuth, per mu g.
double deceleration(double azimuth, const std::string& solver) {
  const Trajectory run = run_contact(fmt::format(
      "[ground]\nfriction = 0.3\n[[body]]\nname = \"box\"\nmass = 1\n[[body.shape]]\nbox = [0.4, 0.4, 0.02]\n"
      "[body.joint]\ntype = \"free\"\nq = [1, 0, 0, 0, 0, 0, 0.01]\nv = [0, 0, 0, {:.17g}, {:.17g}, 0]\n"
      "[simulation]\nduration = 0.05\nstep = 1e-3\ncontact = \"stepping\"\ncontact_solver = \"{}\"\n",
      2.0 * std::cos(azimuth), 2.0 * std::sin(azimuth), solver));
  EXPECT_EQ(run.summary.contact->solver, solver);
  if (solver == std::string("exact")) EXPECT_LT(run.summary.contact->residual, 1e-8);
  return (2.0 - std::hypot(last_v(run, 3), last_v(run, 4))) / (0.05 * 0.3 * 9.81);
}

TEST(ContactSolvers, DecelerationOfASlidingBoxTellsThemApart) {
  const double diagonal = std::numbers::pi / 4;
  for (const double azimuth : {0.0, 0.3, diagonal, 1.2})
    EXPECT_NEAR(deceleration(azimuth, "exact"), 1.0, 1e-9) << azimuth;
  EXPECT_NEAR(deceleration(0.0, "staggered_projections"), 1.0, 1e-6);
  EXPECT_NEAR(deceleration(diagonal, "staggered_projections"), std::sqrt(2.0), 1e-3);
  EXPECT_LT(deceleration(diagonal, "pyramid"), 1.0 - 0.1);
}

TEST(BilateralStaggering, RefusesByNameWhatItDoesNotKnow) {
  const auto complaint = [](const std::string& text) {
    try {
      const Scene scene = parse_scene("cardan = 1\n" + text + "[simulation]\n" + kBilateral, "s.toml");
      SystemWorkspace workspace{System(scene)};
      (void)workspace.make_run_integrator(scene.settings);
    } catch (const std::exception& problem) {
      return std::string(problem.what());
    }
    return std::string("nothing");
  };
  const std::string body = "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\n";
  EXPECT_NE(complaint(body + "type = \"revolute\"\nfriction = 1\n").find("joint \"a\" friction: expected friction by"),
            std::string::npos);
  EXPECT_NE(
      complaint(body + "type = \"universal\"\nbearing = { radius = 1, mu = 1 }\n").find("joint \"a\": expected a"),
      std::string::npos);
  EXPECT_NE(
      complaint(body + "type = \"revolute\"\n[[motion]]\njoint = \"a\"\nposition = \"t\"\n").find("expected loops"),
      std::string::npos);
}

/// Reactions of fixed joints belong to the method, so that a program must keep their bodies as a scene does.
TEST(BilateralStaggering, ModelsKeepTheirFixedJoints) {
  ModelBuilder builder;
  const MassProperties mass{1.0, {0.0, 0.0, -0.5}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
  builder.body("arm", mass).body("weight", mass);
  builder.joint("world", "arm", Revolute({0.0, 1.0, 0.0}), {}, "hinge");
  builder.joint("arm", "weight", Fixed{}, {}, "weld");
  const auto run = [](const Model& model) {
    Scene scene = scene_of(model);
    scene.settings.contact_solver = ContactSolver::bilateral_staggered_projections;
    scene.settings.duration = 0.01;
    scene.settings.choose_step(1e-3);
    scene.initial.v[0] = 1.0;
    return simulate(scene);
  };
  try {
    (void)run(builder.build());
    FAIL() << "merged bodies are not noticed";
  } catch (const ModelError& problem) {
    EXPECT_NE(std::string(problem.what()).find("fixed joint \"weld\": expected a body of its own"), std::string::npos)
        << problem.what();
  }
  EXPECT_NE(last_v(run(builder.keep_fixed_joints().build()), 0), 1.0);
}

}  // namespace
}  // namespace cardan::test
