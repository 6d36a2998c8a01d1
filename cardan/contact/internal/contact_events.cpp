#include "cardan/contact/internal/contact_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

constexpr double kOverlaps = 1e-10;    // m, below zero: a gap that has closed
constexpr double kForceNoise = 1e-9;   // of the largest force
constexpr double kMotionNoise = 1e-7;  // of gravity, or of 1 m/s^2
constexpr double kStopped = 1e-10;     // m/s, below zero: slip that has turned back
constexpr int kMostFalls = 200;        // short steps in a row
constexpr double kShortStep = 1e-6;    // s, of contact stepping where no accelerations exist
constexpr const char* kAdaptive = "munthe_kaas_54";
constexpr int kLooks = 4;               // into a step, at least
constexpr double kShortestLook = 0.01;  // of a step: contacts that close and open again within less are not seen
constexpr double kFaster = 1.2;         // than at those looks bodies are nowhere

}  // namespace

ContactEvents::ContactEvents(RecursiveProblem& mechanism, const Settings& settings, ContactLog& log)
    : mechanism_(mechanism),
      system_(mechanism.system()),
      settings_(settings),
      log_(log),
      flow_(mechanism),
      rows_(mechanism.model(), mechanism.space(), system_.contact_scene(), {},
            mechanism.constraints() ? &mechanism.constraints()->constraints() : nullptr),
      impact_solver_(0.1 * settings.residual),
      state_(mechanism.space().zero_state()),
      before_(state_),
      scratch_(state_),
      v_(mechanism.model().nv()),
      zero_(Eigen::VectorXd::Zero(mechanism.model().nv())),
      trees_(rows_.trees()) {
  IntegratorOptions brief = settings.steps;
  brief.step = kShortStep;
  fallback_ = std::make_unique<ContactStepper>(mechanism, brief, settings, fallback_log_);
  log_ = {};
  log_.summary.mode = "events";
  inner_ = make_inner(settings.steps.step);
  if (const CollisionWorld* world = rows_.world()) {
    log_.owners = world->owners();
    // nothing passes through the endless ground
    const int shapes = static_cast<int>(world->shapes().size());
    for (int i = 0; i < shapes; ++i)
      for (int j = i + 1; j < shapes; ++j) {
        const collision::Solid &a = world->shapes()[static_cast<std::size_t>(i)].solid,
                               &b = world->shapes()[static_cast<std::size_t>(j)].solid;
        if (b.kind != collision::Kind::plane && world->may_touch(i, j))
          smallest_ = std::min(smallest_, collision::thickness(a) + collision::thickness(b));
      }
  }
}

/// Makes the method between events. What slips slowly changes the direction of its friction in times of u / (mu g): no
/// fixed step is short enough for the start and the end of slip, so that a method of fixed steps gives way to the
/// adaptive one, with that as its longest step.
std::unique_ptr<Integrator> ContactEvents::make_inner(double first_step) {
  IntegratorOptions options = settings_.steps;
  options.step = first_step;
  std::unique_ptr<Integrator> out = make_integrator(settings_.integrator, flow_, options);
  if (out->is_adaptive() || !flow_.modes().anything_rubs()) return out;
  options.largest_step = std::min(options.largest_step, settings_.steps.step);
  log_.summary.integrator = kAdaptive;
  return make_integrator(kAdaptive, flow_, options);
}

/// Begins anew at the present state; methods of fixed steps keep theirs.
void ContactEvents::restart_inner(double first_step) {
  count(*inner_);
  inner_ = make_inner(inner_->is_adaptive() ? first_step : settings_.steps.step);
  counted_evaluations_ = counted_rejected_ = 0;
}

void ContactEvents::count(const Integrator& from) {
  evaluations_ += from.evaluations() - counted_evaluations_;
  rejected_ += from.rejected() - counted_rejected_;
  counted_evaluations_ = from.evaluations();
  counted_rejected_ = from.rejected();
}

void ContactEvents::start(double t, const State& state) {
  state_ = state;
  mechanism_.space().normalize(state_.q.data());
  time_ = previous_time_ = t;
  last_length_ = settings_.steps.step;
  if (is_new_) log_.summary.since = t;
  is_new_ = false;
  flow_.units().clear();
  if (TouchingPoints* points = flow_.modes().points()) points->world().forget();
  fallback_->start(t, state_);  // refuses bodies that start inside each other
  cause_.reset();
  falls_back_ = false;
  handle();
  within_ = flow_.units();
  log_forces(time_, state_);
  shown_ = nullptr;
}

