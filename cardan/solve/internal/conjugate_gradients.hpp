// Solves A x = b with A symmetric positive definite, known only by its products, by preconditioned conjugate gradients.
#pragma once

#include <Eigen/Dense>

#include <cmath>

namespace cardan {

struct ConjugateGradients {
  int iterations = 0;
  bool converged = false;
  double residual = 0.0;  // |b - A x| against |b|, in the norm of the preconditioner's inverse

  /// apply(x, y): y = A x; precondition(x, y): y = P^-1 x. x is where the search begins.
  template <class Apply, class Precondition>
  static ConjugateGradients solve(const Apply& apply, const Precondition& precondition, const Eigen::VectorXd& b,
                                  Eigen::VectorXd& x, double tolerance, int most) {
    ConjugateGradients out;
    Eigen::VectorXd r(b.size()), z(b.size()), p(b.size()), w(b.size());
    precondition(b, z);
    const double size = std::sqrt(std::max(b.dot(z), 0.0));
    if (!(size > 0.0)) {
      x.setZero();
      out.converged = size == 0.0;
      return out;
    }
    apply(x, r);
    r = b - r;
    precondition(r, z);
    p = z;
    double rz = r.dot(z);
    for (;; ++out.iterations) {
      out.residual = std::sqrt(std::max(rz, 0.0)) / size;
      out.converged = out.residual <= tolerance;
      if (out.converged || out.iterations == most || !std::isfinite(rz)) return out;
      apply(p, w);
      const double alpha = rz / p.dot(w);
      x += alpha * p;
      r -= alpha * w;
      precondition(r, z);
      const double next = r.dot(z);
      p = z + (next / rz) * p;
      rz = next;
    }
  }
};

}  // namespace cardan
