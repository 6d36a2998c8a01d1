#include "cardan/contact/internal/touching_points.hpp"

#include "cardan/collision/gap_motion.hpp"
#include "cardan/collision/internal/core_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

/// Motion of a body in world axes while no joint accelerates.
collision::BodyMotion motion_of(const Instant& at, int body) {
  collision::BodyMotion out{};
  if (body == 0) return out;
  const Transform<double>& X = at.X_0(body);
  const MotionVector<double>&v = at.velocity(body), &a = at.bias_acceleration(body);
  out.origin = X.r;
  out.angular_velocity = rotate_back(X.E, v.angular);
  out.velocity = rotate_back(X.E, v.linear);
  out.angular_acceleration = rotate_back(X.E, a.angular);
  out.acceleration = rotate_back(X.E, a.linear + cross(v.angular, v.linear));
  return out;
}

/// Rate of the material velocity at a point that moves over the body by c_dot.
Vec3<double> material_rate(const collision::BodyMotion& body, const Vec3<double>& c, const Vec3<double>& c_dot) {
  return body.acceleration + cross(body.angular_acceleration, c - body.origin) +
         cross(body.angular_velocity, c_dot - body.velocity);
}

}  // namespace

TouchingPoints::TouchingPoints(std::shared_ptr<const ContactScene> scene) : world_(std::move(scene)) {}

const PairLaw& TouchingPoints::law_of(int shape_a, int shape_b) { return laws_.of(world_.scene(), shape_a, shape_b); }

const std::vector<TouchingPoint>& TouchingPoints::find(const Instant& at, double margin) {
  world_.update(at.bodies);
  points_.clear();
  for (const WorldContact& found : world_.contacts(margin)) {
    const collision::Contact& contact = found.contact;
    const WorldShape &shape_a = world_.shapes()[static_cast<std::size_t>(found.shape_a)],
                     &shape_b = world_.shapes()[static_cast<std::size_t>(found.shape_b)];
    TouchingPoint point;
    point.shape_a = found.shape_a;
    point.shape_b = found.shape_b;
    point.name_a = contact.name_a;
    point.name_b = contact.name_b;
    point.body_a = shape_a.body;
    point.body_b = shape_b.body;
    point.gap = contact.gap;
    point.point = 0.5 * (contact.point_a + contact.point_b);
    point.axes[0] = contact.normal;
    point.axes[1] = collision::perpendicular(contact.normal);
    point.axes[2] = cross(point.axes[0], point.axes[1]);
    point.fixed = contact.feature_a.fixed || contact.feature_b.fixed;
    point.law = law_of(found.shape_a, found.shape_b);
    const collision::BodyMotion a = motion_of(at, shape_a.body), b = motion_of(at, shape_b.body);
    const collision::GapMotion gap = collision::gap_motion(contact, shape_a.solid, world_.pose(found.shape_a).R, a,
                                                           shape_b.solid, world_.pose(found.shape_b).R, b);
    const Vec3<double> u = b.velocity_at(point.point) - a.velocity_at(point.point) - point.law.surface_velocity,
                       rate = material_rate(b, point.point, gap.point_rate) -
                              material_rate(a, point.point, gap.point_rate);
    point.approach = gap.rate;
    point.u = {gap.rate, dot(point.axes[1], u), dot(point.axes[2], u)};
    point.bias = {gap.acceleration, dot(point.axes[1], rate), dot(point.axes[2], rate)};
    points_.push_back(point);
  }
  return points_;
}

void TouchingPoints::set_rows(const Instant& at, const ContactPoint& point,
                              Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>> J) {
  J.setZero();
  for (int row = 0; row < 3; ++row)
    for (const int end : {point.body_a, point.body_b}) {
      if (end == 0) continue;
      ForceVector<double> f =
          at.X_0(end) * ((end == point.body_b ? 1.0 : -1.0) * force_at_point(point.axes[row], point.point));
      for (int body = end; body != 0; body = at.model.link(body).parent) {
        const Link& link = at.model.link(body);
        for (int k = link.v; k < link.v + link.nv; ++k) J(row, k) += dot(at.bodies.S[static_cast<std::size_t>(k)], f);
        f = transpose_apply(at.bodies.X[static_cast<std::size_t>(body)], f);
      }
    }
}

std::string TouchingPoints::names(const ContactPoint& point) const {
  return fmt::format("\"{}\" and \"{}\"", world_.scene().owner(point.shape_a), world_.scene().owner(point.shape_b));
}

double TouchingPoints::speed(const Instant& at) const {
  double out = 0.0;
  for (int body = 1; body <= at.model.bodies(); ++body) {
    const double reach = world_.scene().reach(body);
    if (reach > 0.0) out = std::max(out, norm(at.velocity(body).linear) + reach * norm(at.velocity(body).angular));
  }
  return 2.0 * out;
}

}  // namespace cardan