void ContactEvents::go_on_from_stepping(double t, const State& state) {
  touching_ = 2.0 * settings_.penetration;
  start(t, state);
  touching_ = kTouching;
}

void ContactEvents::interpolate(double t, State& out) const {
  if (shown_ == nullptr || t >= time_)
    out = state_;
  else
    shown_->interpolate(t, out);
}

int ContactEvents::events_since(double t) const {
  return static_cast<int>(
      std::count_if(event_times_.begin(), event_times_.end(), [&](double event) { return event >= t; }));
}

int ContactEvents::contacts_within(double distance) {
  if (!flow_.evaluate(time_, state_)) return 0;
  const auto closed = std::count_if(flow_.units().begin(), flow_.units().end(),
                                    [](const LawUnit& unit) { return unit.kind == LawUnit::Kind::contact; });
  return static_cast<int>(closed) + static_cast<int>(flow_.modes().others(flow_.units(), distance).size());
}

void ContactEvents::look(double t, const State& state, std::vector<Alarm>& out) {
  out.clear();
  if (!flow_.evaluate(t, state)) return;
  double most = 0.0;
  for (const LawUnit& unit : flow_.units()) most = std::max(most, std::abs(unit.lambda[0]));
  const double force = kForceNoise * most, motion = kMotionNoise * std::max(1.0, norm(mechanism_.model().gravity()));
  for (std::size_t i = 0; i < flow_.units().size(); ++i) {
    const LawUnit& unit = flow_.units()[i];
    const auto warn = [&](Alarm::Kind kind, double found) { out.push_back({kind, static_cast<int>(i), {}, found}); };
    if (unit.lost) {
      warn(Alarm::Kind::lost, -1.0);
      continue;
    }
    if (!unit.is_closed()) {
      if (unit.gap() < -kOverlaps && unit.u()[0] < 0.0)
        warn(Alarm::Kind::gap, unit.gap());
      else if (unit.gap() < kTouching && unit.acceleration[0] < -motion && unit.u()[0] < kAtRest)
        warn(Alarm::Kind::motion, unit.acceleration[0]);
      continue;
    }
    if (unit.kind != LawUnit::Kind::dry_friction && unit.lambda[0] < -force) warn(Alarm::Kind::force, unit.lambda[0]);
    const bool rubs = unit.has_friction() || unit.kind == LawUnit::Kind::dry_friction;
    if (rubs && unit.mode == LawUnit::Mode::stick && unit.margin() < -force) warn(Alarm::Kind::margin, unit.margin());
    if (rubs && unit.mode == LawUnit::Mode::slip && unit.progress() < -kStopped)
      warn(Alarm::Kind::stop, unit.progress());
  }
  for (const LawUnit& unit : flow_.modes().others(flow_.units(), -kOverlaps))
    if (unit.u()[0] < 0.0) out.push_back({Alarm::Kind::gap, -1, unit, unit.gap()});
}

double ContactEvents::value(const Alarm& alarm, double t, const State& state) {
  if (!flow_.evaluate(t, state)) return std::numeric_limits<double>::quiet_NaN();
  if (alarm.unit < 0) {
    double least = 1.0;  // far away
    for (const LawUnit& unit : flow_.modes().others(flow_.units(), 1.0)) {
      if (unit.is_same(alarm.other)) return unit.gap();
      if (unit.kind == alarm.other.kind && unit.kind == LawUnit::Kind::contact &&
          unit.point.shape_a == alarm.other.point.shape_a && unit.point.shape_b == alarm.other.point.shape_b)
        least = std::min(least, unit.gap());
    }
    return least;
  }
  const LawUnit& unit = flow_.units()[static_cast<std::size_t>(alarm.unit)];
  switch (alarm.kind) {
    case Alarm::Kind::gap: return unit.gap();
    case Alarm::Kind::force: return unit.lambda[0];
    case Alarm::Kind::margin: return unit.margin();
    case Alarm::Kind::stop: return unit.progress();
    case Alarm::Kind::motion: return unit.acceleration[0];
    case Alarm::Kind::lost: return unit.lost ? -1.0 : 1.0;
  }
  return 1.0;
}

