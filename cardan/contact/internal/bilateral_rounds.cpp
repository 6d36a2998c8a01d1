// The rows of bilateral staggered projections, and its rounds.
#include "cardan/contact/internal/bilateral_staggering.hpp"
#include "cardan/dynamics/internal/plain_rates.hpp"
#include "cardan/solve/internal/box_qp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

Eigen::Index column_of(int body) { return 6 * static_cast<Eigen::Index>(body - 1); }

/// Adds a force to the columns of a body; nothing where it is the world.
template <class Row>
void add_force(const ForceVector<double>& f, Eigen::Index first, Row&& row) {
  for (int c = 0; c < 6; ++c) row[first + c] += f[c];
}

/// The force on a body in its own coordinates as one on another body in its.
ForceVector<double> on_other(const Instant& at, int body, int other, const ForceVector<double>& f) {
  return at.X_0(other) * transpose_apply(at.X_0(body), f);
}

/// Directions in the plane of a contact: world x as far as it lies there (else y), and the one beside it.
void set_tangents(const Vec3<double>& n, Vec3<double>* tangent) {
  Vec3<double> t = Vec3<double>{1.0, 0.0, 0.0} - n[0] * n;
  if (norm(t) < 1e-3) t = Vec3<double>{0.0, 1.0, 0.0} - n[1] * n;
  tangent[0] = (1.0 / norm(t)) * t;
  tangent[1] = cross(n, tangent[0]);
}

}  // namespace

void BilateralStaggering::find_touches(const Instant& at) {
  touches_.clear();
  if (!world_) return;
  world_->update(at.bodies);
  for (const WorldContact& found : world_->contacts(0.0)) {
    if (!(found.contact.gap < 0.0)) continue;
    const WorldShape &a = world_->shapes()[static_cast<std::size_t>(found.shape_a)],
                     &b = world_->shapes()[static_cast<std::size_t>(found.shape_b)];
    const PairLaw law = pair_law(world_->scene(), found.shape_a, found.shape_b);
    if (law.restitution > 0.0 || *not_rigid(law) != '\0' || norm(law.surface_velocity) > 0.0)
      fail(at.t, {},
           "bilateral staggered projections know rigid contacts with friction alone, found " +
               std::string(law.restitution > 0.0     ? "restitution"
                           : *not_rigid(law) != '\0' ? not_rigid(law)
                                                     : "a surface velocity"));
    Touch touch;
    touch.mu = law.friction;
    touch.force = {found.shape_a,         found.shape_b,        a.owner,           b.owner, a.body, b.body,
                   found.contact.point_a, found.contact.normal, found.contact.gap, {}};
    set_tangents(touch.force.normal, touch.tangent);
    touches_.push_back(touch);
  }
}

void BilateralStaggering::set_rows(const Instant& at) {
  const Eigen::Index maximal = 6 * bodies();
  maximal_rows_ = {Eigen::MatrixXd::Zero(J_loops_.rows(), maximal), loop_velocity_,
                   Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(touches_.size()), maximal),
                   Eigen::VectorXd(static_cast<Eigen::Index>(touches_.size()))};
  if (mechanism_.constraints()) {
    const ConstraintSet& set = mechanism_.constraints()->constraints();
    for (int i = 0; i < set.size(); ++i)
      for (const auto& on : set.rows_of(i).on_bodies)
        for (std::size_t row = 0; row < on.row.size(); ++row)
          add_force(on.row[row], column_of(on.body),
                    maximal_rows_.G.row(set.first_row(i) + static_cast<Eigen::Index>(row)));
  }
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const ContactForce& contact = touches_[i].force;
    const ForceVector<double> f = force_at_point(contact.normal, contact.point);
    if (contact.body_b != 0) add_force(at.X_0(contact.body_b) * f, column_of(contact.body_b), maximal_rows_.C.row(row));
    if (contact.body_a != 0)
      add_force(-(at.X_0(contact.body_a) * f), column_of(contact.body_a), maximal_rows_.C.row(row));
    maximal_rows_.c[row] = -gamma_ * contact.gap;
  }
  set_reduced_rows();
}

