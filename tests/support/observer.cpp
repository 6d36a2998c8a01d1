#include "tests/support/observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace cardan::test {

namespace {

std::string list(const Vec3<double>& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]); }

/// Finds w, x, y, z of a rotation by the largest of them.
std::array<double, 4> quaternion(const Mat3<double>& R) {
  const double squares[4] = {1 + R(0, 0) + R(1, 1) + R(2, 2), 1 + R(0, 0) - R(1, 1) - R(2, 2),
                             1 - R(0, 0) + R(1, 1) - R(2, 2), 1 - R(0, 0) - R(1, 1) + R(2, 2)};
  const auto largest = static_cast<std::size_t>(std::max_element(squares, squares + 4) - squares);
  const double products[4][4] = {{squares[0], R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)},
                                 {R(2, 1) - R(1, 2), squares[1], R(0, 1) + R(1, 0), R(0, 2) + R(2, 0)},
                                 {R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), squares[2], R(1, 2) + R(2, 1)},
                                 {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), squares[3]}};
  std::array<double, 4> out{};
  for (std::size_t k = 0; k < 4; ++k) out[k] = products[largest][k] / (2.0 * std::sqrt(squares[largest]));
  return out;
}

}  // namespace

double Observer::unit(int kg, int m, int s) const {
  return std::pow(mass, kg) * std::pow(length, m) * std::pow(time, s);
}

std::string Observer::number(double x, int kg, int m, int s) const {
  return fmt::format("{:.17g}", x * unit(kg, m, s));
}

std::string Observer::local(const Vec3<double>& v, int kg, int m, int s) const {
  return list(unit(kg, m, s) * mirror(v));
}

std::string Observer::local_axis(const Vec3<double>& w, int kg, int m, int s) const {
  return list(unit(kg, m, s) * mirror_axis(w));
}

std::string Observer::inertia(double xx, double yy, double zz, double xy, double xz, double yz) const {
  const double u = unit(1, 2, 0), sign = mirrored ? -1.0 : 1.0;
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}]", u * xx, u * yy, u * zz, u * sign * xy,
                     u * xz, u * sign * yz);
}

std::string Observer::world(const Vec3<double>& v, int kg, int m, int s) const { return list(seen(v, unit(kg, m, s))); }

Mat3<double> Observer::orientation(const Mat3<double>& R) const {
  Mat3<double> out = R;
  if (mirrored)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if ((i == 1) != (j == 1)) out(i, j) = -out(i, j);
  return turn * out;
}

std::string Observer::place(const Vec3<double>& p, const Mat3<double>& R) const {
  const Mat3<double> E = orientation(R);
  const double pitch = std::asin(std::max(-1.0, std::min(1.0, -E(2, 0))));
  return fmt::format("{{ xyz = {}, rpy = {} }}", list(seen_point(p)),
                     list({std::atan2(E(2, 1), E(2, 2)), pitch, std::atan2(E(1, 0), E(0, 0))}));
}

std::string Observer::free_state(const Vec3<double>& p, const Mat3<double>& R, const Vec3<double>& angular,
                                 const Vec3<double>& linear) const {
  const auto [w, x, y, z] = quaternion(orientation(R));
  const Vec3<double> at = seen_point(p),
                     w_own = (1.0 / time) * mirror_axis(angular + Vec3<double>{nudge, nudge, nudge});
  const Vec3<double> v_own =
      unit(0, 1, -1) * mirror(linear + Vec3<double>{nudge, -nudge, nudge} + transpose_apply(R, velocity));
  return fmt::format(
      "q = [{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}]\n"
      "v = [{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}]\n",
      w, x, y, z, at[0], at[1], at[2], w_own[0], w_own[1], w_own[2], v_own[0], v_own[1], v_own[2]);
}

Vec3<double> Observer::told(const Vec3<double>& p, double t) const {
  return mirror((1.0 / length) * transpose_apply(turn, p - origin)) - (t / time) * velocity;
}

}  // namespace cardan::test
