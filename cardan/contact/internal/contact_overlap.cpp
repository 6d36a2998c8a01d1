// How contact stepping treats bodies that are inside one another. Rows of a step are linear in velocities, and their
// normals are those of poses where bodies may overlap already: where a step is long beside the bodies that meet in it,
// it ends deep, and is made in halves instead. What is left is moved apart in the metric of the mass matrix, with
// velocities left alone.
#include "cardan/contact/internal/contact_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

namespace {

constexpr double kDeepOverlap = 1e-3;  // m, at the start: refused
constexpr int kMostSeparations = 10;   // rounds of a position projection
constexpr double kDeepEnd = 1000.0;    // of the penetration that is allowed: a step that ends deeper is made in halves

}  // namespace

/// Refuses bodies that start deep inside each other, and moves others apart.
void ContactStepper::separate(double t) {
  rows_.move_to(t, state_.q, state_.v, In<double>(acceleration_.data(), nv_), options_.step, penetration_,
                StepRows::At::start);
  for (const ContactPoint& point : rows_.points()) {
    if (!(point.gap < -kDeepOverlap) || point.law.stiffness > 0.0) continue;
    throw std::runtime_error(
        fmt::format("simulate: t = {:g}: bodies \"{}\" and \"{}\": expected bodies that start apart, found an overlap "
                    "{:.6g} m deep: "
                    "move them, or ignore the pair in a [[contact]]",
                    t, shape_owner(point.shape_a), shape_owner(point.shape_b), -point.gap));
  }
}

/// Moves what overlaps apart, nothing heavy more than needed; velocities stay.
void ContactStepper::move_out_of_overlap(double t) {
  const RunProfile::Scope scope(profile_, RunProfile::Part::overlaps);
  for (int round = 0; round < kMostSeparations; ++round) {
    const double deepest = depth();
    if (round == 0) note_depth(t);
    if (!(deepest > penetration_)) return;
    free_.set_mass(next_.q, laws_.mass);
    laws_.clear_rows();
    laws_.v_free.setZero(model_.nv());
    rows_.add_positions(0.5 * penetration_, laws_);
    const IslandSolver::Result& result = position_solver_.solve(laws_);
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = result.v[static_cast<Eigen::Index>(k)];
    space().move(next_.q.data(), x_.data(), next_.q.data());
    find_contacts(t, options_.step, StepRows::At::start);
  }
}

/// Finds the contact at which bodies are deepest inside one another, where contacts were found last; null if none are.
const ContactPoint* ContactStepper::deepest() const {
  const ContactPoint* out = nullptr;
  for (const ContactPoint& point : rows_.points())
    if (point.law.stiffness == 0.0 && point.gap < (out ? out->gap : 0.0)) out = &point;
  return out;
}

/// Measures that, or how far joints are beyond their limits.
double ContactStepper::depth() const {
  const ContactPoint* point = deepest();
  return std::max(point ? -point->gap : 0.0, rows_.limit_excess());
}

void ContactStepper::note_depth(double t) {
  ContactSummary& summary = log_.summary;
  summary.limit_excess = std::max(summary.limit_excess, rows_.limit_excess());
  const ContactPoint* point = deepest();
  if (!point || !(-point->gap > summary.penetration)) return;
  summary.penetration = -point->gap;
  summary.deepest = {t, shape_owner(point->shape_a), shape_owner(point->shape_b)};
}

bool ContactStepper::ends_deep(double t1, double h) {
  const bool may = std::any_of(rows_.points().begin(), rows_.points().end(), [&](const ContactPoint& point) {
    return h * std::abs(point.approach) > kDeepEnd * penetration_;
  });
  if (!may) return false;
  find_contacts(t1, h, StepRows::At::start);
  const ContactPoint* point = deepest();
  return point && -point->gap > kDeepEnd * penetration_;
}

const std::string& ContactStepper::shape_owner(int shape) const {
  const int owner = rows_.world()->shapes()[static_cast<std::size_t>(shape)].owner;
  return rows_.world()->owners()[static_cast<std::size_t>(owner)];
}

}  // namespace cardan
