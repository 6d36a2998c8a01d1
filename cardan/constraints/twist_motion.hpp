// Prescribes how a frame of a body moves: any of its angular velocity and the velocity of its origin, along the axes of
// the world or its own, as functions of time. Positions follow from where the motion starts, so there is no gap.
#pragma once

#include "cardan/constraints/constraint_rows_by.hpp"
#include "cardan/program/time_function.hpp"

#include <array>

namespace cardan {

struct PrescribedTwist {
  int frame = 0;
  bool in_frame_axes = false;
  std::array<bool, 6> held{};  // which of angular x, y, z, linear x, y, z
  TimeFunction twist;          // the held ones, with one derivative
};

class TwistMotionConstraint final : public ConstraintRowsBy<TwistMotionConstraint> {
 public:
  /// Throws std::invalid_argument where the motion does not fit the model.
  TwistMotionConstraint(const Model& model, PrescribedTwist motion);

  std::string name() const override { return "motion of body \"" + frame_.name + "\""; }
  Touches touches() const override { return {.bodies = {frame_.body}}; }
  bool is_workless() const override { return false; }
  bool is_holonomic() const override { return false; }
  void add_time_texts(TimeTexts& texts) const override { motion_.twist.add_to(texts); }
  int rows() const override { return motion_.twist.size(); }

 private:
  friend class ConstraintRowsBy<TwistMotionConstraint>;
  template <class T>
  void set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const;

  PrescribedTwist motion_;
  Frame frame_;
};

}  // namespace cardan
