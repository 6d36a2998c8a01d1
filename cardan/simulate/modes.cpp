#include "cardan/math/internal/spectra.hpp"
#include "cardan/model/internal/characteristic_length.hpp"
#include "cardan/simulate/equilibrium.hpp"
#include "cardan/simulate/internal/steady_problem.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace cardan {

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kNeutral = 1e-6;  // of the largest eigenvalue: what is below this is rounding
constexpr double kSlack = 1e-8;    // of the scale of stiffness: what is below this is that of differences

/// Directions that the constraints leave free, as columns.
Eigen::MatrixXd free_directions(const Eigen::MatrixXd& J, Eigen::Index n) {
  if (J.rows() == 0) return Eigen::MatrixXd::Identity(n, n);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(J);
  lu.setThreshold(1e-9);
  if (lu.rank() == n) return Eigen::MatrixXd(n, 0);
  const Eigen::MatrixXd kernel = lu.kernel();
  return Eigen::HouseholderQR<Eigen::MatrixXd>(kernel).householderQ() * Eigen::MatrixXd::Identity(n, kernel.cols());
}

Eigen::VectorXd scaled(const Eigen::VectorXd& shape) {
  Eigen::Index largest = 0;
  const double size = shape.size() > 0 ? shape.cwiseAbs().maxCoeff(&largest) : 0.0;
  return size > 0.0 ? Eigen::VectorXd(shape / shape[largest]) : shape;
}

Mode make_mode(std::complex<double> eigenvalue, const Eigen::VectorXd& shape) {
  const double size = std::abs(eigenvalue);
  return {std::abs(eigenvalue.imag()) / kTurn, size / kTurn, eigenvalue.real() != 0.0 ? -eigenvalue.real() / size : 0.0,
          eigenvalue, scaled(shape)};
}

/// M x'' + B x' + C x = F z with z' = G_q x + G_v x' + G_z z, along free directions; masses and stiffnesses in such
/// coordinates that M = 1.
struct SmallMotions {
  Eigen::MatrixXd L;  // M = L L'
  Eigen::MatrixXd B, C, F, G_q, G_v, G_z;
  double scale = 0.0;  // of C, 1/s^2

  Eigen::Index size() const { return C.cols(); }
  /// Converts coordinates with M = 1 to those along free directions.
  Eigen::MatrixXd shape(const Eigen::MatrixXd& y) const {
    if (L.cols() == 0) return y;
    return L.transpose().triangularView<Eigen::Upper>().solve(y);
  }
};

/// Takes stiffness that is no more than rounding for none: forces that cancel leave a mechanism neutral.
void round_stiffness(SmallMotions& s) {
  if (s.size() == 0) return;
  const SingularValues svd = singular_values(s.C);
  Eigen::VectorXd values = svd.values;
  for (double& value : values)
    if (value <= kSlack * s.scale) value = 0.0;
  if (values != svd.values) s.C = svd.U * values.asDiagonal() * svd.V.transpose();
}

/// Without damping: x'' + C x = 0 with symmetric C.
void undamped_modes(const SmallMotions& s, std::vector<Mode>& modes) {
  const SymmetricSpectrum spectrum = symmetric_spectrum(0.5 * (s.C + s.C.transpose()));
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    double square = spectrum.values[i];
    if (std::abs(square) <= kSlack * kSlack * s.scale) square = 0.0;
    const std::complex<double> eigenvalue =
        square < 0.0 ? std::complex<double>(std::sqrt(-square), 0.0) : std::complex<double>(0.0, std::sqrt(square));
    modes.push_back(make_mode(eigenvalue, s.shape(spectrum.vectors.col(i))));
  }
}

/// As a system of first order in (x, x', z).
Eigen::MatrixXd first_order(const SmallMotions& s) {
  const Eigen::Index n = s.size(), nz = s.G_z.cols();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n + nz, 2 * n + nz);
  A.block(0, n, n, n).setIdentity();
  A.block(n, 0, n, n) = -s.C;
  A.block(n, n, n, n) = -s.B;
  A.block(n, 2 * n, n, nz) = s.F;
  A.block(2 * n, 0, nz, n) = s.G_q;
  A.block(2 * n, n, nz, n) = s.G_v;
  A.block(2 * n, 2 * n, nz, nz) = s.G_z;
  return A;
}

/// exp(A) by its series, scaled and squared.
Eigen::MatrixXd exponential(Eigen::MatrixXd A) {
  int squarings = 0;
  for (double size = A.cwiseAbs().rowwise().sum().maxCoeff(); size > 0.25; size *= 0.5) ++squarings;
  A *= std::ldexp(1.0, -squarings);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(A.rows(), A.cols()), term = sum;
  for (int k = 1; k <= 14; ++k) sum += term = (term * A / k).eval();
  for (; squarings > 0; --squarings) sum = (sum * sum).eval();
  return sum;
}

/// The motion from one sample to the next where forces sample and hold: between samples their states stand still, at a
/// sample they change by period times their rates. Eigenvalues are logarithms of the map's.
void sampled_modes(const SmallMotions& s, const SteadyProblem& steady, double period, std::vector<Mode>& modes) {
  Eigen::MatrixXd A = first_order(s);
  const Eigen::Index n = s.size(), nz = s.G_z.cols();
  Eigen::MatrixXd sample = Eigen::MatrixXd::Identity(A.rows(), A.cols());
  for (Eigen::Index i = 0; i < nz; ++i) {
    if (!(steady.period(static_cast<int>(i)) > 0.0)) continue;
    sample.row(2 * n + i) += period * A.row(2 * n + i);
    A.row(2 * n + i).setZero();
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(sample * exponential(period * A));
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const std::complex<double> factor = solver.eigenvalues()[i];
    if (factor.imag() < 0.0 || std::abs(factor) < 1e-9) continue;  // the other of its pair; what a sample overwrites
    std::complex<double> eigenvalue = std::log(factor) / period;
    if (std::abs(eigenvalue) <= kNeutral * std::sqrt(s.scale)) eigenvalue = 0.0;
    modes.push_back(make_mode(eigenvalue, s.shape(solver.eigenvectors().col(i).head(n).real())));
  }
}

