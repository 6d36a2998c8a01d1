// The choices that a text makes by the state (if, sign, floor, tables), so that a run can hold them: within a step the
// text then is smooth, and goes on smoothly beyond the place where it jumps, which can be located.
#pragma once

#include "cardan/program/interpreter.hpp"
#include "cardan/symbolic/switches.hpp"

#include <memory>
#include <span>
#include <vector>

namespace cardan {

/// Holds what is chosen at present, for one text; 0 or 1 of a comparison, or in between where a run slides along it.
struct HeldChoices {
  bool are_held = false;
  std::vector<double> choices;
};

/// A choice at one instant.
struct Choice {
  std::size_t force = 0;  // of the system
  bool is_comparison = true;
  double margin = 0.0;  // a - b of what is compared
  double free = 0.0;    // what would be chosen if nothing were held
};

/// A text with its choices as further inputs.
class ChosenText {
 public:
  /// Where the graph would grow too large, the text chooses by itself.
  ChosenText(Graph& graph, std::span<const Expr> outputs, const std::vector<bool>& is_time);

  /// Counts the choices that follow the state.
  std::size_t size() const { return switches_.size(); }
  bool is_comparison(std::size_t i) const { return switches_[i] == Op::select_less; }
  /// Runs with the inputs of the text, then the choices.
  const Interpreter& chosen() const { return chosen_; }
  /// What is compared: a and b of every choice.
  const Interpreter& compared() const { return compared_; }
  double choose(std::size_t i, std::span<const double> compared) const {
    return cardan::choose(switches_[i], compared[2 * i], compared[2 * i + 1]);
  }

 private:
  std::vector<Op> switches_;
  Interpreter chosen_, compared_;
};

}  // namespace cardan
