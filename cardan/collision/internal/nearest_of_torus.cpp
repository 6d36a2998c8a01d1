// A torus is its center circle c(u) with the tube's radius around it. Against a convex solid or another torus, whose
// signed distance d(x) of a point is known: gap = min over u of d(c(u)) - tube. d has slope at most 1, so between two
// points of the circle at arc distance l it is at least (d1 + d2 - l) / 2: intervals that cannot hold the least value
// are left out, the others halved; a sign change of the derivative n . c'(u) is then narrowed down to rounding.
#include "cardan/collision/internal/nearest_parts.hpp"

#include <numbers>

namespace cardan::collision {
namespace {

class CircleSearch {
 public:
  CircleSearch(const Solid& torus, const Solid& other, const Pose<double>& X)
      : torus_(torus), other_(other), X_(X), back_(inverse(X)) {}

  LocalContact run() {
    constexpr int kSamples = 48;
    constexpr double kWidth = 2.0 * std::numbers::pi / kSamples;
    Sample ring[kSamples];
    for (int i = 0; i < kSamples; ++i) ring[i] = sample(kWidth * i);
    for (int i = 0; i < kSamples; ++i) search(ring[i], ring[(i + 1) % kSamples], kWidth * i, kWidth, 4);
    return best_.contact;
  }

 private:
  struct Sample {
    double slope = 0.0;  // d gap / d u
    LocalContact contact;
  };
  Sample sample(double u);
  void search(const Sample& left, const Sample& right, double u, double width, int depth);
  LocalContact to_point(const Vec3<double>& x);

  const Solid& torus_;
  const Solid& other_;
  Pose<double> X_, back_;
  Vec3<double> guess_;
  Sample best_;
  bool found_ = false;
};

/// Contact of the point x with the other solid, in the other's frame.
LocalContact CircleSearch::to_point(const Vec3<double>& x) {
  if (other_.kind != Kind::torus) return nearest_to_point(x, other_, guess_);
  const double rho = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  const Vec3<double> radial = rho > 0.0 ? Vec3<double>{x[0] / rho, x[1] / rho, 0.0} : Vec3<double>{1.0, 0.0, 0.0};
  const Vec3<double> d = other_.half[0] * radial - x;
  const double distance = norm(d);
  LocalContact out;
  out.n = distance > 0.0 ? (1.0 / distance) * d : Vec3<double>{0.0, 0.0, 1.0};
  out.gap = distance - other_.radius;
  out.a = x;
  out.b = x + out.gap * out.n;
  // seen from the other torus the direction is -n
  out.feature_b = {1, {-radial[1], radial[0], 0.0}, -dot(out.n, radial) / other_.half[0]};
  return out;
}

CircleSearch::Sample CircleSearch::sample(double u) {
  const double R = torus_.half[0], c = std::cos(u), s = std::sin(u);
  const Vec3<double> radial{c, s, 0.0}, tangent{-s, c, 0.0};
  const LocalContact seen = to_point(back_ * (R * radial));
  Sample out;
  LocalContact& contact = out.contact;
  contact.n = X_.R * seen.n;
  contact.gap = seen.gap - torus_.radius;
  contact.a = R * radial + torus_.radius * contact.n;
  contact.b = contact.a + contact.gap * contact.n;
  contact.feature_a = {1, tangent, dot(contact.n, radial) / R};
  contact.feature_b = seen.feature_b;
  contact.feature_b.e = X_.R * seen.feature_b.e;
  out.slope = -R * dot(contact.n, tangent);
  if (!found_ || contact.gap < best_.contact.gap) {
    best_ = out;
    found_ = true;
  }
  return out;
}

void CircleSearch::search(const Sample& left, const Sample& right, double u, double width, int depth) {
  const double arc = torus_.half[0] * width;
  if (0.5 * (left.contact.gap + right.contact.gap - arc) > best_.contact.gap) return;
  if (depth > 0) {
    const Sample middle = sample(u + 0.5 * width);
    search(left, middle, u, 0.5 * width, depth - 1);
    search(middle, right, u + 0.5 * width, 0.5 * width, depth - 1);
    return;
  }
  if (!(left.slope <= 0.0 && right.slope >= 0.0)) return;
  // regula falsi with halved ends (Illinois), and a bisection where that is slow
  double low = u, high = u + width, f_low = left.slope, f_high = right.slope;
  Sample last = left;
  constexpr int kMostIterations = 80;
  for (int i = 0; i < kMostIterations && high - low > 1e-16 * std::max(1.0, std::abs(low)); ++i) {
    double at = i % 3 == 2 ? 0.5 * (low + high) : low - f_low * (high - low) / (f_high - f_low);
    if (!(at > low && at < high)) at = 0.5 * (low + high);
    if (at <= low || at >= high) break;
    last = sample(at);
    const double f = last.slope;
    if (f == 0.0) break;
    if (f < 0.0) {
      low = at;
      f_low = f;
      f_high *= 0.5;
    } else {
      high = at;
      f_high = f;
      f_low *= 0.5;
    }
  }
  // the gap is flat there: where it is least by rounding is not where it is least
  if (last.contact.gap <= best_.contact.gap + 1e-15 * (torus_.half[0] + norm(X_.p))) best_ = last;
}

}  // namespace

LocalContact nearest_of_torus(const Solid& a, const Solid& b, const Pose<double>& X) {
  return CircleSearch(a, b, X).run();
}

}  // namespace cardan::collision
