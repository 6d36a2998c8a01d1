// Random mechanisms with loops in which each body has inertia, is a point mass or is massless with equal chance: every
// answer of the command agrees with an independent system of equations, or is refused by name.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/apps/run_command.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cardan::test {
namespace {

/// Where the two points of every loop (balls) are apart, from poses alone.
Eigen::VectorXd gaps(const Model& model, const std::vector<double>& q) {
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics<double>(model, w, q, k);
  Eigen::VectorXd out(3 * static_cast<Eigen::Index>(model.loops().size()));
  Eigen::Index row = 0;
  for (const LoopJoint& loop : model.loops()) {
    const auto point = [&](const Frame& f) { return (f.X * k.X_0[static_cast<std::size_t>(f.body)]).r; };
    const Vec3<double> d = point(loop.successor) - point(loop.predecessor);
    for (int c = 0; c < 3; ++c) out[row++] = d[c];
  }
  return out;
}

/// [H -J'; J 0] (a, lambda) = (-C, -J_dot v), J and J_dot v by differences of the gaps.
struct Reference {
  explicit Reference(const Scene& scene) {
    const Model& model = scene.model;
    const int n = model.nv(), m = 3 * static_cast<int>(model.loops().size());
    const auto moved = [&](const Eigen::VectorXd& v, double h) {
      std::vector<double> q(scene.initial.q.size());
      integrate(model, scene.initial.q.data(), v.data(), h, q.data());
      return gaps(model, q);
    };
    Eigen::MatrixXd J(m, n);
    constexpr double h = 3e-3;
    for (int i = 0; i < n; ++i) {
      const Eigen::VectorXd e = Eigen::VectorXd::Unit(n, i);
      J.col(i) = (8.0 * (moved(e, h) - moved(e, -h)) - (moved(e, 2 * h) - moved(e, -2 * h))) / (12.0 * h);
    }
    const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(scene.initial.v.data(), n);
    const Eigen::VectorXd bend =
        (16.0 * (moved(v, h) + moved(v, -h)) - (moved(v, 2 * h) + moved(v, -2 * h)) - 30.0 * moved(v, 0.0)) /
        (12.0 * h * h);
    Workspace<double> w(model);
    Eigen::MatrixXd H(n, n);
    mass_matrix<double>(model, w, scene.initial.q, H);
    Eigen::VectorXd C(n);
    bias<double>(model, w, scene.initial.q, scene.initial.v, C);
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n + m, n + m);
    all.topLeftCorner(n, n) = H;
    all.topRightCorner(n, m) = -J.transpose();
    all.bottomLeftCorner(m, n) = J;
    Eigen::VectorXd right(n + m);
    right << -C, -bend;
    const auto sizes = Eigen::JacobiSVD<Eigen::MatrixXd>(all).singularValues();
    condition = sizes[0] / std::max(sizes[sizes.size() - 1], 1e-300);
    // where rows repeat one another accelerations are unique all the same: repetitions do not count
    constexpr double kRepeated = 1e-10;
    for (const double size : sizes)
      if (size > kRepeated * sizes[0]) scale = sizes[0] / size;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
    factor.setThreshold(kRepeated);
    a = factor.compute(all).solve(right).head(n);
  }
  Eigen::VectorXd a;
  double condition, scale = 1.0;
};

TEST(RandomInertia, EveryAnswerHoldsOrIsRefusedByName) {
  std::mt19937 generator(18);
  TemporaryFolder folder;
  Worst error("accelerations, scaled by conditioning", 1.0), gap("loops after 1 s", 1e-9);
  int regular = 0, refused = 0, answered = 0;
  for (int trial = 0; trial < repetitions(25, 200); ++trial) {
    const std::string text = random_scene(
        generator,
        {.most_bodies = 8, .fewest_loops = 1, .most_loops = 6, .only_balls = true, .some_without_inertia = true});
    if (!says(text, "[[loop]]")) continue;
    Scene scene = parse_scene(text, "random");
    assemble(scene);
    const Reference reference(scene);
    const bool is_regular = reference.condition < 1e10;
    regular += is_regular ? 1 : 0;
    const std::string file = folder.path("scene.toml"), states = folder.path("states.json");
    std::ofstream(file) << text;
    const nlohmann::json request{{"quantities", {"forward_dynamics"}},
                                 {"states", {{{"q", scene.initial.q}, {"v", scene.initial.v}}}}};
    std::ofstream(states) << request;
    const Outcome eval = run_command({"eval", file, states}, folder);
    if (eval.code != 0) {
      refused += is_regular ? 1 : 0;
      EXPECT_TRUE(says(eval.err, "\"b") || says(eval.err, "\"l")) << eval.err;  // a body, joint or loop
    } else {
      ++answered;
      const std::vector<double> a = nlohmann::json::parse(eval.out).at("results")[0].at("forward_dynamics");
      const Eigen::Map<const Eigen::VectorXd> found(a.data(), reference.a.size());
      error.add(relative_error(reference.a, found) / std::max(1e-8, 1e-14 * reference.scale),
                fmt::format("trial {}, condition {:.1e}", trial, reference.scale));
    }
    const Outcome run = run_command({"simulate", file, "--duration", "1", "--step", "0.002", "--json"}, folder);
    if (run.code == 0)
      gap.add(nlohmann::json::parse(run.out).at("largest_constraint_error"), fmt::format("trial {}", trial));
    else
      EXPECT_TRUE(says(run.err, "\"")) << run.err;
  }
  std::printf("    %d answered, %d of %d regular ones refused\n", answered, refused, regular);
  EXPECT_LE(10 * refused, regular);
  EXPECT_GT(answered, 0);
}

}  // namespace
}  // namespace cardan::test
