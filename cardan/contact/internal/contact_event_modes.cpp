// Handles an event of contact: applies impacts, ends bounces in rest, selects the modes in which motion goes on.
#include "cardan/contact/internal/contact_events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

constexpr double kSticking = 1e-8;       // m/s: slower across it may stick
constexpr int kMostAtOnce = 40;          // events at one instant, then stepping goes on
constexpr double kZenoInterval = 1e-6;   // s
constexpr double kZenoSpeed = 1e-9;      // m/s
constexpr std::size_t kZenoBounces = 6;  // times of the last bounces
constexpr double kZenoRatio = 0.05;      // by how much ratios of intervals may differ
constexpr std::size_t kMostTimes = 1000;
constexpr int kMostImpactsAtOnce = 20;
constexpr double kUnsharpImpact = 1e-9, kSharpened = 1e-5;  // m/s: certificate, and what it may leave of velocities
constexpr double kOnTheRim = 1e-5;  // of friction: what counts as slipping where the cause is a lack of it

}  // namespace

/// Logs an event; an impact that takes more than one round at its instant is one.
void ContactEvents::log_event(ContactEvent::Kind kind, const LawUnit& unit, double t) {
  std::vector<ContactEvent>& events = log_.summary.events;
  if (events.size() >= ContactSummary::kMostEvents) return;
  const ContactEvent event{t, kind, flow_.modes().name(unit)};
  const bool is_known = kind == ContactEvent::Kind::impact && !events.empty() && events.back().t == t &&
                        events.back().kind == kind && events.back().what == event.what;
  if (!is_known) events.push_back(event);
}

void ContactEvents::handle() {
  restarts_ = true;
  earlier_ = flow_.units();
  events_at_once_ = time_ > last_event_ + 1e-14 * std::max(1.0, time_) ? 0 : events_at_once_ + 1;
  last_event_ = time_;
  event_times_.push_back(time_);
  if (event_times_.size() > kMostTimes) event_times_.pop_front();
  if (events_at_once_ > kMostAtOnce) {
    falls_back_ = true;
    return;
  }
  bounce();
  if (!falls_back_) select_modes();
}

/// Lets contacts and limits that close at a speed bounce, or come to rest where bounces have no end.
void ContactEvents::bounce() {
  const auto n = static_cast<Eigen::Index>(state_.v.size());
  for (int round = 0;; ++round) {
    if (!flow_.move_to(time_, state_)) return;
    std::vector<LawUnit>& units = flow_.units();
    flow_.modes().gather(touching_, units);
    const auto closing = std::min_element(units.begin(), units.end(), [](const LawUnit& a, const LawUnit& b) {
      const auto rate = [](const LawUnit& u) { return u.kind == LawUnit::Kind::dry_friction ? 0.0 : u.u()[0]; };
      return rate(a) < rate(b);
    });
    if (closing == units.end() || closing->kind == LawUnit::Kind::dry_friction || !(closing->u()[0] < -kAtRest)) return;
    if (round == kMostImpactsAtOnce) {
      falls_back_ = true;
      return;
    }
    if (is_zeno(*closing, -closing->u()[0])) return rest_on_all();
    log_event(ContactEvent::Kind::impact, *closing, time_);
    mass_.clear();
    for (const auto& [first, end] : trees_)
      mass_.push_back({first, flow_.modes().mass_matrix().block(first, first, end - first, end - first)});
    rows_.move_to(time_, state_.q, state_.v, In<double>(zero_.data(), static_cast<int>(n)), 0.0, touching_,
                  StepRows::At::start);
    v_ = Eigen::Map<const Eigen::VectorXd>(state_.v.data(), n);
    impulses_.assign(rows_.points().size(), Block3::Zero());
    impact_.apply(time_, rows_, {kAtRest, touching_}, mass_, impact_solver_, v_, impulses_, log_.summary);
    Eigen::Map<Eigen::VectorXd>(state_.v.data(), n) = v_;
    if (impact_.residual() > kUnsharpImpact) sharpen();
  }
}

/// Lets velocities after an impact obey its contacts to rounding: where inertias differ by nine powers of ten, impulses
/// that are right to sixteen digits leave 1e-7 m/s.
void ContactEvents::sharpen() {
  if (!flow_.move_to(time_, state_)) return;
  std::vector<LawUnit>& units = flow_.units();
  flow_.modes().gather(touching_, units);
  for (LawUnit& unit : units) {
    const bool rests = unit.kind != LawUnit::Kind::dry_friction && std::abs(unit.u()[0]) < kSharpened;
    const bool sticks = unit.has_friction() && unit.u().tail<2>().norm() < kSharpened;
    unit.mode = !rests ? LawUnit::Mode::open : sticks ? LawUnit::Mode::stick : LawUnit::Mode::slip;
  }
  for (int round = 0; round < 2; ++round) {
    flow_.modes().velocity_change(units, v_);
    for (std::size_t i = 0; i < state_.v.size(); ++i) state_.v[i] += v_[static_cast<Eigen::Index>(i)];
    if (!flow_.move_to(time_, state_)) return;
    (void)flow_.modes().follow(units);
  }
}

