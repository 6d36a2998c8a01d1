// One coordinate of a joint that follows time: q = q(t). So a coordinate beside others is moved; and so time enters a
// joint that depends on it (a rheonomic one): as a coordinate whose rate is one.
#pragma once

#include "cardan/constraints/constraint_rows_by.hpp"
#include "cardan/program/time_function.hpp"

namespace cardan {

class CoordinateMotionConstraint final : public ConstraintRowsBy<CoordinateMotionConstraint> {
 public:
  /// Of velocity `v` of the joint that moves the body, and the coordinate that belongs to it; two derivatives. `what`
  /// begins its name.
  CoordinateMotionConstraint(const Model& model, int body, int v, TimeFunction motion,
                             std::string what = "time in joint")
      : what_(std::move(what)),
        joint_(model.joint_name(body)),
        body_(body),
        q_(model.link(body).q + v - model.link(body).v),
        v_(v),
        motion_(std::move(motion)) {}

  int body() const { return body_; }
  std::string name() const override { return what_ + " \"" + joint_ + "\""; }
  Touches touches() const override { return {.velocities = {v_}}; }
  int rows() const override { return 1; }
  bool is_workless() const override { return false; }

 private:
  friend class ConstraintRowsBy<CoordinateMotionConstraint>;
  template <class T>
  void set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
    T wanted[3];
    motion_.evaluate_at(at.t, wanted);
    rows.on_velocities(0, 0) = T(1.0);
    rows.gap[0] = at.q[q_] - wanted[0];
    rows.drift[0] = at.v[v_] - wanted[1];
    rows.k[0] = wanted[2];
  }

  std::string what_, joint_;
  int body_, q_, v_;
  TimeFunction motion_;
};

}  // namespace cardan
