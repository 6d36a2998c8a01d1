// Linearizations of scenes against differences: every kind of constraint, force, controller, states of elements and
// inputs, along directions that keep the constraints.
#include "cardan/dynamics/linearization.hpp"
#include "cardan/dynamics/recursive_problem.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// A system at a time and state that obeys its constraints, displaced at random from where the scene starts.
struct Place {
  Place(const Scene& scene, std::uint64_t seed) : system(scene), workspace(system), random(seed) {
    t = 0.1;
    state = workspace.assemble(t, scene.initial).state;
    const Eigen::VectorXd x = random.values(model().nv(), 0.05);
    cardan::integrate(model(), state.q.data(), x.data(), 1.0, state.q.data());
    for (double& v : state.v) v += random.uniform(-0.5, 0.5);
    state = workspace.assemble(t, state).state;
    if (ConstrainedDynamics* constrained = workspace.constraints())
      constrained->project_velocities(t, state.q, state.v);
    state = system.initial(state);
    for (double& z : state.z) z += random.uniform(0.0, 0.05);
    for (double& u : workspace.inputs()) u = random.uniform(0.1, 0.4);
  }
  const Model& model() const { return system.model(); }

  System system;
  SystemWorkspace workspace;
  Random random;
  double t = 0.0;
  State state;
};

/// Accelerations and rates where the state is displaced by h along x.
Eigen::VectorXd motion_at(Place& place, RecursiveProblem& problem, const Eigen::VectorXd& x, double h) {
  const Eigen::Index n = place.model().nv();
  State moved = place.state;
  const Eigen::VectorXd dq = h * x.head(n);
  cardan::integrate(place.model(), place.state.q.data(), dq.data(), 1.0, moved.q.data());
  for (Eigen::Index i = 0; i < n; ++i) moved.v[static_cast<std::size_t>(i)] += h * x[n + i];
  for (std::size_t i = 0; i < moved.z.size(); ++i) moved.z[i] += h * x[2 * n + static_cast<Eigen::Index>(i)];
  Eigen::VectorXd a(n), z_dot(static_cast<Eigen::Index>(moved.z.size()));
  problem.acceleration({place.t, moved}, a, z_dot);
  Eigen::VectorXd out(n + z_dot.size());
  out << a, z_dot;
  return out;
}

void compare(const Scene& scene, std::uint64_t seed, Worst& worst, const std::string& name) {
  Place place(scene, seed);
  const System& system = place.workspace.system();
  const Linearization found = linearize(system, place.t, place.state);
  RecursiveProblem problem(system, system.model());
  const Eigen::Index n = place.model().nv(), nz = static_cast<Eigen::Index>(place.state.z.size());
  // directions that keep positions and velocities within the constraints
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(n, n);
  if (ConstrainedDynamics* constrained = place.workspace.constraints()) {
    Eigen::MatrixXd J(constrained->constraints().rows(), n);
    constrained->constraints().evaluate(place.t, place.state.q, place.state.v);
    constrained->constraints().matrix(J);
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(J);
    free = lu.dimensionOfKernel() > 0 ? Eigen::MatrixXd(lu.kernel()) : Eigen::MatrixXd::Zero(n, 1);
    if (lu.rank() == 0) free.setIdentity(n, n);
  }
  for (int trial = 0; trial < 4; ++trial) {
    Eigen::VectorXd x(2 * n + nz);
    x << free * place.random.values(static_cast<int>(free.cols())),
        free * place.random.values(static_cast<int>(free.cols())), place.random.values(static_cast<int>(nz));
    constexpr double h = 1e-5;
    const Eigen::VectorXd difference = (motion_at(place, problem, x, h) - motion_at(place, problem, x, -h)) / (2.0 * h);
    const Eigen::VectorXd expected = found.A().bottomRows(n + nz) * x;
    worst.add(relative_error(difference, expected, 1.0 + found.a.norm()), name);
  }
}

/// By the inputs, which are of the system that a workspace holds.
void compare_inputs(const Scene& scene, Worst& worst, const std::string& name) {
  Place place(scene, 3);
  const Linearization found = linearize(place.workspace.system(), place.t, place.state);
  RecursiveProblem problem(place.workspace.system(), place.model());
  const Eigen::VectorXd still =
      Eigen::VectorXd::Zero(2 * place.model().nv() + static_cast<Eigen::Index>(place.state.z.size()));
  ASSERT_GT(found.a_by_u.cols(), 0) << name;
  for (std::size_t k = 0; k < place.workspace.inputs().size(); ++k) {
    double& u = place.workspace.inputs()[k];
    const double here = u, h = 1e-4;
    u = here + h;
    const Eigen::VectorXd plus = motion_at(place, problem, still, 0.0);
    u = here - h;
    const Eigen::VectorXd minus = motion_at(place, problem, still, 0.0);
    u = here;
    worst.add(
        relative_error((plus - minus) / (2.0 * h), found.B().col(static_cast<Eigen::Index>(k)).tail(plus.size()), 1.0),
        name);
  }
}

