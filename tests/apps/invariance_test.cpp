// The same mechanism told by different observers moves in the same way: turned, mirrored, a kilometer away, a thousand
// times smaller or larger, from a frame that moves uniformly, and at another step. Random scenes with contact, loops
// and forces (random_contact_scenes.hpp; observer.hpp has the laws of similarity), all through the command.
//
// How far two runs may differ follows from the scene itself. A second run of it, whose velocities at the start differ
// by kNudge, says how differences grow up to each time: an observer may differ by kRounding times that, because
// rounding, and what the laws of contact leave (residual = 1e-8 m/s), are such differences. A moving frame changes how
// velocity products of a step are rounded off at second order: there the step's own error, found by halving it, is
// allowed.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/random_contact_scenes.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace cardan::invariance_test {
namespace {

using test::ContactScene;
using test::Observer;
using Points = std::vector<std::vector<Vec3<double>>>;  // by time, then by point

constexpr double kNudge = 1e-8;        // m/s, rad/s
constexpr double kRounding = 10.0;     // of what that leads to
constexpr double kPenetration = 1e-6;  // m

Mat3<double> some_rotation() {
  const auto about = [](int i, int j, double angle) {
    Mat3<double> R = Mat3<double>::identity();
    R(i, i) = R(j, j) = std::cos(angle);
    R(i, j) = -std::sin(angle);
    R(j, i) = std::sin(angle);
    return R;
  };
  return about(0, 1, 0.7) * about(1, 2, 1.9);
}

Observer with_unit(double length) {
  Observer out;
  out.length = length;
  out.mass = length * length * length;
  out.time = std::sqrt(length);
  return out;
}

class Invariance : public test::SceneRuns {
 protected:
  /// Runs the scene as the observer writes it; gives the motion of its points as the first observer tells it.
  Points seen_by(unsigned seed, const Observer& observer) const {
    const ContactScene scene = test::random_contact_scene(seed, observer);
    const CsvTable run = motion(scene.text + "contact = \"stepping\"\n");
    Points out;
    for (std::size_t row = 0; row < run.rows.size(); ++row) {
      out.emplace_back();
      for (const std::string& point : scene.points)
        out.back().push_back(
            observer.told({value(run, point + ".x", row), value(run, point + ".y", row), value(run, point + ".z", row)},
                          value(run, "t", row)));
    }
    return out;
  }

  /// Gives the largest difference up to each time.
  static std::vector<double> difference(const Points& a, const Points& b) {
    EXPECT_EQ(a.size(), b.size());
    std::vector<double> out;
    double largest = 0.0;
    for (std::size_t row = 0; row < std::min(a.size(), b.size()); ++row) {
      for (std::size_t i = 0; i < a[row].size(); ++i) largest = std::max(largest, norm(a[row][i] - b[row][i]));
      out.push_back(largest);
    }
    return out;
  }

