// How mechanisms that fly keep their momentum over a step of finite length.
#include "cardan/contact/internal/free_motion.hpp"
#include "cardan/contact/internal/subtree_momenta.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kFastBase = 1e-4;  // rad in a step: below, a base keeps its momentum to rounding without help

Vec3<double> position(const Model& model, int body, const std::vector<double>& q) {
  const auto first = static_cast<std::size_t>(model.link(body).q);
  return {q[first + 4], q[first + 5], q[first + 6]};
}
Mat3<double> orientation(const Model& model, int body, const std::vector<double>& q) {
  const auto first = static_cast<std::size_t>(model.link(body).q);
  return quaternion_to_matrix(Quaternion<double>{q[first], q[first + 1], q[first + 2], q[first + 3]});
}
}  // namespace

/// Turns and moves the bases of mechanisms that fly so that momentum at the end is that of the start and what forces
/// from outside added: the momentum of mid-step grows by (H dv) of the base and what velocity products took of it.
void FreeMotion::keep_momentum(double h, const State& start) {
  std::vector<std::size_t> fast;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].is_single() || model_.link(joints_[i].body()).parent != 0) continue;
    double spin = 0.0;
    for (int k = joints_[i].velocity(); k < model_.subtree_dofs_end(joints_[i].body()); ++k)
      if (k < joints_[i].velocity() + 3 || k >= joints_[i].velocity() + 6)
        spin = std::max(spin, std::abs(start.v[static_cast<std::size_t>(k)]));
    if (h * spin > kFastBase) fast.push_back(i);
  }
  if (fast.empty()) return;
  const SubtreeMomenta before(model_, at_ends_.at(0.0, start.q, start.v));
  q_end_ = middle_.q;
  v_flight_.assign(v_end_.data(), v_end_.data() + v_end_.size());
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = 0.5 * h * v_flight_[k];
  space_.move(middle_.q.data(), x_.data(), q_end_.data());
  for (std::size_t i = 0; i < joints_.size(); ++i)
    joints_[i].move(start.q.data(), start.v.data(), flights_[i], flights_[i].v, false, h, q_end_.data(),
                    v_flight_.data(), acceleration_.data());
  const SubtreeMomenta after(model_, at_ends_.at(0.0, q_end_, v_flight_));
  std::fill(v_products_.begin(), v_products_.end(), 0.0);
  Eigen::VectorXd gravity(model_.nv());
  equations_.balance(middle_.q, v_products_, v_products_, gravity);
  for (const std::size_t i : fast) {
    const int body = joints_[i].body(), first = joints_[i].velocity();
    const auto b = static_cast<std::size_t>(body);
    double outside[6];
    for (int r = 0; r < 6; ++r) {
      outside[r] = h * (products_[first + r] - gravity[first + r]);
      for (int k = first; k < model_.subtree_dofs_end(body); ++k)
        outside[r] += H_(std::max(k, first + r), std::min(k, first + r)) * dv_[k];
    }
    const double m = after.I[b].m;
    // momentum about the center of mass in the axes of a pose, in the joint's fixed axes
    const auto about_center = [&](const ForceVector<double>& f, const Vec3<double>& c, const std::vector<double>& q) {
      const Mat3<double> R = orientation(model_, body, q);
      return ForceVector<double>{R * (f.moment - cross(c, f.force)), R * f.force};
    };
    const auto center = [&](const Vec3<double>& c, const std::vector<double>& q) {
      return position(model_, body, q) + orientation(model_, body, q) * c;
    };
    const Vec3<double> c0 = (1.0 / m) * before.I[b].h, c1 = (1.0 / m) * after.I[b].h;
    const Vec3<double> c_mid =
        (1.0 / m) * Vec3<double>{H_(first + 4, first + 2), -H_(first + 3, first + 2), H_(first + 3, first + 1)};
    const ForceVector<double> start_momentum = about_center(before.h[b], c0, start.q);
    ForceVector<double> missing = start_momentum;
    missing +=
        about_center({{outside[0], outside[1], outside[2]}, {outside[3], outside[4], outside[5]}}, c_mid, middle_.q);
    const Vec3<double> mean_momentum = 0.5 * (start_momentum.force + missing.force);
    missing -= about_center(after.h[b], c1, q_end_);
    const Mat3<double> R = orientation(model_, body, q_end_);
    const Vec3<double> force = transpose_apply(R, missing.force);
    const MotionVector<double> change =
        after.motion(body, {transpose_apply(R, missing.moment) + cross(c1, force), force});
    flights_[i].shift =
        center(c0, start.q) - center(c1, q_end_) + h * ((1.0 / m) * mean_momentum - 0.5 * (R * change.linear));
    flights_[i].v.angular += R * change.angular;
    flights_[i].v.linear += R * change.linear;
  }
}

}  // namespace cardan
