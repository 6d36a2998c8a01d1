// A ladder of hinged bars whose motion is known from that of a chain: rails of bars (1 kg, 1 m) side by side, rungs
// (0.5 kg, 1 m) between their ends. Rungs and right rail move parallel to the left rail, so its bars accelerate like
// the links of a chain of mass 2 and inertia 2/12 with a point mass 0.5 at every tip.
#pragma once

#include "cardan/model/model.hpp"
#include "cardan/model/state.hpp"

namespace cardan::bench {

struct HingedLadder {
  /// `rows`: of each loop: 2 (a ball in a tube along the axis), 3 (a ball) or 5 (a hinge); only 2 are independent.
  /// `skew`: the axes of the bodies point somewhere.
  HingedLadder(int rungs, int rows, bool skew);

  Model ladder, chain;
  /// A bent and moving state of either.
  State ladder_state, chain_state;
  int rungs;
  /// Joints of the left rail, as bodies of the ladder.
  std::vector<int> rail;
};

}  // namespace cardan::bench