const std::string kHead = "cardan = 1\n";

std::string body(const std::string& name, const std::string& parent, const std::string& joint) {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1.3\ncom = [0.1, 0.05, -0.2]\ninertia = [0.08, "
      "0.09, 0.05, 0.01, 0, 0.005]\n[body.joint]\n{}\n",
      name, parent, joint);
}

const std::string kArm =
    kHead + body("a", "world", "type = \"revolute\"\naxis = [0, 1, 0]\nq = [0.4]\nv = [0.7]") +
    body("b", "a", "type = \"revolute\"\naxis = [1, 0, 0]\nat = { xyz = [0, 0, -0.6] }\nq = [0.8]\nv = [-0.3]") +
    body("c", "b", "type = \"spherical\"\nat = { xyz = [0, 0.1, -0.5] }");

const std::pair<const char*, std::string> kScenes[] = {
    {"tree", kArm},
    {"free body", kHead + body("f", "world", "type = \"free\"\nv = [1, -2, 0.5, 0.3, 0.2, -0.4]")},
    {"coupling", kArm + "[[coupling]]\njoint = \"b\"\nequals = \"0.5*a + 0.3*sin(2*a)\"\n"},
    {"loop",
     kArm +
         "[[loop]]\na = \"b\"\nb = \"world\"\ntype = \"universal\"\nat_a = { xyz = [0.1, 0.2, -0.3] }\nat_b = { xyz = "
         "[0.3, 0.1, -1.2] }\n"},
    {"springs in the joint of a loop",
     kArm + "[[loop]]\na = \"b\"\nb = \"world\"\ntype = \"universal\"\nat_a = { xyz = [0.1, 0.2, -0.3] }\nat_b = { xyz "
            "= [0.3, 0.1, -1.2] }\nstiffness = [30, 20]\nrest = [0.3, -0.2]\ndamping = [1, 2]\n"},
    {"force in the joint of a loop, by states and an input",
     kArm +
         "[[loop]]\nname = \"l\"\na = \"b\"\nb = \"a\"\ntype = \"spherical_euler\"\norder = \"XYZ\"\nat_a = { xyz = "
         "[0.1, 0, -0.1] }\n"
         "at_b = { xyz = [0.1, 0, -0.7] }\n[[input]]\nname = \"m\"\njoint = \"l\"\ncoordinate = 1\n[[force]]\ntype = "
         "\"joint\"\njoint = \"l\"\nforce = [\"-3*sin(a)\", \"-v.b\", \"a*b\"]\n"},
    {"motion of a joint", kArm + "[[motion]]\njoint = \"b\"\nposition = \"0.8 + sin(3*t)\"\n"},
    {"motion of a joint beside a loop", kArm + "[[motion]]\njoint = \"a\"\nposition = \"0.4 + "
                                               "0.3*sin(3*t)\"\n[[coupling]]\njoint = \"b\"\nequals = \"2*a\"\n"},
    {"motion of a point", kHead + body("f", "world", "type = \"free\"\nv = [1, -2, 0.5, 0.3, 0.2, -0.4]") +
                              "[[motion]]\nframe = \"f\"\nposition = [\"0.1 + 0.2*t\", \"sin(t)\", \"0.3\"]\n"},
    {"motion of an orientation", kArm + "[[motion]]\nframe = \"c\"\nrpy = [\"0.3*t\", \"0.2 + t\", \"sin(t)\"]\n"},
    {"twist", kArm + "[[motion]]\nframe = \"c\"\ntwist = [\"t\", \"\", \"0.2\", \"\", \"\", \"\"]\naxes = \"frame\"\n"},
    {"springs and dampers",
     kArm +
         "[[force]]\ntype = \"spring\"\npoints = [{ body = \"world\", at = [0.5, 0, 0] }, { body = \"b\", at = [0.1, "
         "0, -0.3] }, { "
         "body = \"c\", at = [0, 0.2, 0.1] }]\nstiffness = 90\ndamping = 4\nrest = 0.7\n[[force]]\ntype = "
         "\"bushing\"\na = \"a\"\nb = \"c\"\nstiffness = [3, 4, 5, 20, 30, 40]\ndamping = [0.1, 0.2, 0.3, 1, 2, 3]\n"},
    {"law over a wrap", kArm + R"([[force]]
type = "spring"
points = [{ body = "world", at = [0.6, 0, -0.3] }, { body = "b", at = [-0.3, 0, -0.3] }]
wraps = [{ body = "a", cylinder = 0.1, at = { xyz = [0, 0, -0.2], rpy = [1.5707963267948966, 0, 0] }, side = [0, 0.1, 0] }]
law = "40*(l - 0.5)^3 + 3*ldot"
)"},
    {"controllers",
     kArm +
         "[[controller]]\ntype = \"pid\"\njoints = [\"a\", \"b\"]\ntarget = [\"0.3*sin(t)\", \"0.5\"]\nkp = 30\nkd = "
         "3\nki "
         "= 7\n[[controller]]\nname = \"text\"\ntype = \"text\"\njoints = [\"b\"]\nstate = [\"x\"]\nrate = [\"-x*x + "
         "sin(a) + v.b\"]\nforce = [\"-2*x*b\"]\n"},
    {"computed torque",
     kArm +
         "[[controller]]\ntype = \"computed_torque\"\njoints = [\"a\"]\ntarget = [\"0.3*sin(t)\"]\nkp = 30\nkd = 3\n"},
    {"gravity compensation", kArm + "[[controller]]\ntype = \"gravity_compensation\"\njoints = [\"a\", \"b\"]\n"},
    {"rolling sphere",
     kHead + body("f", "world", "type = \"free\"\nq = [1, 0, 0, 0, 0, 0, 0.3]\nv = [1, -2, 0.5, -0.6, -0.3, 0]") +
         "[[rolling]]\na = \"world\"\nb = \"f\"\nshape_a = { plane = true }\nshape_b = { sphere = 0.3 }\n"},
    {"rolling disc",
     kHead + body("f", "world", "type = \"free\"\nq = [0.8, 0.6, 0, 0, 0, 0, 0.29]\nv = [1, -2, 0.5, 0, 0, 0]") +
         "[[rolling]]\na = \"world\"\nb = \"f\"\nshape_a = { plane = true }\nshape_b = { disc = 0.3 }\n"},
    {"rolling ellipsoid",
     kHead + body("f", "world", "type = \"free\"\nq = [0.8, 0.6, 0, 0, 0, 0, 0.3]\nv = [1, -2, 0.5, 0, 0, 0]") +
         "[[rolling]]\na = \"world\"\nb = \"f\"\nshape_a = { plane = true }\nshape_b = { ellipsoid = [0.3, 0.4, 0.25] "
         "}\n"},
};

