#include "cardan/forces/line_force.hpp"

#include "cardan/forces/displaced_instant.hpp"
#include "cardan/forces/internal/dual_displacement.hpp"
#include "cardan/forces/internal/symbolic_line.hpp"

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

Dual8 LineForce::dual_law(const Dual8& length, const Dual8& speed, const Instant& here, const DualInstant&) const {
  const Tension now = law(length.value, speed.value, here);
  return Dual8(now.value) + Dual8(now.by_length) * (length - Dual8(length.value)) +
         Dual8(now.by_speed) * (speed - Dual8(speed.value));
}

/// With p = -dl/dx the forces of a unit tension and K their derivatives: dl = -p dx, dp = K dx, dl/dt = -p v.
LineForce::DualLine LineForce::dual_line(const Instant& here, const DualInstant& at) const {
  PathShape own;
  const PathShape& shape = shape_at(here, WrapSurface::Want::second_derivatives, own);
  const Touches& touched = path_.touches();
  detail::TouchedPushes<double> unit(here.model);
  Pushes pushes = unit.pushes();
  path_.pull(here, shape, 1.0, pushes);
  Tangent tangent;
  tangent.resize(touched);
  path_.add_tangent(here, shape, {1.0, 0.0, 0.0}, tangent);
  const detail::DualMotion motion(here, at, touched);
  DualLine out{Dual8(shape.length), Dual8(0.0), {}};
  unit.each(touched, [&](Eigen::Index row, double value) {
    const auto i = static_cast<std::size_t>(row);
    Dual8 p(value);
    for (Eigen::Index c = 0; c < tangent.K.cols(); ++c)
      p += Dual8(tangent.K(row, c)) * motion.displacement[static_cast<std::size_t>(c)];
    out.length -= Dual8(value) * motion.displacement[i];
    out.speed -= p * motion.velocity[i];
    out.pull.push_back(p);
  });
  return out;
}

void LineForce::add_dual(const Instant& here, const DualInstant& at, DualPushes& pushes) const {
  const DualLine line = dual_line(here, at);
  const Dual8 tension = dual_law(line.length, line.speed, here, at);
  std::size_t row = 0;
  for (const int body : path_.touches().bodies)
    for (int c = 0; c < 6; ++c) pushes.body(body)[c] += tension * line.pull[row++];
  for (const int k : path_.touches().velocities) pushes.velocity(k) += tension * line.pull[row++];
}

std::string LineForce::beyond_code() const {
  const std::string path = detail::beyond_symbolic_line(path_);
  return path.empty() ? law_beyond_code() : path;
}

Expr LineForce::symbolic_law(Expr, Expr, const SymbolicInstant&) const {
  throw std::logic_error(name() + ": cannot be recorded, " + law_beyond_code());
}

void LineForce::add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const {
  const detail::SymbolicLine line(path_, at);
  line.pull(at, symbolic_law(line.length, line.speed, at), pushes);
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
