// Compiled functions against the generic algorithms, for every way of compiling.
#include "cardan/compile/compiled_model.hpp"

#include "cardan/algorithms/forward_dynamics_adjoint.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/urdf.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace cardan::test {
namespace {

namespace fs = std::filesystem;

/// The inputs of a function, and what the generic algorithm makes of them.
struct Reference {
  Reference(const Model& m, ModelFunction function, int frame, Random& random)
      : model(m),
        q(random_configuration(random, m)),
        v(random.values(m.nv())),
        x(random.values(m.nv(), 5.0)),
        z(random.values(m.nv())),
        out(signature(m, function).output.size) {
    compute(function, frame);
  }
  void compute(ModelFunction function, int frame) {
    Workspace<double> w(model);
    Kinematics<double> k(model);
    ForwardDerivativeWorkspace<double> d(model);
    const int n = model.nv();
    const auto square = [&](int i) { return MatrixView<double>(out.data() + i * n * n, n, n); };
    const auto row = [&](int i) { return Out<double>(out.data() + i * n, n); };
    switch (function) {
      case ModelFunction::inverse_mass_matrix: return inverse_mass_matrix<double>(model, w, q, square(0));
      case ModelFunction::inverse_dynamics_derivatives:
        return inverse_dynamics_derivatives<double>(model, d.inverse, q, v, x, square(0), square(1), square(2));
      case ModelFunction::forward_dynamics_derivatives:
        return forward_dynamics_derivatives<double>(model, d, q, v, x, square(0), square(1), square(2));
      case ModelFunction::forward_dynamics_adjoint:
        return forward_dynamics_adjoint<double>(model, d, q, v, x, z, row(0), row(1), row(2));
      case ModelFunction::forward_dynamics: return forward_dynamics<double>(model, w, q, v, x, out);
      case ModelFunction::inverse_dynamics: return inverse_dynamics<double>(model, w, q, v, x, out);
      case ModelFunction::bias: return bias<double>(model, w, q, v, out);
      case ModelFunction::gravity: return gravity<double>(model, w, q, out);
      case ModelFunction::mass_matrix: return mass_matrix<double>(model, w, q, MatrixView<double>(out.data(), n, n));
      case ModelFunction::jacobian:
        forward_kinematics<double>(model, w, q, k);
        return frame_jacobian<double>(model, k, frame, MatrixView<double>(out.data(), 6, n));
      case ModelFunction::pose: {
        forward_kinematics<double>(model, w, q, k);
        const Pose<double> pose = frame_pose(model, k, frame);
        for (int i = 0; i < 9; ++i) out[i] = pose.R(i / 3, i % 3);
        for (int i = 0; i < 3; ++i) out[9 + i] = pose.p[i];
      }
    }
  }

