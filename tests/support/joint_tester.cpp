#include "tests/support/joint_tester.hpp"

#include "cardan/joints/subspace_rate.hpp"
#include "cardan/math/counted.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"

namespace cardan::test {

namespace {

using Real = DenseJoint::Scalar;
using Extended = Counted<Real>;  // any scalar that is not a plain number will do: its functions are found by its type
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Real6 = Eigen::Matrix<Real, 6, 6>;

Extended extended(Real x) {
  Extended out;
  out.value = x;
  return out;
}
double plain(double x) { return x; }
Real plain(const Extended& x) { return x.value; }

/// Calls f with the number of velocities as a constant.
template <class F>
void with_size(int nv, const F& f) {
  const auto try_one = [&]<int N>(std::integral_constant<int, N>) {
    if (nv == N) f(std::integral_constant<int, N>{});
  };
  [&]<int... N>(std::integer_sequence<int, N...>) { (try_one(std::integral_constant<int, N>{}), ...); }
  (std::make_integer_sequence<int, 7>{});
}

/// Calls f with the joint's kinematics and the derivative of its subspace.
template <class T, class F>
void with_kinematics(const Joint& joint, const std::vector<T>& q, const std::vector<T>& v, const F& f) {
  std::vector<T> s, c;
  for (const T& x : q) {
    s.push_back(sin(x));
    c.push_back(cos(x));
  }
  const Coordinates<T> at{q.data(), s.data(), c.data()};
  with_size(joint.nv(), [&]<int N>(std::integral_constant<int, N>) {
    Vector<T, N> own;
    for (int i = 0; i < N; ++i) own[i] = v[static_cast<std::size_t>(i)];
    f(joint.kinematics<T, N>(at, own), subspace_rate<T, N>(joint, at, own));
  });
}

std::vector<Extended> to_extended(const DenseVector& x) {
  std::vector<Extended> out;
  for (const Real& value : x) out.push_back(extended(value));
  return out;
}
DenseVector to_real(const std::vector<double>& x) {
  DenseVector out(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) out(static_cast<Eigen::Index>(i)) = x[i];
  return out;
}

template <class Six>
auto column6(const Six& m) {
  Eigen::Matrix<std::remove_cvref_t<decltype(plain(m[0]))>, 6, 1> out;
  for (int i = 0; i < 6; ++i) out(i) = plain(m[i]);
  return out;
}

Real6 cross_matrix(const Eigen::Matrix<Real, 6, 1>& v) {
  const auto skew = [](const Eigen::Matrix<Real, 3, 1>& a) {
    Eigen::Matrix<Real, 3, 3> out;
    out << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
    return out;
  };
  Real6 out = Real6::Zero();
  out.topLeftCorner<3, 3>() = out.bottomRightCorner<3, 3>() = skew(v.head<3>());
  out.bottomLeftCorner<3, 3>() = skew(v.tail<3>());
  return out;
}

/// Fourth-order central difference at 0.
template <class F>
RealMatrix precise_difference(const F& f) {
  const Real h = 2e-4L;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

void expect_equal(const char* what, const Joint& joint, const RealMatrix& a, const RealMatrix& b, double tolerance) {
  if (a.size() == 0) return;
  const Real size = std::max<Real>(1, std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()));
  const double error = static_cast<double>((a - b).cwiseAbs().maxCoeff() / size);
  EXPECT_LE(error, tolerance) << what << ", " << joint.type_name() << (joint.reversed ? " (reversed)" : "");
}

}  // namespace

DenseJoint evaluate(const Joint& joint, const DenseVector& q, const DenseVector& v) {
  DenseJoint out;
  with_kinematics(joint, to_extended(q), to_extended(v), [&](const auto& k, const auto& rate) {
    const Transform<Extended> X{k.E, k.p};
    for (int i = 0; i < 6; ++i) {
      MotionVector<Extended> e;
      e[i] = Extended(1.0);
      out.X.col(i) = column6(X * e);
    }
    out.S.resize(6, joint.nv());
    out.S_rate.resize(6, joint.nv());
    for (int i = 0; i < joint.nv(); ++i) {
      out.S.col(i) = column6(k.S.column[i]);
      out.S_rate.col(i) = column6(rate.column[i]);
    }
    out.c_J = column6(k.c_J);
  });
  return out;
}

DoubleJoint evaluate(const Joint& joint, const std::vector<double>& q, const std::vector<double>& v) {
  DoubleJoint out;
  with_kinematics(joint, q, v, [&](const auto& k, const auto& rate) {
    out.pose = {transpose(k.E), k.p};
    out.S.resize(6, joint.nv());
    out.S_rate.resize(6, joint.nv());
    for (int i = 0; i < joint.nv(); ++i) {
      out.S.col(i) = column6(k.S.column[i]);
      out.S_rate.col(i) = column6(rate.column[i]);
    }
    out.c_J = column6(k.c_J);
  });
  return out;
}

DenseVector integrate(const Joint& joint, const DenseVector& q, const DenseVector& v, Real h) {
  const std::vector<Extended> from = to_extended(q), rate = to_extended(v);
  std::vector<Extended> to(from);
  joint.integrate(from.data(), rate.data(), extended(h), to.data());
  DenseVector out(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = to[static_cast<std::size_t>(i)].value;
  return out;
}

void check_zero_pose(const Joint& joint) {
  std::vector<double> q(static_cast<std::size_t>(joint.nq()), -7.0), v(static_cast<std::size_t>(joint.nv()));
  joint.neutral(q.data());
  const DenseJoint k = evaluate(joint, to_real(q), to_real(v));
  EXPECT_EQ((k.X - Real6::Identity()).cwiseAbs().maxCoeff(), 0) << joint.type_name();
  const DenseVector stay = integrate(joint, to_real(q), to_real(v), 1);
  EXPECT_TRUE(stay == to_real(q)) << joint.type_name();
}

void check_joint(const Joint& joint, const std::vector<double>& q_double, const std::vector<double>& v_double,
                 const JointCheck& check) {
  const DenseVector q = to_real(q_double), v = to_real(v_double);
  const DenseJoint k = evaluate(joint, q, v);
  const auto along = [&](const DenseVector& rate, Real t) { return evaluate(joint, integrate(joint, q, rate, t), v); };
  const auto expect = [&](const char* what, const RealMatrix& a, const RealMatrix& b, double tolerance) {
    expect_equal(what, joint, a, b, tolerance);
  };

  Joint other = joint;
  other.reversed = !joint.reversed;
  const DenseJoint r = evaluate(other, q, v);
  if (joint.nv() == 0) {  // nothing moves, and Eigen may not multiply matrices without columns
    expect("X without freedom", k.X, Real6::Identity(), 0.0);
    expect("reversed X", r.X * k.X, Real6::Identity(), 4e-15);
    return;
  }

  // pose against velocity
  expect("dX/dt = -(S v) x X", precise_difference([&](Real t) -> RealMatrix { return along(v, t).X; }),
         -cross_matrix(k.S * v) * k.X, check.tolerance);
  for (int i = 0; i < joint.nv(); ++i) {
    const DenseVector e = DenseVector::Unit(joint.nv(), i);
    expect("dX/dt = -S_i x X", precise_difference([&](Real t) -> RealMatrix { return along(e, t).X; }),
           -cross_matrix(k.S.col(i)) * k.X, check.tolerance);
  }
  // velocity against acceleration
  expect("c_J = d/dt (S v)", precise_difference([&](Real t) -> RealMatrix { return along(v, t).S * v; }), k.c_J,
         check.tolerance);
  expect("S_rate = dS/dt", precise_difference([&](Real t) -> RealMatrix { return along(v, t).S; }), k.S_rate,
         check.tolerance);
  expect("S_rate v = c_J", k.S_rate * v, k.c_J, check.tolerance);

  // double against extended precision
  const DoubleJoint d = evaluate(joint, q_double, v_double);
  expect("X in double", motion_transform(from_pose(d.pose.R, d.pose.p)).cast<Real>(), k.X, 1e-14);
  expect("S in double", d.S.cast<Real>(), k.S, 1e-14);
  expect("c_J in double", d.c_J.cast<Real>(), k.c_J, 1e-13);

  // seen from the other side (Table 4.2)
  expect("reversed X", r.X * k.X, Real6::Identity(), 4e-15);
  expect("reversed S", k.X * r.S, -k.S, 4e-15);
  expect("reversed c_J", k.X * r.c_J, -k.c_J, 4e-15);

  if (!check.regular) return;
  EXPECT_EQ(Eigen::FullPivLU<RealMatrix>(RealMatrix(k.S)).rank(), joint.nv()) << joint.type_name();
  // there and back on the manifold, in double
  std::vector<double> q1(q_double), w(v_double), again(q_double);
  joint.integrate(q_double.data(), v_double.data(), 0.7, q1.data());
  joint.difference(q_double.data(), q1.data(), w.data());
  expect("difference(q, integrate(q, v, h)) = h v", to_real(w), 0.7L * v, 1e-13);
  joint.integrate(q_double.data(), w.data(), 1.0, again.data());
  expect("integrate(q, difference(q, q1), 1) = q1", evaluate(joint, to_real(again), v).X,
         evaluate(joint, to_real(q1), v).X, 1e-14);
}

}  // namespace cardan::test
