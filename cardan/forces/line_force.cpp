#include "cardan/forces/line_force.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cardan {

namespace {

/// The shape of a path and how much of it is known.
struct KnownShape {
  PathShape shape;
  WrapSurface::Want want = WrapSurface::Want::slopes;
};

}  // namespace

const PathShape& LineForce::shape_at(const Instant& at, WrapSurface::Want want, PathShape& own) const {
  if (at.memory == nullptr) {
    evaluate(at, want, own);
    return own;
  }
  auto& kept = at.memory->of<KnownShape>(id_);
  if (!at.memory->is_current(kept) || kept.value.want < want) {
    evaluate(at, want, kept.value.shape);
    kept.value.want = want;
    at.memory->make_current(kept);
  }
  return kept.value.shape;
}

void LineForce::evaluate(const Instant& at, WrapSurface::Want want, PathShape& shape) const {
  try {
    path_.evaluate(at, want, shape);
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(fmt::format("t = {:.12g}: {}: {}", at.t, name(), problem.what()));
  }
}

void LineForce::add(const Instant& at, Pushes& pushes) const {
  PathShape own;
  const PathShape& shape = shape_at(at, WrapSurface::Want::slopes, own);
  path_.pull(at, shape, law(shape.length, shape.speed, at).value, pushes);
}

void LineForce::add_tangent(const Instant& at, Tangent& tangent) const {
  PathShape own;
  const PathShape& shape = shape_at(at, WrapSurface::Want::second_derivatives, own);
  path_.add_tangent(at, shape, law(shape.length, shape.speed, at), tangent);
}

void LineForce::add_definite_tangent(const Instant& at, Tangent& tangent) const {
  PathShape own;
  const PathShape& shape = shape_at(at, WrapSurface::Want::slopes, own);
  path_.add_definite_tangent(at, shape, law(shape.length, shape.speed, at), tangent);
}

double LineForce::energy(const Instant& at) const { return energy_at(length(at)); }

double LineForce::length(const Instant& at) const {
  PathShape own;
  const PathShape& shape = shape_at(at, WrapSurface::Want::slopes, own);
  return shape.length;
}

double LineForce::speed(const Instant& at) const {
  PathShape own;
  const PathShape& shape = shape_at(at, WrapSurface::Want::slopes, own);
  return shape.speed;
}

double LineForce::tension(const Instant& at) const {
  PathShape own;
  const PathShape& shape = shape_at(at, WrapSurface::Want::slopes, own);
  return law(shape.length, shape.speed, at).value;
}

void LineForce::add_unit_pull(const Instant& at, Pushes& pushes) const {
  PathShape own;
  const PathShape& shape = shape_at(at, WrapSurface::Want::slopes, own);
  path_.pull(at, shape, 1.0, pushes);
}

const LineForce* find_line(const Forces& forces, const std::string& label) {
  for (const auto& force : forces)
    if (const auto* line = dynamic_cast<const LineForce*>(force.get()); line && line->label() == label) return line;
  return nullptr;
}

}  // namespace cardan
