#include "cardan/contact/internal/free_motion.hpp"

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/model/internal/characteristic_length.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kMostProductRounds = 10;
// Velocities that shift are compared with those that turn by the size of the mechanism: a length of it is a radian.
constexpr double kProductsFound = 1e-8;  // rad: change of the mean velocity times the step
// rad: a step is too long in which the mean velocity is so far from its guess, or velocities change so much
constexpr double kFarProducts = 0.1, kFarChange = 0.5;

}  // namespace

FreeMotion::FreeMotion(RecursiveProblem& problem, std::vector<std::pair<int, int>> trees,
                       const std::vector<FreeJoint>& joints)
    : mechanism_(problem),
      system_(problem.system()),
      model_(problem.model()),
      space_(problem.space()),
      joints_(joints),
      equations_(model_),
      kinematics_(model_),
      at_ends_(model_),
      trees_(std::move(trees)),
      tree_of_velocity_(static_cast<std::size_t>(model_.nv())),
      factors_(trees_.size()),
      wrenches_(static_cast<std::size_t>(model_.bodies()) + 1),
      H_(model_.nv(), model_.nv()),
      tau_(model_.nv()),
      products_(model_.nv()),
      acceleration_(Eigen::VectorXd::Zero(model_.nv())),
      x_(static_cast<std::size_t>(model_.nv())),
      a_products_(x_.size()),
      flights_(joints.size()),
      radians_(model_.nv()) {
  for (const auto& force : system_.forces()) {
    touches_.push_back(force->touches());
    acts_on_bodies_ |= !touches_.back().bodies.empty();
  }
  force_tangents_.resize(touches_.size());
  for (const auto& [first, end] : trees_) {
    LawProblem::Mass& part = pattern_.emplace_back();
    part.first = first;
    part.M.setZero(end - first, end - first);
    for (int k = first; k < end; ++k) part.parent.push_back(std::max(-1, model_.dof_parent(k) - first));
    std::fill(tree_of_velocity_.begin() + first, tree_of_velocity_.begin() + end,
              static_cast<int>(pattern_.size()) - 1);
  }
  const double length = characteristic_length(model_);
  const std::vector<double> q = model_.neutral();
  const Instant neutral = at_ends_.at(0.0, q, x_);
  for (int k = 0; k < model_.nv(); ++k) {
    const MotionVector<double>& S = neutral.bodies.S[static_cast<std::size_t>(k)];
    radians_[k] = std::max(norm(S.angular), norm(S.linear) / length);
  }
  int single = 0;
  for (const FreeJoint& joint : joints_) single += joint.is_single() ? 6 : 0;
  has_products_ = single < model_.nv();
}

std::size_t FreeMotion::part_of(int velocity, const Mass& parts) const {
  if (parts.size() != trees_.size()) return 0;
  return static_cast<std::size_t>(tree_of_velocity_[static_cast<std::size_t>(velocity)]);
}

std::span<const ForceVector<double>> FreeMotion::wrenches() const {
  if (!acts_on_bodies_) return {};
  return wrenches_;
}

void FreeMotion::set_mass(In<double> q, Mass& parts) {
  const int n = model_.nv();
  mass_matrix(model_, equations_.workspace(), q, OutMatrix<double>(H_.data(), n, n), MassMatrixForm::automatic,
              MassMatrixPart::lower);
  const auto is_dense = [](const LawProblem::Mass& part) { return part.parent.empty(); };
  if (parts.size() != trees_.size() || std::any_of(parts.begin(), parts.end(), is_dense)) parts = pattern_;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    const auto [first, end] = trees_[i];
    parts[i].factor = nullptr;
    // only entries on the branches were written
    for (int c = first; c < end; ++c)
      for (int r = c; r >= 0; r = model_.dof_parent(r)) parts[i].M(c - first, r - first) = H_(c, r);
  }
}

bool FreeMotion::advance(double t, double h, const State& start, Mass& parts) {
  set_middle(h, start);
  set_mass(middle_.q, parts);
  add_forces(t + 0.5 * h, h, start, parts);
  bool found = false, far = false;
  for (int round = 0; round < kMostProductRounds && !found && !far; ++round) {
    set_velocity_products();
    set_change(h, parts);
    const double change = has_products_ ? h * improve_middle(start) : 0.0;
    found = change <= kProductsFound;
    far = has_products_ &&
          (!(change < kFarProducts) || !(h * dv_.cwiseProduct(radians_).lpNorm<Eigen::Infinity>() < kFarChange));
  }
  fly(h, start);
  if (!found) acceleration_.setZero();  // a shorter step shall not begin with it
  return found;
}

void FreeMotion::expect(double t, double brief, const State& start, Mass& parts) {
  (void)advance(t, brief, start, parts);
}

