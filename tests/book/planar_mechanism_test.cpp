// A branched planar mechanism solved with planar vectors (section 2.16: RNEA, CRBA and ABA on 3-vectors) and as a
// spatial model whose joints happen to keep it in the plane (identity 13).
#include "cardan/model/model_builder.hpp"
#include "cardan/spatial/planar.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using Motion = PlanarMotion<double>;
using Force = PlanarForce<double>;

struct Joint3 {
  int parent;          // -1: the world
  bool slides;         // along its x axis; turns otherwise
  double angle, x, y;  // X_T
  double m, cx, cy, I;
};

class PlanarTree {
 public:
  PlanarTree(std::vector<Joint3> joints, double gravity) : joints_(std::move(joints)), gravity_(gravity) {}

  PlanarTransform<double> X(std::size_t i, double q) const {
    const Joint3& j = joints_[i];
    const auto X_T = planar_transform(j.angle, j.x, j.y);
    return (j.slides ? planar_transform(0.0, q, 0.0) : planar_transform(q, 0.0, 0.0)) * X_T;
  }
  Motion S(std::size_t i) const { return joints_[i].slides ? Motion{0, 1, 0} : Motion{1, 0, 0}; }
  PlanarInertia<double> I(std::size_t i) const {
    const Joint3& j = joints_[i];
    return planar_inertia(j.m, j.cx, j.cy, j.I);
  }
  std::size_t n() const { return joints_.size(); }
  int parent(std::size_t i) const { return joints_[i].parent; }
  Motion base() const { return {0.0, 0.0, gravity_}; }  // the world accelerates against gravity

