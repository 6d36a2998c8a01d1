#include "cardan/constraints/internal/loop_force.hpp"

#include "cardan/forces/displaced_instant.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

std::size_t size_of(int n) { return static_cast<std::size_t>(n); }

/// Solves A x = b in place for a symmetric positive definite A of n rows, by A = L D L'.
template <class T>
void solve_positive(int n, T (&A)[6][6], T* b) {
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) {
      const T factor = A[i][j] / A[j][j];
      for (int k = j; k < n; ++k) A[i][k] -= factor * A[j][k];
      b[i] -= factor * b[j];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) b[i] -= A[i][k] * b[k];
    b[i] = b[i] / A[i][i];
  }
}

/// The wrench S (S'S)^-1 tau.
template <class T>
ForceVector<T> active_wrench(const JointMotionOf<T>& joint, T* tau) {
  T A[6][6];
  for (int i = 0; i < joint.nv; ++i)
    for (int j = 0; j < joint.nv; ++j) {
      A[i][j] = T(0.0);
      for (int c = 0; c < 6; ++c) A[i][j] += joint.S[i][c] * joint.S[j][c];
    }
  solve_positive(joint.nv, A, tau);
  ForceVector<T> out;
  for (int i = 0; i < joint.nv; ++i)
    for (int c = 0; c < 6; ++c) out[c] += joint.S[i][c] * tau[i];
  return out;
}

/// Coordinates that are searched from: at rest, or amid limits.
std::vector<double> first_coordinates(const LoopJoint& loop) {
  std::vector<double> out(size_of(loop.type.nq()));
  loop.type.neutral(out.data());
  if (!loop.type.is_flat()) return out;
  for (std::size_t i = 0; i < loop.dofs.size(); ++i) {
    const DofProperties& dof = loop.dofs[i];
    const bool is_limited = std::isfinite(dof.lower) && std::isfinite(dof.upper);
    if (dof.stiffness > 0.0)
      out[i] = dof.rest;
    else if (is_limited)
      out[i] = 0.5 * (dof.lower + dof.upper);
  }
  return out;
}

}  // namespace

LoopMotion loop_at_rest(const LoopJoint& loop) {
  LoopMotion out(loop, loop.type.nv(), 1.0);
  out.start_from(first_coordinates(loop));
  return out;
}

bool has_springs(const LoopJoint& loop) {
  return std::any_of(loop.dofs.begin(), loop.dofs.end(),
                     [](const DofProperties& dof) { return dof.stiffness != 0.0 || dof.damping != 0.0; });
}

bool has_laws(const LoopJoint& loop) {
  return std::any_of(loop.dofs.begin(), loop.dofs.end(), [](const DofProperties& dof) {
    return dof.friction > 0.0 || std::isfinite(dof.lower) || std::isfinite(dof.upper);
  });
}

LoopForce::LoopForce(const LoopJoint& loop) : loop_(loop), springs_(loop.dofs), rest_(first_coordinates(loop)) {}

LoopForce::LoopForce(const LoopJoint& loop, int first, SignalFunction force, std::string input)
    : loop_(loop), rest_(first_coordinates(loop)), first_(first), force_(std::move(force)), input_(std::move(input)) {}

std::string LoopForce::name() const {
  const std::string where = "loop \"" + loop_.name + "\"";
  if (!force_) return "spring of " + where;
  return input_.empty() ? "force at " + where : "input \"" + input_ + "\" at " + where;
}

Touches LoopForce::touches() const {
  Touches out;
  for (const int body : {loop_.predecessor.body, loop_.successor.body})
    if (body != 0) out.bodies.push_back(body);
  if (force_) force_->add_to(out);
  return out;
}

LoopMotion& LoopForce::find(const Instant& at, std::optional<LoopMotion>& unless_remembered) const {
  const auto make = [&](std::optional<LoopMotion>& out) -> LoopMotion& {
    if (!out) out.emplace(loop_, loop_.type.nv(), 1.0);
    out->start_from(rest_);
    out->forget();
    out->find(at);
    return *out;
  };
  if (at.memory == nullptr) return make(unless_remembered);
  auto& kept = at.memory->of<std::optional<LoopMotion>>(id_);
  if (!at.memory->is_current(kept)) {
    make(kept.value);
    at.memory->make_current(kept);
  }
  return *kept.value;
}

template <class T>
void LoopForce::push(const InstantOf<T>& at, const LoopMotion::Of<T>& motion, PushesOf<T>& pushes) const {
  T tau[6];
  for (int i = 0; i < motion.joint.nv; ++i) tau[i] = T(0.0);
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const DofProperties& dof = springs_[i];
    if (dof.stiffness != 0.0) tau[i] -= T(dof.stiffness) * (motion.coordinates[i] - T(dof.rest));
    tau[i] -= T(dof.damping) * motion.rates[i];
  }
  if (force_) {
    T given[6];
    force_->evaluate(at, given);
    for (int i = 0; i < force_->size(); ++i) tau[first_ + i] += given[i];
  }
  const ForceVector<T> f = active_wrench(motion.joint, tau);
  const int p = loop_.predecessor.body, s = loop_.successor.body;
  if (p != 0) pushes.body(p) -= transpose_apply(motion.joint.X * as<T>(loop_.predecessor.X), f);
  if (s != 0) pushes.body(s) += transpose_apply(as<T>(loop_.successor.X), f);
}

void LoopForce::add(const Instant& at, Pushes& pushes) const {
  std::optional<LoopMotion> own;
  push(at, find(at, own).here(), pushes);
}

void LoopForce::add_dual(const Instant& here, const DualInstant& at, DualPushes& pushes) const {
  std::optional<LoopMotion> own;
  push(at, find(here, own).near(at), pushes);
}

void LoopForce::add_tangent(const Instant& at, Tangent& tangent) const {
  detail::add_dual_tangent(at, touches(), tangent,
                           [&](const DualInstant& displaced, DualPushes& pushes) { add_dual(at, displaced, pushes); });
}

bool LoopForce::is_conservative() const {
  return !force_ &&
         std::all_of(springs_.begin(), springs_.end(), [](const DofProperties& dof) { return dof.damping == 0.0; });
}

double LoopForce::energy(const Instant& at) const {
  if (springs_.empty()) return 0.0;
  std::optional<LoopMotion> own;
  const LoopMotion& motion = find(at, own);
  double sum = 0.0;
  for (std::size_t i = 0; i < springs_.size(); ++i)
    if (const DofProperties& dof = springs_[i]; dof.stiffness != 0.0)
      sum += 0.5 * dof.stiffness * std::pow(motion.coordinates()[i] - dof.rest, 2);
  return sum;
}

void LoopForce::add_time_texts(TimeTexts& texts) const {
  if (force_) force_->add_to(texts);
}

std::shared_ptr<const Force> LoopForce::bound_to(SwitchBoard& board) const {
  if (!force_) return nullptr;
  auto out = std::make_shared<LoopForce>(*this);
  out->force_->bind_to(board);
  return out;
}

}  // namespace cardan
