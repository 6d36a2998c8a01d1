// A path through points of bodies, straight from one to the next or wrapped over surfaces: what springs, cables and
// muscles act along. With X_k the points in the world, l the length and g_k = dl/dX_k (a sum of unit vectors),
//   dl/dt = sum of g_k . dX_k/dt,   force of the tension T on point k = -T g_k.
// A surface feels the negative of what its curve exerts on the two ends. Points may move on their body with a
// coordinate, and may be there only while a coordinate is within a range.
// K = -[ T_l B'B + T dB'/dx + T_ldot B' dldot/dx ],  D = -T_ldot B'B,  B = dl/dx the row of all displacements x.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/forces/wrap_surface.hpp"
#include "cardan/program/time_function.hpp"

#include <optional>

namespace cardan {

/// A point of a body, in its internal frame; body 0 is the world.
struct BodyPoint {
  int body = 0;
  Vec3<double> at;
};

/// A coordinate that is a plain number, with the velocity that is its rate.
struct PathCoordinate {
  int q = -1, v = -1;
};

struct PathPoint {
  int body = 0;
  Vec3<double> at;  // in the body's internal frame; of one that moves, where the coordinate is zero
  /// Where it moves on its body: the place as a function of a coordinate, with two derivatives.
  struct Moving {
    PathCoordinate coordinate;
    TimeFunction at;
  };
  /// The path goes through it only while low <= coordinate <= high.
  struct When {
    PathCoordinate coordinate;
    double low = 0.0, high = 0.0;
  };
  std::optional<Moving> moving{};
  std::optional<When> when{};
};

struct PathWrap {
  int body = 0;
  Transform<double> X = Transform<double>::identity();  // from the body's internal frame to the surface's
  int after = 0;                                        // between points `after` and `after + 1`, counted from 0
  /// -1; else it is between neighbors from there up to points `until` and `until + 1`, where the path grows least, and
  /// comes before or after others as the straight line passes them.
  int until = -1;
  bool has_range() const { return until >= 0; }
  int last() const { return has_range() ? until : after; }
  std::shared_ptr<const WrapSurface> surface{};
};

/// Tension (N, positive where it pulls) and its derivatives by length and speed.
struct Tension {
  double value = 0.0, by_length = 0.0, by_speed = 0.0;
};

/// A path at one instant; all in world axes.
struct PathShape {
  struct Node {
    int point = 0, body = 0;
    bool is_free = false;  // on the straight line between two surfaces: no point of the path, and no force acts on it
    Vec3<double> x, X, V;  // in its body, in the world, its velocity
    Vec3<double> slide;    // dX by the coordinate that moves it on its body
    Vec3<double> bend;     // d2X by it, twice
    Vec3<double> g;        // dl/dX
  };
  struct Segment {
    double length = 0.0;
    Vec3<double> g_a, g_b;              // of its length alone, by its first and last node
    const PathWrap* surface = nullptr;  // that it may touch
    const PathWrap* wrap = nullptr;     // that it touches; null: straight
    Mat3<double> H_aa, H_ab, H_bb;      // d g_a and d g_b by the ends' motion against the surface
    Vec3<double> first, last;           // contact with the surface
    double arc = 0.0;                   // length on the surface
  };
  std::vector<Node> nodes;
  std::vector<Segment> segments;  // one less
  double length = 0.0, speed = 0.0;
};

class Path {
 public:
  /// Throws std::invalid_argument on fewer than two points, wraps that are not between two of them, or more than two
  /// between the same two; those follow one another as they are given.
  Path(std::vector<PathPoint> points, std::vector<PathWrap> wraps = {});

  const std::vector<PathPoint>& points() const { return points_; }
  const std::vector<PathWrap>& wraps() const { return wraps_; }
  const Touches& touches() const { return touches_; }
  /// Adds bodies and velocities that the tension along it depends on in other ways.
  void touch(const Touches& more);

  void evaluate(const Instant& at, WrapSurface::Want want, PathShape& shape) const;
  /// True if the path is not always straight between points that are fixed on their bodies.
  bool bends() const;
  /// How many points trace() gives: one for each point of the path, kArcPoints for each wrap.
  static constexpr int kArcPoints = 13;
  std::size_t traced_points() const;
  /// Adds the path as a polyline in the world, for pictures: the points in their order, and after each the arcs over
  /// surfaces. What is not there at this instant repeats the point before.
  void trace(const Instant& at, std::vector<Vec3<double>>& out) const;
  /// Adds the forces of a tension along it.
  void pull(const Instant& at, const PathShape& shape, double tension, Pushes& pushes) const;
  /// Adds K and D of a tension law; the shape must have been evaluated with second derivatives.
  void add_tangent(const Instant& at, const PathShape& shape, const Tension& tension, Tangent& tangent) const;
  /// Adds the negative semidefinite part that comes from the tension law and from straight segments that pull:
  /// max(T_l, 0) B'B and max(T, 0) times the stiffness of a taut string.
  void add_definite_tangent(const Instant& at, const PathShape& shape, const Tension& tension, Tangent& tangent) const;

 private:
  /// How many wraps may be between point k and the next.
  int wraps_after(int k) const;
  void place_wraps(const Instant& at, PathShape& shape) const;

  std::vector<PathPoint> points_;
  std::vector<PathWrap> wraps_;
  Touches touches_;
  bool has_ranges_ = false;
};

}  // namespace cardan
