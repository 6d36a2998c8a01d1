// All texts of a system whose choices follow the state, bound to the memory of one thread: forces are shared and never
// change, so a run works on copies of those that choose.
#pragma once

#include "cardan/forces/signal_function.hpp"

namespace cardan {

class SwitchBoard {
 public:
  /// Binds copies of the forces that choose by the state to this board.
  void bind(Forces& forces);
  bool is_empty() const { return texts_.empty(); }

  /// Evaluates what all texts would choose; `instant_of` gives the instant of a force.
  template <class InstantOf>
  void look(const InstantOf& instant_of) {
    choices_.clear();
    for (Text& text : texts_) text.function.look(instant_of(text.force), text.force, choices_);
  }
  /// The choices at the last look, text after text.
  const std::vector<Choice>& choices() const { return choices_; }

  /// From now on these are what texts choose, in the order of choices(); until released, texts choose no more.
  void hold(std::span<const double> choices);
  void release();

  /// For forces that bind their texts: called once for each text of a copy.
  void bind(SignalFunction& function);

 private:
  struct Text {
    SignalFunction function;
    std::size_t force;
  };
  std::vector<Text> texts_;
  std::vector<Choice> choices_;
  std::size_t force_ = 0;  // that binds its texts
};

}  // namespace cardan