  /// Tells whether two motions are the same within what is allowed up to each time.
  static bool are_same(const Points& here, const Points& there, const std::vector<double>& allowed) {
    const std::vector<double> found = difference(here, there);
    for (std::size_t row = 0; row < found.size(); ++row)
      if (!(found[row] <= allowed[row])) return false;
    return true;
  }
};

TEST_F(Invariance, EveryObserverSeesTheSameMotion) {
  const int scenes = test::repetitions(2, 50);
  double sum_of_errors = 0.0, sum_of_halved = 0.0;
  int other_pieces = 0;
  for (unsigned seed = 0; seed < static_cast<unsigned>(scenes); ++seed) {
    Observer nudged, turned, mirrored, moved, moving, half, quarter;
    nudged.nudge = kNudge;
    turned.turn = some_rotation();
    mirrored.mirrored = true;
    moved.origin = {600.0, -700.0, 400.0};
    moving.velocity = {2.0, -1.0, 0.0};
    half.step = 0.5;
    quarter.step = 0.25;
    const Points here = seen_by(seed, {}), at_half = seen_by(seed, half);
    std::vector<double> allowed = difference(here, seen_by(seed, nudged)), of_step = difference(here, at_half);
    for (std::size_t row = 0; row < allowed.size(); ++row) {
      allowed[row] = kRounding * allowed[row] + kPenetration;
      of_step[row] = std::max(of_step[row], allowed[row]);
    }
    EXPECT_TRUE(are_same(here, seen_by(seed, turned), allowed)) << "scene " << seed << ", turned";
    EXPECT_TRUE(are_same(here, seen_by(seed, mirrored), allowed)) << "scene " << seed << ", mirrored";
    EXPECT_TRUE(are_same(here, seen_by(seed, moved), allowed)) << "scene " << seed << ", moved";
    for (const double length : {1e-3, 1e3}) {
      const Points there = seen_by(seed, with_unit(length));
      EXPECT_TRUE(are_same(here, there, of_step)) << "scene " << seed << ", unit of length " << length;
      if (!are_same(here, there, allowed)) ++other_pieces;
    }
    if (test::random_contact_scene(seed, {}).floats) {
      EXPECT_TRUE(are_same(here, seen_by(seed, moving), of_step)) << "scene " << seed << ", moving";
    }
    sum_of_errors += difference(here, at_half).back();
    sum_of_halved += difference(at_half, seen_by(seed, quarter)).back();
  }
  // a step may be made in other pieces where a decision about contacts is as close as rounding: 1 of 100 runs
  EXPECT_LE(other_pieces, scenes / 25);
  // halving the step at least halves what it changes, on the mean of all scenes
  EXPECT_LT(sum_of_halved, 0.6 * sum_of_errors);
  EXPECT_LT(sum_of_errors / scenes, 0.01);
}

/// A ball flies at a wall. The wall may also come to the ball, led by a motion: in its frame all is the same.
std::string ball_and_wall(double wall_speed, double ball_speed, const std::string& mode) {
  return fmt::format(R"(cardan = 1
gravity = [0, 0, 0]
[[contact]]
friction = 0.3
restitution = 0.8
[[body]]
name = "wall"
mass = 2
inertia = [1, 1, 1, 0, 0, 0]
[[body.shape]]
box = [0.2, 2, 2]
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[motion]]
joint = "wall"
position = "{}*t"
[[body]]
name = "ball"
mass = 1
inertia = [0.004, 0.004, 0.004, 0, 0, 0]
[[body.shape]]
sphere = 0.1
[body.joint]
type = "free"
q = [1, 0, 0, 0, 0.5, 0, 0]
v = [0, 0, 3, {}, 0.4, 0]
[simulation]
contact = "{}"
duration = 1
)",
                     wall_speed, ball_speed, mode);
}

TEST_F(Invariance, WhoeverComesToTheOtherTheyPartAlike) {
  for (const char* mode : {"events", "stepping"}) {
    const CsvTable at_rest = motion(ball_and_wall(0.0, -1.0, mode)), led = motion(ball_and_wall(1.0, 0.0, mode));
    const std::size_t last = at_rest.rows.size() - 1;
    EXPECT_NEAR(value(at_rest, "q.ball.4", last), 0.5 - 0.3 + 0.8 * 0.7, 1e-9) << mode;  // it leaves with 0.8 m/s
    EXPECT_NEAR(value(led, "q.ball.4", last), value(at_rest, "q.ball.4", last) + 1.0, 2e-8) << mode;
    EXPECT_NEAR(value(led, "q.ball.5", last), value(at_rest, "q.ball.5", last), 2e-8) << mode;
  }
}

TEST_F(Invariance, BouncesOnABeltAreThoseOnTheGroundSeenFromIt) {
  const auto dropped = [](double speed, const std::string& mode) {
    return fmt::format(R"(cardan = 1
[ground]
friction = 0.6
restitution = 0.5
surface_velocity = [{0}, 0, 0]
[[body]]
name = "box"
mass = 1
[[body.shape]]
box = [0.3, 0.2, 0.1]
[body.joint]
type = "free"
q = [0.9689124217106447, 0, 0.24740395925452294, 0, 0, 0, 0.3]
v = [0, 2, 0, {1:.17g}, 0, {2:.17g}]
[simulation]
contact = "{3}"
duration = 0.4
)",
                       speed, speed * std::cos(0.5), speed * std::sin(0.5), mode);
  };
  for (const char* mode : {"events", "stepping"}) {
    const CsvTable here = motion(dropped(0.0, mode)), there = motion(dropped(2.0, mode));
    const std::size_t last = here.rows.size() - 1;
    EXPECT_NEAR(value(there, "q.box.4", last), value(here, "q.box.4", last) + 2.0 * 0.4, 1e-6) << mode;
    EXPECT_NEAR(value(there, "q.box.6", last), value(here, "q.box.6", last), 1e-6) << mode;
  }
}

}  // namespace
}  // namespace cardan::invariance_test
