// The directions in which a function is differentiated: in direction k input i moves at rate(i, k). One direction for
// each input gives the Jacobian, a single one the derivative along a motion. An input that is a constant moves nothing.
#pragma once

#include "cardan/symbolic/graph.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace cardan {

class Directions {
 public:
  /// The inputs one by one.
  Directions(const Graph& graph, std::span<const Expr> inputs) : count_(inputs.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!inputs[i].is_constant()) rates_of(graph.own(inputs[i]))[i] = Expr(1.0);
  }
  /// All inputs together, each at its rate.
  Directions(const Graph& graph, std::span<const Expr> inputs, std::span<const Expr> rates) : count_(1) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!inputs[i].is_constant()) rates_of(graph.own(inputs[i]))[0] += rates[i];
  }

  /// Takes a node for an input that moves at this rate in direction k.
  void set(NodeId node, std::size_t k, Expr rate) { rates_of(node)[k] = rate; }

  std::size_t count() const { return count_; }
  /// How a node moves in each direction; null if it is no input.
  const std::vector<Expr>* find(NodeId node) const {
    const auto it = rates_.find(node);
    return it == rates_.end() ? nullptr : &it->second;
  }

 private:
  std::vector<Expr>& rates_of(NodeId input) { return rates_.try_emplace(input, count_).first->second; }

  std::size_t count_;
  std::unordered_map<NodeId, std::vector<Expr>> rates_;
};

}  // namespace cardan
