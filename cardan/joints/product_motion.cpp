#include "cardan/joints/product_motion.hpp"

#include "cardan/symbolic/differentiate.hpp"

namespace cardan {

namespace {

using Motion = Twist<Expr>;

Motion operator+(const Motion& a, const Motion& b) { return {a.angular + b.angular, a.linear + b.linear}; }
Motion operator*(Expr s, const Motion& a) { return {s * a.angular, s * a.linear}; }
Motion cross(const Motion& a, const Motion& b) {
  return {cross(a.angular, b.angular), plus_cross(cross(a.angular, b.linear), a.linear, b.angular)};
}
/// The same motion seen from a frame that stands at the pose.
Motion seen_from(const Pose<Expr>& pose, const Motion& m) {
  return {transpose_apply(pose.R, m.angular), transpose_apply(pose.R, plus_cross(m.linear, m.angular, pose.p))};
}

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
    const std::vector<Expr> J = by_q(outputs);
    std::vector<Expr> out(outputs.size());
    for (std::size_t row = 0; row < outputs.size(); ++row)
      for (std::size_t i = 0; i < q_.size(); ++i) out[row] += J[row * q_.size() + i] * v_[i];
    return out;
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

  /// [S_i]x = R' dR/dq_i, and R' dp/dq_i below it.
  Own of_pose(const Pose<Expr>& G) {
    const std::size_t n = q_.size();
    const std::vector<Expr> dG = by_q(entries(G));
    Own own;
    for (std::size_t i = 0; i < n; ++i) {
      const auto d = [&](int row) { return dG[static_cast<std::size_t>(row) * n + i]; };
      const auto spin = [&](int a, int b) { return G.R(0, a) * d(b) + G.R(1, a) * d(3 + b) + G.R(2, a) * d(6 + b); };
      own.S.push_back({{spin(2, 1), spin(0, 2), spin(1, 0)}, transpose_apply(G.R, Vec3<Expr>{d(9), d(10), d(11)})});
    }
    std::vector<Expr> moving;
    append_entries(moving, times_v(own.S));
    const std::vector<Expr> d = along_v(moving);
    own.c = {{d[0], d[1], d[2]}, {d[3], d[4], d[5]}};
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

std::vector<Expr> entries(const Pose<Expr>& G) {
  std::vector<Expr> out;
  for (const auto& row : G.R.row) out.insert(out.end(), std::begin(row.e), std::end(row.e));
  out.insert(out.end(), std::begin(G.p.e), std::end(G.p.e));
  return out;
}
void append_entries(std::vector<Expr>& out, const Twist<Expr>& m) {
  out.insert(out.end(), std::begin(m.angular.e), std::end(m.angular.e));
  out.insert(out.end(), std::begin(m.linear.e), std::end(m.linear.e));
}

}  // namespace cardan