/// Tells whether bounces of a pair have no end: intervals in a geometric series, the last very short.
bool ContactEvents::is_zeno(const LawUnit& closing, double speed) {
  const bool limit = closing.kind == LawUnit::Kind::limit;
  const int a = limit ? closing.v : closing.point.shape_a,
            b = limit ? (closing.side > 0.0 ? 1 : -1) : closing.point.shape_b;
  auto pair = std::find_if(bounces_.begin(), bounces_.end(), [&](const Bounces& known) {
    return known.of == closing.kind && known.a == a && known.b == b;
  });
  if (pair == bounces_.end()) pair = bounces_.insert(bounces_.end(), {closing.kind, a, b, {}});
  std::vector<double>& times = pair->times;
  if (!times.empty() && times.back() == time_) return false;
  times.push_back(time_);
  if (times.size() > kZenoBounces) times.erase(times.begin());
  if (times.size() < kZenoBounces) return false;
  const auto interval = [&](std::size_t i) { return times[i + 1] - times[i]; };
  const double last = interval(kZenoBounces - 2), ratio = last / interval(kZenoBounces - 3);
  if (!(last < kZenoInterval || speed < kZenoSpeed) || !(ratio < 1.0)) return false;
  for (std::size_t i = 1; i + 2 < kZenoBounces; ++i)
    if (std::abs(interval(i) / interval(i - 1) - ratio) > kZenoRatio) return false;
  log_event(ContactEvent::Kind::rests, closing, time_ + last * ratio / (1.0 - ratio));
  return true;
}

/// Stops what touches along all normals.
void ContactEvents::rest_on_all() {
  for (LawUnit& unit : flow_.units())
    if (unit.kind != LawUnit::Kind::dry_friction) unit.mode = LawUnit::Mode::slip;
  flow_.modes().velocity_change(flow_.units(), v_);
  for (std::size_t i = 0; i < state_.v.size(); ++i) state_.v[i] += v_[static_cast<Eigen::Index>(i)];
  bounces_.clear();
}

bool ContactEvents::jam() {
  std::vector<LawUnit>& units = flow_.units();
  for (LawUnit& unit : units) unit.mode = std::abs(unit.u()[0]) > kAtRest ? LawUnit::Mode::open : LawUnit::Mode::stick;
  flow_.modes().velocity_change(units, v_);
  if (!flow_.modes().impulses_hold(units)) return false;
  for (const LawUnit& unit : units)
    if (unit.kind == LawUnit::Kind::contact && unit.u().tail<2>().norm() > kSticking)
      log_event(ContactEvent::Kind::impact, unit, time_);
  for (std::size_t i = 0; i < state_.v.size(); ++i) state_.v[i] += v_[static_cast<Eigen::Index>(i)];
  ++log_.summary.impacts;
  if (!flow_.move_to(time_, state_)) return false;
  flow_.modes().gather(touching_, units);
  return true;
}

void ContactEvents::select_modes() {
  if (!flow_.move_to(time_, state_)) return;
  std::vector<LawUnit>& units = flow_.units();
  ContactModes& modes = flow_.modes();
  modes.gather(touching_, units);
  ContactModes::Selection selection = modes.select(units, {kAtRest, kSticking});
  if (!selection.solved && jam()) selection = modes.select(units, {kAtRest, kSticking});
  if (!selection.solved) {
    falls_back_ = true;
    return;
  }
  // stick that gave way slips, although at this instant both modes hold
  if (cause_ && cause_->kind == Alarm::Kind::margin) {
    const LawUnit& gave_way = earlier_[static_cast<std::size_t>(cause_->unit)];
    for (LawUnit& unit : units) {
      if (unit.mode != LawUnit::Mode::stick || !unit.is_same(gave_way)) continue;
      const bool dry = unit.kind == LawUnit::Kind::dry_friction;
      const double held = dry ? std::abs(unit.lambda[0]) : unit.lambda.tail<2>().norm();
      if (!(held > 0.0) || unit.margin() > kOnTheRim * held) continue;
      unit.mode = LawUnit::Mode::slip;
      unit.direction =
          dry ? Vec3<double>{unit.lambda[0] > 0.0 ? -1.0 : 1.0, 0.0, 0.0}
              : (-unit.lambda[1] / held) * unit.point.axes[1] + (-unit.lambda[2] / held) * unit.point.axes[2];
    }
  }
  std::erase_if(units, [](const LawUnit& unit) { return unit.mode == LawUnit::Mode::open; });
  for (const LawUnit& unit : units) {
    if (!unit.is_closed()) continue;
    const auto known =
        std::find_if(earlier_.begin(), earlier_.end(), [&](const LawUnit& other) { return other.is_same(unit); });
    const bool turned_back = known != earlier_.end() && unit.mode == LawUnit::Mode::slip && cause_ &&
                             cause_->kind == Alarm::Kind::stop && dot(known->direction, unit.direction) < 0.0;
    if (known == earlier_.end() || known->mode != unit.mode || turned_back)
      log_event(unit.mode == LawUnit::Mode::stick ? ContactEvent::Kind::sticks : ContactEvent::Kind::slips, unit,
                time_);
  }
  for (const LawUnit& unit : earlier_)
    if (unit.is_closed() && std::none_of(units.begin(), units.end(), [&](const LawUnit& other) {
          return other.is_same(unit) && other.is_closed();
        }))
      log_event(ContactEvent::Kind::releases, unit, time_);
  (void)flow_.project(time_, state_);  // what is not closed afterwards fails in the next step
}

}  // namespace cardan
