// Limits of joints with restitution: against closed forms, the mass matrix, and energy.
#include "cardan/algorithms/mass_matrix.hpp"
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"

#include <Eigen/Cholesky>

namespace cardan::test {
namespace {

std::string slider(double height, double e, const std::string& more = "") {
  return fmt::format(
      "[[body]]\nname = \"mass\"\nmass = 2\n{}\n[body.joint]\ntype = \"prismatic\"\naxis = [0, 0, 1]\n"
      "q = [{}]\nlimits = [[0, inf]]\nrestitution = {}\n",
      more, height, e);
}

std::string double_pendulum(const std::string& second) {
  return "[[body]]\nname = \"upper\"\nmass = 1.3\ncom = [0, 0, -0.5]\ninertia = [0.1, 0.1, 0.01, 0, 0, 0]\n"
         "[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\nq = [0.9]\nv = [1.1]\n"
         "[[body]]\nname = \"lower\"\nparent = \"upper\"\nmass = 0.7\ncom = [0, 0, -0.3]\n"
         "inertia = [0.05, 0.05, 0.01, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\n"
         "at = { xyz = [0, 0, -1] }\n" +
         second;
}

std::string by(const char* mode, double duration, const char* more = "") {
  return fmt::format("[simulation]\ncontact = \"{}\"\nduration = {}\n{}", mode, duration, more);
}

/// A mass that bounces on the lower limit of its slide rests after T = sqrt(2 h/g) (1 + e)/(1 - e).
TEST(ContactLimits, AMassBouncesOnItsStopUntilItRests) {
  Worst rest("rest on a limit after bounces, events (s)", 1e-9), way("place among bounces, stepping (m)", 1e-3);
  const double height = 0.4, g = 9.81;
  for (const double e : {0.3, 0.6, 0.8}) {
    const double fall = std::sqrt(2.0 * height / g), end = fall * (1.0 + e) / (1.0 - e);
    const Trajectory events = run_contact(slider(height, e) + by("events", 1.2 * end, "tolerance = 1e-11\n"));
    double rests = -1.0;
    for (const ContactEvent& event : events.summary.contact->events)
      if (event.kind == ContactEvent::Kind::rests) rests = event.t;
    rest.add(std::abs(rests - end), fmt::format("e = {}", e));
    EXPECT_NEAR(last_q(events, 0), 0.0, 1e-9);
    // at the top of the first bounce: e^2 h
    const double top = fall * (1.0 + e);
    const Trajectory steps = run_contact(slider(height, e) + by("stepping", top));
    way.add(std::abs(last_q(steps, 0) - e * e * height), fmt::format("e = {}", e));
    const Trajectory still = run_contact(slider(height, e) + by("stepping", 1.2 * end));
    EXPECT_NEAR(last_q(still, 0), 0.0, 2e-6);
    EXPECT_NEAR(last_v(still, 0), 0.0, 1e-9);
  }
}

/// v+ = v- - (1 + e) H^-1 e_k v_k/(H^-1)_kk, and (1 - e^2) of v_k^2/(2 (H^-1)_kk) is lost, at either side.
TEST(ContactLimits, TheImpulseOfALimitFollowsFromTheMassMatrix) {
  Worst jump("velocities after a limit is reached (rad/s)", 1e-7), loss("kinetic energy lost (J)", 1e-7);
  for (const char* mode : {"events", "stepping"})
    for (const double speed : {-2.0, 3.0}) {
      const double e = 0.45;
      const std::string limits = speed < 0.0 ? "[[0.2, 2]]" : "[[-2, 0.2]]";
      const std::string text =
          double_pendulum(fmt::format("q = [0.2]\nv = [{}]\nlimits = {}\nrestitution = {}\n", speed, limits, e));
      const Scene scene = parse_scene("cardan = 1\n" + text + by(mode, 1e-9), "limit.toml");
      const Trajectory run = simulate(scene);
      ASSERT_TRUE(run.summary.contact);
      EXPECT_EQ(run.summary.contact->impacts, 1) << mode;
      Workspace<double> w(scene.model);
      Eigen::MatrixXd H(2, 2);
      mass_matrix<double>(scene.model, w, scene.initial.q, H);
      const Eigen::Vector2d before(1.1, speed);
      const Eigen::Vector2d column = H.llt().solve(Eigen::Vector2d(0.0, 1.0));
      const Eigen::Vector2d after = before - (1.0 + e) * speed / column[1] * column;
      const Eigen::Vector2d found(last_v(run, 0), last_v(run, 1));
      jump.add((found - after).cwiseAbs().maxCoeff(), mode);
      loss.add(std::abs(0.5 * before.dot(H * before) - 0.5 * found.dot(H * found) -
                        (1.0 - e * e) * speed * speed / (2.0 * column[1])),
               mode);
    }
}

/// With e = 1 bounces on limits keep the energy of a double pendulum; with less they never raise it.
TEST(ContactLimits, ElasticStopsKeepEnergy) {
  const auto energies = [](const Trajectory& run) {
    std::vector<double> out;
    for (std::size_t row = 0; row < run.size(); ++row)
      out.push_back(run.energies()[row].kinetic + run.energies()[row].potential);
    return out;
  };
  const std::string elastic = "q = [0.1]\nlimits = [[-0.4, 0.5]]\nrestitution = 1\n";
  const Trajectory run = run_contact(double_pendulum(elastic) + by("events", 5.0, "tolerance = 1e-11\n"));
  EXPECT_GT(run.summary.contact->impacts, 5);
  Worst drift("energy of a double pendulum between elastic limits, 5 s (J)", 1e-8);
  const std::vector<double> kept = energies(run);
  for (const double energy : kept) drift.add(std::abs(energy - kept.front()), "");
  for (std::size_t row = 0; row < run.size(); ++row) {
    EXPECT_GT(q_at(run, row, 1), -0.4 - 1e-9);
    EXPECT_LT(q_at(run, row, 1), 0.5 + 1e-9);
  }
  const std::string lossy = "q = [0.1]\nlimits = [[-0.4, 0.5]]\nrestitution = 0.5\n";
  const std::vector<double> lost =
      energies(run_contact(double_pendulum(lossy) + by("events", 5.0, "tolerance = 1e-11\n")));
  for (std::size_t i = 1; i < lost.size(); ++i) EXPECT_LE(lost[i], lost[i - 1] + 1e-8);
  EXPECT_LT(lost.back(), lost.front() - 0.1);
}

/// A body that reaches its limit and the ground at once leaves both with e times its speed, by every law.
TEST(ContactLimits, ALimitAndTheGroundShareAnImpact) {
  for (const char* law : {"newton", "poisson", "sequential"})
    for (const char* mode : {"events", "stepping"}) {
      const Trajectory run =
          run_contact(fmt::format("[ground]\nheight = -0.1\nrestitution = 0.5\nlaw = \"{}\"\n", law) +
                      slider(0.2, 0.5, "[[body.shape]]\nsphere = 0.1\n") + by(mode, std::sqrt(0.4 / 9.81) * 1.5));
      EXPECT_NEAR(last_q(run, 0), 0.05, mode == std::string("events") ? 1e-9 : 1e-3) << law << ", " << mode;
    }
}

}  // namespace
}  // namespace cardan::test