  const Model& model;
  Eigen::VectorXd q, v, x, z, out;
};

/// Entries of several states side by side.
Eigen::VectorXd side_by_side(const std::vector<Eigen::VectorXd>& states) {
  const auto lanes = static_cast<Eigen::Index>(states.size());
  Eigen::VectorXd out(states[0].size() * lanes);
  for (Eigen::Index i = 0; i < states[0].size(); ++i)
    for (Eigen::Index lane = 0; lane < lanes; ++lane) out[i * lanes + lane] = states[static_cast<std::size_t>(lane)][i];
  return out;
}

/// The largest difference to the generic result, relative to its largest entry.
double worst_error(const Model& model, ModelFunction function, const CompileOptions& options, std::uint64_t seed) {
  const CompiledModel compiled(model, {function}, options);
  CompiledWorkspace w(compiled);
  Random random(seed);
  std::vector<Eigen::VectorXd> q, v, x, z, out;
  for (int lane = 0; lane < compiled.lanes(); ++lane) {
    const Reference r(model, function, options.frame, random);
    q.push_back(r.q);
    v.push_back(r.v);
    x.push_back(r.x);
    z.push_back(r.z);
    out.push_back(r.out);
  }
  const Eigen::VectorXd Q = side_by_side(q), V = side_by_side(v), X = side_by_side(x), Z = side_by_side(z),
                        expected = side_by_side(out);
  Eigen::VectorXd found = Eigen::VectorXd::Constant(expected.size(), NAN);
  const In<double> all[] = {Q, V, X, Z};
  compiled.run(function, w, std::span(all, signature(model, function).inputs.size()), found);
  if (!found.allFinite()) return std::numeric_limits<double>::infinity();
  return expected.size() == 0 ? 0.0 : (found - expected).lpNorm<Eigen::Infinity>() / expected.lpNorm<Eigen::Infinity>();
}

std::vector<CompileOptions> ways(int frame) {
  std::vector<CompileOptions> out{{Method::joints, {}, frame},
                                  {Method::symbolic, {Backend::interpreter, std::nullopt, 1}, frame}};
  for (const auto set : {InstructionSet::avx2, InstructionSet::avx512})
    if (can_run(set))
      for (const int lanes : {1, register_lanes(set)})
        out.push_back({Method::symbolic, {Backend::machine_code, set, lanes}, frame});
  return out;
}

void expect_same(const Model& model, std::uint64_t seed, double tolerance, const std::string& name) {
  const int frame = model.body_frame(model.bodies());
  double worst = 0.0;
  for (const ModelFunction function : all_model_functions())
    for (const CompileOptions& options : ways(frame)) {
      const double error = worst_error(model, function, options, seed);
      worst = std::max(worst, error);
      // two algorithms, whose rounding grows with the condition of the mass matrix
      const bool is_solved =
          function == ModelFunction::forward_dynamics_derivatives || function == ModelFunction::inverse_mass_matrix;
      EXPECT_LE(error, is_solved ? 100.0 * tolerance : tolerance)
          << name << ": " << cardan::name(function) << ", lanes " << options.executable.lanes;
    }
  std::printf("    %s: %.1e\n", name.c_str(), worst);
}

TEST(CompiledModel, EqualsTheGenericAlgorithmsOnEveryRobot) {
  const fs::path folder = fs::path(CARDAN_SHARED_DATA) / "robots";
  if (!fs::exists(folder)) GTEST_SKIP() << "no reference data at " << CARDAN_SHARED_DATA;
  int robots = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".urdf") continue;
    expect_same(load_urdf(entry.path().string()), 3, 1e-12, entry.path().stem().string());
    ++robots;
  }
  EXPECT_GE(robots, 10);
}

/// Every joint type, invented ones and composites among them, branches, armature, several roots. Forward dynamics of
/// random trees may be ill conditioned, hence the wider limit.
TEST(CompiledModel, EqualsTheGenericAlgorithmsOnRandomTrees) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    expect_same(random_model(seed), seed, 1e-10, "tree " + std::to_string(seed));
}