/// Moves half a step ahead by velocity alone, and expects the acceleration of the step before.
void FreeMotion::set_middle(double h, const State& start) {
  middle_ = start;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    x_[k] = 0.5 * h * start.v[k];
    middle_.v[k] += 0.5 * h * acceleration_[static_cast<Eigen::Index>(k)];
  }
  space_.move(start.q.data(), x_.data(), middle_.q.data());
  carried_ = start.v;
  std::fill(a_products_.begin(), a_products_.end(), 0.0);
  for (const FreeJoint& joint : joints_) {
    joint.predict(start.q.data(), start.v.data(), a_products_.data(), 0.5 * h, middle_.q.data(), carried_.data());
    joint.express_acceleration(middle_.q.data(), acceleration_.data(), x_.data());
    for (int k = joint.velocity(); k < joint.velocity() + 6; ++k) {
      const auto i = static_cast<std::size_t>(k);
      middle_.v[i] = carried_[i] + 0.5 * h * x_[i];
    }
  }
}

/// Computes gravity and velocity products at mid-step. Those of free joints that come from their turning axes are left
/// out, and all of a body that no joint connects to another: FreeJoint::fly has them.
void FreeMotion::set_velocity_products() {
  v_products_ = middle_.v;
  for (const FreeJoint& joint : joints_) {
    double* v = v_products_.data() + joint.velocity();
    double* a = a_products_.data() + joint.velocity();
    if (joint.is_single()) {
      std::fill_n(v, 6, 0.0);
      continue;
    }
    const Vec3<double> turning = cross(Vec3<double>{v[0], v[1], v[2]}, Vec3<double>{v[3], v[4], v[5]});
    for (int k = 0; k < 3; ++k) a[3 + k] = -turning[k];
  }
  equations_.balance(middle_.q, v_products_, a_products_, products_);
}

/// Computes forces at mid-step and factors the mass matrix with their K and D.
void FreeMotion::add_forces(double t, double h, const State& start, Mass& parts) {
  dense_.clear();
  tau_.setZero();
  if (system_.forces().empty()) {
    (void)factor_on_branches(parts);
    return;
  }
  mechanism_.generalized_forces({t, middle_.q, carried_, start.z}, Out<double>(tau_.data(), model_.nv()));
  if (acts_on_bodies_) {
    factor_with_any_forces(kinematics_.at(t, middle_.q, carried_, start.z, system_.u()), h, parts);
    return;
  }
  const Instant at{model_, t, middle_.q, carried_, start.z, system_.u(), kinematics_.kinematics()};
  if (add_joint_tangents(at, h, parts) && factor_on_branches(parts)) return;
  set_mass(middle_.q, parts);
  factor_with_any_forces(at, h, parts);
}

/// Factors on the branches of the trees; false where the matrix is not positive definite.
bool FreeMotion::factor_on_branches(Mass& parts) {
  bool definite = true;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    definite &= factors_[i].factor(parts[i].M, parts[i].parent);
    parts[i].factor = &factors_[i];
  }
  return definite;
}

Instant FreeMotion::force_instant(std::size_t force, const Instant& at) const {
  const auto first = system_.first_states();
  return at.of_element(first[force], first[force + 1] - first[force]);
}

/// Adds forces at joints alone, which say K and D in the velocities themselves; false where these are not symmetric or
/// beside the branches of the trees.
bool FreeMotion::add_joint_tangents(const Instant& at, double h, Mass& parts) {
  for (std::size_t i = 0; i < system_.forces().size(); ++i) {
    force_tangents_[i].resize(touches_[i]);
    system_.forces()[i]->add_tangent(force_instant(i, at), force_tangents_[i]);
    if (!add_on_branches(i, h, parts)) return false;
  }
  return true;
}

/// Adds -h/2 D - h^2/4 K of a force to the mass matrix; false where that is not symmetric or beside the branches.
bool FreeMotion::add_on_branches(std::size_t force, double h, Mass& parts) const {
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
      LawProblem::Mass& part = parts[part_of(velocities[r], parts)];
      part.M(velocities[r] - part.first, velocities[c] - part.first) += x;
    }
  return true;
}

/// Factors with K and D of all forces, dense. Where the sum is positive definite it is also the mass matrix of laws.
void FreeMotion::factor_with_any_forces(const Instant& at, double h, Mass& parts) {
  linearize_forces(at);
  couple(parts);
  const Eigen::MatrixXd stiff = -0.5 * h * D_ - 0.25 * h * h * K_;
  dense_.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    LawProblem::Mass& part = parts[i];
    const auto rows = part.M.rows();
    const Eigen::MatrixXd M = part.M.selfadjointView<Eigen::Lower>();
    const Eigen::MatrixXd A = M + stiff.block(part.first, part.first, rows, rows);
    const Eigen::MatrixXd symmetric = 0.5 * (A + A.transpose());
    dense_[i].cholesky.compute(symmetric);
    const bool definite = dense_[i].cholesky.info() == Eigen::Success;
    dense_[i].is_definite = definite && symmetric == A;
    if (!dense_[i].is_definite) dense_[i].lu.compute(A);
    if (definite) {
      part.M = symmetric;
      part.parent.clear();
    }
  }
  if (!acts_on_bodies_) return;
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  Eigen::VectorXd at_joints = Eigen::VectorXd::Zero(model_.nv());  // tau_ has these already
  Pushes pushes(wrenches_, Out<double>(at_joints.data(), model_.nv()));
  for (std::size_t i = 0; i < system_.forces().size(); ++i) system_.forces()[i]->add(force_instant(i, at), pushes);
}