/// Rows of loops and contacts in joint coordinates, and of limits, which have no others.
void BilateralStaggering::set_reduced_rows() {
  struct Reached {
    int velocity;
    double side, excess;  // 1: lower, -1: upper; how far it is beyond
  };
  std::vector<Reached> limits;
  for (int body = 1; body <= model_.bodies(); ++body) {
    const Link& link = model_.link(body);
    if (link.nq != link.nv || !has_plain_rates(model_.joint(body))) continue;
    for (int k = 0; k < link.nv; ++k) {
      const DofProperties& dof = model_.dof(link.v + k);
      const double q = state_.q[static_cast<std::size_t>(link.q + k)];
      if (q <= dof.lower) limits.push_back({link.v + k, 1.0, dof.lower - q});
      if (q >= dof.upper) limits.push_back({link.v + k, -1.0, q - dof.upper});
    }
  }
  const auto contacts = static_cast<Eigen::Index>(touches_.size()), all = static_cast<Eigen::Index>(limits.size());
  reduced_rows_ = {J_loops_, loop_velocity_, Eigen::MatrixXd::Zero(contacts + all, nv_),
                   Eigen::VectorXd(contacts + all)};
  reduced_rows_.C.topRows(contacts) = maximal_rows_.C * J_;
  reduced_rows_.c.head(contacts) = maximal_rows_.c;
  for (Eigen::Index i = 0; i < all; ++i) {
    const Reached& limit = limits[static_cast<std::size_t>(i)];
    reduced_rows_.C(contacts + i, limit.velocity) = limit.side;
    reduced_rows_.c[contacts + i] = gamma_ * limit.excess;
  }
}

void BilateralStaggering::set_bearings(const Instant& at) {
  Eigen::Index tangents = 2 * static_cast<Eigen::Index>(touches_.size());
  for (Rubbing& each : rubbing_) {
    each.first_tangent = static_cast<int>(tangents);
    for (const ImplicitContact& point : each.contacts.points)
      tangents += static_cast<Eigen::Index>(point.tangents.size());
  }
  T_.setZero(tangents, 6 * bodies());
  bound_.setZero(tangents);
  for (std::size_t i = 0; i < touches_.size(); ++i)
    for (int k = 0; k < 2; ++k) {
      const ContactForce& contact = touches_[i].force;
      const ForceVector<double> f = force_at_point(touches_[i].tangent[k], contact.point);
      auto row = T_.row(2 * static_cast<Eigen::Index>(i) + k);
      if (contact.body_b != 0) add_force(at.X_0(contact.body_b) * f, column_of(contact.body_b), row);
      if (contact.body_a != 0) add_force(-(at.X_0(contact.body_a) * f), column_of(contact.body_a), row);
    }
  for (Rubbing& each : rubbing_) {
    const ImplicitContacts& contacts = each.contacts;
    const int body = contacts.body, other = contacts.other;
    std::vector<Eigen::Matrix<double, 12, 1>> normals;
    Eigen::Index tangent = each.first_tangent;
    for (const ImplicitContact& point : contacts.points) {
      for (const Vec3<double>& normal : point.normals) {
        auto& row = normals.emplace_back(Eigen::Matrix<double, 12, 1>::Zero());
        const ForceVector<double> f = force_at_point(normal, point.point);
        if (body != 0) add_force(f, 0, row);
        if (other != 0) add_force(-on_other(at, body, other, f), 6, row);
      }
      for (const Vec3<double>& direction : point.tangents) {
        const ForceVector<double> f = force_at_point(direction, point.point);
        if (body != 0) add_force(f, column_of(body), T_.row(tangent));
        if (other != 0) add_force(-on_other(at, body, other, f), column_of(other), T_.row(tangent));
        ++tangent;
      }
    }
    const auto rows = static_cast<Eigen::Index>(normals.size());
    Eigen::MatrixXd N(rows, 12);
    for (Eigen::Index i = 0; i < rows; ++i) N.row(i) = normals[static_cast<std::size_t>(i)].transpose();
    each.N_W.resize(rows, 12);
    each.N_W.leftCols<6>() = N.leftCols<6>() * W_[static_cast<std::size_t>(body)];
    each.N_W.rightCols<6>() = N.rightCols<6>() * W_[static_cast<std::size_t>(other)];
    Eigen::MatrixXd local = each.N_W * N.transpose();
    local.diagonal().array() += settings_.regularization;
    each.local.compute(local);
  }
}

/// Computes the wrenches (N, N m) of a loop on its two bodies from its multipliers in the reduced program.
Eigen::VectorXd BilateralStaggering::loop_reaction(const ImplicitContacts& contacts, double h) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(12);
  const ConstraintSet& set = mechanism_.constraints()->constraints();
  const ConstraintRows& rows = set.rows_of(contacts.loop);
  for (const auto& on : rows.on_bodies)
    for (std::size_t row = 0; row < on.row.size(); ++row)
      add_force((reduced_.lambda()[set.first_row(contacts.loop) + static_cast<Eigen::Index>(row)] / h) * on.row[row],
                on.body == contacts.body ? 0 : 6, out);
  return out;
}

