#include "cardan/forces/line_force.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cardan {

namespace {

/// Memory for one path after another, so that evaluating forces allocates nothing.
PathShape& path_scratch() {
  static thread_local PathShape shape;
  return shape;
}

}  // namespace

void LineForce::evaluate(const Instant& at, WrapSurface::Want want, PathShape& shape) const {
  try {
    path_.evaluate(at, want, shape);
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(fmt::format("t = {:.12g}: {}: {}", at.t, name(), problem.what()));
  }
}

void LineForce::add(const Instant& at, Pushes& pushes) const {
  PathShape& shape = path_scratch();
  evaluate(at, WrapSurface::Want::slopes, shape);
  path_.pull(at, shape, law(shape.length, shape.speed, at).value, pushes);
}

void LineForce::add_tangent(const Instant& at, Tangent& tangent) const {
  PathShape& shape = path_scratch();
  evaluate(at, WrapSurface::Want::second_derivatives, shape);
  path_.add_tangent(at, shape, law(shape.length, shape.speed, at), tangent);
}

void LineForce::add_definite_tangent(const Instant& at, Tangent& tangent) const {
  PathShape& shape = path_scratch();
  evaluate(at, WrapSurface::Want::slopes, shape);
  path_.add_definite_tangent(at, shape, law(shape.length, shape.speed, at), tangent);
}

double LineForce::energy(const Instant& at) const { return energy_at(length(at)); }

double LineForce::length(const Instant& at) const {
  PathShape& shape = path_scratch();
  evaluate(at, WrapSurface::Want::slopes, shape);
  return shape.length;
}

double LineForce::speed(const Instant& at) const {
  PathShape& shape = path_scratch();
  evaluate(at, WrapSurface::Want::slopes, shape);
  return shape.speed;
}

double LineForce::tension(const Instant& at) const {
  PathShape& shape = path_scratch();
  evaluate(at, WrapSurface::Want::slopes, shape);
  return law(shape.length, shape.speed, at).value;
}

void LineForce::add_unit_pull(const Instant& at, Pushes& pushes) const {
  PathShape& shape = path_scratch();
  evaluate(at, WrapSurface::Want::slopes, shape);
  path_.pull(at, shape, 1.0, pushes);
}

const LineForce* find_line(const Forces& forces, const std::string& label) {
  for (const auto& force : forces)
    if (const auto* line = dynamic_cast<const LineForce*>(force.get()); line && line->label() == label) return line;
  return nullptr;
}

}  // namespace cardan
