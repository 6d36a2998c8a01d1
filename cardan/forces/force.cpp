#include "cardan/forces/force.hpp"

#include "cardan/forces/displaced_instant.hpp"
#include "cardan/forces/internal/dual_displacement.hpp"
#include "cardan/math/internal/spectra.hpp"

#include <cmath>
#include <stdexcept>

namespace cardan {

void Force::add_tangent(const Instant& at, Tangent& tangent) const {
  constexpr double kStep = 6e-6;  // the cube root of the rounding unit: truncation and rounding weigh the same
  const Touches touched = touches();
  detail::DisplacedInstant<double> displaced(at, touched);
  detail::TouchedPushes<double> found(at.model);
  const auto gather = [&](Eigen::MatrixXd& out, Eigen::Index column, double weight) {
    found.clear(touched);
    Pushes pushes = found.pushes();
    add(displaced.instant(), pushes);
    found.each(touched, [&](Eigen::Index row, double value) { out(row, column) += weight * value; });
  };
  Eigen::Index column = 0;
  for (const int body : touched.bodies) {
    for (int c = 0; c < 6; ++c, ++column) {
      for (const double sign : {1.0, -1.0}) {
        MotionVector<double> x;
        x[c] = sign * kStep;
        displaced.displace(body, x, {});
        gather(tangent.K, column, sign / (2.0 * kStep));
        const double h = kStep * (1.0 + std::abs(at.velocity(body)[c]));
        x[c] = sign * h;
        displaced.displace(body, {}, x);
        gather(tangent.D, column, sign / (2.0 * h));
      }
    }
    displaced.reset(body);
  }
  for (const int k : touched.velocities) {
    for (const double sign : {1.0, -1.0}) {
      displaced.displace_velocity(k, sign * kStep, 0.0);
      gather(tangent.K, column, sign / (2.0 * kStep));
      const double h = kStep * (1.0 + std::abs(at.v[k]));
      displaced.displace_velocity(k, 0.0, sign * h);
      gather(tangent.D, column, sign / (2.0 * h));
    }
    displaced.displace_velocity(k, 0.0, 0.0);
    ++column;
  }
}

void Force::add_dual(const Instant& here, const DualInstant& at, DualPushes& pushes) const {
  const Touches touched = touches();
  if (touched.states > 0) throw std::logic_error(name() + ": is written for numbers alone and has no derivatives");
  detail::TouchedPushes<double> found(here.model);
  Pushes now = found.pushes();
  add(here, now);
  Tangent tangent;
  tangent.resize(touched);
  add_tangent(here, tangent);
  const detail::DualMotion motion(here, at, touched);
  std::vector<Dual8> sum;
  found.each(touched, [&](Eigen::Index row, double value) {
    Dual8 push(value);
    for (Eigen::Index c = 0; c < tangent.K.cols(); ++c) {
      const auto i = static_cast<std::size_t>(c);
      Dual8 dv = motion.velocity[i];
      dv.value = 0.0;
      push += Dual8(tangent.K(row, c)) * motion.displacement[i] + Dual8(tangent.D(row, c)) * dv;
    }
    sum.push_back(push);
  });
  std::size_t row = 0;
  for (const int body : touched.bodies)
    for (int c = 0; c < 6; ++c) pushes.body(body)[c] += sum[row++];
  for (const int k : touched.velocities) pushes.velocity(k) += sum[row++];
}

void Force::rate_dual(const Instant&, const DualInstant&, std::span<Dual8> z_dot) const {
  if (!z_dot.empty()) throw std::logic_error(name() + ": is written for numbers alone and has no derivatives");
}

void Force::add_symbolic(const SymbolicInstant&, SymbolicPushes&) const {
  throw std::logic_error(name() + ": cannot be recorded, " + beyond_code());
}

void Force::rate_symbolic(const SymbolicInstant& at, std::span<Expr> z_dot) const {
  SymbolicPushes none({}, {nullptr, 0});
  if (!z_dot.empty()) Force::add_symbolic(at, none);
}

void Force::add_definite_tangent(const Instant& at, Tangent& tangent) const {
  Tangent exact;
  exact.resize(touches());
  add_tangent(at, exact);
  const auto negative_part = [](const Eigen::MatrixXd& M) -> Eigen::MatrixXd {
    const SymmetricSpectrum spectrum = symmetric_spectrum(0.5 * (M + M.transpose()));
    return spectrum.vectors * spectrum.values.cwiseMin(0.0).asDiagonal() * spectrum.vectors.transpose();
  };
  tangent.K += negative_part(exact.K);
  tangent.D += negative_part(exact.D);
}

}  // namespace cardan