void BilateralStaggering::share_reactions(double h) {
  // from the tips to the base: what is left on a body is the reaction of its own joint
  reaction_ = f_a_;
  const Kinematics<double>& k = kinematics_.kinematics();
  const auto of = [&](int body) {
    ForceVector<double> f;
    for (int c = 0; c < 6; ++c) f[c] = reaction_[column_of(body) + c];
    return f;
  };
  for (int body = model_.bodies(); body >= 1; --body)
    if (const int parent = model_.link(body).parent; parent != 0)
      add_force(transpose_apply(k.X[static_cast<std::size_t>(body)], of(body)), column_of(parent), reaction_);
  for (const Rubbing& each : rubbing_) {
    const ImplicitContacts& contacts = each.contacts;
    Eigen::VectorXd w = Eigen::VectorXd::Zero(12);
    if (contacts.loop >= 0) {
      w = loop_reaction(contacts, h);
    } else {
      add_force(of(contacts.body), 0, w);
      if (contacts.other != 0)
        add_force(-transpose_apply(k.X[static_cast<std::size_t>(contacts.body)], of(contacts.body)), 6, w);
    }
    const Eigen::VectorXd alpha = each.local.solve(h * (each.N_W * w));
    Eigen::Index normal = 0, tangent = each.first_tangent;
    for (const ImplicitContact& point : contacts.points) {
      const auto count = static_cast<Eigen::Index>(point.normals.size());
      const double pressed = alpha.segment(normal, count).cwiseAbs().sum();
      for (std::size_t i = 0; i < point.tangents.size(); ++i)
        bound_[tangent++] = pressed > settings_.least_impulse ? contacts.mu * pressed : 0.0;
      normal += count;
    }
  }
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const double pressed = reduced_.z()[static_cast<Eigen::Index>(i)];
    bound_.segment<2>(2 * static_cast<Eigen::Index>(i))
        .setConstant(pressed > settings_.least_impulse ? touches_[i].mu * pressed : 0.0);
  }
}

void BilateralStaggering::rub(double h) {
  std::vector<Eigen::Index> acting;
  for (Eigen::Index i = 0; i < bound_.size(); ++i)
    if (bound_[i] > 0.0) acting.push_back(i);
  const Eigen::MatrixXd T = T_(acting, Eigen::all);
  const Eigen::MatrixXd response = maximal_.inverse_times(T.transpose());
  const Eigen::VectorXd b = response.transpose() * (sides_.maximal + h * f_a_), bound = bound_(acting);
  if (beta_.size() != bound_.size()) beta_.setZero(bound_.size());  // contacts have come or gone
  const Eigen::VectorXd start = beta_(acting), beta = solve_box_qp(T * response, b, bound, start).x;
  beta_.setZero();
  beta_(acting) = beta;
  f_b_ = -(T.transpose() * beta) / h;
}

void BilateralStaggering::stagger(double h) {
  f_a_.setZero(6 * bodies());
  for (int round = 1;; ++round) {
    ++log_.summary.rounds;
    if (!maximal_.solve(sides_.maximal + h * f_b_) || !reduced_.solve(sides_.reduced + h * J_.transpose() * f_b_))
      fail(time_ + h, {}, "no velocities satisfy the rows of contacts and limits");
    const Eigen::VectorXd before = f_a_;
    f_a_ = M_ * (J_ * reduced_.v() + h * J_dot_v_ - maximal_.v()) / h;
    share_reactions(h);
    const Eigen::VectorXd change = f_a_ - before;
    const double moved = change.dot(maximal_.inverse_times(change).col(0)),
                 size = f_a_.dot(maximal_.inverse_times(f_a_).col(0));
    if (moved <= settings_.convergence * size && !(round == 1 && size > 0.0)) return;
    if (round >= settings_.rounds) {
      ++log_.summary.unsolved;
      return;
    }
    rub(h);
  }
}

void BilateralStaggering::log_touches(double h) {
  log_.forces.clear();
  ContactSummary& summary = log_.summary;
  int acting = 0;
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    ContactForce force = touches_[i].force;
    const double normal = reduced_.z()[static_cast<Eigen::Index>(i)];
    force.force = (normal / h) * force.normal;
    summary.penetration = std::max(summary.penetration, -force.gap);
    acting += normal > 0.0 ? 1 : 0;
    log_.forces.push_back(force);
  }
  summary.contacts = std::max(summary.contacts, acting);
}

}  // namespace cardan
