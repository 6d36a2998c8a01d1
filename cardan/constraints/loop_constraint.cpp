#include "cardan/constraints/loop_constraint.hpp"

namespace cardan {

void LoopState::evaluate(const Instant& at, ConstraintRows& rows) {
  find(at);
  set_rows(at, here(), rows);
}

void LoopState::differentiate(const InstantOf<Dual8>& at, ConstraintRowsOf<Dual8>& rows) const {
  set_rows(at, near(at), rows);
}

void LoopState::evaluate_symbolic(const SymbolicInstant& at, ConstraintRowsOf<Expr>& rows) const {
  set_rows(at, recorded(at), rows);
}

template <class T>
void LoopState::set_rows(const InstantOf<T>& at, const LoopMotion::Of<T>& motion, ConstraintRowsOf<T>& rows) const {
  const int p = loop().predecessor.body, s = loop().successor.body;
  const Transform<T> from_s = as<T>(loop().successor.X), from_p = motion.joint.X * as<T>(loop().predecessor.X);
  const MotionVector<T> v_s = from_s * at.velocity(s), v_rel = relative_velocity(at, motion.joint.X);
  MotionVector<T> v_J;
  for (int i = 0; i < loop().type.nv(); ++i) v_J += motion.rates[i] * motion.joint.S[i];
  // a_s - a_p = c_J + v_s x v_J + S qdd in a joint, and T'S = 0
  const MotionVector<T> k =
      motion.joint.c_J + cross(v_s, v_J) - (from_s * at.bias_acceleration(s) - from_p * at.bias_acceleration(p));
  for (int i = 0; i < this->rows(); ++i) {
    const ForceVector<T>& f = motion.across[i];
    rows.k[i] = dot(k, f);
    rows.drift[i] = dot(v_rel, f);
    rows.gap[i] = dot(motion.error, f);
    std::size_t term = 0;
    if (p != 0) rows.on_bodies[term++].row[static_cast<std::size_t>(i)] = -transpose_apply(from_p, f);
    if (s != 0) rows.on_bodies[term].row[static_cast<std::size_t>(i)] = transpose_apply(from_s, f);
  }
}

ForceVector<double> LoopState::force(const double* multipliers) const {
  ForceVector<double> out;
  for (int i = 0; i < rows(); ++i)
    for (int c = 0; c < 6; ++c) out[c] += split().T(c, i) * multipliers[i];
  return out;
}

LoopConstraint::LoopConstraint(const LoopJoint& loop, double length)
    : loop_(loop), freedoms_(subspace_dimension(loop.type)), length_(length) {}

Touches LoopConstraint::touches() const {
  Touches out{.relative = true};
  for (const int body : {loop_.predecessor.body, loop_.successor.body})
    if (body != 0) out.bodies.push_back(body);
  return out;
}

std::unique_ptr<ConstraintMemory> LoopConstraint::make_memory() const {
  return std::make_unique<LoopState>(loop_, freedoms_, length_);
}

void LoopConstraint::evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const {
  static_cast<LoopState*>(memory)->evaluate(at, rows);
}

void LoopConstraint::differentiate(const InstantOf<Dual8>& at, const ConstraintMemory* memory,
                                   ConstraintRowsOf<Dual8>& rows) const {
  static_cast<const LoopState*>(memory)->differentiate(at, rows);
}

std::string LoopConstraint::beyond_code() const { return LoopMotion::beyond_code(loop_.type); }

void LoopConstraint::evaluate_symbolic(const SymbolicInstant& at, ConstraintRowsOf<Expr>& rows) const {
  LoopState(loop_, freedoms_, length_).evaluate_symbolic(at, rows);
}

}  // namespace cardan