/// The example scenes, invented joints of every kind, at their initial state: by both methods, one state and several.
TEST(CompiledModel, EqualsTheGenericAlgorithmsOnTheExamples) {
  int scenes = 0;
  for (const auto& entry : fs::directory_iterator(CARDAN_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    const Scene scene = load(entry.path().string());
    const Model& model = scene.model;
    Random random(7);
    const Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(scene.initial.q.data(), model.nq());
    const Eigen::VectorXd v = random.values(model.nv()), tau = random.values(model.nv(), 5.0);
    Eigen::VectorXd expected(model.nv());
    Workspace<double> generic(model);
    forward_dynamics<double>(model, generic, q, v, tau, expected);
    for (const CompileOptions& options : ways(0)) {
      const CompiledModel compiled(model, {ModelFunction::forward_dynamics}, options);
      CompiledWorkspace w(compiled);
      const auto repeated = [&](const Eigen::VectorXd& x) {
        return side_by_side(std::vector<Eigen::VectorXd>(static_cast<std::size_t>(compiled.lanes()), x));
      };
      Eigen::VectorXd found(model.nv() * compiled.lanes());
      forward_dynamics(compiled, w, repeated(q), repeated(v), repeated(tau), found);
      EXPECT_LE((found - repeated(expected)).lpNorm<Eigen::Infinity>() / expected.lpNorm<Eigen::Infinity>(), 1e-10)
          << entry.path() << ", lanes " << compiled.lanes();
    }
    ++scenes;
  }
  EXPECT_GE(scenes, 8);
}

/// A chain of joints with springs and dampers, a ball among them.
Model sprung_chain(Random& random) {
  ModelBuilder builder;
  const Joint types[] = {Revolute{{0.0, 1.0, 0.0}}, Spherical{}, Prismatic{{0.0, 0.0, 1.0}}, Universal{},
                         Revolute{{1.0, 0.0, 0.0}}};
  std::string before = "world";
  for (const Joint& type : types) {
    std::vector<DofProperties> dofs(static_cast<std::size_t>(type.nv()));
    for (DofProperties& dof : dofs) {
      dof.stiffness = random.uniform(1.0, 5.0);
      dof.rest = random.uniform(-0.3, 0.3);
      dof.damping = random.uniform(0.1, 0.5);
    }
    const std::string name = before + "'";
    builder.body(name, random.mass());
    builder.joint(JointSpec{name, before, name, type, random.pose(), {}, dofs, {}, {}});
    before = name;
  }
  return builder.build();
}

TEST(CompiledModel, SpringsOfPlainCoordinatesArePartOfForwardDynamics) {
  Random random(5);
  const Model model = sprung_chain(random);
  const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
  const Eigen::VectorXd tau = random.values(model.nv(), 5.0);
  Eigen::VectorXd with_springs = tau, expected(model.nv());
  for (int body = 1; body <= model.bodies(); ++body)
    for (int k = 0; k < model.link(body).nv; ++k) {
      if (model.joint(body).type_name() == Joint(Spherical{}).type_name()) continue;
      const int i = model.link(body).v + k;
      const DofProperties& dof = model.dof(i);
      with_springs[i] -= dof.stiffness * (q[model.link(body).q + k] - dof.rest) + dof.damping * v[i];
    }
  Workspace<double> generic(model);
  forward_dynamics<double>(model, generic, q, v, with_springs, expected);
  for (CompileOptions options : ways(0)) {
    options.joint_springs = true;
    const CompiledModel compiled(model, {ModelFunction::forward_dynamics, ModelFunction::bias}, options);
    CompiledWorkspace w(compiled);
    const auto repeated = [&](const Eigen::VectorXd& x) {
      return side_by_side(std::vector<Eigen::VectorXd>(static_cast<std::size_t>(compiled.lanes()), x));
    };
    const Eigen::VectorXd Q = repeated(q), V = repeated(v), T = repeated(tau);
    Eigen::VectorXd found(T.size());
    const AllocationCounter allocations;
    forward_dynamics(compiled, w, Q, V, T, found);
    EXPECT_EQ(allocations.count(), 0);
    EXPECT_LE((found - repeated(expected)).lpNorm<Eigen::Infinity>() / expected.lpNorm<Eigen::Infinity>(), 1e-13)
        << "lanes " << compiled.lanes();
    EXPECT_LE(worst_error(model, ModelFunction::bias, options, 5), 1e-12);
  }
}

TEST(CompiledModel, AModelWithoutVelocities) {
  ModelBuilder builder;
  builder.body("a", MassProperties{1.0, {0.1, 0.2, 0.3}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}}).joint("world", "a", Fixed{});
  const Model model = builder.build();
  for (const CompileOptions& options : ways(model.find_frame("a"))) {
    const CompiledModel compiled(model, {ModelFunction::forward_dynamics, ModelFunction::pose}, options);
    CompiledWorkspace w(compiled);
    Eigen::VectorXd none(0), pose = Eigen::VectorXd::Constant(12 * compiled.lanes(), NAN);
    forward_dynamics(compiled, w, none, none, none, none);
    compiled.run(ModelFunction::pose, w, {none}, pose);
    EXPECT_EQ(pose[0], 1.0);
    EXPECT_TRUE(pose.allFinite());
  }
}

