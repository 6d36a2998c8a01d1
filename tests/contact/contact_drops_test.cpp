// Random shapes dropped on the ground and on each other: nothing is lost, nothing sinks in.
#include "cardan/io/trajectory_file.hpp"
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <random>

namespace cardan::test {
namespace {

std::string random_shape(std::mt19937_64& random) {
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  switch (std::uniform_int_distribution<int>(0, 5)(random)) {
    case 0: return fmt::format("sphere = {}", uniform(0.03, 0.1));
    case 1: return fmt::format("box = [{}, {}, {}]", uniform(0.05, 0.2), uniform(0.05, 0.2), uniform(0.05, 0.2));
    case 2: return fmt::format("capsule = {{ radius = {}, length = {} }}", uniform(0.02, 0.08), uniform(0.05, 0.2));
    case 3: return fmt::format("cylinder = {{ radius = {}, length = {} }}", uniform(0.03, 0.1), uniform(0.05, 0.2));
    case 4: return fmt::format("ellipsoid = [{}, {}, {}]", uniform(0.03, 0.1), uniform(0.03, 0.1), uniform(0.03, 0.1));
    default: return fmt::format("torus = {{ major = {}, minor = {} }}", uniform(0.06, 0.1), uniform(0.015, 0.04));
  }
}

TEST(ContactDrops, RandomShapesComeDownWhole) {
  std::mt19937_64 random(2026);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const auto normal = [&] { return std::normal_distribution<double>()(random); };
  Worst depth("penetration, to tolerance plus h times the speed", 1.0);
  long unsolved = 0, steps = 0;
  for (int trial = 0; trial < repetitions(12, 10000); ++trial) {
    const int bodies = 1 + trial % 4;
    std::string text = fmt::format("[ground]\nfriction = {}\nrestitution = {}\n", uniform(0.0, 1.0),
                                   trial % 3 == 0 ? uniform(0.0, 0.8) : 0.0);
    for (int i = 0; i < bodies; ++i) {
      Eigen::Vector4d q(normal(), normal(), normal(), normal());
      q.normalize();
      text += fmt::format(
          "[[body]]\nname = \"b{}\"\nmass = {}\n[[body.shape]]\n{}\n[body.joint]\ntype = \"free\"\n"
          "q = [{:.17g}, {:.17g}, {:.17g}, {:.17g}, {}, {}, {}]\nv = [{}, {}, {}, {}, {}, {}]\n",
          i, uniform(0.1, 3.0), random_shape(random), q[0], q[1], q[2], q[3], uniform(-0.05, 0.05),
          uniform(-0.05, 0.05), 0.25 + 0.35 * i, 3 * normal(), 3 * normal(), 3 * normal(), 0.3 * normal(),
          0.3 * normal(), normal());
    }
    const Scene scene =
        parse_scene("cardan = 1\n" + text + "[simulation]\ncontact = \"stepping\"\nduration = 0.7\n", "drop.toml");
    const Trajectory run = simulate(scene);
    ASSERT_EQ(run.summary.end, RunSummary::End::done) << trial << ": " << run.summary.failure;
    for (const double x : run.q(run.size() - 1)) ASSERT_TRUE(std::isfinite(x)) << trial;
    for (int i = 0; i < bodies; ++i) EXPECT_GT(last_q(run, 7 * i + 6), 0.0) << trial << "\n" << text;
    double fastest = 0.0;
    for (std::size_t row = 0; row < run.size(); ++row)
      for (int i = 0; i < bodies; ++i) {
        double linear = 0.0, angular = 0.0;
        for (int k = 0; k < 3; ++k) {
          angular += v_at(run, row, 6 * i + k) * v_at(run, row, 6 * i + k);
          linear += v_at(run, row, 6 * i + 3 + k) * v_at(run, row, 6 * i + 3 + k);
        }
        fastest = std::max(fastest, std::sqrt(linear) + 0.2 * std::sqrt(angular));
      }
    depth.add(run.summary.contact->penetration / (1e-6 + 1e-3 * fastest), fmt::format("{}", trial));
    unsolved += run.summary.contact->unsolved;
    steps += run.summary.steps;
  }
  std::printf("    %ld of %ld steps unsolved\n", unsolved, steps);
  EXPECT_LE(unsolved, steps / 500);
}

/// The same scene gives the same bits.
TEST(ContactDrops, SameBitsOnEveryRun) {
  const std::string text = "[ground]\nrestitution = 0.4\n" + ball_body("a", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 0.3]") +
                           box_body("b", {0.2, 0.1, 0.1}, 2.0, "[0.8, 0.6, 0, 0, 0.02, 0.01, 0.6]") +
                           "[simulation]\nduration = 0.5\n";
  const Trajectory one = run_contact(text), two = run_contact(text);
  for (int k = 0; k < 14; ++k) EXPECT_EQ(last_q(one, k), last_q(two, k));
}

TEST(ContactDrops, AStackGivesTheSameBytesOnEveryRun) {
  std::string text = "[ground]\n";
  for (int i = 0; i < 4; ++i)
    text += box_body("box" + std::to_string(i), {0.2, 0.2, 0.1}, 1.0 + i,
                     fmt::format("[1, 0, 0, 0, {}, 0, {}]", 0.01 * i, 0.06 + 0.11 * i));
  text += "[simulation]\nduration = 0.3\n";
  EXPECT_EQ(trajectory_csv(run_contact(text)), trajectory_csv(run_contact(text)));
}

}  // namespace
}  // namespace cardan::test
