// Random impacts of two free balls and of boxes on the ground, by every law of restitution: kinetic energy does not
// rise, what one body gains in momentum the other loses, and a box gains what the ground is recorded to give.
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <random>

namespace cardan::test {
namespace {

constexpr const char* kLaws[] = {"newton", "poisson", "sequential"};
constexpr double kInstant = 1e-14;  // s: nothing moves within it

struct Numbers {
  std::mt19937 generator;
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator); }
  Vec3<double> vector(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
};

std::string rule(Numbers& number, const char* law) {
  return fmt::format("gravity = [0, 0, 0]\n[[contact]]\nfriction = {:.17g}\nrestitution = {:.17g}\nlaw = \"{}\"\n",
                     number.between(0.0, 1.2), number.between(0.0, 1.0), law);
}

std::string text(const Vec3<double>& x) { return fmt::format("{:.17g}, {:.17g}, {:.17g}", x[0], x[1], x[2]); }

std::string simulation() {
  return fmt::format("[simulation]\ncontact = \"stepping\"\nduration = {0}\nstep = {0}\noutput_every = {0}\n",
                     kInstant);
}

/// Kinetic energy of all bodies, which are free joints at the root.
double kinetic(const Trajectory& run, std::size_t row) { return run.energies()[row].kinetic; }

TEST(ContactImpacts, TwoBallsKeepMomentumAndGainNoEnergy) {
  Numbers number{std::mt19937(11)};
  Worst energy("gain of kinetic energy, relative", 1e-12), momentum("momentum of two balls, relative", 1e-12);
  for (int trial = 0; trial < repetitions(100, 5000); ++trial) {
    const char* law = kLaws[trial % 3];
    const double r0 = number.between(0.05, 0.2), r1 = number.between(0.05, 0.2);
    const double m[] = {std::pow(10.0, number.between(-2.0, 2.0)), std::pow(10.0, number.between(-2.0, 2.0))};
    Vec3<double> n = number.vector(1.0);
    n = (1.0 / norm(n)) * n;
    const Vec3<double> v0 = number.vector(1.0) + 2.0 * n, v1 = number.vector(1.0);  // they approach
    const Trajectory run = run_contact(
        rule(number, law) +
        ball_body("a", r0, m[0], "[1, 0, 0, 0, 0, 0, 0]", "[" + text(number.vector(5.0)) + ", " + text(v0) + "]") +
        ball_body("b", r1, m[1], "[1, 0, 0, 0, " + text((r0 + r1) * n) + "]",
                  "[" + text(number.vector(5.0)) + ", " + text(v1) + "]") +
        simulation());
    const std::size_t last = run.size() - 1;
    energy.add((kinetic(run, last) - kinetic(run, 0)) / kinetic(run, 0), std::string(law) + std::to_string(trial));
    // linear momentum, then angular about the middle of ball a: spin of a uniform ball, and of b the place of its mass
    for (int c = 0; c < 3; ++c) {
      double gain = 0.0, size = 0.0;
      for (int body = 0; body < 2; ++body) {
        gain += m[body] * (v_at(run, last, 6 * body + 3 + c) - v_at(run, 0, 6 * body + 3 + c));
        size += m[body] * 5.0;
      }
      momentum.add(std::abs(gain) / size, std::to_string(trial));
      const int i = (c + 1) % 3, j = (c + 2) % 3;
      double turn = 0.0;
      for (int body = 0; body < 2; ++body) {
        const double r = body == 0 ? r0 : r1;
        turn += 0.4 * m[body] * r * r * (v_at(run, last, 6 * body + c) - v_at(run, 0, 6 * body + c));
      }
      turn += m[1] * (r0 + r1) *
              (n[i] * (v_at(run, last, 9 + j) - v_at(run, 0, 9 + j)) -
               n[j] * (v_at(run, last, 9 + i) - v_at(run, 0, 9 + i)));
      momentum.add(std::abs(turn) / size, std::to_string(trial) + " angular");
    }
  }
}

TEST(ContactImpacts, BoxesGainWhatTheGroundGives) {
  Numbers number{std::mt19937(12)};
  Worst energy("gain of kinetic energy, relative", 1e-12), momentum("momentum of a box, relative", 1e-12);
  for (int trial = 0; trial < repetitions(100, 5000); ++trial) {
    const char* law = kLaws[trial % 3];
    const double m = std::pow(10.0, number.between(-1.0, 1.0));
    const Vec3<double> side{number.between(0.1, 0.4), number.between(0.1, 0.4), number.between(0.1, 0.4)};
    // on a face, an edge or a corner: rotation vectors about x, about a horizontal axis, or any
    const double angle = number.between(0.1, 1.0), heading = number.between(0.0, 6.28);
    const int feature = trial % 4;
    const double half = feature == 0 ? 0.0 : 0.5 * angle;
    const Vec3<double> axis =
        feature == 1 ? Vec3<double>{1.0, 0.0, 0.0} : Vec3<double>{std::cos(heading), std::sin(heading), 0.0};
    const double w = std::cos(half);
    const Vec3<double> s = std::sin(half) * axis;
    // height of the center above the lowest corner: sum of |z-components of the half sides|
    const Vec3<double> z{2.0 * (s[0] * s[2] - w * s[1]), 2.0 * (s[1] * s[2] + w * s[0]),
                         1.0 - 2.0 * (s[0] * s[0] + s[1] * s[1])};
    const double height = 0.5 * (std::abs(z[0]) * side[0] + std::abs(z[1]) * side[1] + std::abs(z[2]) * side[2]);
    const Trajectory run = run_contact(
        rule(number, law) + "[ground]\n" +
        fmt::format(
            "[[body]]\nname = \"box\"\nmass = {:.17g}\n[[body.shape]]\nbox = [{}]\n[body.joint]\ntype = \"free\"\n"
            "q = [{:.17g}, {}, 0, 0, {:.17g}]\nv = [{}, {}]\n",
            m, text(side), w, text(s), height, text(number.vector(3.0)), text(number.vector(1.0) - 2.0 * z)) +
        "[[record]]\nname = \"push\"\ncontact = \"ground|box\"\nquantity = \"force\"\n"
        "[[record]]\nname = \"speed\"\nframe = \"box\"\nquantity = \"velocity\"\n" +
        simulation());
    const std::size_t last = run.size() - 1;
    energy.add((kinetic(run, last) - kinetic(run, 0)) / kinetic(run, 0), std::string(law) + std::to_string(trial));
    for (std::size_t c = 0; c < 3; ++c) {  // columns: push, then speed
      const double gain = m * (run.recorded(last)[3 + c] - run.recorded(0)[3 + c]);
      momentum.add(std::abs(gain - kInstant * run.recorded(last)[c]) / m, fmt::format("{} {}", trial, c));
    }
  }
}

}  // namespace
}  // namespace cardan::test