TEST(CompiledModel, RefusesTheWorkspaceOfAnother) {
  const Model model = random_model(3);
  const CompiledModel one(model, {ModelFunction::gravity}), other(model, {ModelFunction::gravity});
  CompiledWorkspace w(one);
  Eigen::VectorXd q = Eigen::VectorXd::Constant(model.nq(), 0.2), tau(model.nv());
  EXPECT_THROW(gravity(other, w, q, tau), std::invalid_argument);
}

TEST(CompiledModel, RunsWithoutAllocating) {
  const Model model = random_model(4);
  for (const auto& options : ways(0)) {
    const CompiledModel compiled(model, {ModelFunction::forward_dynamics}, options);
    CompiledWorkspace w(compiled);
    const int n = model.nv() * compiled.lanes();
    Eigen::VectorXd q = Eigen::VectorXd::Constant(model.nq() * compiled.lanes(), 0.3), v(n), tau(n), qdd(n);
    v.setConstant(0.1);
    tau.setConstant(0.2);
    const AllocationCounter allocations;
    forward_dynamics(compiled, w, q, v, tau, qdd);
    EXPECT_EQ(allocations.count(), 0);
  }
}

TEST(CompiledModel, TheSameModelIsCompiledOnce) {
  const Model model = random_model(1), copy = model, other = random_model(1);
  const auto first = compile(model, {ModelFunction::bias, ModelFunction::gravity});
  EXPECT_EQ(first, compile(copy, {ModelFunction::gravity, ModelFunction::bias}));
  EXPECT_NE(first, compile(model, {ModelFunction::bias}));
  EXPECT_NE(first, compile(other, {ModelFunction::bias, ModelFunction::gravity}));
  CompileOptions by_joints;
  by_joints.method = Method::joints;
  EXPECT_NE(first, compile(model, {ModelFunction::bias, ModelFunction::gravity}, by_joints));
}

TEST(CompiledModel, LargeOnesUseTheGenericLoop) {
  ModelBuilder builder;
  for (int i = 0; i < 60; ++i)
    builder.body(std::to_string(i), MassProperties{1.0, {0.1, 0.2, 0.3}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
        .joint(i == 0 ? "world" : std::to_string(i - 1), std::to_string(i), Revolute({0.6, 0.0, 0.8}),
               {Mat3<double>::identity(), {0.1, 0.2, 0.3}});
  const CompiledModel compiled(builder.build(), {ModelFunction::mass_matrix, ModelFunction::inverse_dynamics});
  EXPECT_EQ(compiled.functions()[0].method, Method::joints);
  EXPECT_EQ(compiled.functions()[1].method, Method::symbolic);
}

TEST(CompiledModel, RefusesWrongUse) {
  const Model model = random_model(2);
  const CompiledModel compiled(model, {ModelFunction::forward_dynamics, ModelFunction::bias});
  CompiledWorkspace w(compiled);
  Eigen::VectorXd q(model.nq()), v(model.nv()), tau(model.nv()), qdd(model.nv()), H(model.nv() * model.nv());
  EXPECT_THROW(forward_dynamics(compiled, w, v.head(1).eval(), v, tau, qdd), std::invalid_argument);
  EXPECT_THROW(forward_dynamics(compiled, w, q, v, tau, tau), std::invalid_argument);
  EXPECT_THROW(bias(compiled, w, q, v, H), std::invalid_argument);
  EXPECT_THROW(compiled.run(ModelFunction::mass_matrix, w, {q}, H), std::invalid_argument);
  EXPECT_THROW(CompiledModel(model, {ModelFunction::pose}, {std::nullopt, {}, 10000}), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test