/// Sets K and D of all forces.
void FreeMotion::linearize_forces(const Instant& at) {
  K_.setZero(model_.nv(), model_.nv());
  D_.setZero(model_.nv(), model_.nv());
  if (acts_on_bodies_) {
    if (!tangent_) tangent_ = std::make_unique<ForceTangent>(model_, system_.forces());
    tangent_->add(at, system_.first_states(), &K_, &D_);
    return;
  }
  for (std::size_t i = 0; i < system_.forces().size(); ++i) {
    const std::vector<int>& velocities = touches_[i].velocities;
    force_tangents_[i].resize(touches_[i]);
    system_.forces()[i]->add_tangent(force_instant(i, at), force_tangents_[i]);
    for (std::size_t r = 0; r < velocities.size(); ++r)
      for (std::size_t c = 0; c < velocities.size(); ++c) {
        const auto row = static_cast<Eigen::Index>(r), column = static_cast<Eigen::Index>(c);
        K_(velocities[r], velocities[c]) += force_tangents_[i].K(row, column);
        D_(velocities[r], velocities[c]) += force_tangents_[i].D(row, column);
      }
  }
}

/// Makes one part of trees that forces couple.
void FreeMotion::couple(Mass& parts) const {
  bool coupled = false;
  const int n = model_.nv();
  for (const auto& [first, end] : trees_)
    for (const Eigen::MatrixXd* m : {&K_, &D_})
      coupled |= !m->block(first, 0, end - first, first).isZero(0.0) ||
                 !m->block(first, end, end - first, n - end).isZero(0.0);
  if (!coupled) return;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n, n);
  for (const LawProblem::Mass& part : parts) all.block(part.first, part.first, part.M.rows(), part.M.rows()) = part.M;
  parts.assign(1, {0, all, {}});
}

/// Sets dv from M dv = h (tau - products).
void FreeMotion::set_change(double h, const Mass& parts) {
  dv_ = h * (tau_ - products_);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto own = dv_.segment(parts[i].first, parts[i].M.rows());
    if (dense_.empty()) {
      factors_[i].solve_upper(own.data());
      factors_[i].solve_lower(own.data());
    } else if (dense_[i].is_definite) {
      own = Eigen::VectorXd(dense_[i].cholesky.solve(own));
    } else {
      own = Eigen::VectorXd(dense_[i].lu.solve(own));
    }
  }
}

/// Sets the velocities of mid-step to the mean of both ends; returns the largest change (rad/s).
double FreeMotion::improve_middle(const State& start) {
  double change = 0.0;
  const auto improve = [&](int first, int size, const std::vector<double>& from) {
    for (int k = first; k < first + size; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double v = from[i] + 0.5 * dv_[k];
      change = std::max(change, radians_[k] * std::abs(v - middle_.v[i]));
      middle_.v[i] = v;
    }
  };
  int next = 0;
  for (const FreeJoint& joint : joints_) {  // in the order of their velocities
    improve(next, joint.velocity() - next, start.v);
    if (!joint.is_single()) improve(joint.velocity(), 6, carried_);
    next = joint.velocity() + 6;
  }
  improve(next, model_.nv() - next, start.v);
  return change;
}

/// Sets velocities and accelerations at the end of the step.
void FreeMotion::fly(double h, const State& start) {
  v_end_ = Eigen::Map<const Eigen::VectorXd>(start.v.data(), model_.nv()) + dv_;
  for (std::size_t i = 0; i < joints_.size(); ++i)
    flights_[i] = joints_[i].fly(start.q.data(), start.v.data(), middle_.q.data(), dv_.data(), h);
  keep_momentum(h, start);
  acceleration_ = dv_ / h;
  q_end_ = start.q;
  for (std::size_t i = 0; i < joints_.size(); ++i)
    joints_[i].move(start.q.data(), start.v.data(), flights_[i], flights_[i].v, false, h, q_end_.data(), v_end_.data(),
                    acceleration_.data());
}

void FreeMotion::express(const double* q, Eigen::VectorXd& v) const {
  v = v_end_;
  for (std::size_t i = 0; i < joints_.size(); ++i) joints_[i].express(flights_[i].v, q, v.data());
}

}  // namespace cardan
