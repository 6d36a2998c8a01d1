#include "cardan/integrate/internal/linearly_implicit_euler.hpp"

#include "cardan/math/orthogonal.hpp"
namespace cardan {

LinearlyImplicitEuler::LinearlyImplicitEuler(const char* name, Problem::Implicit implicit, Problem& problem,
                                             const IntegratorOptions& options)
    : Stepper(name, problem, options, Chart{true}), implicit_(implicit), a_(state_.v), dv_(state_.v), x_(state_.v) {}

void LinearlyImplicitEuler::advance(double h, double t1) {
  const bool done =
      nz_ == 0 && implicit_ == Problem::Implicit::forces && problem_.step_implicitly({t1, state_}, h, dv_);
  if (done)
    ++evaluations_;
  else
    solve_dense(h, t1);
  require_finite(t1, state_, dv_);
  for (std::size_t i = 0; i < dv_.size(); ++i) {
    next_.v[i] = state_.v[i] + dv_[i];
    x_[i] = h * next_.v[i];
  }
  space().move(state_.q.data(), x_.data(), next_.q.data());
}

void LinearlyImplicitEuler::solve_dense(double h, double t1) {
  using Eigen::VectorXd;
  Problem::Want want{.H = &H_, .K = &K_, .D = &D_, .f = &f_};
  want.implicit = implicit_;
  if (problem_.rows() > 0) {
    want.J = &J_;
    want.velocity = &velocity_;
  }
  // derivatives of inertial forces are taken at the acceleration that they belong to
  if (implicit_ == Problem::Implicit::all) {
    std::vector<double> rates(a_.size() + state_.z.size());
    evaluate(t1, state_, rates);
    std::copy_n(rates.begin(), a_.size(), a_.begin());
  }
  problem_.linearize({t1, state_}, a_, {nullptr, 0}, want);
  ++evaluations_;
  const Eigen::Map<const VectorXd> v0(state_.v.data(), f_.size());
  Eigen::Map<VectorXd> dv(dv_.data(), f_.size());
  VectorXd z_left(nz_);  // what the equation of z is off where nothing moves
  if (nz_ > 0) {
    states_.linearize(problem_, {t1, state_}, a_, {nullptr, 0}, h);
    problem_.rates({t1, state_}, z_left);
    z_left *= -h;
    states_.add_to(K_, D_);
    f_ -= states_.force(z_left);
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> implicit(H_ - h * D_ - (h * h) * K_);
  const auto pivots = implicit.matrixLU().diagonal().cwiseAbs();
  if (pivots.size() > 0 && !(pivots.minCoeff() > 1e-14 * pivots.maxCoeff())) require_regular(t1, state_);
  dv = implicit.solve(h * (f_ + h * (K_ * v0)));
  if (problem_.rows() > 0) satisfy_constraints(implicit);
  if (nz_ > 0) {
    const VectorXd x = h * (v0 + dv), dz = states_.change(z_left, x, dv);
    for (std::size_t i = 0; i < state_.z.size(); ++i) next_.z[i] = state_.z[i] + dz[static_cast<Eigen::Index>(i)];
  }
}

void LinearlyImplicitEuler::satisfy_constraints(const Eigen::PartialPivLU<Eigen::MatrixXd>& implicit) {
  const auto n = static_cast<Eigen::Index>(dv_.size());
  Eigen::Map<Eigen::VectorXd> dv(dv_.data(), n);
  const Eigen::Map<const Eigen::VectorXd> v0(state_.v.data(), n);
  const Eigen::MatrixXd response = implicit.solve(J_.transpose());
  const Orthogonal schur(J_ * response);
  dv += response * schur.solve(velocity_ - J_ * (v0 + dv));
}

}  // namespace cardan
