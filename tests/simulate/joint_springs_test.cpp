// Springs of joints do the work that their energy loses, on every kind of joint; dampers take power away.
#include "cardan/forces/joint_spring.hpp"

#include "cardan/simulate/simulator.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// One joint of the type with random springs, uneven ones.
Model sprung(Random& random, const Joint& type, double damping) {
  std::vector<DofProperties> dofs(static_cast<std::size_t>(type.nv()));
  for (DofProperties& dof : dofs) {
    dof.stiffness = random.uniform(1.0, 5.0);
    dof.rest = random.uniform(-0.3, 0.3);
    dof.damping = damping;
  }
  return ModelBuilder()
      .body("body", random.mass())
      .joint(JointSpec{"joint", "world", "body", type, random.pose(), {}, dofs, {}, {}})
      .build();
}

TEST(JointSprings, ForceIsTheSlopeOfTheEnergy) {
  Worst worst("force of joint springs against differences of energy", 1e-8);
  Random random(7);
  const Joint types[] = {Revolute{{0.0, 1.0, 0.0}},
                         Prismatic{{1.0, 2.0, 0.0}},
                         Spherical{},
                         Free{},
                         Universal{},
                         SphericalExponential{},
                         FreePlanar{},
                         Planar{},
                         Composite({Spherical{}, Planar{}})};
  for (const Joint& type : types) {
    const Model model = sprung(random, type, 0.0);
    const auto spring = joint_springs(model).front();
    StateKinematics kinematics(model);
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
    Eigen::VectorXd tau(model.nv());
    SystemWorkspace(System(model)).generalized_forces(0.0, q, v, tau);
    const double h = 1e-5;
    const auto energy = [&](double t) {
      const Eigen::VectorXd moved = integrate(model, q, v, t);
      return spring->energy(kinematics.at(0.0, moved, v));
    };
    const double slope = (energy(h) - energy(-h)) / h;
    worst.add(relative_error(tau.dot(v), -0.5 * slope, 1.0));
  }
}

TEST(JointSprings, DampersTakePower) {
  Random random(8);
  const Model model = sprung(random, Free{}, 0.5);
  SystemWorkspace springs{System(model)};
  const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
  Eigen::VectorXd tau(model.nv()), without(model.nv());
  springs.generalized_forces(0.0, q, v, tau);
  springs.generalized_forces(0.0, q, Eigen::VectorXd::Zero(model.nv()).eval(), without);
  EXPECT_TRUE(near((tau - without).eval(), (-0.5 * v).eval(), 1e-14));
  EXPECT_FALSE(System(model).is_conservative());
}

TEST(JointSprings, AreExactInTheLinearization) {
  Random random(9);
  const Model model = sprung(random, Universal{}, 0.25);
  SystemWorkspace system{System(model)};
  const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
  const int n = model.nv();
  Eigen::MatrixXd H, K, D, one, K0, D0;
  Eigen::VectorXd f, a0, a(n);
  system.acceleration(0.0, q, v, a);
  system.linearize({0.0, q, v}, a, {nullptr, 0}, {.H = &H, .K = &K, .D = &D, .f = &f});
  system.Problem::linearize({0.0, q, v}, a, {nullptr, 0}, {.H = &one, .K = &K0, .D = &D0, .f = &a0});
  EXPECT_TRUE(near(f, (H * a0).eval(), 1e-12));
  EXPECT_TRUE(near(K, (H * K0).eval(), 1e-7));
  EXPECT_TRUE(near(D, (H * D0).eval(), 1e-7));
}

State swinging_start(const Model& model) {
  State state(model);
  state.q[0] = 1.0;
  state.q[1] = 0.1;
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = 0.3 * static_cast<double>(i) - 0.5;
  return state;
}

