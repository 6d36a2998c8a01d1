// The directions in which a function is differentiated: in direction k input i moves at rate(i, k). One direction for
// each input gives the Jacobian, a single one the derivative along a motion.
#pragma once

#include "cardan/symbolic/expr.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace cardan {

class Directions {
 public:
  /// The inputs one by one.
  explicit Directions(std::span<const Expr> inputs) : count_(inputs.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) rates_of(inputs[i])[i] = Expr(1.0);
  }
  /// All inputs together, each at its rate.
  Directions(std::span<const Expr> inputs, std::span<const Expr> rates) : count_(1) {
    for (std::size_t i = 0; i < inputs.size(); ++i) rates_of(inputs[i])[0] += rates[i];
  }

  std::size_t count() const { return count_; }
  /// How a node moves in each direction; null if it is no input.
  const std::vector<Expr>* find(Expr e) const {
    const auto it = rates_.find(e.id);
    return it == rates_.end() ? nullptr : &it->second;
  }

 private:
  std::vector<Expr>& rates_of(Expr input) { return rates_.try_emplace(input.id, count_).first->second; }

  std::size_t count_;
  std::unordered_map<int, std::vector<Expr>> rates_;  // by node number
};

}  // namespace cardan
