// Whole systems as code against the generic algorithms: every kind of force, controller and constraint, on numbers, on
// lanes and by the interpreter; what cannot be recorded, with its reason.
#include "cardan/dynamics/recursive_problem.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/element_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <map>

namespace cardan::test {
namespace {

/// What lines, forces and controllers the scenes of every kind of element lack.
const std::vector<std::pair<std::string, std::string>>& more_scenes() {
  static const std::vector<std::pair<std::string, std::string>> scenes = {
      {"cable", R"toml([[force]]
type = "cable"
points = [{ body = "world", at = [0.5, 0, 0] }, { body = "b", at = [0.1, 0, -0.3] }]
stiffness = 90
damping = 4
rest = 0.7
smoothing = 0.05
)toml"},
      {"slack cable", R"toml([[force]]
type = "cable"
points = [{ body = "world", at = [0.5, 0, 0] }, { body = "b", at = [0.1, 0, -0.3] }]
stiffness = 90
rest = 7
)toml"},
      {"law along a moving point", R"toml([[force]]
type = "spring"
points = [{ body = "world", at = [0.6, 0, -0.3] }, { body = "a", at = ["0.1*sin(b)", "0.2", "-0.3 + 0.05*b^2"] }]
law = "40*(l - 0.5)^3 + 3*ldot + sin(t)"
)toml"},
      {"muscle", R"toml([[force]]
type = "muscle"
points = [{ body = "world", at = [0.6, 0, -0.3] }, { body = "b", at = [0, 0, -0.3] }]
max_force = 100
optimal_length = 0.3
slack_length = 0.2
pennation = 0.2
excitation = "0.5 + 0.3*sin(5*t)"
)toml"},
      {"muscle by Sueda's curves", R"toml([[force]]
type = "muscle"
points = [{ body = "world", at = [0.6, 0, -0.3] }, { body = "b", at = [0, 0, -0.3] }]
max_force = 100
optimal_length = 0.5
slack_length = 0.3
curves = "sueda"
activation = "0.5 + 0.3*sin(5*t)"
)toml"},
      {"point and wrench", R"toml([[force]]
type = "point"
body = "b"
at = [0.1, 0, 0]
force = ["sin(a)", "t", "2 - v.b"]
[[force]]
type = "wrench"
body = "c"
moment = ["0.1", "t", "0"]
force = ["0", "sin(t)", "a"]
)toml"},
      {"damping and fluid", R"toml([[force]]
type = "damping"
body = "c"
coefficients = [0.1, 0.2, 0.3, 1, 2, 3]
[[force]]
type = "fluid"
body = "b"
density = 30
viscosity = 0.2
box = [0.1, 0.2, 0.3]
)toml"},
      {"input along a line and at a joint", R"toml([[input]]
name = "m"
joint = "a"
limit = 0.3
)toml"},
      {"sampled controller", R"toml([[controller]]
type = "pd"
joints = ["a", "b"]
target = ["0.3*sin(t)", "0.5"]
kp = 30
kd = 3
period = 0.01
)toml"},
      {"limited controller", R"toml([[controller]]
type = "pid"
joints = ["a", "b"]
target = ["0.3*sin(t)", "5"]
kp = 30
kd = 3
ki = 2
limit = 4
)toml"},
      {"hinge in a loop", R"toml([[loop]]
a = "b"
b = "world"
type = "revolute"
axis = [0, 0.6, 0.8]
at_a = { xyz = [0.1, 0.2, -0.3] }
at_b = { xyz = [0.3, 0.1, -1.0] }
)toml"},
      {"ball in a loop", R"toml([[loop]]
a = "c"
b = "a"
type = "spherical"
at_a = { xyz = [0.1, 0.2, -0.3] }
at_b = { xyz = [0.3, 0.1, -0.9] }
)toml"},
      {"rod in a loop", R"toml([[loop]]
a = "c"
b = "world"
type = "cylindrical"
axis = [1, 0, 0]
at_a = { xyz = [0.1, 0.2, -0.3], rpy = [0.3, 0.2, 0.1] }
at_b = { xyz = [0.3, 0.1, -0.9] }
)toml"},
  };
  return scenes;
}

/// Why a scene's elements stay on numbers; "" where they do not.
const std::map<std::string, std::string> kBeyond = {
    {"loop", "the coordinates of its joint are searched for"},
    {"springs in the joint of a loop", "written for numbers alone"},
    {"force in the joint of a loop, by states and an input", "written for numbers alone"},
    {"motion of an orientation", "it leads an orientation"},
    {"law over a wrap", "its path goes over surfaces"},
    {"sampled controller", "it looks only now and then"},
    {"rolling sphere", "where its surfaces touch is searched for"},
    {"rolling disc", "where its surfaces touch is searched for"},
    {"rolling ellipsoid", "where its surfaces touch is searched for"},
};

Scene on_numbers(Scene scene) {
  scene.settings.code = Settings::Code::generic;
  scene.settings.formulation = Formulation::recursive;
  return scene;
}

Eigen::VectorXd generic_motion(Place& place) {
  RecursiveProblem problem(place.workspace.system(), place.model());
  Eigen::VectorXd a(place.model().nv()), z_dot(static_cast<Eigen::Index>(place.state.z.size()));
  problem.acceleration({place.t, place.state}, a, z_dot);
  Eigen::VectorXd out(a.size() + z_dot.size());
  out << a, z_dot;
  return out;
}

/// The code's answer on numbers; by several lanes, all at the same state, each must give it as well.
void compare_code(const Scene& scene, std::uint64_t seed, Worst& worst, const std::string& name) {
  Place place(on_numbers(scene), seed);
  const System& system = place.workspace.system();
  ASSERT_TRUE(beyond_code(system).empty()) << name << ": " << beyond_code(system).front();
  const auto rows = independent_rows(system, place.t, place.state.q);
  ASSERT_TRUE(rows.has_value()) << name;
  const Eigen::VectorXd expected = generic_motion(place);
  const Eigen::Index n = place.model().nv(), all = expected.size();
  const std::vector<double> tau(static_cast<std::size_t>(n));
  for (const Backend backend : {Backend::machine_code, Backend::interpreter}) {
    if (backend == Backend::machine_code && !machine_code_is_possible()) continue;
    SystemCode code(system, *rows, 2'000'000, {.backend = backend});
    Eigen::VectorXd found(all);
    ASSERT_TRUE(code.run(place.t, place.state.q, place.state.v, place.state.z, system.u(), tau,
                         Out<double>(found.data(), static_cast<int>(n)),
                         Out<double>(found.data() + n, static_cast<int>(all - n))))
        << name;
    worst.add(relative_error(found, expected, 1.0), name);
  }
  if (!machine_code_is_possible()) return;
  const int lanes = best_instruction_set() == InstructionSet::avx512 ? 8 : 4;
  SystemCode wide(system, *rows, 2'000'000, {.lanes = lanes});
  const auto spread = [&](const double* x, std::size_t size) {
    AlignedVector<double> out(std::max<std::size_t>(1, size * static_cast<std::size_t>(lanes)));
    for (std::size_t i = 0; i < size; ++i)
      std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(i) * lanes, lanes, x[i]);
    return out;
  };
  const auto t = spread(&place.t, 1), q = spread(place.state.q.data(), place.state.q.size()),
             v = spread(place.state.v.data(), place.state.v.size()),
             z = spread(place.state.z.data(), place.state.z.size()),
             u = spread(system.u().data(), static_cast<std::size_t>(system.u().size())),
             none = spread(tau.data(), tau.size());
  AlignedVector<double> out(static_cast<std::size_t>((all + 1) * lanes));
  const double* const in[] = {t.data(), q.data(), v.data(), z.data(), u.data(), none.data()};
  wide.run_lanes(in, out.data());
  for (int lane = 0; lane < lanes; ++lane) {
    const Eigen::VectorXd found =
        Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<>>(out.data() + lane, all, Eigen::InnerStride<>(lanes));
    worst.add(relative_error(found, expected, 1.0), name + ", on lanes");
  }
}

/// The way back from a state that was pushed off its constraints, against the generic one; false where there is none.
bool compare_projection(const Scene& scene, std::uint64_t seed, Worst& worst, const std::string& name) {
  Place place(on_numbers(scene), seed);
  const System& system = place.workspace.system();
  State pushed = place.state;
  const Eigen::VectorXd x = place.random.values(place.model().nv(), 1e-4);
  cardan::integrate(place.model(), pushed.q.data(), x.data(), 1.0, pushed.q.data());
  for (double& v : pushed.v) v += place.random.uniform(-1e-3, 1e-3);
  State expected = pushed, found = pushed;
  RecursiveProblem problem(system, place.model());
  if (problem.project(place.t, expected).result != Projection::Result::changed) return false;
  ProjectionCode code(system, independent_rows(system, place.t, place.state.q).value(), 2'000'000);
  EXPECT_TRUE(code.project(place.t, found, Projection::kClosed)) << name;
  EXPECT_LT(place.workspace.constraint_error(place.t, found), 1.1e-12) << name;
  worst.add(relative_error(Eigen::Map<Eigen::VectorXd>(found.q.data(), place.model().nq()),
                           Eigen::Map<Eigen::VectorXd>(expected.q.data(), place.model().nq()), 1.0),
            name + ", positions");
  worst.add(relative_error(Eigen::Map<Eigen::VectorXd>(found.v.data(), place.model().nv()),
                           Eigen::Map<Eigen::VectorXd>(expected.v.data(), place.model().nv()), 1.0),
            name + ", velocities");
  return true;
}

/// Loops, couplings, motions of joints and points. Off the constraints the two differ by the square of the gap.
TEST(SystemCode, TheWayBackToConstraintsIsTheGenericOne) {
  Worst worst("projections as code against generic ones", 2e-7);
  auto scenes = element_scenes();
  for (const auto& [name, text] : more_scenes()) scenes.emplace_back(name, arm_scene() + text);
  int compared = 0;
  for (const auto& [name, text] : scenes) {
    const Scene scene = parse_scene(text, name);
    const System system(on_numbers(scene));
    if (system.constraints().empty() || !beyond_code(system).empty()) continue;
    compared += compare_projection(scene, 1, worst, name) ? 1 : 0;
  }
  EXPECT_GE(compared, 6);
}

/// A whole run as code and without: the same motion, to rounding.
TEST(SystemCode, RunsAreTheSameWithAndWithoutCode) {
  Worst worst("runs as code against generic runs", 1e-9);
  for (const char* example : {"four_bar", "delta_robot", "slider_crank", "stewart_platform", "cart_pole"}) {
    Scene scene = load(std::string(CARDAN_SOURCE_DIR) + "/examples/" + example + ".toml");
    scene.settings.duration = 0.3;
    const Trajectory by_code = simulate(scene), generic = simulate(on_numbers(scene));
    ASSERT_EQ(by_code.size(), generic.size()) << example;
    const std::size_t last = by_code.size() - 1;
    for (std::size_t k = 0; k < by_code.q(last).size(); ++k)
      worst.add(relative_error(by_code.q(last)[k], generic.q(last)[k], 1.0), example);
  }
}

TEST(SystemCode, EveryKindOfElementAgreesOrSaysWhyNot) {
  Worst worst("whole systems as code against generic algorithms", 1e-10);
  auto scenes = element_scenes();
  for (const auto& [name, text] : more_scenes()) scenes.emplace_back(name, arm_scene() + text);
  for (const auto& [name, text] : scenes) {
    SCOPED_TRACE(name);
    const Scene scene = parse_scene(text, name);
    if (const auto beyond = kBeyond.find(name); beyond != kBeyond.end()) {
      const std::vector<std::string> reasons = beyond_code(System(on_numbers(scene)));
      ASSERT_FALSE(reasons.empty());
      EXPECT_NE(reasons.front().find(beyond->second), std::string::npos) << reasons.front();
      continue;
    }
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(2, 20)); ++seed)
      compare_code(scene, seed, worst, name);
  }
}

