#include "cardan/collision/internal/epa.hpp"

#include <limits>

namespace cardan::collision {
namespace {

constexpr int kMostPoints = 160, kMostFaces = 512, kMostEdges = 256;

struct EpaFace {
  int v[3] = {};
  Vec3<double> n;
  double distance = 0.0;
  bool alive = false;
};

/// The growing polytope, in memory of fixed size.
class EpaPolytope {
 public:
  explicit EpaPolytope(CorePair& pair) : pair_(pair) {}

  bool start();
  /// Grows until the nearest face is one of the difference itself, or as good.
  EpaResult run();
  Vec3<double> flat_normal() const { return flat_; }

 private:
  const Vec3<double>& w(int i) const { return points_[i].w; }
  void add_face(int a, int b, int c);
  int nearest() const;
  bool insert(const DifferencePoint& point, int from);

  CorePair& pair_;
  DifferencePoint points_[kMostPoints];
  EpaFace faces_[kMostFaces];
  int points_count_ = 0, faces_count_ = 0;
  Vec3<double> inside_, flat_;
};

/// Finds four points that span space, among those farthest along 13 axes.
bool EpaPolytope::start() {
  DifferencePoint pool[26];
  int count = 0;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        // turned a little, so that faces along the axes do not all answer with ties
        const Vec3<double> n{x + 0.137 * y - 0.041 * z, y + 0.173 * z - 0.057 * x, z + 0.111 * x - 0.023 * y};
        pool[count++] = pair_.farthest(n);
      }
  const auto farthest = [&](const auto& measure) {
    int best = 0;
    double most = -1.0;
    for (int i = 0; i < count; ++i)
      if (const double m = measure(pool[i].w); m > most) {
        most = m;
        best = i;
      }
    return best;
  };
  const Vec3<double> p = pool[0].w;
  const int second = farthest([&](const Vec3<double>& q) { return norm(q - p); });
  const Vec3<double> e = pool[second].w - p;
  const int third = farthest([&](const Vec3<double>& q) { return norm(cross(e, q - p)); });
  const Vec3<double> n = cross(e, pool[third].w - p);
  const double area = norm(n);
  flat_ = area > 1e-14 * pair_.scale * norm(e) ? (1.0 / area) * n
          : norm(e) > 0.0                      ? perpendicular(unit(e))
                                               : Vec3<double>{0.0, 0.0, 1.0};
  const int fourth = farthest([&](const Vec3<double>& q) { return std::abs(dot(flat_, q - p)); });
  const double height = dot(flat_, pool[fourth].w - p);
  if (!(std::abs(height) > 1e-12 * pair_.scale) || !(area > 0.0)) return false;
  points_[0] = pool[0];
  points_[1] = pool[second];
  points_[2] = pool[third];
  points_[3] = pool[fourth];
  points_count_ = 4;
  inside_ = 0.25 * (w(0) + w(1) + w(2) + w(3));
  add_face(0, 1, 2);
  add_face(0, 1, 3);
  add_face(0, 2, 3);
  add_face(1, 2, 3);
  return true;
}

void EpaPolytope::add_face(int a, int b, int c) {
  if (faces_count_ == kMostFaces) return;
  EpaFace& f = faces_[faces_count_++];
  f = {{a, b, c}, cross(w(b) - w(a), w(c) - w(a)), 0.0, true};
  const double area = norm(f.n);
  if (!(area > 1e-28 * pair_.scale * pair_.scale)) {  // no area: it closes the surface and is never the nearest
    f.n = {};
    f.distance = std::numeric_limits<double>::infinity();
    return;
  }
  f.n = (1.0 / area) * f.n;
  if (dot(f.n, w(a) - inside_) < 0.0) {
    std::swap(f.v[1], f.v[2]);
    f.n = -f.n;
  }
  f.distance = dot(f.n, w(a));
}

int EpaPolytope::nearest() const {
  int best = -1;
  for (int i = 0; i < faces_count_; ++i)
    if (faces_[i].alive && (best < 0 || faces_[i].distance < faces_[best].distance)) best = i;
  return best;
}

/// Replaces the faces that the point sees by a fan to it. False where memory ends or the horizon is broken by rounding.
bool EpaPolytope::insert(const DifferencePoint& point, int from) {
  if (points_count_ == kMostPoints) return false;
  struct Edge {
    int from, to;
  };
  Edge edges[kMostEdges];
  int count = 0;
  for (int i = 0; i < faces_count_; ++i) {
    EpaFace& f = faces_[i];
    if (!f.alive) continue;
    if (i != from && !(dot(f.n, point.w) - f.distance > 1e-15 * pair_.scale)) continue;
    f.alive = false;
    for (int k = 0; k < 3; ++k) {
      const int p = f.v[k], q = f.v[(k + 1) % 3];
      int other = 0;  // an edge walked both ways is inside
      while (other < count && !(edges[other].from == q && edges[other].to == p)) ++other;
      if (other < count) {
        edges[other] = edges[--count];
      } else {
        if (count == kMostEdges) return false;
        edges[count++] = {p, q};
      }
    }
  }
  const int apex = points_count_++;
  points_[apex] = point;
  if (faces_count_ + count > kMostFaces) {  // drop the dead
    int alive = 0;
    for (int i = 0; i < faces_count_; ++i)
      if (faces_[i].alive) faces_[alive++] = faces_[i];
    faces_count_ = alive;
    if (faces_count_ + count > kMostFaces) return false;
  }
  for (int i = 0; i < count; ++i) add_face(edges[i].from, edges[i].to, apex);
  return count >= 3;
}

EpaResult EpaPolytope::run() {
  const double tolerance = (pair_.is_curved() ? 1e-5 : 1e-13) * pair_.scale;
  constexpr int kMostIterations = 120;
  EpaResult out;
  EpaFace face;
  for (out.iterations = 1;; ++out.iterations) {
    const int best = nearest();
    if (best < 0) break;
    face = faces_[best];
    if (out.iterations == kMostIterations) {
      out.exhausted = true;
      break;
    }
    const DifferencePoint fresh = pair_.farthest(face.n);
    if (dot(face.n, fresh.w) - face.distance <= tolerance) break;
    bool known = false;
    for (const int v : face.v) known = known || points_[v].same(fresh);
    if (known) break;
    if (!insert(fresh, best)) {
      out.exhausted = true;
      break;
    }
  }
  // n of a - b points away from the origin's side: from a to b when a moves back along it
  out.n = face.n;
  const Vec3<double>&p = w(face.v[0]), &q = w(face.v[1]), &r = w(face.v[2]);
  const Vec3<double> n = cross(q - p, r - p), v = face.distance * face.n;
  const double nn = dot(n, n);
  if (nn > 0.0) {
    out.weight[0] = std::clamp(dot(n, cross(q - v, r - v)) / nn, 0.0, 1.0);
    out.weight[1] = std::clamp(dot(n, cross(r - v, p - v)) / nn, 0.0, 1.0 - out.weight[0]);
  }
  out.weight[2] = 1.0 - out.weight[0] - out.weight[1];
  for (int i = 0; i < 3; ++i) out.point[i] = points_[face.v[i]];
  return out;
}

}  // namespace

EpaResult epa(CorePair& pair) {
  EpaPolytope polytope(pair);
  if (polytope.start()) return polytope.run();
  EpaResult out;
  out.flat = true;
  out.n = polytope.flat_normal();
  if (pair.separation(-out.n) > pair.separation(out.n)) out.n = -out.n;
  out.point[0] = out.point[1] = out.point[2] = pair.farthest(out.n);
  out.weight[0] = 1.0;
  return out;
}

}  // namespace cardan::collision