/// An arm of a hinge, a slider, a ball and a hinge, all of them sprung and damped.
Model sprung_arm() {
  const Joint types[] = {Revolute{{0.0, 1.0, 0.0}}, Prismatic{{1.0, 0.0, 0.0}}, Spherical{}, Revolute{{1.0, 0.0, 0.0}}};
  ModelBuilder builder;
  std::string before = "world";
  for (const Joint& type : types) {
    std::vector<DofProperties> dofs(static_cast<std::size_t>(type.nv()));
    for (DofProperties& dof : dofs) {
      dof.stiffness = 12.0;
      dof.rest = 0.2;
      dof.damping = 0.3;
    }
    const std::string name = before + "'";
    builder.body(name, {1.0, {0.0, 0.0, -0.5}, {0.08, 0.08, 0.02, 0.0, 0.0, 0.0}});
    builder.joint(JointSpec{name, before, name, type, {Mat3<double>::identity(), {0.0, 0.0, -1.0}}, {}, dofs, {}, {}});
    before = name;
  }
  return builder.build();
}

/// Compiled forward dynamics has the springs of plain coordinates built in; other forces, more springs of the same
/// coordinates among them, come on top.
TEST(JointSprings, CompiledRunsEqualGenericOnes) {
  const Model model = sprung_arm();
  const auto more = std::make_shared<const CoordinateSprings>(std::vector<CoordinateSpring>{{0, 0, 3.0, 0.1, 0.2}});
  for (const Forces& forces : {Forces{}, Forces{more}}) {
    const State start = swinging_start(model);
    SystemWorkspace generic{System(model, forces, {}, generic_code())}, compiled{System(model, forces)};
    EXPECT_FALSE(generic.is_compiled());
    const auto end_of = [&](SystemWorkspace& system) {
      Settings settings;
      settings.integrator = "rk4";
      settings.duration = 1.0;
      settings.steps.step = 1e-3;
      State last;
      Simulator(system, settings).run(start, [&](double, const State& state) { last = state; });
      return last;
    };
    const State a = end_of(generic), b = end_of(compiled);
    Worst worst("compiled against generic springs over 1 s", 1e-11);
    for (std::size_t k = 0; k < a.q.size(); ++k) worst.add(std::abs(a.q[k] - b.q[k]));
    // forces as they are reported have all springs
    std::vector<double> tau_generic(start.v.size()), tau_compiled(start.v.size());
    generic.generalized_forces(0.0, start, tau_generic);
    compiled.generalized_forces(0.0, start, tau_compiled);
    EXPECT_EQ(tau_generic, tau_compiled);
  }
}

/// Springs of plain coordinates are the system's, whichever model its equations are made with.
TEST(JointSprings, AreNotTakenFromAnotherModel) {
  const Model model = sprung_arm();
  ModelData data = model.data();
  data.identity = ModelData::next_identity();
  for (const int v : {0, 1, 5}) data.dofs[v].damping = 100.0;
  const State start = swinging_start(model);
  Eigen::VectorXd expected(model.nv()), found(model.nv()), none(0);
  RecursiveProblem(System(model, {}, {}, generic_code()), model).acceleration({0.0, start}, expected, none);
  RecursiveProblem(System(model), Model(std::move(data))).acceleration({0.0, start}, found, none);
  EXPECT_TRUE(near(found, expected, 1e-12));
}

/// Asking for residuals between accelerations changes none.
TEST(JointSprings, ResidualsVanishAtCompiledAccelerations) {
  const Model model = sprung_arm();
  SystemWorkspace system{System(model)};
  const State state = swinging_start(model);
  const Eigen::Index n = model.nv();
  Eigen::VectorXd a(n), again(n), r(n), none(0);
  system.acceleration(0.0, state, a);
  system.residual({0.0, state}, a, none, r, none);
  system.acceleration(0.0, state, again);
  EXPECT_LE(r.lpNorm<Eigen::Infinity>(), 1e-11);
  EXPECT_EQ(a, again);
}

}  // namespace
}  // namespace cardan::test
