#include "cardan/gradient/internal/tangent_problem.hpp"

#include "cardan/dynamics/internal/constrained_response.hpp"
#include "cardan/dynamics/linearization.hpp"
#include "cardan/gradient/internal/differences.hpp"
#include "cardan/gradient/run_gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

using Map = Eigen::Map<const Eigen::VectorXd>;

double largest(const Eigen::VectorXd& x) { return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(); }

/// Rows of the constraints at a state: how positions and velocities miss them.
Eigen::VectorXd misses(RecursiveProblem& equations, double t, const State& state) {
  ConstraintSet& set = equations.constraints()->constraints();
  set.evaluate(t, state.q, state.v);
  Eigen::VectorXd out(2 * set.rows());
  out << set.gap(), set.drift();
  return out;
}

/// Rows of the constraints, and how gaps and drifts depend on positions. Rows that speak of velocities only (rolling)
/// have no gap, so that this is not always J.
struct RowSlopes {
  Eigen::MatrixXd H, J, gap_by_q, drift_by_q;

  RowSlopes(RecursiveProblem& equations, const Point& at) {
    const Eigen::Index n = at.v.size(), m = equations.rows();
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(n), no_forces = Eigen::VectorXd::Zero(m);
    equations.linearize(at, at_rest, no_forces, {.H = &H, .J = &J});
    // the rows' acceleration under feedback of an error, less the same without
    ConstrainedDynamics& constrained = *equations.constraints();
    const Baumgarte kept = constrained.stabilization;
    const auto rows_under = [&](const Baumgarte& feedback) {
      Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m, n);
      constrained.stabilization = feedback;
      equations.linearize(at, at_rest, no_forces, {.rows_by_q = &out});
      return out;
    };
    const Eigen::MatrixXd without = rows_under({});
    gap_by_q = rows_under({.alpha = 0.0, .beta = 1.0, .gamma = 0.0}) - without;
    drift_by_q = rows_under({.alpha = 0.5, .beta = 0.0, .gamma = 0.0}) - without;
    constrained.stabilization = kept;
  }
};

}  // namespace

TangentProblem::TangentProblem(VariedSystem& base, std::span<VariedNumber> varied)
    : base_(base),
      equations_(base.equations()),
      varied_(varied),
      model_space_(base.scene().model, base.workspace().system().element_states()),
      space_(model_space_, static_cast<int>(varied.size())),
      matters_(varied.size()),
      nq_(model_space_.sizes().q),
      nv_(model_space_.sizes().v),
      nz_(model_space_.sizes().z) {
  if (equations_.constraints() != nullptr) return;
  using Kind = PrescribedMotion::Kind;
  for (const PrescribedMotion& motion : base.workspace().system().driven_joints())
    if (motion.kind != Kind::position) leads_.push_back({motion.body, motion.kind == Kind::acceleration});
}

NotSmooth::NotSmooth(double at, const std::string& name)
    : NotDifferentiable(at, fmt::format("the equations do not change smoothly with \"{}\"", name)) {}

TangentProblem::Tangent TangentProblem::led_part(const Eigen::VectorXd& x, const Eigen::VectorXd& v) const {
  Tangent out{Eigen::VectorXd::Zero(nv_), Eigen::VectorXd::Zero(nv_), Eigen::VectorXd::Zero(nz_)};
  for (const auto& [body, keeps_velocity] : leads_) {
    const Link& link = base_.scene().model.link(body);
    out.x.segment(link.v, link.nv) = x.segment(link.v, link.nv);
    if (keeps_velocity) out.v.segment(link.v, link.nv) = v.segment(link.v, link.nv);
  }
  return out;
}

State TangentProblem::alone_state(const Point& at) const {
  State out;
  out.q.assign(at.q.data(), at.q.data() + nq_);
  out.v.assign(at.v.data(), at.v.data() + nv_);
  out.z.assign(at.z.data(), at.z.data() + nz_);
  return out;
}

Point TangentProblem::alone(const Point& at) const {
  return {at.t, In<double>(at.q.data(), nq_), In<double>(at.v.data(), nv_), In<double>(at.z.data(), nz_)};
}

State TangentProblem::alone(const State& state) const {
  State out;
  out.q.assign(state.q.begin(), state.q.begin() + nq_);
  out.v.assign(state.v.begin(), state.v.begin() + nv_);
  out.z.assign(state.z.begin(), state.z.begin() + nz_);
  return out;
}