void damped_modes(const SmallMotions& s, std::vector<Mode>& modes) {
  const Eigen::Index n = s.size();
  const Eigen::MatrixXd A = first_order(s);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  const double largest = std::max(std::sqrt(s.scale), solver.eigenvalues().cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    std::complex<double> eigenvalue = solver.eigenvalues()[i];
    if (eigenvalue.imag() < 0.0) continue;  // the other of its pair
    if (std::abs(eigenvalue) <= kNeutral * largest) eigenvalue = 0.0;
    const Eigen::VectorXcd shape = solver.eigenvectors().col(i).head(n);
    Eigen::Index at = 0;
    const double size = n > 0 ? shape.cwiseAbs().maxCoeff(&at) : 0.0;
    const std::complex<double> first = size > 0.0 ? shape[at] : 1.0;  // its phase is the first's
    modes.push_back(make_mode(eigenvalue, s.shape((shape / first).real())));
  }
}

/// The one period of forces that sample; 0: none does.
double common_period(const SteadyProblem& steady, int states) {
  double out = 0.0;
  for (int i = 0; i < states; ++i) {
    const double period = steady.period(i);
    if (period > 0.0 && out > 0.0 && period != out)
      throw std::runtime_error("modes: controllers sample at different periods, which has no modes");
    out = std::max(out, period);
  }
  return out;
}

SmallMotions small_motions(SystemWorkspace& workspace, SteadyProblem& steady, const Equilibrium& at,
                           Eigen::MatrixXd& N) {
  const Eigen::Index n = workspace.space().sizes().v, m = workspace.rows();
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(n);
  const Point point(workspace.system().settings().start, at.state);
  Eigen::MatrixXd H, K, D, J(0, n), pull;
  workspace.linearize(point, rest, at.multipliers,
                      {.H = &H, .K = &K, .D = &D, .J = m > 0 ? &J : nullptr, .pull_by_q = m > 0 ? &pull : nullptr});
  if (m > 0) K += pull;
  for (const RestingLimit& limit : at.limits) {
    J.conservativeResize(J.rows() + 1, n);
    J.bottomRows(1).setZero();
    J(J.rows() - 1, limit.velocity) = 1.0;
  }
  N = free_directions(J, n);
  SmallMotions out;
  out.L = N.cols() > 0 ? Eigen::MatrixXd((N.transpose() * H * N).llt().matrixL()) : Eigen::MatrixXd(0, 0);
  const Eigen::MatrixXd X = N * out.shape(Eigen::MatrixXd::Identity(N.cols(), N.cols()));
  out.B = -X.transpose() * D * X;
  out.C = -X.transpose() * K * X;
  const double g = norm(workspace.model().gravity()) / characteristic_length(workspace.model());
  out.scale = out.size() > 0 ? std::max({g, out.C.norm(), out.B.squaredNorm()}) : g;
  round_stiffness(out);
  StateTangent states;
  if (!at.state.z.empty()) steady.linearize_states(point, rest, at.multipliers, states);
  const auto nz = static_cast<Eigen::Index>(at.state.z.size());
  out.F = nz > 0 ? Eigen::MatrixXd(X.transpose() * states.f_by_z) : Eigen::MatrixXd(X.cols(), 0);
  out.G_q = nz > 0 ? Eigen::MatrixXd(states.rate_by_q * X) : Eigen::MatrixXd(0, X.cols());
  out.G_v = nz > 0 ? Eigen::MatrixXd(states.rate_by_v * X) : Eigen::MatrixXd(0, X.cols());
  out.G_z = nz > 0 ? states.rate_by_z : Eigen::MatrixXd(0, 0);
  return out;
}

}  // namespace

std::vector<Mode> find_modes(SystemWorkspace& workspace, const Equilibrium& at) {
  SteadyProblem steady(workspace);
  const auto nz = static_cast<int>(at.state.z.size());
  const double period = common_period(steady, nz);
  Eigen::MatrixXd N;
  const SmallMotions s = small_motions(workspace, steady, at, N);
  std::vector<Mode> modes;
  if (s.size() == 0 && nz == 0) return modes;
  const auto largest = [](const Eigen::MatrixXd& A) { return A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0; };
  const bool symmetric = largest(s.C - s.C.transpose()) <= 1e-7 * largest(s.C) + kSlack * s.scale;
  if (period > 0.0)
    sampled_modes(s, steady, period, modes);
  else if (nz == 0 && symmetric && largest(s.B) <= 1e-9 * std::sqrt(s.scale))
    undamped_modes(s, modes);
  else
    damped_modes(s, modes);
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.frequency < b.frequency; });
  for (Mode& mode : modes) mode.shape = scaled(workspace.model_velocity(at.state, N * mode.shape));
  return modes;
}

bool is_stable(const std::vector<Mode>& modes) {
  double largest = 0.0;
  for (const Mode& mode : modes) largest = std::max(largest, std::abs(mode.eigenvalue));
  return std::none_of(modes.begin(), modes.end(),
                      [&](const Mode& mode) { return mode.eigenvalue.real() > kNeutral * largest; });
}

}  // namespace cardan