  Eigen::VectorXd inverse_dynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                                   const Eigen::VectorXd& qdd) const {
    std::vector<Motion> v(n()), a(n());
    std::vector<Force> f(n());
    for (std::size_t i = 0; i < n(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const auto p = static_cast<std::size_t>(std::max(parent(i), 0));
      const Motion v_J = qd(k) * S(i);
      v[i] = parent(i) < 0 ? v_J : X(i, q(k)) * v[p] + v_J;
      a[i] = X(i, q(k)) * (parent(i) < 0 ? base() : a[p]) + qdd(k) * S(i) + cross(v[i], v_J);
      f[i] = I(i) * a[i] + cross(v[i], I(i) * v[i]);
    }
    Eigen::VectorXd tau(q.size());
    for (std::size_t i = n(); i-- > 0;) {
      const auto k = static_cast<Eigen::Index>(i);
      tau(k) = dot(S(i), f[i]);
      if (parent(i) >= 0) f[static_cast<std::size_t>(parent(i))] += transpose_apply(X(i, q(k)), f[i]);
    }
    return tau;
  }

  Eigen::MatrixXd mass_matrix(const Eigen::VectorXd& q) const {
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(q.size(), q.size());
    std::vector<PlanarInertia<double>> Ic;
    for (std::size_t i = 0; i < n(); ++i) Ic.push_back(I(i));
    for (std::size_t i = n(); i-- > 0;) {
      const auto k = static_cast<Eigen::Index>(i);
      if (parent(i) >= 0) Ic[static_cast<std::size_t>(parent(i))] += transpose_apply(X(i, q(k)), Ic[i]);
      Force F = Ic[i] * S(i);
      H(k, k) = dot(S(i), F);
      for (std::size_t j = i; parent(j) >= 0;) {
        F = transpose_apply(X(j, q(static_cast<Eigen::Index>(j))), F);
        j = static_cast<std::size_t>(parent(j));
        H(k, static_cast<Eigen::Index>(j)) = H(static_cast<Eigen::Index>(j), k) = dot(S(j), F);
      }
    }
    return H;
  }

  Eigen::VectorXd forward_dynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                                   const Eigen::VectorXd& tau) const {
    std::vector<PlanarArticulatedInertia<double>> IA;
    std::vector<Force> pA(n()), U(n());
    std::vector<Motion> v(n()), c(n()), a(n());
    std::vector<double> D(n()), u(n());
    for (std::size_t i = 0; i < n(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const Motion v_J = qd(k) * S(i);
      v[i] = parent(i) < 0 ? v_J : X(i, q(k)) * v[static_cast<std::size_t>(parent(i))] + v_J;
      c[i] = cross(v[i], v_J);
      IA.emplace_back(I(i));
      pA[i] = cross(v[i], I(i) * v[i]);
    }
    for (std::size_t i = n(); i-- > 0;) {
      const auto k = static_cast<Eigen::Index>(i);
      U[i] = IA[i] * S(i);
      D[i] = dot(S(i), U[i]);
      u[i] = tau(k) - dot(S(i), pA[i]);
      if (parent(i) < 0) continue;
      const Force& g = U[i];
      const double d = 1.0 / D[i];
      const PlanarArticulatedInertia<double> Ia =
          IA[i] - PlanarArticulatedInertia<double>{d * g.n * g.n, d * g.n * g.x, d * g.n * g.y,
                                                   d * g.x * g.x, d * g.x * g.y, d * g.y * g.y};
      const Force pa = pA[i] + Ia * c[i] + (u[i] * d) * g;
      IA[static_cast<std::size_t>(parent(i))] += transpose_apply(X(i, q(k)), Ia);
      pA[static_cast<std::size_t>(parent(i))] += transpose_apply(X(i, q(k)), pa);
    }
    Eigen::VectorXd qdd(q.size());
    for (std::size_t i = 0; i < n(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const Motion carried = X(i, q(k)) * (parent(i) < 0 ? base() : a[static_cast<std::size_t>(parent(i))]) + c[i];
      qdd(k) = (u[i] - dot(U[i], carried)) / D[i];
      a[i] = carried + qdd(k) * S(i);
    }
    return qdd;
  }

  Model spatial() const {
    ModelBuilder builder;
    builder.gravity(Vec3<double>{0.0, -gravity_, 0.0});
    for (std::size_t i = 0; i < n(); ++i) {
      const Joint3& j = joints_[i];
      const MassProperties mass{j.m, Vec3<double>{j.cx, j.cy, 0.0}, Sym3<double>{j.I, j.I, j.I, 0.0, 0.0, 0.0}};
      const Joint type = j.slides ? Joint(Prismatic(Vec3<double>{1.0, 0.0, 0.0})) : Joint(Revolute{});
      builder.body(std::to_string(i), mass)
          .joint(j.parent < 0 ? "world" : std::to_string(j.parent), std::to_string(i), type,
                 {rotation_rpy(0.0, 0.0, j.angle), Vec3<double>{j.x, j.y, 0.0}});
    }
    return builder.build();
  }

 private:
  std::vector<Joint3> joints_;
  double gravity_;
};

TEST(PlanarMechanism, SameAsTheSpatialModel) {
  // numbered depth first, so that both have the same order of coordinates
  const PlanarTree tree({{-1, false, 0.3, 0.1, 0.2, 1.0, 0.5, 0.1, 0.2},
                         {0, false, -0.6, 1.0, 0.0, 0.8, 0.4, -0.1, 0.1},
                         {1, true, 0.9, 0.8, 0.1, 0.5, 0.0, 0.2, 0.05},
                         {0, true, 1.2, 0.5, -0.3, 0.7, 0.1, 0.1, 0.07},
                         {3, false, 0.0, 0.4, 0.0, 0.6, 0.3, 0.0, 0.08}},
                        9.81);
  const Model model = tree.spatial();
  Poisoned run(model);
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Eigen::VectorXd q = random.values(5, 2.0), v = random.values(5), x = random.values(5, 3.0);
    EXPECT_TRUE(near(tree.inverse_dynamics(q, v, x), run.inverse_dynamics(q, v, x), 1e-13));
    EXPECT_TRUE(near(tree.mass_matrix(q), run.mass_matrix(q), 1e-13));
    EXPECT_TRUE(near(tree.forward_dynamics(q, v, x), run.forward_dynamics(q, v, x), 1e-11));
  }
}

}  // namespace
}  // namespace cardan::test