void TangentProblem::replace(const State& alone, State& state) const {
  std::copy(alone.q.begin(), alone.q.end(), state.q.begin());
  std::copy(alone.v.begin(), alone.v.end(), state.v.begin());
  std::copy(alone.z.begin(), alone.z.end(), state.z.begin());
}

TangentProblem::Tangent TangentProblem::tangent(const double* q, const State& state, std::size_t i) const {
  const auto k = static_cast<std::ptrdiff_t>(i) + 1;
  Tangent out{Eigen::VectorXd(nv_), Map(state.v.data() + k * nv_, nv_), Map(state.z.data() + k * nz_, nz_)};
  space_.to_tangent(q, state.q.data() + k * nq_, out.x.data());
  return out;
}

void TangentProblem::put(const double* q, const Tangent& tangent, std::size_t i, State& state) const {
  const auto k = static_cast<std::ptrdiff_t>(i) + 1;
  space_.from_tangent(q, tangent.x.data(), state.q.data() + k * nq_);
  std::copy_n(tangent.v.data(), nv_, state.v.data() + k * nv_);
  std::copy_n(tangent.z.data(), nz_, state.z.data() + k * nz_);
}

template <class F>
Eigen::VectorXd TangentProblem::slope(std::size_t i, double t, Eigen::Index n, double size, const F& value_of) {
  const VariedNumber& varied = varied_[i];
  SixPoints points(n);
  for (std::size_t k = 0; k < SixPoints::kPlaces.size(); ++k)
    points.add(SixPoints::kPlaces[k], value_of(*varied.systems[k], SixPoints::kPlaces[k]));
  if (!points.is_smooth(size)) throw NotSmooth(t, varied.name);
  matters_[i] = matters_[i] || (points.slope().array() != 0.0).any();
  return points.slope() / varied.step;
}

State TangentProblem::start() {
  State out = space_.zero_state();
  const State& begin = base_.start();
  replace(begin, out);
  const Eigen::Index n = 2 * nv_ + nz_;
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    SixPoints points(n);
    for (std::size_t k = 0; k < SixPoints::kPlaces.size(); ++k) {
      const State& other = varied_[i].systems[k]->start();
      Eigen::VectorXd change(n);
      model_space_.difference(begin.q.data(), other.q.data(), change.data());
      change.segment(nv_, nv_) = Map(other.v.data(), nv_);
      change.tail(nz_) = Map(other.z.data(), nz_);
      points.add(SixPoints::kPlaces[k], change);
    }
    matters_[i] = matters_[i] || (points.slope().array() != 0.0).any();
    const Eigen::VectorXd slope = points.slope() / varied_[i].step;
    put(begin.q.data(), {slope.head(nv_), slope.segment(nv_, nv_), slope.tail(nz_)}, i, out);
  }
  return out;
}

void TangentProblem::acceleration(const Point& at, Out<double> a, Out<double> z_dot) {
  const Point here = alone(at);
  equations_.acceleration(here, Out<double>(a.data(), nv_), Out<double>(z_dot.data(), nz_));
  const Eigen::VectorXd own = Map(a.data(), nv_);
  std::fill(a.data() + nv_, a.data() + a.size(), 0.0);
  std::fill(z_dot.data() + nz_, z_dot.data() + z_dot.size(), 0.0);
  if (!own.allFinite()) return;  // the integrator says so
  Eigen::VectorXd ignored;
  const LinearEquations near = linear_equations(equations_, here, ignored);
  const auto columns = static_cast<Eigen::Index>(varied_.size());
  Eigen::MatrixXd forces(nv_, columns), rows(near.J.rows(), columns);
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    const auto k = static_cast<std::ptrdiff_t>(i) + 1;
    Eigen::VectorXd x(nv_);
    space_.to_tangent(at.q.data(), at.q.data() + k * nq_, x.data());
    const Map v(at.v.data() + k * nv_, nv_), z(at.z.data() + k * nz_, nz_);
    const double size = largest(own) + largest(Map(z_dot.data(), nz_));
    const Tangent led = led_part(x, v);
    const Eigen::VectorXd by_number = slope(i, at.t, nv_ + nz_, size, [&](VariedSystem& system, int place) {
      Eigen::VectorXd value(nv_ + nz_);
      const State there = leads_.empty() ? State{} : moved(alone_state(at), led, place * varied_[i].step);
      const Point point = leads_.empty() ? here : Point(at.t, there);
      system.equations().acceleration(point, Out<double>(value.data(), nv_), Out<double>(value.data() + nv_, nz_));
      return value;
    });
    const auto column = static_cast<Eigen::Index>(i);
    forces.col(column) = near.K * x + near.D * v + near.states.f_by_z * z;
    rows.col(column) = -near.rows_by_q * x - near.rows_by_v * v;
    Eigen::Map<Eigen::VectorXd>(a.data() + k * nv_, nv_) = by_number.head(nv_);
    Eigen::Map<Eigen::VectorXd>(z_dot.data() + k * nz_, nz_) =
        near.states.rate_by_q * x + near.states.rate_by_v * v + near.states.rate_by_z * z + by_number.tail(nz_);
  }
  Eigen::Map<Eigen::MatrixXd>(a.data() + nv_, nv_, columns) += ConstrainedResponse(near.H, near.J)(forces, rows);
}

