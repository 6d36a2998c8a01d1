#include "tests/support/golden_general_joints.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/compile/compiled_model.hpp"
#include "tests/support/joint_tester.hpp"

#include <fmt/format.h>

namespace cardan::test {

namespace {

using nlohmann::json;

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

}  // namespace

std::string surface_frame_text(const json& surface, const std::string& u, const std::string& v) {
  const double r = surface.at("r"), R = surface.value("R", 0.0);
  const std::string radius = fmt::format("({} + {}*cos({}))", R, r, v);
  return fmt::format(
      "trans({0}*cos({1}), {0}*sin({1}), {2}*sin({3})) * rotz({1}) * roty(-{3}) * frame(0,0,1, 1,0,0, 0,1,0, 0,0,0)",
      radius, u, r, v);
}

std::string contact_text(const json& joint, const std::string& psi) {
  return fmt::format("{} * rotz({}) * rotx(pi) * inv({})", surface_frame_text(joint.at("A"), "u1", "v1"), psi,
                     surface_frame_text(joint.at("B"), "u2", "v2"));
}

MassProperties golden_body(const json& b) {
  const Eigen::MatrixXd I = matrix(b.at("inertia_about_com"));
  const Eigen::VectorXd c = vector(b.at("com_in_body"));
  return {b.at("mass"), {c[0], c[1], c[2]}, {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
}

GoldenErrors::GoldenErrors(const std::string& what)
    : pose_(what + ": pose", 1e-12),
      S_(what + ": S", 1e-12),
      S_rate_(what + ": S_dot", 1e-12),
      c_J_(what + ": c_J", 1e-12),
      mass_matrix_(what + ": mass matrix", 1e-10),
      bias_(what + ": bias", 1e-10),
      acceleration_(what + ": accelerations", 1e-10) {}

void GoldenErrors::check_kinematics(const Joint& joint, const json& golden_case, const std::string& name) {
  const std::vector<double> q = golden_case.at("q"), v = golden_case.at("qdot");
  const DoubleJoint k = evaluate(joint, q, v);
  Eigen::MatrixXd G = Eigen::MatrixXd::Identity(4, 4);
  for (int i = 0; i < 3; ++i) {
    G(i, 3) = k.pose.p[i];
    for (int j = 0; j < 3; ++j) G(i, j) = k.pose.R(i, j);
  }
  const Eigen::MatrixXd S_rate = matrix(golden_case.at("Sdot"));
  pose_.add(relative_error(G, matrix(golden_case.at("G"))), name);
  S_.add(relative_error(k.S, matrix(golden_case.at("S")), 1.0), name);
  S_rate_.add(relative_error(k.S_rate, S_rate, 1.0), name);
  c_J_.add(relative_error(k.c_J, Eigen::VectorXd(S_rate * vector(golden_case.at("qdot"))), 1.0), name);
}

void GoldenErrors::check_dynamics(const Model& model, const json& golden_case, const std::string& name) {
  const Eigen::VectorXd q = vector(golden_case.at("q")), v = vector(golden_case.at("qdot")),
                        tau = vector(golden_case.at("tau"));
  Workspace<double> w(model);
  const auto n = static_cast<Eigen::Index>(model.nv());
  Eigen::MatrixXd H(n, n);
  Eigen::VectorXd C(n), a(n);
  mass_matrix(model, w, q, H);
  bias(model, w, q, v, C);
  forward_dynamics(model, w, q, v, tau, a);
  const auto compare = [&](const std::string& who) {
    mass_matrix_.add(relative_error(H, matrix(golden_case.at("M"))), who);
    bias_.add(relative_error(C, vector(golden_case.at("bias"))), who);
    acceleration_.add(relative_error(a, vector(golden_case.at("qdd"))), who);
  };
  compare(name);
  for (const Method method : {Method::symbolic, Method::joints}) {
    const CompiledModel compiled(
        model, {ModelFunction::mass_matrix, ModelFunction::bias, ModelFunction::forward_dynamics}, {method, {}, 0});
    CompiledWorkspace space(compiled);
    H.setConstant(NAN);
    mass_matrix(compiled, space, q, H);
    bias(compiled, space, q, v, C);
    forward_dynamics(compiled, space, q, v, tau, a);
    compare(name + ", compiled");
  }
}

}  // namespace cardan::test
