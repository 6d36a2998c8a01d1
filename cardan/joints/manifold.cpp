// The manifold of a joint of any type: what ball and free joints know of their groups, and what all others leave flat.
#include "cardan/joints/joint.hpp"

#include <cmath>

namespace cardan {

namespace {

/// Joint types whose velocities are not the rates of their coordinates.
template <class J>
concept OnGroup = requires(double* x) {
  J::increment_rate(x, x, x);
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

std::optional<Joint> Joint::other_chart(const double* q) const {
  if (const auto* euler = std::get_if<SphericalEuler>(&type)) {
    if (euler->regularity(q) > SphericalEuler::kLeastRegularity) return std::nullopt;
    Joint out(euler->most_regular_order(q));
    out.reversed = reversed;
    return out;
  }
  const auto* composite = std::get_if<Composite>(&type);
  if (composite == nullptr) return std::nullopt;
  std::vector<Joint> parts = composite->joints;
  bool any = false;
  for (Joint& part : parts) {
    if (auto other = part.other_chart(q)) {
      part = *other;
      any = true;
    }
    q += part.nq();
  }
  if (!any) return std::nullopt;
  Joint out{Composite(std::move(parts))};
  out.reversed = reversed;
  return out;
}

void Joint::change_chart(const Joint& to, double* q, double* v) const {
  if (const auto* from = std::get_if<SphericalEuler>(&type))
    return from->change_order(std::get<SphericalEuler>(to.type), q, v);
  const auto* composite = std::get_if<Composite>(&type);
  if (composite == nullptr) return;
  const auto& others = std::get<Composite>(to.type).joints;
  for (std::size_t i = 0; i < others.size(); ++i) {
    composite->joints[i].change_chart(others[i], q, v);
    q += others[i].nq();
    v += others[i].nv();
  }
}

}  // namespace cardan