Projection TangentProblem::project(double t, State& state) {
  State here = alone(state);
  const std::vector<double> before = here.q;
  const Projection out = equations_.project(t, here);
  if (out.result == Projection::Result::failed) return out;
  // tangents are carried over to where the state is now
  for (std::size_t i = 0; i < varied_.size(); ++i) put(here.q.data(), tangent(before.data(), state, i), i, state);
  replace(here, state);
  const bool projects = base_.scene().settings.stabilization == Stabilization::projection;
  if (equations_.constraints() != nullptr && projects) project_tangents(t, state);
  if (!base_.workspace().system().driven_joints().empty()) lead_tangents(t, state);
  return out;
}

void TangentProblem::project_tangents(double t, State& state) {
  const State here = alone(state);
  const RowSlopes rows(equations_, {t, here});
  const ConstrainedResponse response(rows.H, rows.J);  // moves nothing heavy more than needed
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(nv_);
  const Eigen::Index m = rows.J.rows();
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    Tangent change = tangent(here.q.data(), state, i);
    const Eigen::VectorXd miss = slope(i, t, 2 * m, 1.0 + largest(Map(here.v.data(), nv_)),
                                       [&](VariedSystem& system, int) { return misses(system.equations(), t, here); });
    change.x -= response(at_rest, rows.gap_by_q * change.x + miss.head(m));
    change.v -= response(at_rest, rows.J * change.v + rows.drift_by_q * change.x + miss.tail(m));
    put(here.q.data(), change, i, state);
  }
}

/// Joints whose motion is given are where that is, whatever the state was.
void TangentProblem::lead_tangents(double t, State& state) {
  const State here = alone(state);
  using Kind = PrescribedMotion::Kind;
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    Tangent change = tangent(here.q.data(), state, i);
    const Eigen::VectorXd led = slope(i, t, 2 * nv_, 1.0, [&](VariedSystem& system, int) {
      State other = here;
      system.equations().follow(t, other);
      Eigen::VectorXd value(2 * nv_);
      model_space_.difference(here.q.data(), other.q.data(), value.data());
      value.tail(nv_) = Map(other.v.data(), nv_);
      return value;
    });
    for (const PrescribedMotion& motion : base_.workspace().system().driven_joints()) {
      const Link& link = base_.scene().model.link(motion.body);
      if (motion.kind == Kind::position) change.x.segment(link.v, link.nv) = led.segment(link.v, link.nv);
      if (motion.kind != Kind::acceleration) change.v.segment(link.v, link.nv) = led.segment(nv_ + link.v, link.nv);
    }
    put(here.q.data(), change, i, state);
  }
}

double TangentProblem::reach(const State& alone, const Tangent& tangent) const {
  const double size = std::max({largest(tangent.x), largest(tangent.v) / (1.0 + largest(Map(alone.v.data(), nv_))),
                                largest(tangent.z) / (1.0 + largest(Map(alone.z.data(), nz_)))});
  return size > 0.0 ? SixPoints::kStep / size : 0.0;
}

State TangentProblem::moved(const State& alone, const Tangent& tangent, double by) const {
  State out = alone;
  const Eigen::VectorXd x = by * tangent.x;
  model_space_.move(alone.q.data(), x.data(), out.q.data());
  Eigen::Map<Eigen::VectorXd>(out.v.data(), nv_) += by * tangent.v;
  Eigen::Map<Eigen::VectorXd>(out.z.data(), nz_) += by * tangent.z;
  return out;
}