TEST(Linearization, OfEveryKindOfElement) {
  Worst worst("A x against differences of accelerations and rates", 2e-7);
  for (const auto& [name, text] : kScenes)
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(2, 20)); ++seed) {
      SCOPED_TRACE(name);
      compare(parse_scene(text, name), seed, worst, fmt::format("{}, seed {}", name, seed));
    }
}

TEST(Linearization, OfExamples) {
  Worst worst("A x against differences, examples", 5e-6);
  for (const char* example : {"four_bar", "delta_robot", "stewart_platform", "arm26", "knee_extensor", "planetary_gear",
                              "umbrella", "differential", "cart_pole", "spring_pendulum", "slider_crank",
                              "watt_linkage", "rolling_coin", "measured_knee", "torus_chain_10"}) {
    SCOPED_TRACE(example);
    compare(load(std::string(CARDAN_SOURCE_DIR) + "/examples/" + example + ".toml"), 1, worst, example);
  }
}

TEST(Linearization, ByInputs) {
  Worst worst("B against differences", 1e-7);
  compare_inputs(load(std::string(CARDAN_SOURCE_DIR) + "/examples/driven_arm.toml"), worst, "driven arm");
  compare_inputs(parse_scene(kArm + "[[input]]\nname = \"m\"\njoint = \"a\"\n[[input]]\nname = \"e\"\n[[force]]\ntype "
                                    "= \"joint\"\njoint = \"b\"\nforce = \"e*e*sin(b) - v.b*e\"\n",
                             "inputs"),
                 worst, "inputs");
}

}  // namespace
}  // namespace cardan::test
