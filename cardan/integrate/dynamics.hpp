// What an integrator moves.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/model/state.hpp"

namespace cardan {

/// q on the model's manifold, v its velocity, and the acceleration as a function of time and state.
class Dynamics {
 public:
  virtual ~Dynamics() = default;
  virtual const Model& model() const = 0;
  virtual void acceleration(double t, In<double> q, In<double> v, Out<double> a) = 0;

  /// For implicit methods: M(q) a = f(t, q, v), and the derivatives at constant a,
  ///   K = df/dq - (dM/dq) a,  D = df/dv,  in the tangent space, so that M da = K dq + D dv.
  /// What is not stiff may be left out of K and D: Newton's method then takes more iterations to the same result, and
  /// the linearly implicit Euler method treats that part explicitly. By default everything is found by central
  /// differences of the acceleration (4 nv of them; K and D good to about nine digits), and M is the model's.
  virtual void linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                         OutMatrix<double> D);

  /// Brings a state that a step has led to back to what must hold exactly at that time. Whether it changed anything.
  virtual bool correct(double, State&) { return false; }

  /// For the linearly implicit Euler method: rows G v = g on the velocities at the end of a step. Where there are any,
  /// linearize_freely speaks of the motion without them.
  virtual int velocity_rows() const { return 0; }
  virtual void velocity_constraints(double, In<double>, In<double>, OutMatrix<double>, Out<double>) {}
  virtual void linearize_freely(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f,
                                OutMatrix<double> K, OutMatrix<double> D) {
    linearize(t, q, v, M, f, K, D);
  }
};

}  // namespace cardan
