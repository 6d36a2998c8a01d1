// Rolling without slipping: two bodies stay in contact, and the material points that touch have the same velocity. The
// contact is a constraint on positions, slip only on velocities (a nonholonomic constraint), so that projecting
// positions leaves it alone. With gap g, unit normal n and contact point c as functions of where the bodies are,
//   rows: n . (v_b(c) - v_a(c)) = dg/dt,  t_i . (v_b(c) - v_a(c)) = 0 along two tangents,
// where v(c) is the velocity of the body's material at c. Its rate takes the velocity of c itself, which is no
// material point; c, n and g are written once over the scalar, and dual numbers give it.
#pragma once

#include "cardan/constraints/constraint.hpp"

namespace cardan {

/// A shape that rolls, in a frame of its body.
struct RollingShape {
  enum class Kind {
    plane,    // z = 0, material below
    sphere,   // about the origin
    disc,     // a circle about z, with a sharp edge
    cylinder  // about z, endless, touching along a line
  };
  Kind kind = Kind::plane;
  double radius = 0.0;
};

struct RollingPair {
  std::string name;
  Frame a, b;
  RollingShape shape_a, shape_b;
  bool spins = true;  // may turn about the normal
};

/// True if such a pair can roll on each other.
bool can_roll(const RollingShape& a, const RollingShape& b);

class RollingConstraint final : public Constraint {
 public:
  /// Throws std::invalid_argument on pairs that cannot.
  explicit RollingConstraint(RollingPair pair);

  std::string name() const override { return "rolling \"" + pair_.name + "\""; }
  Touches touches() const override;
  int rows() const override;
  bool is_holonomic() const override { return false; }
  void evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const override;

 private:
  RollingPair pair_;  // the plane, if there is one, is of a
};

}  // namespace cardan
