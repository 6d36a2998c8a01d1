// Which contacts a step meets.
#include "cardan/collision/internal/core_pair.hpp"
#include "cardan/contact/internal/step_rows.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// How far what rests may move before its contacts are found anew (m, rad): normals are right to this, gaps to its
/// square.
constexpr double kStillness = 1e-10;
constexpr double kLikeSide = 0.5;  // cosine of how far the normal of a contact may turn in a step

}  // namespace

ContactPoint StepRows::point_of(const WorldContact& found) const {
  ContactPoint point;
  point.shape_a = found.shape_a;
  point.shape_b = found.shape_b;
  point.name_a = found.contact.name_a;
  point.name_b = found.contact.name_b;
  point.body_a = world_->shapes()[static_cast<std::size_t>(found.shape_a)].body;
  point.body_b = world_->shapes()[static_cast<std::size_t>(found.shape_b)].body;
  point.gap = found.contact.gap;
  point.point = 0.5 * (found.contact.point_a + found.contact.point_b);
  point.axes[0] = found.contact.normal;
  point.axes[1] = collision::perpendicular(found.contact.normal);
  point.axes[2] = cross(point.axes[0], point.axes[1]);
  return point;
}

/// Computes the rate of a contact's gap.
double StepRows::approach(const Instant& at, const ContactPoint& point) {
  const auto velocity = [&](int body) {
    if (body == 0) return Vec3<double>{};
    const Transform<double>& X = at.X_0(body);
    return at.point_velocity(body, rotate(X.E, point.point - X.r));
  };
  return dot(point.axes[0], velocity(point.body_b) - velocity(point.body_a));
}

/// Tells whether a pair that closes touches on no like side where the step ends.
bool StepRows::passes(const KnownGap& start) const {
  return start.closes && std::none_of(points_.begin(), points_.end(), [&](const ContactPoint& end) {
           return end.shape_a == start.shape_a && end.shape_b == start.shape_b &&
                  dot(end.axes[0], start.normal) > kLikeSide;
         });
}

StepRows::Closing StepRows::closing(double slowest) const {
  Closing out;
  for (const ContactPoint& point : points_)
    if (point.law.stiffness == 0.0 && point.approach < -slowest && point.gap + h_ * point.approach < 0.0) ++out.points;
  out.passes = std::any_of(gaps_.begin(), gaps_.end(), [&](const KnownGap& start) { return passes(start); });
  return out;
}

void StepRows::move_to(double t, In<double> q, In<double> v, In<double> a, double h, double tolerance, At at) {
  const double ahead = at == At::end ? h : 0.0;
  v0_.assign(v.data(), v.data() + v.size());
  v_ = v0_;
  q0_.assign(q.data(), q.data() + q.size());
  q_.resize(q0_.size());
  for (std::size_t k = 0; k < x_.size(); ++k) {
    x_[k] = ahead * (v0_[k] + 0.5 * ahead * a[static_cast<int>(k)]);
    v_[k] += ahead * a[static_cast<int>(k)];
  }
  space_.move(q0_.data(), x_.data(), q_.data());
  if (ahead > 0.0)
    for (const FreeJoint& joint : free_) joint.predict(q0_.data(), v0_.data(), a.data(), ahead, q_.data(), v_.data());
  instant_.emplace(kinematics_.with_accelerations(t, q_, v_));
  h_ = h;
  points_.clear();
  for (LimitedVelocity& limit : limits_) limit.is_missed = false;
  find_loops(t);
  if (!world_) return;
  double speed = norm(model_.gravity()) * h;
  for (int body = 1; body <= model_.bodies(); ++body) {
    const double reach = world_->scene().reach(body);
    if (reach == 0.0) continue;
    const MotionVector<double>& u = instant_->velocity(body);
    speed = std::max(speed, norm(u.linear) + reach * norm(u.angular) + norm(model_.gravity()) * h);
  }
  const double margin = 2.0 * h * speed + 10.0 * tolerance;
  gaps_.clear();
  if (at == At::end) {
    const Instant start = start_.at(t, q0_, v0_);
    world_->update(start.bodies);
    for (const WorldContact& found : world_->contacts(margin, kStillness)) {
      const double rate = approach(start, point_of(found));
      gaps_.push_back({found.shape_a, found.shape_b, found.contact.name_a, found.contact.name_b, found.contact.gap,
                       found.contact.gap + h * rate < 0.0, found.contact.normal});
    }
  }
  std::size_t known = 0;
  world_->update(instant_->bodies);
  for (const WorldContact& found : world_->contacts(margin, kStillness)) {
    ContactPoint point = point_of(found);
    point.law = laws_.of(world_->scene(), found.shape_a, found.shape_b);
    point.approach = approach(*instant_, point);
    if (at == At::end) {
      const auto pair = std::pair(point.shape_a, point.shape_b);
      while (known < gaps_.size() && std::pair(gaps_[known].shape_a, gaps_[known].shape_b) < pair) ++known;
      bool matched = false;
      for (std::size_t i = known; i < gaps_.size() && std::pair(gaps_[i].shape_a, gaps_[i].shape_b) == pair; ++i)
        if (gaps_[i].name_a == point.name_a && gaps_[i].name_b == point.name_b) {
          point.gap = gaps_[i].gap;
          matched = true;
          break;
        }
      if (!matched) point.gap -= ahead * point.approach;
    }
    points_.push_back(point);
  }
}

}  // namespace cardan
