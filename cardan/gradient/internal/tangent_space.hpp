// Where a state lives together with tangents of it: the coordinates of the state, then for each tangent as many numbers
// again, the changes of these coordinates; velocities, increments and element states likewise. Every operation is that
// of the model's space and its derivative along each tangent, so that an integrator that moves such states moves the
// state as ever and the tangents by the derivative of its own step.
#pragma once

#include "cardan/dynamics/model_space.hpp"

namespace cardan {

class TangentSpace : public StateSpace {
 public:
  /// The space must outlive it.
  TangentSpace(const ModelSpace& base, int tangents) : base_(base), tangents_(tangents) {}

  int tangents() const { return tangents_; }
  Sizes sizes() const override;
  bool is_flat() const override { return base_.is_flat(); }
  bool moves_by_adding() const override { return base_.moves_by_adding(); }
  void move(const double* q, const double* x, double* out) const override;
  void difference(const double* q0, const double* q1, double* x) const override;
  void increment_rate(const double* x, const double* v, double* rate) const override;
  void increment_velocity(const double* x, const double* rate, double* v) const override;
  /// Throws std::logic_error: no method that is differentiated asks for it.
  void increment_velocity_derivative(const double* x, const double* u, double* out) const override;
  void coordinate_rate(const double* q, const double* v, double* rate) const override;
  void normalize(double* q) const override;
  std::string name_of_coordinate(int i) const override { return base_.name_of_coordinate(i % base_.sizes().q); }
  std::string name_of_velocity(int i) const override { return base_.name_of_velocity(i % base_.sizes().v); }

  /// Converts a change of the coordinates of a state to one in its tangent space, and back.
  void to_tangent(const double* q, const double* dq, double* dx) const;
  void from_tangent(const double* q, const double* dx, double* dq) const { base_.coordinate_rate(q, dx, dq); }

 private:
  const ModelSpace& base_;
  int tangents_;
};

}  // namespace cardan
