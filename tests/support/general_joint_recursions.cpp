#include "tests/support/general_joint_recursions.hpp"

namespace cardan::test {

namespace {

using Real3 = Eigen::Matrix<Real, 3, 1>;
using Real33 = Eigen::Matrix<Real, 3, 3>;

Real33 skew(const Real3& a) {
  Real33 out;
  out << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return out;
}
/// Eq. (2).
Real6 Ad(const RealPose& T) {
  const Real33 R = T.topLeftCorner<3, 3>();
  Real6 out = Real6::Zero();
  out.topLeftCorner<3, 3>() = out.bottomRightCorner<3, 3>() = R;
  out.bottomLeftCorner<3, 3>() = skew(T.topRightCorner<3, 1>()) * R;
  return out;
}
/// Eq. (3).
Real6 ad(const RealMotion& g) {
  Real6 out = Real6::Zero();
  out.topLeftCorner<3, 3>() = out.bottomRightCorner<3, 3>() = skew(g.head<3>());
  out.bottomLeftCorner<3, 3>() = skew(g.tail<3>());
  return out;
}

}  // namespace

Real6 generalized_inertia(const MassProperties& mass) {
  Real33 I;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I(i, j) = mass.inertia(i, j);
  const Real33 r = skew(Real3(mass.com[0], mass.com[1], mass.com[2]));
  const Real m = mass.mass;
  Real6 J;
  J << I - m * r * r, m * r, -m * r, m * Real33::Identity();
  return J;
}

GeneralDynamics general_dynamics(const std::vector<GeneralBody>& bodies, const RealVector& q_dot, const RealVector& tau,
                                 const Real3& gravity) {
  const std::size_t n = bodies.size();
  std::vector<Real6> A(n), J_bar(n), Y(n);
  std::vector<RealPose> T(n);
  std::vector<RealMotion> v(n), a(n), b(n), alpha(n), p(n), z(n, RealMotion::Zero()), eta(n);
  std::vector<RealMatrix> Omega_inverse(n), Pi(n), jacobian(n);
  std::vector<RealVector> tau_bar(n), c_bar(n);
  const auto own = [&](const RealVector& x, std::size_t k) {
    return RealVector(x.segment(bodies[k].first, bodies[k].S.cols()));
  };
  const auto of_parent = [&](const std::vector<RealMotion>& x, std::size_t k) -> RealMotion {
    return bodies[k].parent < 0 ? RealMotion(RealMotion::Zero()) : x[static_cast<std::size_t>(bodies[k].parent)];
  };
  GeneralDynamics out;
  out.bias.resize(q_dot.size());
  out.q_ddot.resize(q_dot.size());
  out.M = RealMatrix::Zero(q_dot.size(), q_dot.size());

  for (std::size_t k = 0; k < n; ++k) {  // recursion 1
    const GeneralBody& body = bodies[k];
    const RealMotion v_J = body.S * own(q_dot, k);
    A[k] = Ad(body.G.inverse());
    T[k] = body.parent < 0 ? body.G : RealPose(T[static_cast<std::size_t>(body.parent)] * body.G);
    v[k] = A[k] * of_parent(v, k);
    a[k] = -ad(v_J) * v[k] + body.S_dot_v;
    v[k] += v_J;
    RealMotion g = RealMotion::Zero();
    g.tail<3>() = T[k].topLeftCorner<3, 3>().transpose() * gravity;
    b[k] = -ad(v[k]).transpose() * body.J * v[k] - body.J * g;
  }
  for (std::size_t k = 0; k < n; ++k) {  // recursion 2
    alpha[k] = A[k] * of_parent(alpha, k) + a[k];
    p[k] = bodies[k].J * alpha[k] + b[k];
  }
  for (std::size_t k = n; k-- > 0;) {  // recursion 3
    out.bias.segment(bodies[k].first, bodies[k].S.cols()) = bodies[k].S.transpose() * p[k];
    tau_bar[k] = own(tau, k) - own(out.bias, k);
    if (bodies[k].parent >= 0) p[static_cast<std::size_t>(bodies[k].parent)] += A[k].transpose() * p[k];
  }
  for (std::size_t k = 0; k < n; ++k) J_bar[k] = bodies[k].J;
  for (std::size_t k = n; k-- > 0;) {  // recursion 4
    const RealMatrix JS = J_bar[k] * bodies[k].S;
    Omega_inverse[k] = (bodies[k].S.transpose() * JS).inverse();
    Y[k] = A[k].transpose() * (Real6::Identity() - JS * Omega_inverse[k] * bodies[k].S.transpose());
    Pi[k] = A[k].transpose() * JS * Omega_inverse[k];
    if (bodies[k].parent >= 0)
      J_bar[static_cast<std::size_t>(bodies[k].parent)] +=
          A[k].transpose() * (J_bar[k] - JS * Omega_inverse[k] * JS.transpose()) * A[k];
  }
  for (std::size_t k = n; k-- > 0;) {  // recursion 5
    c_bar[k] = Omega_inverse[k] * (tau_bar[k] - bodies[k].S.transpose() * z[k]);
    if (bodies[k].parent >= 0) z[static_cast<std::size_t>(bodies[k].parent)] += Y[k] * z[k] + Pi[k] * tau_bar[k];
  }
  for (std::size_t k = 0; k < n; ++k) {  // recursion 6
    const RealMotion before = of_parent(eta, k);
    eta[k] = Y[k].transpose() * before + bodies[k].S * c_bar[k];
    out.q_ddot.segment(bodies[k].first, bodies[k].S.cols()) = c_bar[k] - Pi[k].transpose() * before;
  }
  for (std::size_t k = 0; k < n; ++k) {  // M from the kinetic energy of each body
    const int parent = bodies[k].parent;
    jacobian[k] = RealMatrix::Zero(6, q_dot.size());
    if (parent >= 0) jacobian[k] = A[k] * jacobian[static_cast<std::size_t>(parent)];
    jacobian[k].middleCols(bodies[k].first, bodies[k].S.cols()) += bodies[k].S;
    out.M += jacobian[k].transpose() * bodies[k].J * jacobian[k];
  }
  return out;
}

}  // namespace cardan::test
