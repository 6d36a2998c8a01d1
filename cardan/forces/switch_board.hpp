// All texts of a system whose choices follow the state, bound to the memory of one thread: forces are shared and never
// change, so a run works on copies of those that choose.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/forces/held_choices.hpp"

#include <functional>

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
    for (const Text& text : texts_) look(text, instant_of(text.force));
  }
  /// The choices at the last look, text after text.
  const std::vector<Choice>& choices() const { return choices_; }

  /// From now on these are what texts choose, in the order of choices(); until released, texts choose no more.
  void hold(std::span<const double> choices);
  void release();
  /// What is held at present, in the same order; empty where texts choose by themselves.
  std::vector<double> held() const;

  /// Sets the inputs of a text at an instant.
  using Inputs = std::function<void(const Instant& at, double* in)>;
  /// For forces that bind their texts: returns the memory of what a text of a copy chooses; null where it never does.
  std::shared_ptr<HeldChoices> bind(const std::shared_ptr<const ChosenText>& text, Inputs inputs);

 private:
  struct Text {
    std::shared_ptr<const ChosenText> chosen;
    std::shared_ptr<HeldChoices> held;
    Inputs inputs;
    std::size_t force;
  };
  void look(const Text& text, const Instant& at);

  std::vector<Text> texts_;
  std::vector<Choice> choices_;
  std::vector<double> in_, compared_;
  std::size_t force_ = 0;  // that binds its texts
};

}  // namespace cardan
