// Short ways to put forces and motions into a system.
#pragma once

#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/forces/applied_wrench.hpp"
#include "cardan/simulate/system_workspace.hpp"

namespace cardan::test {

inline Forces forces_of(const Model& model, const std::vector<AppliedWrench>& wrenches) {
  Forces out;
  for (const AppliedWrench& wrench : wrenches) out.push_back(make_force(wrench.on(model)));
  return out;
}

inline Constraints constraints_of(const Model& model, const std::vector<PrescribedMotion>& motions) {
  Constraints out;
  for (const PrescribedMotion& motion : motions)
    out.push_back(std::make_shared<const JointMotionConstraint>(model, motion));
  return out;
}

/// A model whose joints move as given.
inline System driven(const Model& model, const std::vector<PrescribedMotion>& motions) {
  return System(model, {}, constraints_of(model, motions));
}

inline Settings generic_code() {
  Settings out;
  out.code = Settings::Code::generic;
  return out;
}

}  // namespace cardan::test
