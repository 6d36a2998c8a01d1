// When contacts close within a step of contact stepping: those that bounce or swing on springs, and others where that
// matters, are followed to the time of their closing, and the step goes on from there.
#include "cardan/contact/internal/contact_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kFewClosings = 8;         // contacts in a step: more that do not bounce close by its velocities
constexpr int kMostClosings = 3;        // pieces of a step that end where such a contact closes
constexpr double kShutGap = 1e-6;       // of the penetration
constexpr double kSoonReleased = 1e-3;  // of a step: a spring that lets go before then is not waited for

}  // namespace

bool ContactStepper::closings_matter(double t, double h, int closings) {
  find_contacts(t, h, watches_closing_ || is_new_ ? StepRows::At::start : StepRows::At::end);
  const StepRows::Closing closing = rows_.closing(std::max(2.0 * gravity_ * h, slowest_));
  return closing.passes || (closing.points > 0 && closing.points <= kFewClosings && closings < kMostClosings);
}

double ContactStepper::time_of_closing(double h, bool plastic) const {
  double first = h;
  Eigen::VectorXd a_last = acceleration_;
  for (const FreeJoint& joint : rows_.free())
    joint.express_acceleration(rows_.instant().q.data(), acceleration_.data(), a_last.data());
  const double slowest = std::max(2.0 * gravity_ * h, slowest_);
  for (const ContactPoint& point : rows_.points()) {
    const bool compliant = point.law.stiffness > 0.0;
    if (!compliant && !plastic && point.law.restitution == 0.0) continue;
    if (!compliant && !(point.gap > penetration_)) continue;
    // gap + u t + a t^2 / 2 with the acceleration of free motion
    const auto rate = [&](int body, const Eigen::VectorXd& v) {
      if (body == 0) return 0.0;
      const Transform<double>& X = rows_.instant().X_0(body);
      ForceVector<double> f = X * force_at_point(point.axes[0], point.point);
      double sum = 0.0;
      for (int b = body; b != 0; b = model_.link(b).parent) {
        const Link& link = model_.link(b);
        for (int k = link.v; k < link.v + link.nv; ++k)
          sum += dot(rows_.instant().bodies.S[static_cast<std::size_t>(k)], f) * v[k];
        f = transpose_apply(rows_.instant().bodies.X[static_cast<std::size_t>(b)], f);
      }
      return sum;
    };
    if (compliant && !(point.gap > kShutGap * penetration_)) {
      // force k (-gap) - d u of a contact that opens, with the acceleration of the step before
      const double a = rate(point.body_b, a_last) - rate(point.body_a, a_last), u = point.approach;
      const double f = -point.law.stiffness * point.gap - point.law.damping * u;
      const double falls = point.law.stiffness * u + point.law.damping * a, bends = 0.5 * point.law.stiffness * a;
      const double root = falls * falls + 4.0 * bends * f;
      if (!(f > 0.0 && falls > 0.0 && root > 0.0)) continue;
      const double t = 2.0 * f / (falls + std::sqrt(root));
      if (t > kSoonReleased * h && t < first) first = t;
      continue;
    }
    const double u1 = rate(point.body_b, v_free_) - rate(point.body_a, v_free_), u0 = point.approach;
    const double a = (u1 - u0) / h;
    if (point.gap + h * 0.5 * (u0 + u1) > 0.0) continue;
    const double root = std::sqrt(std::max(0.0, u0 * u0 - 2.0 * a * point.gap));
    const double t = 2.0 * point.gap / (-u0 + root);
    if (!(t > 0.0 && t < first) || (!compliant && !(-(u0 + a * t) > slowest))) continue;
    first = t;
  }
  return std::min(first, rows_.time_of_limit(v_free_, h, slowest, penetration_));
}

}  // namespace cardan
