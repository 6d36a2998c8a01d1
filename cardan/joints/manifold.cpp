// The manifold of a joint of any type: what ball and free joints know of their groups, and what all others leave flat.
#include "cardan/joints/joint_motion.hpp"

#include <Eigen/Dense>

#include <cmath>

namespace cardan {

namespace {

/// Joint types whose velocities are not the rates of their coordinates.
template <class J>
concept OnGroup = requires(double* x) {
  J::increment_rate(x, x, x);
};

/// Joint types that can go on in other coordinates of the same type.
template <class J>
concept HasCharts = requires(const J joint, double* x) {
  joint.other_chart(x);
  joint.change_chart(joint, x, x);
};

template <class J>
int velocities_of(const J& joint) {
  if constexpr (SizedAtRunTime<J>)
    return joint.nv();
  else
    return J::nv;
}

}  // namespace

bool Joint::is_flat() const {
  bool flat = true;
  for_each_part(*this, 0, 0, [&]<class J>(const J&, int, int) { flat = flat && !OnGroup<J>; });
  return flat;
}

void Joint::increment_rate(const double* x, const double* v, double* rate) const {
  for_each_part(*this, 0, 0, [&]<class J>(const J& j, int, int i) {
    if constexpr (OnGroup<J>)
      J::increment_rate(x + i, v + i, rate + i);
    else
      std::copy_n(v + i, velocities_of(j), rate + i);
  });
}

void Joint::increment_velocity(const double* x, const double* rate, double* v) const {
  for_each_part(*this, 0, 0, [&]<class J>(const J& j, int, int i) {
    if constexpr (OnGroup<J>)
      J::increment_velocity(x + i, rate + i, v + i);
    else
      std::copy_n(rate + i, velocities_of(j), v + i);
  });
}

void Joint::coordinate_rate(const double* q, const double* v, double* rate) const {
  for_each_part(*this, 0, 0, [&]<class J>(const J& j, int first, int i) {
    if constexpr (OnGroup<J>)
      J::coordinate_rate(q + first, v + i, rate + first);
    else
      std::copy_n(v + i, velocities_of(j), rate + first);
  });
}

double Joint::normalize(double* q) const {
  double farthest = 1.0;
  for_each_part(*this, 0, 0, [&]<class J>(const J&, int first, int) {
    if constexpr (OnGroup<J>) {
      const double length = J::normalize(q + first);
      if (!(std::abs(length - 1.0) <= std::abs(farthest - 1.0))) farthest = length;
    }
  });
  return farthest;
}

bool Joint::reparameterize(double* q, double* v, double longest) const {
  bool any = false;
  for_each_part(*this, 0, 0, [&]<class J>(const J&, int first, int i) {
    if constexpr (std::same_as<J, SphericalExponential>) {
      if (norm(Vec3<double>{q[first], q[first + 1], q[first + 2]}) <= longest) return;
      J::reparameterize(q + first, v + i);
      any = true;
    }
  });
  return any;
}

bool Joint::has_charts() const {
  bool any = false;
  for_each_part(*this, 0, 0, [&]<class J>(const J& j, int, int) {
    if constexpr (std::same_as<J, ExpressionJoint>)
      any = any || j.charts() != nullptr;
    else
      any = any || HasCharts<J>;
  });
  return any;
}

std::optional<Joint> Joint::other_chart(const double* q) const {
  std::optional<Joint> out = std::visit(
      [&]<class J>(const J& j) -> std::optional<Joint> {
        if constexpr (HasCharts<J>) {
          if (auto other = j.other_chart(q)) return Joint(*other);
        } else if constexpr (std::same_as<J, ExpressionJoint>) {
          if (j.charts() != nullptr)
            if (auto other = j.charts()->other(q)) return Joint(*other);
        } else if constexpr (std::same_as<J, Composite>) {
          std::vector<Joint> parts = j.joints;
          bool any = false;
          const double* of_part = q;
          for (Joint& part : parts) {
            const int nq = part.nq();
            if (auto other = part.other_chart(of_part)) {
              part = *other;
              any = true;
            }
            of_part += nq;
          }
          if (any) return Joint(Composite(std::move(parts)));
        }
        return std::nullopt;
      },
      type);
  if (out) out->reversed = reversed;
  return out;
}

namespace {

/// Rewrites q by the charts, and v so that the body's velocity S v stays.
void change_expression_chart(const ExpressionJoint& from, const ExpressionJoint& to, double* q, double* v) {
  if (from.charts() == nullptr || to.charts() == nullptr) return;
  const int n = from.nv();
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> S(6, n);
  const auto columns = [&](const ExpressionJoint& joint) {
    const JointMotion motion = joint_motion(joint, q, v);
    for (int c = 0; c < n; ++c)
      for (int i = 0; i < 6; ++i) S(i, c) = motion.S[c][i];
  };
  columns(from);
  Eigen::Map<Eigen::VectorXd> velocity(v, n);
  const Eigen::Matrix<double, 6, 1> twist = S * velocity;
  from.charts()->rewrite(*to.charts(), q);
  columns(to);
  velocity = S.colPivHouseholderQr().solve(twist);
}

}  // namespace

void Joint::continue_from(const double* before, double* q, double* v) const {
  for_each_part(*this, 0, 0, [&]<class J>(const J& part, int at_q, int at_v) {
    if constexpr (std::same_as<J, SphericalEuler>) part.continue_from(before + at_q, q + at_q, v + at_v);
  });
}

void Joint::change_chart(const Joint& to, double* q, double* v) const {
  std::visit(
      [&]<class J>(const J& from) {
        const J& there = std::get<J>(to.type);
        if constexpr (HasCharts<J>) {
          from.change_chart(there, q, v);
        } else if constexpr (std::same_as<J, ExpressionJoint>) {
          change_expression_chart(from, there, q, v);
        } else if constexpr (std::same_as<J, Composite>) {
          double *of_q = q, *of_v = v;
          for (std::size_t i = 0; i < there.joints.size(); ++i) {
            from.joints[i].change_chart(there.joints[i], of_q, of_v);
            of_q += there.joints[i].nq();
            of_v += there.joints[i].nv();
          }
        }
      },
      type);
}

}  // namespace cardan
