// The part of a contact step that knows no laws: mass matrix, forces, and the velocities that they lead to.
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/simulate/contact_stepper.hpp"

namespace cardan {

/// Evaluates mass matrix and forces half a step ahead, at the velocities expected there; then free motion is leapfrog,
/// which keeps energy in a band. Springs and dampers are linearized for the half step of the change of velocity:
/// (H - h/2 D - h^2/4 K) dv = h f.
void ContactStepper::set_free_motion(double t, double h) {
  const int n = model_.nv();
  const Eigen::Map<const Eigen::VectorXd> v0(next_.v.data(), n);
  for (std::size_t k = 0; k < x_.size(); ++k) {
    x_[k] = 0.5 * h * next_.v[k];
    middle_.v[k] = next_.v[k] + 0.5 * h * free_acceleration_[static_cast<Eigen::Index>(k)];
  }
  space().move(next_.q.data(), x_.data(), middle_.q.data());
  mass_matrix(model_, equations_.workspace(), In<double>(middle_.q), OutMatrix<double>(H_.data(), n, n),
              MassMatrixForm::automatic, MassMatrixPart::lower);
  mass_.resize(trees_.size());
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    const auto [first, end] = trees_[i];
    mass_[i].first = first;
    mass_[i].M.setZero(end - first, end - first);
    // only entries on the branches were written
    for (int c = first; c < end; ++c)
      for (int r = c; r >= 0; r = model_.dof_parent(r)) mass_[i].M(c - first, r - first) = H_(c, r);
  }
  equations_.bias_force(middle_.q, middle_.v, f_);
  effective_ = mass_;
  v_free_ = v0;
  if (system_.forces().empty()) {
    for (const LawProblem::Mass& part : mass_) {
      const auto rows = part.M.rows();
      v_free_.segment(part.first, rows) += h * part.M.llt().solve(f_.segment(part.first, rows));
    }
    return;
  }
  const Instant at = kinematics_.at(t + 0.5 * h, middle_.q, next_.v, next_.z);
  mechanism_.generalized_forces({at.t, at.q, at.v, at.z}, Out<double>(tau_.data(), n));
  f_ += tau_;
  linearize_forces(at);
  couple_mass();
  const Eigen::MatrixXd stiff = -0.5 * h * D_ - 0.25 * h * h * K_;
  for (LawProblem::Mass& part : effective_) {
    const auto rows = part.M.rows();
    const Eigen::MatrixXd M = part.M.selfadjointView<Eigen::Lower>();
    const Eigen::MatrixXd A = M + stiff.block(part.first, part.first, rows, rows);
    const Eigen::MatrixXd symmetric = 0.5 * (A + A.transpose());
    const Eigen::LLT<Eigen::MatrixXd> factor(symmetric);
    const bool definite = factor.info() == Eigen::Success;
    if (definite && symmetric == A)
      v_free_.segment(part.first, rows) += factor.solve(h * f_.segment(part.first, rows));
    else
      v_free_.segment(part.first, rows) += A.partialPivLu().solve(h * f_.segment(part.first, rows));
    if (definite) part.M = symmetric;
  }
  if (!acts_on_bodies_) return;
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  Pushes pushes(wrenches_, Out<double>(tau_.data(), n));
  const auto first = system_.first_states();
  for (std::size_t i = 0; i < system_.forces().size(); ++i)
    system_.forces()[i]->add({model_, at.t, at.q, at.v,
                              VectorView<const double>(next_.z.data() + first[i], first[i + 1] - first[i]), at.bodies},
                             pushes);
}

/// Sets K and D of all forces.
void ContactStepper::linearize_forces(const Instant& at) {
  K_.setZero(model_.nv(), model_.nv());
  D_.setZero(model_.nv(), model_.nv());
  if (acts_on_bodies_) {
    if (!tangent_) tangent_ = std::make_unique<ForceTangent>(model_, system_.forces());
    tangent_->add(at, system_.first_states(), &K_, &D_);
    return;
  }
  // forces at joints alone say K and D in the velocities themselves
  const auto first = system_.first_states();
  for (std::size_t i = 0; i < system_.forces().size(); ++i) {
    const std::vector<int>& velocities = touches_[i].velocities;
    force_tangent_.resize(touches_[i]);
    system_.forces()[i]->add_tangent(
        {model_, at.t, at.q, at.v, VectorView<const double>(at.z.data() + first[i], first[i + 1] - first[i]),
         at.bodies},
        force_tangent_);
    for (std::size_t r = 0; r < velocities.size(); ++r)
      for (std::size_t c = 0; c < velocities.size(); ++c) {
        const auto row = static_cast<Eigen::Index>(r), column = static_cast<Eigen::Index>(c);
        K_(velocities[r], velocities[c]) += force_tangent_.K(row, column);
        D_(velocities[r], velocities[c]) += force_tangent_.D(row, column);
      }
  }
}

/// Expects the acceleration of next_ without laws, for the velocities that rows are evaluated at.
void ContactStepper::expect_free_acceleration(double t) {
  constexpr double brief = 1e-6;
  set_free_motion(t, brief);
  free_acceleration_ = (v_free_ - Eigen::Map<const Eigen::VectorXd>(next_.v.data(), nv_)) / brief;
  acceleration_ = free_acceleration_;
}

/// Makes one part of trees that forces couple.
void ContactStepper::couple_mass() {
  bool coupled = false;
  for (const auto& [first, end] : trees_) {
    const int n = model_.nv(), size = end - first;
    for (const Eigen::MatrixXd* m : {&K_, &D_})
      coupled |= !m->block(first, 0, size, first).isZero(0.0) || !m->block(first, end, size, n - end).isZero(0.0);
  }
  if (!coupled) return;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(model_.nv(), model_.nv());
  for (const LawProblem::Mass& part : mass_) all.block(part.first, part.first, part.M.rows(), part.M.rows()) = part.M;
  effective_.assign(1, {0, all});
}

}  // namespace cardan
