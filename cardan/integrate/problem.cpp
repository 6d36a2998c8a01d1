#include "cardan/integrate/problem.hpp"

#include "cardan/integrate/tangent_differences.hpp"

namespace cardan {

namespace {

std::vector<double> no_rates(int n) { return std::vector<double>(static_cast<std::size_t>(n)); }

}  // namespace

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

}  // namespace cardan
