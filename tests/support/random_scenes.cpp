#include "tests/support/random_scenes.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/io/scene.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan::test {

namespace {

class Writer {
 public:
  Writer(std::mt19937& generator, const RandomSceneOptions& options) : generator_(generator), options_(options) {}

  std::string scene() {
    const int n = 3 + pick(options_.most_bodies - 2);
    std::string text = "cardan = 1\nname = \"random\"\n";
    for (int i = 0; i < n; ++i) text += body(i);
    if (options_.forces) text += forces(n);
    const int loops = options_.fewest_loops + pick(options_.most_loops - options_.fewest_loops + 1);
    if (loops > 0) text += closures(text, n, loops);
    return text;
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  int pick(int n) { return n <= 1 ? 0 : static_cast<int>(generator_() % static_cast<unsigned>(n)); }
  std::string vector(double size) {
    return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", uniform(-size, size), uniform(-size, size), uniform(-size, size));
  }
  std::string name(int i) const { return i < 0 ? "world" : fmt::format("b{}", i); }

  std::string body(int i) {
    const int kind = options_.some_without_inertia ? pick(3) : 0;
    std::string text = fmt::format("\n[[body]]\nname = \"{}\"\nparent = \"{}\"\n", name(i), name(pick(i + 1) - 1));
    if (kind < 2) text += fmt::format("mass = {:.6f}\ncom = {}\n", uniform(0.3, 2.0), vector(0.3));
    if (kind == 0) {
      const double a = uniform(0.02, 0.1), b = uniform(0.02, 0.1);
      text += fmt::format("inertia = [{:.6f}, {:.6f}, {:.6f}, 0.001, -0.002, 0.0005]\n", a, b, 0.7 * (a + b));
    }
    text += fmt::format("[body.joint]\nat = {{ xyz = {}, rpy = {} }}\n", vector(0.5), vector(1.5));
    const auto scalar = [&] { return fmt::format("q = [{:.6f}]\nv = [{:.6f}]\n", uniform(-1, 1), uniform(-1, 1)); };
    const auto two = [&] {
      return fmt::format("q = [{:.6f}, {:.6f}]\nv = [{:.6f}, {:.6f}]\n", uniform(-1, 1), uniform(-1, 1), uniform(-1, 1),
                         uniform(-1, 1));
    };
    switch (pick(6)) {
      case 0: text += fmt::format("type = \"prismatic\"\naxis = {}\n", vector(1.0)) + scalar(); break;
      case 1: text += fmt::format("type = \"spherical\"\nv = {}\n", vector(1.0)); break;
      case 2: text += "type = \"universal\"\n" + two(); break;
      case 3: text += "type = \"cylindrical\"\n" + two(); break;
      default:
        text += fmt::format("type = \"revolute\"\naxis = {}\n", vector(1.0)) + scalar();
        if (options_.forces && pick(2) == 0)
          text += fmt::format("stiffness = {:.6f}\ndamping = {:.6f}\n", uniform(0, 5), uniform(0, 0.5));
    }
    return text;
  }

  std::string point(int body) { return fmt::format("{{ body = \"{}\", at = {} }}", name(body), vector(0.3)); }

  std::string forces(int n) {
    std::string text;
    for (int i = 0; i < 2; ++i)
      text += fmt::format("\n[[force]]\ntype = \"spring\"\npoints = [{}, {}]\nstiffness = {:.3f}\ndamping = {:.3f}\n",
                          point(pick(n)), point(-1), uniform(5, 50), uniform(0, 1));
    text += fmt::format("\n[[force]]\ntype = \"spring\"\npoints = [{}, {}, {}]\nstiffness = {:.3f}\n", point(0),
                        point(n - 1), point(n / 2), uniform(5, 50));
    text += fmt::format(
        "\n[[force]]\ntype = \"muscle\"\npoints = [{}, {}]\nmax_force = 20\noptimal_length = 0.6\nslack_length = 0.2\n"
        "activation = 0.4\n",
        point(n - 1), point(-1));
    text += fmt::format(
        "\n[[force]]\ntype = \"damping\"\nbody = \"{}\"\ncoefficients = [0.01, 0.02, 0.03, 0.1, 0.2, 0.3]\n",
        name(pick(n)));
    text += fmt::format(
        "\n[[strand]]\nname = \"s\"\nnodes = 4\nmass = 0.2\nstiffness = 20\ndamping = 0.05\nfrom = {{ body = \"{}\", "
        "at = "
        "{} }}\nto = {{ body = \"world\", at = [1.5, 1.0, 0.5] }}\n",
        name(pick(n)), vector(0.2));
    return text;
  }

  /// Loops at frames that coincide where the tree stands.
  std::string closures(const std::string& tree, int n, int loops) {
    const Scene scene = parse_scene(tree, "tree");
    Workspace<double> w(scene.model);
    Kinematics<double> k(scene.model);
    forward_kinematics<double>(scene.model, w, scene.initial.q, k);
    int freedoms = scene.model.nv();
    std::string text;
    for (int i = 0; i < loops; ++i) {
      const int a = pick(n), b = pick(n + 1) - 1;
      if (a == b) continue;
      const bool ball = pick(3) > 0 || options_.only_balls;
      freedoms -= ball ? 3 : 4;
      if (freedoms < 1) break;
      const auto pose = [&](int body) {
        return body < 0 ? Pose<double>{} : frame_pose(scene.model, k, scene.model.frame_named(name(body)));
      };
      const Vec3<double> at{uniform(-0.3, 0.3), uniform(-0.3, 0.3), uniform(-0.3, 0.3)};
      const Pose<double> there = inverse(pose(b)) * pose(a) * Pose<double>{Mat3<double>::identity(), at};
      const auto& R = there.R;
      const double pitch = std::asin(std::max(-1.0, std::min(1.0, -R(2, 0)))), roll = std::atan2(R(2, 1), R(2, 2)),
                   yaw = std::atan2(R(1, 0), R(0, 0));
      text += fmt::format(
          "\n[[loop]]\nname = \"l{}\"\na = \"{}\"\nb = \"{}\"\nat_a = {{ xyz = [{:.17g}, {:.17g}, {:.17g}] }}\nat_b = "
          "{{ "
          "xyz = [{:.17g}, {:.17g}, {:.17g}], rpy = [{:.17g}, {:.17g}, {:.17g}] }}\ntype = \"{}\"\n",
          i, name(a), name(b), at[0], at[1], at[2], there.p[0], there.p[1], there.p[2], roll, pitch, yaw,
          ball ? "spherical" : "universal");
    }
    return text;
  }

  std::mt19937& generator_;
  const RandomSceneOptions& options_;
};

}  // namespace

std::string random_scene(std::mt19937& generator, const RandomSceneOptions& options) {
  return Writer(generator, options).scene();
}

}  // namespace cardan::test
