// Generalized forces at the velocities of one joint, as functions of the instant: a text, or an input of a program.
#pragma once

#include "cardan/forces/force_of.hpp"
#include "cardan/forces/signal_function.hpp"

#include <algorithm>

namespace cardan {

struct JointForce {
  std::string label;
  int first = 0;  // velocity of the joint at which the first number acts
  SignalFunction force;
  std::string input{};  // whose value it is; empty: that of a text

  std::string name() const {
    return input.empty() ? "force at joint \"" + label + "\"" : "input \"" + input + "\" at joint \"" + label + "\"";
  }
  bool is_actuator() const { return !input.empty(); }
  Touches touches() const {
    Touches out;
    for (int i = 0; i < force.size(); ++i) out.velocities.push_back(first + i);
    force.add_to(out);
    return out;
  }

  const SignalFunction& text() const { return force; }
  SignalFunction& text() { return force; }
  void add_time_texts(TimeTexts& texts) const { force.add_to(texts); }

  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    T tau[6];
    force.evaluate(at, tau);
    for (int i = 0; i < force.size(); ++i) pushes.velocity(first + i) += tau[i];
  }
};

}  // namespace cardan
