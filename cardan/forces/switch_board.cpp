#include "cardan/forces/switch_board.hpp"

#include <algorithm>

namespace cardan {

void SwitchBoard::bind(Forces& forces) {
  for (force_ = 0; force_ < forces.size(); ++force_)
    if (forces[force_]->has_switches()) forces[force_] = forces[force_]->bound_to(*this);
}

std::shared_ptr<HeldChoices> SwitchBoard::bind(const std::shared_ptr<const ChosenText>& text, Inputs inputs) {
  if (!text || text->size() == 0) return nullptr;
  auto held = std::make_shared<HeldChoices>();
  held->choices.assign(text->size(), 0.0);
  texts_.push_back({text, held, std::move(inputs), force_});
  return held;
}

void SwitchBoard::look(const Text& text, const Instant& at) {
  const ChosenText& chosen = *text.chosen;
  in_.resize(static_cast<std::size_t>(chosen.compared().inputs()));
  compared_.resize(static_cast<std::size_t>(chosen.compared().outputs()));
  text.inputs(at, in_.data());
  run_small<double>(chosen.compared(), in_.data(), compared_.data());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    choices_.push_back(
        {text.force, chosen.is_comparison(i), compared_[2 * i] - compared_[2 * i + 1], chosen.choose(i, compared_)});
}

void SwitchBoard::hold(std::span<const double> choices) {
  std::size_t next = 0;
  for (Text& text : texts_) {
    for (double& choice : text.held->choices) choice = choices[next++];
    text.held->are_held = true;
  }
}

std::vector<double> SwitchBoard::held() const {
  std::vector<double> out;
  for (const Text& text : texts_)
    if (text.held->are_held) out.insert(out.end(), text.held->choices.begin(), text.held->choices.end());
  return out;
}

void SwitchBoard::release() {
  for (Text& text : texts_) text.held->are_held = false;
}

}  // namespace cardan
