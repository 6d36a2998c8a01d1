#include "tests/support/newton_euler.hpp"

#include "tests/support/random_models.hpp"

namespace cardan::test {

Eigen::MatrixXd difference_at_zero(const std::function<Eigen::MatrixXd(double)>& f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
}

Eigen::VectorXd moved(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                      double t) {
  return integrate(model, q, v + 0.5 * t * a, t);
}

Eigen::VectorXd newton_euler_by_differences(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                            const Eigen::VectorXd& a) {
  const int n = model.bodies();
  Workspace<double> w(model);
  Kinematics<double> k(model);
  // what each body needs: the rate of its momentum less its weight, in the world about its origin; one column each
  Eigen::MatrixXd force = difference_at_zero([&](double t) -> Eigen::MatrixXd {
    const Eigen::VectorXd q_t = moved(model, q, v, a, t), v_t = v + t * a;
    forward_kinematics<double>(model, w, q_t, v_t, k);
    Eigen::MatrixXd momentum = Eigen::MatrixXd::Zero(6, n + 1);
    for (int i = 1; i <= n; ++i) {
      const auto b = static_cast<std::size_t>(i);
      momentum.col(i) = motion_transform(k.X_0[b]).transpose() * dense(model.link(i).I) * dense(k.v[b]);
    }
    return momentum;
  });
  const Vector3 g = dense(model.gravity());
  forward_kinematics<double>(model, w, q, k);
  for (int i = 1; i <= n; ++i) {
    const Transform<double>& X = k.X_0[static_cast<std::size_t>(i)];
    const RigidBodyInertia<double>& I = model.link(i).I;
    const Vector3 first_moment = dense(X.E).transpose() * dense(I.h) + I.m * dense(X.r);
    force.col(i).head<3>() -= first_moment.cross(g);
    force.col(i).tail<3>() -= I.m * g;
  }
  // power of those forces in each single velocity
  Eigen::VectorXd tau(model.nv());
  for (int c = 0; c < model.nv(); ++c) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(model.nv(), c);
    forward_kinematics<double>(model, w, q, unit, k);
    tau(c) = model.armature(c) * a(c);
    for (int i = 1; i <= n; ++i) {
      const auto b = static_cast<std::size_t>(i);
      tau(c) += force.col(i).dot(motion_transform(k.X_0[b]).inverse() * dense(k.v[b]));
    }
  }
  return tau;
}

}  // namespace cardan::test