double ContactEvents::value_in_step(const Alarm& alarm, double t) {
  inner_->interpolate(t, scratch_);
  return value(alarm, t, scratch_);
}

bool ContactEvents::repeat_until(double t) {
  restart_inner(t - previous_time_);
  inner_->start(previous_time_, before_);
  inner_->step(t);
  return inner_->time() >= t;
}

/// Bounds the speed at which bodies approach each other within the step.
double ContactEvents::fastest(double h) {
  double out = 0.0;
  for (int i = 0; i <= kLooks; ++i) {
    if (i == 0)
      scratch_ = before_;
    else
      inner_->interpolate(previous_time_ + h * i / kLooks, scratch_);
    out = std::max(out, flow_.modes().speed(scratch_));
  }
  return kFaster * out;
}

ContactEvents::Found ContactEvents::locate(double h) {
  // where there is only the endless ground, a few looks will do: nothing comes out on its other side
  const double end = inner_->time(), speed = smallest_ < kEndless ? fastest(h) : 0.0;
  // nothing is passed through within the shortest piece: bodies move by a part of their thickness
  const double shortest = speed > 0.0 ? std::min(smallest_ / (4.0 * speed), kShortestLook * h) : h;
  double from = previous_time_, clearance = 0.0;
  for (int looks = 1; from < end; ++looks) {
    const double safe = speed > 0.0 ? clearance / speed : h;
    const double piece = std::min(std::max(safe, shortest), h / kLooks);
    const bool is_last = speed > 0.0 ? from + 1.001 * piece >= end : looks == kLooks;
    const double to = is_last ? end : speed > 0.0 ? from + piece : previous_time_ + h * looks / kLooks;
    if (is_last)
      scratch_ = inner_->state();
    else
      inner_->interpolate(to, scratch_);
    look(to, scratch_, alarms_);
    if (alarms_.empty()) {
      from = to;
      clearance = is_last || speed == 0.0 ? 0.0 : flow_.modes().clearance(flow_.units(), speed * h / kLooks);
      continue;
    }
    // the earliest of all, on the dense output
    std::optional<Alarm> first;
    Bracket bracket{from, to, 0.0, 0.0};
    double earliest = std::numeric_limits<double>::infinity();
    for (const Alarm& alarm : alarms_) {
      Bracket around{from, to, value_in_step(alarm, from), alarm.value};
      // what leaves and comes back within this piece is positive in between
      for (int k = 1; k <= 40 && !(around.value_from > 0.0); ++k) {
        around.from = from + std::ldexp(to - from, -k);
        around.value_from = value_in_step(alarm, around.from);
      }
      double when = from;
      if (around.value_from > 0.0) {
        Bracket narrow = around;
        for (int k = 0; k < 60 && narrow.to - narrow.from > 1e-3 * h; ++k) {
          const double middle = 0.5 * (narrow.from + narrow.to), found = value_in_step(alarm, middle);
          (found > 0.0 ? narrow.from : narrow.to) = middle;
        }
        when = narrow.to;
      }
      if (when >= earliest) continue;
      earliest = when;
      first = alarm;
      bracket = around;
    }
    const Found found = refine(*first, bracket);
    if (found != Found::none) return found;
    // an error of the dense output: nothing happened until here
    return Found::shortened;
  }
  return Found::none;
}

