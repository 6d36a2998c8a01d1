#include "cardan/dynamics/problem.hpp"

#include "cardan/dynamics/internal/tangent_differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

std::vector<double> no_rates(int n) { return std::vector<double>(static_cast<std::size_t>(n)); }

}  // namespace

std::string Projection::complaint(const std::string& when) const {
  if (of_velocity)
    return fmt::format("{} cannot be followed: joints, loops or other motions forbid {:.3g} m/s or rad/s of it", worst,
                       gap);
  return fmt::format("{} cannot be kept closed{}: {:.3g} m or rad apart; the mechanism locks here", worst, when, gap);
}

void Problem::residual(const Point& at, In<double> a, In<double>, Out<double> r, Out<double>) {
  std::vector<double> z_dot = no_rates(space().sizes().z);
  acceleration(at, r, z_dot);
  for (int i = 0; i < r.size(); ++i) r[i] = a[i] - r[i];
}

void Problem::linearize(const Point& at, In<double>, In<double>, const Want& want) {
  const int n = space().sizes().v;
  std::vector<double> z_dot = no_rates(space().sizes().z);
  if (want.H) want.H->setIdentity(n, n);
  if (want.J) want.J->setZero(0, n);
  if (want.velocity) want.velocity->resize(0);
  if (want.f) {
    want.f->resize(n);
    acceleration(at, *want.f, z_dot);
  }
  if (want.K) want.K->setZero(n, n);
  if (want.D) want.D->setZero(n, n);
  if (want.K || want.D)
    add_tangent_differences(
        space(),
        [&](In<double> q, In<double> v, Out<double> out) {
          acceleration({at.t, q, v, at.z}, out, z_dot);
        },
        at.q, at.v, n, want.K, want.D);
}

void Problem::rates(const Point& at, Out<double> z_dot) {
  std::vector<double> a(static_cast<std::size_t>(space().sizes().v));
  acceleration(at, a, z_dot);
}

void Problem::linearize_states(const Point& at, In<double> a, In<double> lambda, StateTangent& out) {
  const int n = space().sizes().v, nz = space().sizes().z, m = lambda.size();
  out.rate_by_q.setZero(nz, n);
  out.rate_by_v.setZero(nz, n);
  add_tangent_differences(
      space(),
      [&](In<double> q, In<double> v, Out<double> z_dot) {
        rates({at.t, q, v, at.z}, z_dot);
      },
      at.q, at.v, nz, &out.rate_by_q, &out.rate_by_v);
  out.f_by_z.resize(n, nz);
  out.rate_by_z.resize(nz, nz);
  std::vector<double> z(at.z.data(), at.z.data() + nz);
  Eigen::VectorXd r[2], z_dot[2], rows(m);
  for (int k = 0; k < nz; ++k) {
    const double here = z[static_cast<std::size_t>(k)], h = 6e-6 * std::max(1.0, std::abs(here));
    for (const int side : {0, 1}) {
      z[static_cast<std::size_t>(k)] = here + (side == 0 ? h : -h);
      const Point there(at.t, at.q, at.v, z);
      r[side].resize(n);
      z_dot[side].resize(nz);
      residual(there, a, lambda, r[side], rows);
      rates(there, z_dot[side]);
    }
    z[static_cast<std::size_t>(k)] = here;
    out.f_by_z.col(k) = (r[1] - r[0]) / (2.0 * h);  // r = H a - f - ...
    out.rate_by_z.col(k) = (z_dot[0] - z_dot[1]) / (2.0 * h);
  }
}

}  // namespace cardan