void TangentProblem::hold(std::span<const double> choices) {
  const auto hold_in = [&](VariedSystem& system) {
    if (choices.empty())
      system.workspace().switches().release();
    else
      system.workspace().switches().hold(choices);
  };
  hold_in(base_);
  for (const VariedNumber& number : varied_)
    for (const auto& system : number.systems) hold_in(*system);
}

Eigen::VectorXd TangentProblem::rates_under(double t, const State& alone, std::span<const double> choices) {
  base_.workspace().switches().hold(choices);
  Eigen::VectorXd out(nv_ + nz_);
  equations_.acceleration({t, alone}, Out<double>(out.data(), nv_), Out<double>(out.data() + nv_, nz_));
  return out;
}

void TangentProblem::cross_jump(double t, State& state, const std::vector<double>& before,
                                const std::vector<double>& after) {
  constexpr double kNoJump = 1e-9;   // of the rates
  constexpr double kGrazing = 1e-4;  // of how fast what is compared could change
  const State here = alone(state);
  const Eigen::VectorXd rates = rates_under(t, here, before), jump = rates - rates_under(t, here, after);
  hold(after);
  const auto not_whole = [](double choice) { return choice != std::floor(choice); };
  if (std::any_of(before.begin(), before.end(), not_whole) || std::any_of(after.begin(), after.end(), not_whole))
    throw NotDifferentiable(t, "the motion slides along the jump of a text");
  if (largest(jump) <= kNoJump * (1.0 + largest(rates))) return;
  std::size_t which = 0;
  while (before[which] == after[which]) ++which;
  const auto margin = [&](VariedSystem& system, double at, const State& there) {
    system.workspace().look_at_switches(at, there);
    return Eigen::VectorXd::Constant(1, system.workspace().switches().choices()[which].margin);
  };
  (void)margin(base_, t, here);
  if (!base_.workspace().switches().choices()[which].is_comparison)
    throw NotDifferentiable(t, "a force jumps from one piece of a text to the next");
  const Tangent flow{Map(here.v.data(), nv_), rates.head(nv_), rates.tail(nz_)};
  const double far = reach(here, flow);
  const double growth =
      far == 0.0
          ? 0.0
          : six_point_slope(1, [&](int k) { return margin(base_, t + k * far, moved(here, flow, k * far)); })[0] / far;
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    Tangent change = tangent(here.q.data(), state, i);
    double slope_of_margin = slope(i, t, 1, std::numeric_limits<double>::infinity(),
                                   [&](VariedSystem& system, int) { return margin(system, t, here); })[0];
    if (const double step = reach(here, change); step > 0.0)
      slope_of_margin +=
          six_point_slope(1, [&](int k) { return margin(base_, t, moved(here, change, k * step)); })[0] / step;
    if (!(std::abs(growth) * far > kGrazing * SixPoints::kStep * std::abs(slope_of_margin) * far) || growth == 0.0)
      throw NotDifferentiable(t, "the motion grazes the jump of a text");
    const double dt = -slope_of_margin / growth;
    change.v += dt * jump.head(nv_);
    change.z += dt * jump.tail(nz_);
    put(here.q.data(), change, i, state);
  }
}

Eigen::MatrixXd TangentProblem::column_slopes(double t, const State& state) {
  const State here = alone(state);
  const Eigen::VectorXd value = base_.columns(t, here);
  Eigen::MatrixXd out(value.size(), static_cast<Eigen::Index>(varied_.size()));
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    const Tangent change = tangent(here.q.data(), state, i);
    const double far = reach(here, change);
    out.col(static_cast<Eigen::Index>(i)) = slope(i, t, value.size(), std::numeric_limits<double>::infinity(),
                                                  [&](VariedSystem& system, int) { return system.columns(t, here); });
    if (far > 0.0)
      out.col(static_cast<Eigen::Index>(i)) +=
          six_point_slope(value.size(), [&](int place) { return base_.columns(t, moved(here, change, place * far)); }) /
          far;
    out.col(static_cast<Eigen::Index>(i)) /= varied_[i].unit;
  }
  return out;
}

}  // namespace cardan
