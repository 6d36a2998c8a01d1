// Another library doing the same work on the same model and states.
#pragma once

#include "cardan/model/model.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cardan::bench {

struct States {
  std::vector<std::vector<double>> q, v, a, tau;
};

using Call = std::function<void(int state)>;

struct Peer {
  std::string name, version;
  /// By quantity; where the library has several ways, all of them: the fastest counts.
  std::map<std::string, std::vector<Call>> calls;
  /// Its accelerations in our order, to check that both do the same.
  std::function<std::vector<double>(int state)> forward_dynamics;
  /// Its derivatives of inverse dynamics by q and v, then those of forward dynamics, by columns in our order.
  std::function<std::vector<std::vector<double>>(int state)> derivatives;
  std::function<std::vector<double>(int state)> constrained_dynamics;  // where the model has loops
};

/// nullptr where this program was built without the peer, or the peer lacks one of the model's joints or loops.
std::unique_ptr<Peer> make_pinocchio(const Model& model, const States& states);

}  // namespace cardan::bench
