#include "cardan/simulate/equilibrium.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cardan {

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kNeutral = 1e-6;  // of the largest eigenvalue: growth below this is rounding

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
  const double size = shape.cwiseAbs().maxCoeff(&largest);
  return size > 0.0 ? Eigen::VectorXd(shape / shape[largest]) : shape;
}

Mode make_mode(std::complex<double> eigenvalue, const Eigen::VectorXd& shape) {
  const double size = std::abs(eigenvalue);
  return {std::abs(eigenvalue.imag()) / kTurn, size / kTurn, eigenvalue.real() != 0.0 ? -eigenvalue.real() / size : 0.0,
          eigenvalue, scaled(shape)};
}

/// Without damping: M x'' + C x = 0 with symmetric C.
void undamped_modes(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C, const Eigen::MatrixXd& N,
                    std::vector<Mode>& modes) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (C + C.transpose()), M);
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < M.cols(); ++i) {
    double square = solver.eigenvalues()[i];
    if (std::abs(square) < 1e-12 * largest) square = 0.0;
    const std::complex<double> eigenvalue =
        square < 0.0 ? std::complex<double>(std::sqrt(-square), 0.0) : std::complex<double>(0.0, std::sqrt(square));
    modes.push_back(make_mode(eigenvalue, N * solver.eigenvectors().col(i)));
  }
}

/// M x'' + B x' + C x = 0 as a system of first order.
void damped_modes(const Eigen::MatrixXd& M, const Eigen::MatrixXd& B, const Eigen::MatrixXd& C,
                  const Eigen::MatrixXd& N, std::vector<Mode>& modes) {
  const Eigen::Index n = M.cols();
  const Eigen::LDLT<Eigen::MatrixXd> inverse(M);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -inverse.solve(C);
  A.bottomRightCorner(n, n) = -inverse.solve(B);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    const std::complex<double> eigenvalue = solver.eigenvalues()[i];
    if (eigenvalue.imag() < 0.0) continue;  // the other of its pair
    const Eigen::VectorXcd shape = solver.eigenvectors().col(i).head(n);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    const std::complex<double> scale = shape[largest] == 0.0 ? 1.0 : shape[largest];  // its phase is the first's
    modes.push_back(make_mode(eigenvalue, N * (shape / scale).real()));
  }
}

}  // namespace

std::vector<Mode> find_modes(SystemWorkspace& workspace, const Equilibrium& at) {
  const Eigen::Index n = workspace.space().sizes().v, m = workspace.rows();
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(n);
  Eigen::MatrixXd H, K, D, J(0, n), pull;
  workspace.linearize({workspace.system().settings().start, at.state}, rest, at.multipliers,
                      {.H = &H, .K = &K, .D = &D, .J = m > 0 ? &J : nullptr, .pull_by_q = m > 0 ? &pull : nullptr});
  if (m > 0) K += pull;
  const Eigen::MatrixXd N = free_directions(J, n);
  std::vector<Mode> modes;
  if (N.cols() == 0) return modes;
  const Eigen::MatrixXd M = N.transpose() * H * N, B = -N.transpose() * D * N, C = -N.transpose() * K * N;
  const bool symmetric = (C - C.transpose()).cwiseAbs().maxCoeff() <= 1e-7 * (1e-12 + C.cwiseAbs().maxCoeff());
  if (symmetric && B.cwiseAbs().maxCoeff() <= 1e-12 * M.cwiseAbs().maxCoeff())
    undamped_modes(M, C, N, modes);
  else
    damped_modes(M, B, C, N, modes);
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.frequency < b.frequency; });
  for (Mode& mode : modes) mode.shape = scaled(workspace.model_velocity(at.state, mode.shape));
  return modes;
}

bool is_stable(const std::vector<Mode>& modes) {
  double largest = 0.0;
  for (const Mode& mode : modes) largest = std::max(largest, std::abs(mode.eigenvalue));
  return std::none_of(modes.begin(), modes.end(),
                      [&](const Mode& mode) { return mode.eigenvalue.real() > kNeutral * largest; });
}

}  // namespace cardan
