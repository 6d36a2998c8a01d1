#include "cardan/simulate/internal/state_switches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kLooksInStep = 4;                 // within a step
constexpr double kLocated = 1e-10;              // of a step
constexpr std::size_t kManyChanges = 8;         // of one choice
constexpr double kAtOneInstant = 1e-6;          // of the run: so many changes within it are chatter
constexpr double kLongestSlide = 1.0 / 2000.0;  // of the run
constexpr double kOnTheJump = 1e-10;            // of the margins on both sides

}  // namespace

StateSwitches::StateSwitches(SystemWorkspace& workspace, const Settings& settings)
    : workspace_(workspace),
      board_(workspace.switches()),
      duration_(settings.duration),
      longest_slide_(std::min(settings.duration * kLongestSlide,
                              settings.step_is_chosen ? settings.steps.step : settings.duration)),
      is_idle_(board_.is_empty() || workspace.system().is_stepped()) {}

void StateSwitches::stop() {
  is_idle_ = true;
  sliding_.clear();
  due_ = std::numeric_limits<double>::infinity();
  board_.release();
}

void StateSwitches::evaluate(double t, const State& state) { workspace_.look_at_switches(t, state); }

void StateSwitches::start(double t, const State& state) {
  if (is_idle_) return;
  evaluate(t, state);
  held_.clear();
  for (const auto& choice : board_.choices()) held_.push_back(choice.free);
  changes_.resize(held_.size());
  sliding_.clear();
  due_ = std::numeric_limits<double>::infinity();
  board_.hold(held_);
}

bool StateSwitches::differs() const {
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (std::find(sliding_.begin(), sliding_.end(), i) == sliding_.end() && board_.choices()[i].free != held_[i])
      return true;
  return false;
}

bool StateSwitches::look(const Integrator& integrator, const StateAt& state_at) {
  if (is_idle_ || due_ < std::numeric_limits<double>::infinity()) return false;
  const double t0 = integrator.previous_time(), h = integrator.time() - t0;
  double before = t0;
  for (int k = 1; k <= kLooksInStep; ++k) {
    double after = k == kLooksInStep ? integrator.time() : t0 + h * k / kLooksInStep;
    evaluate(after, state_at(after));
    if (!differs()) {
      before = after;
      continue;
    }
    const auto changed = [&](double t) {
      evaluate(t, state_at(t));
      return differs();
    };
    const double enough = std::max(kLocated * h, 4.0 * std::numeric_limits<double>::epsilon() * after);
    while (after - before > enough) {
      const double middle = 0.5 * (before + after);
      if (!(middle > before && middle < after)) break;
      (changed(middle) ? after : before) = middle;
    }
    evaluate(after, state_at(after));
    next_ = held_;
    for (std::size_t i = 0; i < held_.size(); ++i)
      if (std::find(sliding_.begin(), sliding_.end(), i) == sliding_.end()) next_[i] = board_.choices()[i].free;
    due_ = after;
    return due_ < integrator.time();
  }
  return false;
}

std::string StateSwitches::name_of(std::size_t choice) const {
  return workspace_.system().forces()[board_.choices()[choice].force]->name();
}

void StateSwitches::change() {
  std::vector<std::size_t> changed;
  bool chatters = false;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (next_[i] == held_[i]) continue;
    changed.push_back(i);
    changes_[i].push_back(due_);
    if (changes_[i].size() <= kManyChanges) continue;
    chatters |= changes_[i].back() - changes_[i].front() <= kAtOneInstant * duration_;
    changes_[i].erase(changes_[i].begin());
  }
  before_ = held_;
  after_ = held_ = next_;
  if (chatters) begin_slide(changed);
  due_ = std::numeric_limits<double>::infinity();
  if (!is_sliding()) board_.hold(held_);
}

void StateSwitches::begin_slide(std::span<const std::size_t> changed) {
  const bool compare =
      std::all_of(changed.begin(), changed.end(), [&](std::size_t i) { return board_.choices()[i].is_comparison; });
  slides_.push_back(due_);
  const bool again = slides_.size() > kManyChanges &&
                     due_ - slides_[slides_.size() - 1 - kManyChanges] <= 4.0 * kAtOneInstant * duration_;
  if (!compare || is_sliding() || again)
    throw StepFailure(due_, {},
                      fmt::format("{}: its text jumps to and fro without end: smooth the jump, such as tanh(x/width) "
                                  "for sign(x)",
                                  name_of(changed.front())));
  sliding_.assign(changed.begin(), changed.end());
  for (const std::size_t i : changed) changes_[i].clear();
  if (note_.empty())
    note_ = fmt::format("{} jumps to and fro from t = {:.6g} s on: followed along the jump, by the mean of both sides",
                        name_of(changed.front()), due_);
}

void StateSwitches::hold_between(double part) {
  for (const std::size_t i : sliding_) held_[i] = before_[i] + part * (after_[i] - before_[i]);
  board_.hold(held_);
}

double StateSwitches::margin_after(Integrator& integrator, double t0, const State& from, double part, double& t1) {
  hold_between(part);
  integrator.start(t0, workspace_.restart_from(from));
  integrator.step(t1);
  t1 = integrator.time();
  evaluate(t1, workspace_.model_state(integrator.state()));
  return board_.choices()[sliding_.front()].margin;
}

void StateSwitches::slide(Integrator& integrator, double t_max) {
  const double t0 = integrator.time();
  const State from = workspace_.model_state(integrator.state());
  double t1 = std::min(t_max, t0 + longest_slide_);
  // the margins that either choice alone leads to, after the same time
  double margin[2] = {}, reached[2] = {};
  do {
    for (const int side : {0, 1}) {
      reached[side] = t1;
      margin[side] = margin_after(integrator, t0, from, side, reached[side]);
    }
    t1 = std::min(reached[0], reached[1]);
  } while (reached[0] != reached[1]);
  const double home = before_[sliding_.front()] == 1.0 ? -1.0 : 1.0;  // the sign of margins that choose as before
  for (const int side : {0, 1}) {
    const double own = side == 0 ? home : -home;
    if (own * margin[side] <= 0.0) continue;
    margin_after(integrator, t0, from, side, t1);  // it leads away
    sliding_.clear();
    return;
  }
  // regula falsi with halved weights (Illinois)
  double a = 0.0, fa = margin[0], b = 1.0, fb = margin[1];
  const double enough = kOnTheJump * (std::abs(fa) + std::abs(fb));
  for (int i = 0; i < 40; ++i) {
    const double c = fa == fb ? 0.5 * (a + b) : b - fb * (b - a) / (fb - fa);
    const double fc = margin_after(integrator, t0, from, c, t1);
    if (std::abs(fc) <= enough) break;
    if ((fc > 0.0) == (fb > 0.0)) {
      fa *= 0.5;
    } else {
      a = b;
      fa = fb;
    }
    b = c;
    fb = fc;
  }
}

}  // namespace cardan