/// Locates the event by repeating the step up to it: false position with halved weights, and bisection now and then.
ContactEvents::Found ContactEvents::refine(const Alarm& alarm, Bracket b) {
  cause_ = alarm;
  if (!(b.value_from > 0.0)) {  // at the very beginning of this piece
    if (!(b.from > previous_time_)) {
      time_ = previous_time_;
      state_ = before_;
      return Found::event;
    }
    return repeat_until(b.from) ? Found::event : Found::shortened;
  }
  const bool whole = repeat_until(b.to);
  double low = b.from, high = inner_->time(), f_low = b.value_from, f_high = value(alarm, high, inner_->state());
  if (!(f_high < 0.0)) return whole ? Found::none : Found::shortened;
  if (!(high > low)) return Found::event;
  double length = high - low;
  const double enough = 4e-16 * std::max(std::abs(high), 1e-3);
  int last_side = 0;
  for (int i = 0; i < 100 && high - low > 2.0 * enough; ++i) {
    double t = (low * f_high - high * f_low) / (f_high - f_low);
    if (i % 3 == 2) {
      if (high - low > 0.5 * length || alarm.kind == Alarm::Kind::lost) t = 0.5 * (low + high);
      length = high - low;
    }
    t = std::clamp(t, low + enough, high - enough);  // so that the interval closes from both sides
    const bool reached = repeat_until(t);
    t = inner_->time();  // the integrator may need more steps than one
    const double f = value(alarm, t, inner_->state());
    if (!reached && (f > 0.0 || !(t > low))) return Found::shortened;
    if (f == 0.0) return Found::event;
    if (f > 0.0) {
      low = t;
      f_low = f;
      if (last_side > 0) f_high *= 0.5;
      last_side = 1;
    } else {
      high = t;
      f_high = f;
      if (last_side < 0) f_low *= 0.5;
      last_side = -1;
    }
  }
  // the far side of the event, so that it does not happen again
  if (inner_->time() != high && !repeat_until(high)) return Found::shortened;
  return Found::event;
}

void ContactEvents::step(double t_max) {
  if (!(t_max > time_)) return;
  if (falls_back_) return fall_back(t_max);
  if (restarts_) {
    restart_inner(last_length_);
    inner_->start(time_, state_);
    restarts_ = false;
  }
  previous_time_ = time_;
  before_ = state_;
  shown_ = inner_.get();
  inner_->step(t_max);
  last_length_ = inner_->time() - previous_time_;
  const Found found = locate(last_length_);
  count(*inner_);
  shown_ = inner_.get();
  ++accepted_;
  if (found != Found::event || inner_->time() > previous_time_) {
    time_ = inner_->time();
    state_ = inner_->state();
  }
  within_ = flow_.units();
  if (found == Found::event) {
    handle();
  } else {
    cause_.reset();
    if (found == Found::none) events_at_once_ = falls_at_once_ = 0;
    restarts_ = found == Found::shortened;
  }
  log_forces(time_, state_);
  for (LawUnit& unit : flow_.units()) unit.keep_direction();
}

void ContactEvents::prepare_output(double t, const State& state) {
  if (t >= time_) return log_forces(time_, state_);
  std::swap(within_, flow_.units());
  log_forces(t, state);
  std::swap(within_, flow_.units());
}

/// Goes on by one short step of contact stepping, which needs no accelerations.
void ContactEvents::fall_back(double t_max) {
  if (++falls_at_once_ > kMostFalls)
    throw StepFailure(time_, {},
                      "events: no accelerations obey all laws of contact for 200 short steps in a row: try "
                      "contact = \"stepping\"");
  previous_time_ = time_;
  fallback_->start(time_, state_);
  fallback_->step(std::min(t_max, time_ + kShortStep));
  time_ = fallback_->time();
  state_ = fallback_->state();
  shown_ = fallback_.get();
  ++accepted_;
  ++log_.summary.short_steps;
  log_.summary.residual = std::max(log_.summary.residual, fallback_log_.summary.residual);
  log_.summary.unsolved += fallback_log_.summary.unsolved;
  cause_.reset();
  falls_back_ = false;
  handle();
  within_ = flow_.units();
  log_forces(time_, state_);
}

void ContactEvents::log_forces(double t, const State& state) {
  log_.forces.clear();
  if (!flow_.evaluate(t, state)) return;
  ContactSummary& summary = log_.summary;
  int acting = 0;
  const auto owner = [&](int shape) { return rows_.world()->shapes()[static_cast<std::size_t>(shape)].owner; };
  for (const LawUnit& unit : flow_.units()) {
    if (unit.kind != LawUnit::Kind::contact || unit.lost) continue;
    const TouchingPoint& p = unit.point;
    if (unit.is_closed()) {
      ++acting;
      summary.penetration = std::max(summary.penetration, -p.gap);
    }
    log_.forces.push_back({p.shape_a, p.shape_b, owner(p.shape_a), owner(p.shape_b), p.body_a, p.body_b, p.point,
                           p.axes[0], p.gap, unit.is_closed() ? unit.force() : Vec3<double>{}});
  }
  summary.contacts = std::max(summary.contacts, acting);
}

}  // namespace cardan
