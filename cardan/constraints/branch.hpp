// Branches of a mechanism: around the same independent coordinates loops may close in several ways, of which one is
// reached by continuous motion. Following it is continuation in s from 0 to 1 of
//   gap(q) = (1 - s) gap(q(0)),   held coordinates = those of q(0) + s * change,
// Euler's predictor along the way of least motion and Newton's corrector, whose corrections must shrink at once: at a
// dead point, where branches meet, no step is short enough for that, and the way ends there instead of on another one.
#pragma once

#include "cardan/constraints/assembly.hpp"

namespace cardan {

struct BranchEnd {
  double share = 0.0;  // of the way that could be gone; 1: all of it
  std::vector<double> q;
  int at_limit = 0;       // the body whose joint came to a limit there, 0 if none did
  int change_points = 0;  // positions on the way in which branches meet
};

/// Follows the branch that q is on. `change` has a number for each velocity: by how much those that are held move (the
/// others find their own way, and their numbers are not looked at). Constraints act with the rank that they have at
/// `closed`, a configuration where they hold. Joints do not pass their limits.
BranchEnd follow_branch(ConstraintSet& set, double t, std::vector<double> q, const std::vector<double>& change,
                        const std::vector<bool>& held, const std::vector<double>& closed);

struct BranchComparison {
  enum class Verdict {
    same,     // continuous motion leads from one to the other
    another,  // it leads to another configuration with the same independent coordinates
    unclear,  // it ends at a dead point on the way, or passes a position in which branches meet
  } verdict = Verdict::same;
  BranchEnd end;  // of the way
};

/// Compares the branch of a configuration where the constraints hold with that of a configuration nearby where they
/// may not (of the same mechanism with other lengths, say). Independent coordinates are chosen among joints in `kept`
/// first.
BranchComparison compare_branches(ConstraintSet& set, double t, const std::vector<double>& from,
                                  const std::vector<double>& closed, const KeptJoints& kept = {});

}  // namespace cardan
