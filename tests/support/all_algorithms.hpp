// Every algorithm on one state, over any scalar, with all results as plain numbers: to compare scalars.
#pragma once

#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/floating_base_matrix.hpp"
#include "cardan/algorithms/forward_dynamics_adjoint.hpp"
#include "cardan/algorithms/hybrid_matrix.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/algorithms/joint_forces.hpp"
#include "cardan/algorithms/momentum_matrix.hpp"
#include "cardan/algorithms/operational_space.hpp"
#include "tests/support/random_models.hpp"

#include <map>
#include <string>

namespace cardan::test {

/// A column-major matrix of any scalar.
template <class T>
struct PlainMatrix {
  PlainMatrix(int r, int c) : rows(r), cols(c), e(static_cast<std::size_t>(r * c)) {}
  MatrixView<T> view() { return MatrixView<T>(e.data(), rows, cols); }
  int rows, cols;
  std::vector<T> e;
};

inline double as_number(double x) { return x; }
inline double as_number(float x) { return static_cast<double>(x); }
template <class T>
double as_number(const T& x) {
  return as_number(x.value);
}

using Results = std::map<std::string, std::vector<double>>;

/// Those that need a floating base, on such a model.
template <class T>
void run_floating(const Model& m, std::uint64_t seed, Results& out) {
  Random random(seed);
  const auto convert = [](const Eigen::VectorXd& x) {
    std::vector<T> values;
    for (const double e : x) values.push_back(T(e));
    return values;
  };
  const std::vector<T> q = convert(random_configuration(random, m)), v = convert(random.values(m.nv())),
                       tau = convert(random.values(m.nv()));
  std::vector<T> a(v), x(v);
  const auto keep = [&](const std::string& name, const std::vector<T>& values) {
    for (const T& e : values) out[name].push_back(as_number(e));
  };
  Workspace<T> w(m);
  FloatingBaseMatrix<T> matrix(m);
  floating_base_forward_dynamics<T>(m, w, q, v, tau, a);
  keep("floating_base_forward_dynamics", a);
  floating_base_forward_dynamics_by_matrix<T>(m, w, matrix, q, v, tau, a);
  keep("floating_base_forward_dynamics_by_matrix", a);
  floating_base_inverse_dynamics<T>(m, w, q, v, a, x);
  keep("floating_base_inverse_dynamics", x);
  Kinematics<T> k(m);
  PlainMatrix<T> A(6, m.nv()), J(6, m.nv() - 6);
  forward_kinematics<T>(m, w, q, k);
  floating_base_momentum_matrix<T>(m, w, k, A.view());
  keep("floating_base_momentum_matrix", A.e);
  floating_base_jacobian<T>(m, k, {A.e.data(), 6, m.nv()}, m.frames() - 1, J.view());
  keep("floating_base_jacobian", J.e);
}

template <class T>
Results run_all(const RandomCase& c) {
  const Model& m = c.model;
  const auto convert = [](const Eigen::VectorXd& x) {
    std::vector<T> out;
    for (const double e : x) out.push_back(T(e));
    return out;
  };
  const std::vector<T> q = convert(c.q), v = convert(c.v), a = convert(c.a), tau = convert(c.tau);
  std::vector<ForceVector<T>> f_ext;
  for (const auto& f : c.f_ext) f_ext.push_back({Vec3<T>(f.moment), Vec3<T>(f.force)});
  const std::span<const ForceVector<T>> forces(f_ext);
  const int n = m.nv(), last_frame = m.frames() - 1;
  Workspace<T> w(m);
  Kinematics<T> k(m);
  std::vector<T> x(static_cast<std::size_t>(n));
  PlainMatrix<T> H(n, n), J(6, n);
  std::vector<MotionVector<T>> motions(static_cast<std::size_t>(m.bodies()) + 1);
  Results out;
  const auto keep = [&](const std::string& name, const auto& values) {
    for (const auto& e : values) out[name].push_back(as_number(e));
  };
  const auto keep6 = [&](const std::string& name, const auto& six) {
    for (int i = 0; i < 6; ++i) out[name].push_back(as_number(six[i]));
  };

  inverse_dynamics<T>(m, w, q, v, a, x, forces);
  keep("inverse_dynamics", x);
  bias<T>(m, w, q, v, x, forces);
  keep("bias", x);
  gravity<T>(m, w, q, x);
  keep("gravity", x);
  mass_matrix_product<T>(m, w, q, a, x);
  keep("mass_matrix_product", x);
  forward_dynamics<T>(m, w, q, v, tau, x, forces);
  keep("forward_dynamics", x);
  inverse_mass_matrix_product<T>(m, w, q, a, x);
  keep("inverse_mass_matrix_product", x);
  inverse_mass_matrix<T>(m, w, q, H.view());
  keep("inverse_mass_matrix", H.e);
  mass_matrix<T>(m, w, q, H.view(), MassMatrixForm::base_frame);
  keep("mass_matrix, base frame", H.e);
  mass_matrix<T>(m, w, q, H.view());
  keep("mass_matrix", H.e);
  const BranchSparsity tree(m);
  factorize_ltdl<T>(tree, H.view());
  x = a;
  solve_ltdl<T>(tree, H.view(), x);
  keep("factorize_ltdl and solve", x);
  mass_matrix<T>(m, w, q, H.view());
  factorize_ltl<T>(tree, H.view());
  x = a;
  solve_ltl<T>(tree, H.view(), x);
  keep("factorize_ltl and solve", x);

  forward_kinematics<T>(m, w, q, k);
  keep6("pose of a frame", Vector<T, 6>{frame_pose(m, k, last_frame).p[0], frame_pose(m, k, last_frame).p[1],
                                        frame_pose(m, k, last_frame).p[2], frame_pose(m, k, last_frame).R(0, 0),
                                        frame_pose(m, k, last_frame).R(0, 1), frame_pose(m, k, last_frame).R(2, 1)});
  forward_kinematics<T>(m, w, q, v, k);
  keep6("velocity of a frame", frame_velocity(m, k, last_frame));
  forward_kinematics<T>(m, w, q, v, a, k);
  keep6("acceleration of a frame", frame_acceleration(m, k, last_frame));
  keep6("classical acceleration", frame_classical_acceleration(m, k, last_frame));
  keep6("momentum", momentum(m, k));
  keep6("centroidal momentum", centroidal_momentum(m, k));
  out["energies"] = {as_number(kinetic_energy<T>(m, k, v)), as_number(potential_energy(m, k))};
  frame_jacobian<T>(m, k, last_frame, J.view());
  keep("frame_jacobian", J.e);
  frame_jacobian_world_axes<T>(m, k, last_frame, J.view());
  keep("frame_jacobian_world_axes", J.e);
  frame_jacobian_rate<T>(m, w, q, v, k, last_frame, J.view());
  keep("frame_jacobian_rate", J.e);
  world_jacobian<T>(m, k, J.view());
  keep("world_jacobian", J.e);
  momentum_matrix<T>(m, w, q, k, Vec3<T>{}, J.view());
  keep("momentum_matrix", J.e);
  centroidal_momentum_matrix<T>(m, w, q, k, J.view());
  keep("centroidal_momentum_matrix", J.e);
  jacobian_product<T>(m, w, q, a, motions);
  for (const auto& motion : motions) keep6("jacobian_product", motion);
  jacobian_rate_product<T>(m, w, q, v, a, motions);
  for (const auto& motion : motions) keep6("jacobian_rate_product", motion);
  jacobian_transpose_product<T>(m, w, q, forces, x);
  keep("jacobian_transpose_product", x);

  ForwardDerivativeWorkspace<T> derivatives(m);
  PlainMatrix<T> by_q(n, n), by_v(n, n);
  inverse_dynamics_derivatives<T>(m, derivatives.inverse, q, v, a, by_q.view(), by_v.view(), H.view(), forces);
  keep("inverse_dynamics_derivatives by q", by_q.e);
  keep("inverse_dynamics_derivatives by v", by_v.e);
  keep("inverse_dynamics_derivatives by a", H.e);
  forward_dynamics_derivatives<T>(m, derivatives, q, v, tau, by_q.view(), by_v.view(), H.view(), forces);
  keep("forward_dynamics_derivatives by q", by_q.e);
  keep("forward_dynamics_derivatives by v", by_v.e);
  keep("forward_dynamics_derivatives by tau", H.e);
  std::vector<T> adjoint(3 * x.size());
  const auto part = [&](int i) { return Out<T>(adjoint.data() + i * n, n); };
  forward_dynamics_adjoint<T>(m, derivatives, q, v, tau, a, part(0), part(1), part(2), forces);
  keep("forward_dynamics_adjoint", adjoint);

  std::vector<Given> given;
  for (int i = 0; i <= m.bodies(); ++i) given.push_back(i % 3 == 1 ? Given::acceleration : Given::force);
  std::vector<T> found = a;
  x = tau;
  hybrid_dynamics<T>(m, w, given, q, v, found, x, forces);
  keep("hybrid_dynamics", found);
  keep("hybrid_dynamics, forces", x);
  HybridMatrix<T> hybrid(m, given);
  found = a;
  x = tau;
  hybrid_dynamics_by_matrix<T>(m, w, hybrid, q, v, found, x, forces);
  keep("hybrid_dynamics_by_matrix", found);
  keep("hybrid_dynamics_by_matrix, forces", x);
  std::vector<ForceVector<T>> transmitted(f_ext);
  joint_forces<T>(m, w, q, v, a, transmitted, forces);
  for (const auto& f : transmitted) keep6("joint_forces", f);
  OperationalSpaceWorkspace<T> space(m, 1);
  PlainMatrix<T> Phi(6, 6);
  const int handle[] = {last_frame};
  operational_space_inverse_inertia<T>(m, w, space, q, handle, Phi.view());
  keep("operational_space_inverse_inertia", Phi.e);
  std::vector<T> b(6);
  operational_space_bias<T>(m, w, space, q, v, tau, handle, b, forces);
  keep("operational_space_bias", b);
  run_floating<T>(random_floating_builder(1).build(), 1, out);
  return out;
}

/// The largest relative difference of any result; numbers below 0.1 count as 0.1, all of them being of order one.
inline double largest_difference(const Results& a, const Results& b, std::string* where = nullptr) {
  double worst = a.size() == b.size() ? 0.0 : 1.0;
  for (const auto& [name, values] : a) {
    const std::vector<double>& others = b.at(name);
    double size = 0.1, error = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      size = std::max({size, std::abs(values[i]), std::abs(others[i])});
      if (!(std::abs(values[i] - others[i]) <= error)) error = std::abs(values[i] - others[i]);
    }
    if (error / size <= worst) continue;
    worst = error / size;
    if (where != nullptr) *where = name;
  }
  return worst;
}

}  // namespace cardan::test
