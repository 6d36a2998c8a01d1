// Joints given only by their pose: against the reference solutions of general joints (50-digit Lagrangian mechanics,
// no recursive algorithm), and against the library's own joints written as text.
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/joints/subspace_rate.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/symbolic/parse.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace cardan {
namespace {

using nlohmann::json;

json golden() {
  std::ifstream file(std::string(CARDAN_SHARED_DATA) + "/golden/general_joints.json");
  return file ? json::parse(file) : json();
}

/// The frame of a sphere or torus at (u, v): z outward, x along the derivative by u.
std::string surface_frame(const json& surface, const std::string& u, const std::string& v) {
  const double r = surface.at("r"), R = surface.value("R", 0.0);
  const std::string radius = fmt::format("({} + {}*cos({}))", R, r, v);
  return fmt::format(
      "trans({0}*cos({1}), {0}*sin({1}), {2}*sin({3})) * rotz({1}) * roty(-{3}) * frame(0,0,1, 1,0,0, 0,1,0, 0,0,0)",
      radius, u, r, v);
}

std::string contact(const json& joint, const std::string& psi) {
  return fmt::format("{} * rotz({}) * rotx(pi) * inv({})", surface_frame(joint.at("A"), "u1", "v1"), psi,
                     surface_frame(joint.at("B"), "u2", "v2"));
}

Eigen::MatrixXd matrix(const json& rows) {
  Eigen::MatrixXd m(rows.size(), rows[0].size());
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}
Eigen::VectorXd vector(const json& list) {
  const std::vector<double> x = list;
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

MassProperties body(const json& b) {
  const Eigen::MatrixXd I = matrix(b.at("inertia_about_com"));
  const Eigen::VectorXd c = vector(b.at("com_in_body"));
  return {b.at("mass"), {c[0], c[1], c[2]}, {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
}

template <int N>
void check_kinematics(const Joint& joint, const json& c) {
  const Eigen::VectorXd q = vector(c.at("q")), qdot = vector(c.at("qdot"));
  Eigen::VectorXd s(N), co(N);
  sincos_all(q.data(), N, s.data(), co.data());
  Vector<double, N> v;
  for (int i = 0; i < N; ++i) v[i] = qdot[i];
  const Coordinates<double> at{q.data(), s.data(), co.data()};
  const auto k = joint.kinematics<double, N>(at, v);
  const auto rate = subspace_rate<double, N>(joint, at, v);
  const Eigen::MatrixXd G = matrix(c.at("G")), S = matrix(c.at("S")), S_dot = matrix(c.at("Sdot"));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(k.E(j, i), G(i, j), 1e-12);
    EXPECT_NEAR(k.p[i], G(i, 3), 1e-12);
  }
  const Eigen::VectorXd c_J = S_dot * qdot;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < N; ++j) {
      EXPECT_NEAR(k.S.column[j][i], S(i, j), 1e-12);
      EXPECT_NEAR(rate.column[j][i], S_dot(i, j), 1e-11);
    }
    EXPECT_NEAR(k.c_J[i], c_J[i], 1e-12);
  }
}

void check_dynamics(const Model& model, const json& c) {
  const Eigen::VectorXd q = vector(c.at("q")), v = vector(c.at("qdot")), tau = vector(c.at("tau"));
  Workspace<double> w(model);
  const auto n = static_cast<Eigen::Index>(model.nv());
  Eigen::MatrixXd H(n, n);
  Eigen::VectorXd C(n), a(n);
  mass_matrix(model, w, q, H);
  bias(model, w, q, v, C);
  forward_dynamics(model, w, q, v, tau, a);
  const Eigen::VectorXd qdd = vector(c.at("qdd"));
  EXPECT_LT((H - matrix(c.at("M"))).norm(), 1e-10 * H.norm());
  EXPECT_LT((C - vector(c.at("bias"))).norm(), 1e-10 * C.norm());
  EXPECT_LT((a - qdd).norm(), 1e-10 * qdd.norm());
}

TEST(ExpressionJoint, SurfaceOnSurfaceReference) {
  const json data = golden();
  if (data.is_null()) GTEST_SKIP() << "no reference data at " << CARDAN_SHARED_DATA;
  for (const char* name : {"sphere_sphere", "sphere_torus", "torus_torus", "torus_torus_5dof"}) {
    SCOPED_TRACE(name);
    const json& joint = data.at("joints").at(name);
    const bool spins = joint.at("ndof") == 5;
    std::vector<std::string> coordinates{"u1", "v1", "u2", "v2"};
    if (spins) coordinates.push_back("psi");
    const Joint type =
        ExpressionJoint(coordinates, contact(joint, spins ? "psi" : "psi0"), {{"psi0", joint.value("psi0", 0.0)}});
    const Model model = ModelBuilder().body("child", body(joint.at("body"))).joint("world", "child", type).build();
    for (const json& c : joint.at("cases")) {
      if (spins)
        check_kinematics<5>(type, c);
      else
        check_kinematics<4>(type, c);
      check_dynamics(model, c);
    }
  }
}

TEST(ExpressionJoint, TwoLinkedRingsReference) {
  const json data = golden();
  if (data.is_null()) GTEST_SKIP() << "no reference data at " << CARDAN_SHARED_DATA;
  const json& chain = data.at("joints").at("torus_chain_2");
  const json ring = chain.at("torus");
  const Joint first = ExpressionJoint({"u", "v"}, fmt::format("rotx(pi) * inv({})", surface_frame(ring, "u", "v")));
  const Joint second = ExpressionJoint({"u1", "v1", "u2", "v2"}, contact({{"A", ring}, {"B", ring}}, "pi/2"));
  const Model model = ModelBuilder()
                          .body("a", body(chain.at("body")))
                          .body("b", body(chain.at("body")))
                          .joint("world", "a", first)
                          .joint("a", "b", second)
                          .build();
  for (const json& c : chain.at("cases")) check_dynamics(model, c);
}

/// The library's universal joint, once as itself and once as text, in one place of one tree.
TEST(ExpressionJoint, SameDynamicsAsTheJointItDescribes) {
  const auto tree = [](const Joint& middle) {
    const MassProperties mass{1.0, {0.1, -0.2, 0.3}, {0.2, 0.3, 0.25, 0.01, 0.02, 0.03}};
    const Pose<double> at{rotation_rpy(0.3, -0.2, 0.5), {0.1, 0.4, -0.2}};
    return ModelBuilder()
        .body("a", mass)
        .body("b", mass)
        .body("c", mass)
        .joint("world", "a", Revolute(Vec3<double>{0.0, 1.0, 0.0}), at)
        .joint("a", "b", middle, at)
        .joint("b", "c", Spherical{}, at)
        .build();
  };
  const Model
      built_in = tree(Universal{}),
      as_text = tree(ExpressionJoint({"a", "b"}, "rotx(a) * roty(b)")),
      as_code = tree(ExpressionJoint(2, [](std::span<const Expr> q) {
        return Pose<Expr>{exp_so3(Vec3<Expr>{q[0], Expr(), Expr()}) * exp_so3(Vec3<Expr>{Expr(), q[1], Expr()}), {}};
      }));
  const std::vector<double> q{0.3, -0.5, 0.7, 0.5, 0.5, -0.5, 0.5}, v{1.0, -2.0, 0.5, 0.3, 0.1, -0.4},
      tau{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  std::vector<double> expected(6), found(6);
  Workspace<double> w(built_in);
  forward_dynamics(built_in, w, q, v, tau, expected);
  for (const Model* model : {&as_text, &as_code}) {
    Workspace<double> own(*model);
    forward_dynamics(*model, own, q, v, tau, found);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(found[i], expected[i], 1e-11 * std::abs(expected[i]) + 1e-12);
  }
}

TEST(ExpressionJoint, RefusesWhatIsNoJoint) {
  EXPECT_THROW(ExpressionJoint({"a"}, "frame(a,0,0, 0,1,0, 0,0,1, 0,0,0)"), std::invalid_argument);
  EXPECT_THROW(ExpressionJoint({"a", "b", "c", "d", "e", "f", "g"}, "rotz(a)"), std::invalid_argument);
  EXPECT_THROW(ExpressionJoint({"a"}, "rotz(b)"), ParseError);
}

}  // namespace
}  // namespace cardan
