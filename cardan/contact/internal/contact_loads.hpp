// Accelerations and loads at a state of a system with contact, for records: the laws at the level of accelerations
// (contact_modes.hpp). Contacts that are about to bounce count as open, since an impulse is no force.
#pragma once

#include "cardan/contact/internal/contact_flow.hpp"

namespace cardan {

class ContactLoads {
 public:
  /// The mechanism must outlive it; contacts touch within this distance.
  ContactLoads(RecursiveProblem& mechanism, double touch);
  /// Computes the accelerations; throws std::runtime_error where none obey all laws.
  void acceleration(double t, const State& state, Out<double> a);
  void loads(double t, const State& state, Loads& out);

 private:
  void solve(double t, const State& state);

  RecursiveProblem& mechanism_;
  ContactFlow flow_;
  double touch_;
  std::vector<ForceVector<double>> wrenches_;
};

}  // namespace cardan
