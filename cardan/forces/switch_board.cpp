#include "cardan/forces/switch_board.hpp"

#include <algorithm>

namespace cardan {

void SwitchBoard::bind(Forces& forces) {
  for (force_ = 0; force_ < forces.size(); ++force_)
    if (forces[force_]->has_switches()) forces[force_] = forces[force_]->bound_to(*this);
}

void SwitchBoard::bind(SignalFunction& function) {
  if (!function.has_switches()) return;
  function.hold_by(std::make_shared<HeldChoices>());
  texts_.push_back({function, force_});
}

void SwitchBoard::hold(std::span<const double> choices) {
  std::size_t next = 0;
  for (Text& text : texts_) {
    HeldChoices& held = *text.function.held();
    for (double& choice : held.choices) choice = choices[next++];
    held.are_held = true;
  }
}

void SwitchBoard::release() {
  for (Text& text : texts_) text.function.held()->are_held = false;
}

}  // namespace cardan
