// Rolling without slipping: two bodies stay in contact, and the material points that touch have the same velocity. The
// contact is a constraint on positions, slip only on velocities (a nonholonomic constraint), so that projecting
// positions leaves it alone. With gap g, unit normal n and contact point c as functions of where the bodies are,
//   rows: n . (v_b(c) - v_a(c)) = dg/dt,  t_i . (v_b(c) - v_a(c)) = 0 along two tangents,
// where v(c) is the velocity of the body's material at c. Its rate takes the velocity of c itself, which is no
// material point; c, n and g are written once over the scalar, and dual numbers give it.
//
// Planes, spheres, discs and cylinders have closed forms. Of any other pair of surfaces X_a(u1, v1), X_b(u2, v2) the
// places that face each other satisfy
//   (X_b - X_a) . X_a,u = (X_b - X_a) . X_a,v = 0,   n_b . X_a,u = n_b . X_a,v = 0,   g = (X_b - X_a) . n_a;
// Newton's method finds them from those of the evaluation before, and the implicit function theorem gives their rates.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/constraints/rolling_surface.hpp"

namespace cardan {

/// A shape that rolls, in a frame of its body.
struct RollingShape {
  enum class Kind {
    plane,     // z = 0, material below
    sphere,    // about the origin
    disc,      // a circle about z, with a sharp edge
    cylinder,  // about z, endless, touching along a line
    surface    // any other
  };
  Kind kind = Kind::plane;
  double radius = 0.0;
  std::shared_ptr<const RollingSurface> surface{};
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
  std::unique_ptr<ConstraintMemory> make_memory() const override;
  void evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const override;
  void differentiate(const InstantOf<Dual8>& at, const ConstraintMemory* memory,
                     ConstraintRowsOf<Dual8>& rows) const override;

  std::string beyond_code() const override { return "where its surfaces touch is searched for"; }

 private:
  template <class T>
  void set_rows(const InstantOf<T>& at, const ConstraintMemory* memory, ConstraintRowsOf<T>& rows) const;

  RollingPair pair_;  // the plane, if there is one, is of a
};

}  // namespace cardan
