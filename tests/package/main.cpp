// A program that uses the installed library: values on a chain with branches and a loop, whose workspace holds packs.
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/model/model_builder.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace cardan;

bool near(const char* what, double found, double expected) {
  std::printf("%s %.15g, expected %.15g\n", what, found, expected);
  return std::abs(found - expected) < 1e-12 * (1.0 + std::abs(expected));
}

bool pendulum_is_held() {
  const Model pendulum = ModelBuilder("pendulum")
                             .body("bob", {2.0, {0.0, 0.0, -0.5}, {}})
                             .joint("world", "bob", Revolute(Vec3<double>{0.0, 1.0, 0.0}))
                             .build();
  Workspace<double> workspace(pendulum);
  const std::vector<double> q{0.3};
  std::vector<double> tau(1);
  gravity(pendulum, workspace, q, tau);
  return near("holding torque", tau[0], 2.0 * 9.81 * 0.5 * std::sin(0.3));
}

/// Chains side by side on one base, tied at their tips: H a = tau - C + J' lambda by matrices that Eigen and the
/// library hand to one another.
bool chains_agree() {
  ModelBuilder builder("comb");
  const MassProperties rod{1.0, {0.1, 0.0, -0.5}, {0.1, 0.1, 0.02, 0.0, 0.0, 0.0}};
  for (int tooth = 0; tooth < 3; ++tooth)
    for (int i = 0; i < 5; ++i) {
      const std::string name = "rod" + std::to_string(5 * tooth + i);
      const std::string carrier = i == 0 ? "world" : "rod" + std::to_string(5 * tooth + i - 1);
      const Vec3<double> place{i == 0 ? 1.0 * tooth : 0.0, 0.0, i == 0 ? 0.0 : -1.0};
      builder.body(name, rod).joint(carrier, name, Revolute(Vec3<double>{0.0, 1.0, 0.0}),
                                    {Mat3<double>::identity(), place});
    }
  JointSpec tie;
  tie.name = "tie";
  tie.type = Revolute(Vec3<double>{0.0, 1.0, 0.0});
  tie.predecessor = "rod4";
  tie.successor = "rod9";
  tie.at_successor = {Mat3<double>::identity(), {-1.0, 0.0, 0.0}};
  tie.closes_loop = true;
  const Model comb = builder.joint(tie).build();
  const int n = comb.nv();
  Eigen::VectorXd q = Eigen::VectorXd::Zero(n), v = Eigen::VectorXd::Zero(n), tau(n), a(n), back(n);
  for (int i = 0; i < n; ++i) tau[i] = std::sin(1.0 + i);
  Workspace<double> w(comb);
  Eigen::MatrixXd H(n, n);
  mass_matrix<double>(comb, w, q, H);
  forward_dynamics<double>(comb, w, q, v, tau, a);
  inverse_dynamics<double>(comb, w, q, v, a, back);
  bool good = near("inverse of forward dynamics", (back - tau).norm(), 0.0);
  ConstrainedDynamics dynamics{ConstraintSet(comb)};
  dynamics.forward_dynamics(0.0, q, v, tau, a);
  Eigen::MatrixXd J(dynamics.constraints().rows(), n);
  dynamics.constraints().matrix(J);
  Eigen::VectorXd bias_force(n);
  bias<double>(comb, w, q, v, bias_force);
  const Eigen::VectorXd left = H * a + bias_force - tau - J.transpose() * dynamics.multipliers();
  good = near("equation of motion with a loop", left.norm(), 0.0) && good;
  return near("rows of the loop", (J * a - dynamics.constraints().k()).norm(), 0.0) && good;
}

}  // namespace

int main() {
  bool good = pendulum_is_held();
  for (int i = 0; i < 20; ++i) good = chains_agree() && good;  // a spoiled heap is soon met again
  return good ? 0 : 1;
}
