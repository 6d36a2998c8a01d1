#include "cardan/joints/internal/product_motion.hpp"

#include "cardan/joints/internal/derived_kinematics.hpp"
#include "cardan/spatial/transform.hpp"
#include "cardan/symbolic/differentiate.hpp"

namespace cardan {

namespace {

using Motion = MotionVector<Expr>;

Motion motion(std::span<const Expr> e) { return {{e[0], e[1], e[2]}, {e[3], e[4], e[5]}}; }

/// Expresses a motion in the coordinates of a frame that stands at the pose.
Motion seen_from(const Pose<Expr>& pose, const Motion& m) { return from_pose(pose.R, pose.p) * m; }

class ProductDifferentiation {
 public:
  ProductDifferentiation(Graph& graph, std::span<const Expr> q, std::span<const Expr> v)
      : graph_(graph), q_(q), v_(v), S_(q.size()) {}

  void append(const MotionFactor& factor) {
    Own own = motion_of(factor);
    const Pose<Expr> pose = factor.pose();
    if (factor.inverted) {  // the same motion from the other side (Table 4.2)
      const auto reverse = [&pose](const Motion& m) { return Expr(-1.0) * seen_from(pose, m); };
      for (Motion& column : own.S) column = reverse(column);
      own.c = reverse(own.c);
    }
    const Motion velocity = times_v(own.S), carried = seen_from(pose, v_J_);
    c_J_ = seen_from(pose, c_J_) + own.c + cross(carried, velocity);
    v_J_ = carried + velocity;
    for (std::size_t i = 0; i < S_.size(); ++i) S_[i] = seen_from(pose, S_[i]) + own.S[i];
  }
  ProductMotion result() const { return {S_, c_J_}; }

 private:
  struct Own {  // of one factor
    std::vector<Motion> S;
    Motion c;  // S_dot v
  };
  /// A vector's derivatives by each coordinate, and its first and second one in time.
  struct Rates {
    std::vector<Vec3<Expr>> by_q;
    Vec3<Expr> first, second;
  };

  /// d outputs / dq, row by row.
  std::vector<Expr> by_q(std::span<const Expr> outputs) { return cheapest_jacobian(graph_, outputs, q_).entries; }
  /// d outputs / dq v.
  std::vector<Expr> along_v(std::span<const Expr> outputs) {
    return cheapest_derivative_along(graph_, outputs, q_, v_).entries;
  }
  Rates rates(const Vec3<Expr>& a) {
    Rates out;
    const std::size_t n = q_.size();
    const std::vector<Expr> J = by_q(a.e);
    for (std::size_t i = 0; i < n; ++i) {
      out.by_q.push_back({J[i], J[n + i], J[2 * n + i]});
      out.first += v_[i] * out.by_q[i];
    }
    const std::vector<Expr> second = along_v(out.first.e);
    out.second = {second[0], second[1], second[2]};
    return out;
  }
  Motion times_v(const std::vector<Motion>& S) const {
    Motion sum;
    for (std::size_t i = 0; i < S.size(); ++i) sum = sum + v_[i] * S[i];
    return sum;
  }

  Own motion_of(const MotionFactor& factor) {
    switch (factor.kind) {
      case MotionFactor::Kind::screw: return of_screw(factor);
      case MotionFactor::Kind::shift: return of_shift(factor);
      case MotionFactor::Kind::frame: return of_frame(factor);
      default: return of_pose(factor.base);
    }
  }

  Own of_screw(const MotionFactor& factor) {
    Own own;
    Expr speed;
    const std::vector<Expr> d = by_q(std::span(&factor.amount, 1));
    for (std::size_t i = 0; i < q_.size(); ++i) {
      own.S.push_back(d[i] * factor.twist);
      speed += d[i] * v_[i];
    }
    own.c = along_v(std::span(&speed, 1))[0] * factor.twist;
    return own;
  }

  Own of_shift(const MotionFactor& factor) {
    const Rates p = rates(factor.base.p);
    Own own;
    for (const Vec3<Expr>& column : p.by_q) own.S.push_back({{}, column});
    own.c.linear = p.second;
    return own;
  }

  /// x and z are unit vectors along a and n: omega = (-y.n_dot / |n|, -z.a_dot / |a|, y.a_dot / |a|), so that neither
  /// it nor its derivative needs that of a square root. Everything in the frame's own axes.
  Own of_frame(const MotionFactor& factor) {
    const Mat3<Expr>& R = factor.base.R;
    const Rates a = rates(factor.x), n = rates(factor.z), p = rates(factor.base.p);
    const Expr per_a = Expr(1.0) / norm(factor.x), per_n = Expr(1.0) / norm(factor.z);
    const auto omega = [&](const Vec3<Expr>& a_dot, const Vec3<Expr>& n_dot) {
      return Vec3<Expr>{-(per_n * n_dot[1]), -(per_a * a_dot[2]), per_a * a_dot[1]};
    };
    Own own;
    for (std::size_t i = 0; i < q_.size(); ++i)
      own.S.push_back(
          {omega(transpose_apply(R, a.by_q[i]), transpose_apply(R, n.by_q[i])), transpose_apply(R, p.by_q[i])});
    const Vec3<Expr> a1 = transpose_apply(R, a.first), n1 = transpose_apply(R, n.first), w = times_v(own.S).angular;
    const Vec3<Expr> turned =
        omega(minus_cross(transpose_apply(R, a.second), w, a1), minus_cross(transpose_apply(R, n.second), w, n1));
    const Expr a_grows = per_a * a1[0], n_grows = per_n * n1[2];  // relative change of the lengths
    own.c.angular = turned - Vec3<Expr>{n_grows * w[0], a_grows * w[1], a_grows * w[2]};
    own.c.linear = minus_cross(transpose_apply(R, p.second), w, times_v(own.S).linear);
    return own;
  }

  Own of_pose(const Pose<Expr>& G) {
    const std::vector<Expr> columns = motion_subspace(G, by_q(pose_entries(G)), static_cast<int>(q_.size()));
    Own own;
    for (std::size_t i = 0; i < columns.size(); i += 6) own.S.push_back(motion(std::span(columns).subspan(i, 6)));
    own.c = motion(velocity_product(graph_, G, columns, q_, v_));
    return own;
  }

  Graph& graph_;
  std::span<const Expr> q_, v_;
  std::vector<Motion> S_;
  Motion v_J_, c_J_;
};

}  // namespace

ProductMotion motion_of_product(Graph& graph, const MotionProduct& product, std::span<const Expr> q,
                                std::span<const Expr> v) {
  ProductDifferentiation motion(graph, q, v);
  for (const MotionFactor& factor : product.factors()) motion.append(factor);
  return motion.result();
}

void append_entries(std::vector<Expr>& out, const MotionVector<Expr>& m) {
  out.insert(out.end(), std::begin(m.angular.e), std::end(m.angular.e));
  out.insert(out.end(), std::begin(m.linear.e), std::end(m.linear.e));
}

}  // namespace cardan
