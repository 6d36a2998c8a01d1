#include "cardan/contact/internal/contact_switch.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr int kMostContacts = 12, kFewContacts = 8;
constexpr double kWindow = 20.0;  // steps in which events are counted
constexpr int kMostSteps = 400;   // of the smooth integrator in this window
constexpr double kNear = 1e-3;    // m: contacts that count before they close

/// How many points a shape can touch another with.
int points_of(const collision::Solid& solid) {
  using collision::Kind;
  return solid.kind == Kind::sphere || solid.kind == Kind::ellipsoid ? 1 : solid.kind == Kind::capsule ? 2 : 4;
}

}  // namespace

bool events_fit(const System& system) {
  if (!beyond_events(system).empty()) return false;
  if (!system.contacts_act()) return true;
  const ContactScene& world = *system.contact_scene();
  const int shapes = static_cast<int>(world.shapes().size());
  int points = 0;
  for (int i = 0; i < shapes; ++i)
    for (int j = i + 1; j < shapes && points <= kMostContacts; ++j)
      if (world.may_touch(i, j))
        points += std::min(points_of(world.shapes()[static_cast<std::size_t>(i)].solid),
                           points_of(world.shapes()[static_cast<std::size_t>(j)].solid));
  return points <= kMostContacts;
}

ContactSwitch::ContactSwitch(RecursiveProblem& mechanism, const Settings& settings, const IntegratorOptions& stepping,
                             ContactLog& log)
    : log_(log),
      h_(stepping.step),
      events_(mechanism, settings, log_of_events_),
      stepping_(mechanism, stepping, settings, log_of_stepping_),
      active_(&events_) {
  log_ = {};
  log_.owners = log_of_events_.owners;
  log_.summary.mode = "events";
}

void ContactSwitch::start(double t, const State& state) {
  if (is_new_) note("events");
  if (is_new_) active_ = &events_;
  if (is_new_) log_.summary.since = changed_ = last_impact_ = t;
  is_new_ = false;
  active_->start(t, state);
  merge();
}

void ContactSwitch::note(const char* mode) {
  ContactSummary& summary = log_.summary;
  if (summary.switches.size() < ContactSummary::kMostEvents) summary.switches.push_back({is_new_ ? 0.0 : time(), mode});
  summary.mode = summary.mode == mode || is_new_ ? mode : "events and stepping";
}

void ContactSwitch::step(double t_max) {
  if (active_ == &events_)
    step_by_events(t_max);
  else
    step_by_stepping(t_max);
  accepted_ = events_.accepted() + stepping_.accepted();
  rejected_ = events_.rejected() + stepping_.rejected();
  evaluations_ = events_.evaluations() + stepping_.evaluations();
  merge();
}

void ContactSwitch::step_by_events(double t_max) {
  const bool rare = events_.events_since(std::max(changed_, time() - kWindow * h_)) < static_cast<int>(kWindow);
  if (time() - window_ > kWindow * h_) {
    window_ = time();
    steps_in_window_ = 0;
  }
  const bool quick = ++steps_in_window_ <= kMostSteps;
  if (rare && quick && events_.contacts_within(kNear) <= kMostContacts) {
    try {
      return events_.step(t_max);
    } catch (const StepFailure&) {
      events_failed_ = true;  // stepping may find a way
    }
  }
  present_ = events_.state();
  const double t = events_.time();
  note("stepping");
  active_ = &stepping_;
  changed_ = last_impact_ = t;
  wait_ *= 2.0;
  impacts_ = log_of_stepping_.summary.impacts;
  stepping_.start(t, present_);
  stepping_.step(t_max);
}

void ContactSwitch::step_by_stepping(double t_max) {
  const ContactSummary& summary = log_of_stepping_.summary;
  if (summary.impacts > impacts_) last_impact_ = time();
  impacts_ = summary.impacts;
  const bool quiet = time() - std::max(changed_, last_impact_) > wait_ * h_;
  if (quiet && static_cast<int>(log_of_stepping_.forces.size()) <= kFewContacts && !events_failed_) {
    present_ = stepping_.state();
    const double t = stepping_.time();
    note("events");
    active_ = &events_;
    changed_ = window_ = t;
    steps_in_window_ = 0;
    events_.go_on_from_stepping(t, present_);
    return step_by_events(t_max);
  }
  stepping_.step(t_max);
}

void ContactSwitch::prepare_output(double t, const State& state) {
  active_->prepare_output(t, state);
  merge();
}

/// Adds up what both have logged.
void ContactSwitch::merge() {
  const ContactSummary &a = log_of_events_.summary, &b = log_of_stepping_.summary;
  ContactSummary& out = log_.summary;
  out.residual = std::max(a.residual, b.residual);
  out.unsolved = a.unsolved + b.unsolved;
  const ContactSummary& deeper = a.penetration > b.penetration ? a : b;
  out.penetration = deeper.penetration;
  out.deepest = deeper.deepest;
  out.limit_excess = std::max(a.limit_excess, b.limit_excess);
  out.contacts = std::max(a.contacts, b.contacts);
  out.impacts = a.impacts + b.impacts;
  out.scaled_impacts = a.scaled_impacts + b.scaled_impacts;
  out.short_steps = a.short_steps;
  out.rested_steps = b.rested_steps;
  out.integrator = a.integrator;
  if (out.events.size() != a.events.size()) out.events = a.events;
  log_.forces = active_ == &events_ ? log_of_events_.forces : log_of_stepping_.forces;
}

}  // namespace cardan
