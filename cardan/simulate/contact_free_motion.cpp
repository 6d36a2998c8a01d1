// The part of a contact step that knows no laws: mass matrix, forces, and the velocities that they lead to.
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/simulate/internal/contact_stepper.hpp"

#include <algorithm>

namespace cardan {

void ContactStepper::set_mass(In<double> q) {
  const int n = model_.nv();
  mass_matrix(model_, equations_.workspace(), q, OutMatrix<double>(H_.data(), n, n), MassMatrixForm::automatic,
              MassMatrixPart::lower);
  const auto is_dense = [](const LawProblem::Mass& part) { return part.parent.empty(); };
  if (laws_.mass.size() != trees_.size() || std::any_of(laws_.mass.begin(), laws_.mass.end(), is_dense))
    laws_.mass = mass_pattern_;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    const auto [first, end] = trees_[i];
    laws_.mass[i].factor = nullptr;
    // only entries on the branches were written
    for (int c = first; c < end; ++c)
      for (int r = c; r >= 0; r = model_.dof_parent(r)) laws_.mass[i].M(c - first, r - first) = H_(c, r);
  }
}

/// Evaluates mass matrix and forces half a step ahead, at the velocities expected there; then free motion is leapfrog,
/// which keeps energy in a band. Springs and dampers are linearized for the half step of the change of velocity:
/// (H - h/2 D - h^2/4 K) dv = h f.
void ContactStepper::set_free_motion(double t, double h) {
  const int n = model_.nv();
  for (std::size_t k = 0; k < x_.size(); ++k) {
    x_[k] = 0.5 * h * next_.v[k];
    middle_.v[k] = next_.v[k] + 0.5 * h * free_acceleration_[static_cast<Eigen::Index>(k)];
  }
  space().move(next_.q.data(), x_.data(), middle_.q.data());
  set_mass(middle_.q);
  equations_.bias_force(middle_.q, middle_.v, f_);
  if (system_.forces().empty()) {
    (void)accelerate_freely(h);
    return;
  }
  mechanism_.generalized_forces({t + 0.5 * h, middle_.q, next_.v, next_.z}, Out<double>(tau_.data(), n));
  f_ += tau_;
  if (acts_on_bodies_)
    accelerate_with_any_forces(kinematics_.at(t + 0.5 * h, middle_.q, next_.v, next_.z), h);
  else
    add_joint_tangents({model_, t + 0.5 * h, middle_.q, next_.v, next_.z, kinematics_.kinematics()}, h);
}

/// Sets v_free = v + h M^-1 f on the branches of the trees; false where M is not positive definite.
bool ContactStepper::accelerate_freely(double h) {
  v_free_ = h * f_;
  bool definite = true;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    LawProblem::Mass& part = laws_.mass[i];
    definite &= factors_[i].factor(part.M, part.parent);
    part.factor = &factors_[i];
    factors_[i].solve_upper(v_free_.data() + part.first);
    factors_[i].solve_lower(v_free_.data() + part.first);
  }
  v_free_ += Eigen::Map<const Eigen::VectorXd>(next_.v.data(), model_.nv());
  return definite;
}

/// Adds forces at joints alone, which say K and D in the velocities themselves; where these are symmetric and on the
/// branches of the trees, nothing is dense.
void ContactStepper::add_joint_tangents(const Instant& at, double h) {
  const auto first = system_.first_states();
  bool fits = true;
  for (std::size_t i = 0; i < system_.forces().size() && fits; ++i) {
    force_tangents_[i].resize(touches_[i]);
    system_.forces()[i]->add_tangent(
        {model_, at.t, at.q, at.v, VectorView<const double>(at.z.data() + first[i], first[i + 1] - first[i]),
         at.bodies},
        force_tangents_[i]);
    fits = add_on_branches(i, h);
  }
  if (fits && accelerate_freely(h)) return;
  set_mass(middle_.q);
  accelerate_with_any_forces(at, h);
}

/// Adds -h/2 D - h^2/4 K of a force to the mass matrix; false where that is not symmetric or beside the branches.
bool ContactStepper::add_on_branches(std::size_t force, double h) {
  const std::vector<int>& velocities = touches_[force].velocities;
  const Tangent& tangent = force_tangents_[force];
  const auto entry = [&](std::size_t r, std::size_t c) {
    const auto row = static_cast<Eigen::Index>(r), column = static_cast<Eigen::Index>(c);
    return -0.5 * h * tangent.D(row, column) - 0.25 * h * h * tangent.K(row, column);
  };
  for (std::size_t r = 0; r < velocities.size(); ++r)
    for (std::size_t c = 0; c < velocities.size(); ++c) {
      const double x = entry(r, c);
      if (x != entry(c, r)) return false;
      if (velocities[c] > velocities[r] || x == 0.0) continue;
      int above = velocities[r];
      while (above > velocities[c]) above = model_.dof_parent(above);
      if (above != velocities[c]) return false;
      LawProblem::Mass& part =
          laws_.mass[static_cast<std::size_t>(part_of_velocity_[static_cast<std::size_t>(velocities[r])])];
      part.M(velocities[r] - part.first, velocities[c] - part.first) += x;
    }
  return true;
}

/// Solves for v_free with K and D of all forces, dense.
void ContactStepper::accelerate_with_any_forces(const Instant& at, double h) {
  linearize_forces(at);
  couple_mass();
  v_free_ = Eigen::Map<const Eigen::VectorXd>(next_.v.data(), model_.nv());
  const Eigen::MatrixXd stiff = -0.5 * h * D_ - 0.25 * h * h * K_;
  for (LawProblem::Mass& part : laws_.mass) {
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
    if (definite) {
      part.M = symmetric;
      part.parent.clear();
    }
  }
  if (!acts_on_bodies_) return;
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  Pushes pushes(wrenches_, Out<double>(tau_.data(), model_.nv()));
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
  const auto first = system_.first_states();
  for (std::size_t i = 0; i < system_.forces().size(); ++i) {
    const std::vector<int>& velocities = touches_[i].velocities;
    force_tangents_[i].resize(touches_[i]);
    system_.forces()[i]->add_tangent(
        {model_, at.t, at.q, at.v, VectorView<const double>(at.z.data() + first[i], first[i + 1] - first[i]),
         at.bodies},
        force_tangents_[i]);
    for (std::size_t r = 0; r < velocities.size(); ++r)
      for (std::size_t c = 0; c < velocities.size(); ++c) {
        const auto row = static_cast<Eigen::Index>(r), column = static_cast<Eigen::Index>(c);
        K_(velocities[r], velocities[c]) += force_tangents_[i].K(row, column);
        D_(velocities[r], velocities[c]) += force_tangents_[i].D(row, column);
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
  for (const LawProblem::Mass& part : laws_.mass)
    all.block(part.first, part.first, part.M.rows(), part.M.rows()) = part.M;
  laws_.mass.assign(1, {0, all, {}});
}

}  // namespace cardan
