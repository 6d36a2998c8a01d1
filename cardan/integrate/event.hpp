// Finds when a function of the state passes zero within the last step.
#pragma once

#include "cardan/integrate/integrator.hpp"

#include <functional>
#include <optional>

namespace cardan {

using EventFunction = std::function<double(const State& state, double t)>;

struct EventOptions {
  enum class Direction { rising, falling, either };
  Direction direction = Direction::either;
  double tolerance = 1e-14;  // of the time, relative to the larger of it and the step
  int samples = 8;           // intervals of the step that are looked at; a pair of zeros in one of them is missed
};

struct Event {
  double time;
  State state;
};

/// The first sign change in the last step; a zero at the very start of the step does not count.
std::optional<Event> locate_event(const Integrator& integrator, const EventFunction& function,
                                  const EventOptions& options = {});

}  // namespace cardan