TEST(SystemCode, OfExamples) {
  Worst worst("whole examples as code against generic algorithms", 1e-9);
  for (const char* example :
       {"four_bar", "delta_robot", "stewart_platform", "planetary_gear", "differential", "cart_pole", "spring_pendulum",
        "slider_crank", "watt_linkage", "walking_linkage", "bricard", "rack_and_pinion", "driven_arm", "mixed_arm"})
    compare_code(load(std::string(CARDAN_SOURCE_DIR) + "/examples/" + example + ".toml"), 1, worst, example);
}

TEST(SystemCode, OfRandomScenes) {
  Worst worst("random scenes with loops and forces as code", 1e-7);  // some are nearly singular
  std::mt19937 generator(5);
  int compared = 0;
  for (int i = 0; i < repetitions(20, 400); ++i) {
    const Scene scene =
        parse_scene(random_scene(generator, {.most_loops = 2, .forces = true, .only_balls = true}), "random");
    if (!beyond_code(System(on_numbers(scene))).empty()) continue;
    compare_code(scene, static_cast<std::uint64_t>(i), worst, "scene " + std::to_string(i));
    ++compared;
  }
  EXPECT_GT(compared, 4);
}

/// A parallelogram of three equal sides folded flat: where its constraints repeat one another the code gives no
/// numbers.
TEST(SystemCode, LeavesChangePointsToTheGenericAlgorithms) {
  const std::string text = "cardan = 1\n" + std::string(R"toml([[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
q = 0.7
[[body]]
name = "coupler"
parent = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [0, 0, 1] }
q = -0.7
[[body]]
name = "rocker"
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [1, 0, 0] }
q = 0.7
[[loop]]
a = "coupler"
b = "rocker"
type = "revolute"
axis = [0, 1, 0]
at_a = { xyz = [1, 0, 0] }
at_b = { xyz = [0, 0, 1] }
)toml");
  const Scene scene = on_numbers(parse_scene(text, "parallelogram"));
  SystemWorkspace workspace{System(scene)};
  const State start = workspace.assemble(0.0, scene.initial).state;
  const auto rows = independent_rows(workspace.system(), 0.0, start.q);
  ASSERT_TRUE(rows.has_value());
  SystemCode code(workspace.system(), *rows, 100'000);
  const std::vector<double> none(3);
  std::vector<double> a(3);
  const In<double> nothing(nullptr, 0);
  ASSERT_TRUE(code.run(0.0, start.q, none, nothing, nothing, none, a, Out<double>(nullptr, 0)));
  const double quarter = std::acos(0.0);
  const std::vector<double> flat{quarter, -quarter, quarter};
  EXPECT_FALSE(code.run(0.0, flat, none, nothing, nothing, none, a, Out<double>(nullptr, 0)));
  EXPECT_FALSE(independent_rows(workspace.system(), 0.0, flat).has_value());
}

TEST(SystemCode, RunsWithoutAllocating) {
  const Scene scene = load(std::string(CARDAN_SOURCE_DIR) + "/examples/four_bar.toml");
  SystemWorkspace workspace{System(scene)};
  const State state = workspace.begin(0.0, scene.initial);
  std::vector<double> a(state.v.size());
  workspace.acceleration({0.0, state}, a, Out<double>(nullptr, 0));  // compiles
  EXPECT_TRUE(workspace.is_compiled());
  State moved = state;
  (void)workspace.project(0.0, moved);
  const AllocationCounter counter;
  for (int i = 0; i < 100; ++i) {
    workspace.acceleration({0.0, state}, a, Out<double>(nullptr, 0));
    std::copy(state.q.begin(), state.q.end(), moved.q.begin());
    moved.q[0] += 1e-5;
    (void)workspace.project(0.0, moved);
  }
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace cardan::test
