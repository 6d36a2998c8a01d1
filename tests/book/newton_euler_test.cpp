// The original 3D recursion of Luh, Walker and Paul (Table 5.2) on a chain of revolute joints, against ours.
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

struct Chain {
  std::vector<Pose<double>> at;  // of each joint in the link before
  std::vector<MassProperties> links;
};

/// tau of Table 5.2, all joints about z.
Eigen::VectorXd table_5_2(const Chain& chain, const Vector3& gravity, const Eigen::VectorXd& q,
                          const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd) {
  const auto n = chain.links.size();
  std::vector<Matrix3> E(n + 1);
  std::vector<Vector3> F(n), N(n);
  Vector3 w = Vector3::Zero(), dw = w, dv = -gravity;
  const Vector3 z = Vector3::UnitZ();
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    E[i] = Eigen::AngleAxisd(-q(k), z).toRotationMatrix() * dense(chain.at[i].R).transpose();
    const Vector3 r = dense(chain.at[i].p), Ew = E[i] * w;
    dv = E[i] * (dv + dw.cross(r) + w.cross(w.cross(r)));
    dw = E[i] * dw + z * qdd(k) + Ew.cross(z * qd(k));
    w = Ew + z * qd(k);
    const Vector3 c = dense(chain.links[i].com);
    const Matrix3 I = dense(chain.links[i].inertia);
    F[i] = chain.links[i].mass * (dv + dw.cross(c) + w.cross(w.cross(c)));
    N[i] = I * dw + w.cross(I * w);
  }
  Eigen::VectorXd tau(static_cast<Eigen::Index>(n));
  Vector3 f = Vector3::Zero(), moment = f;
  for (std::size_t i = n; i-- > 0;) {
    Vector3 carried_f = Vector3::Zero(), carried_n = carried_f;
    if (i + 1 < n) {
      carried_f = E[i + 1].transpose() * f;
      carried_n = E[i + 1].transpose() * moment + dense(chain.at[i + 1].p).cross(carried_f);
    }
    f = F[i] + carried_f;
    moment = N[i] + dense(chain.links[i].com).cross(F[i]) + carried_n;
    tau(static_cast<Eigen::Index>(i)) = moment.z();
  }
  return tau;
}

TEST(NewtonEuler, OriginalThreeDimensionalRecursion) {
  Worst worst("Table 5.2 = inverse_dynamics, chains of 1 to 30", 1e-13);
  for (int n = 1; n <= 30; ++n) {
    Random random(static_cast<std::uint64_t>(n));
    Chain chain;
    ModelBuilder builder;
    const Vec3<double> gravity = random.vector(9.0);
    builder.gravity(gravity);
    for (int i = 1; i <= n; ++i) {
      chain.at.push_back(random.pose());
      chain.links.push_back(random.mass());
      builder.body(std::to_string(i), chain.links.back())
          .joint(i == 1 ? "world" : std::to_string(i - 1), std::to_string(i), Revolute{}, chain.at.back());
    }
    const Model model = builder.build();
    const Eigen::VectorXd q = random.values(n, 3.0), qd = random.values(n), qdd = random.values(n);
    worst.add(
        relative_error(Poisoned(model).inverse_dynamics(q, qd, qdd), table_5_2(chain, dense(gravity), q, qd, qdd)));
  }
}

}  // namespace
}  // namespace cardan::test
