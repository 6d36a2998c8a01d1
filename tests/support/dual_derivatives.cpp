#include "tests/support/dual_derivatives.hpp"

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/model/state.hpp"

#include <algorithm>

namespace cardan::test {

namespace {

constexpr int kDirections = 8;
using D = Dual<kDirections>;

std::vector<D> constants(const Eigen::VectorXd& x) {
  std::vector<D> out;
  for (const double e : x) out.push_back(D(e));
  return out;
}

}  // namespace

DynamicsDerivatives dual_inverse_dynamics_derivatives(const Model& model, const Eigen::VectorXd& q,
                                                      const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                                                      const std::vector<ForceVector<double>>& f_ext) {
  const int n = model.nv();
  Workspace<D> w(model);
  const std::vector<D> at = constants(q), acceleration = constants(a), rest = constants(Eigen::VectorXd::Zero(n));
  std::vector<ForceVector<D>> forces;
  for (const auto& f : f_ext) forces.push_back({Vec3<D>(f.moment), Vec3<D>(f.force)});
  std::vector<D> tau(rest);
  DynamicsDerivatives out{Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n)};
  for (int first = 0; first < n; first += kDirections) {
    const int count = std::min(kDirections, n - first);
    const auto keep = [&](const std::vector<D>& position, const std::vector<D>& velocity, Eigen::MatrixXd& to) {
      inverse_dynamics<D>(model, w, position, velocity, acceleration, tau, forces);
      for (int k = 0; k < count; ++k)
        for (int i = 0; i < n; ++i) to(i, first + k) = tau[static_cast<std::size_t>(i)].d[k];
    };
    std::vector<D> x(rest), moved(at), velocity(constants(v));
    for (int k = 0; k < count; ++k) x[static_cast<std::size_t>(first + k)].d[k] = 1.0;
    integrate(model, at.data(), x.data(), D(1.0), moved.data());
    keep(moved, velocity, out.by_q);
    for (int k = 0; k < count; ++k) velocity[static_cast<std::size_t>(first + k)].d[k] = 1.0;
    keep(at, velocity, out.by_v);
  }
  return out;
}

}  // namespace cardan::test
