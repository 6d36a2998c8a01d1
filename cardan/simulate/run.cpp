#include "cardan/simulate/run.hpp"

#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/simulate/internal/spin_watch.hpp"
#include "cardan/simulate/internal/state_switches.hpp"
#include "cardan/simulate/internal/stiffness_watch.hpp"
#include "cardan/simulate/internal/time_breaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cardan {

namespace {

constexpr const char* kAsPublished = "linearly_implicit_euler";
constexpr double kSameTime = 1e-9;       // of a step: times closer than this are the same
constexpr double kLimitRounding = 1e-9;  // m or rad
constexpr double kLongestStep = 0.02;    // of a run, by adaptive methods: what follows the state may be short, too

bool has_finite_numbers(const State& state) {
  for (const auto* numbers : {&state.q, &state.v, &state.z})
    for (const double x : *numbers)
      if (!std::isfinite(x)) return false;
  return true;
}

}  // namespace

/// What looks ahead and around, for one stretch of time as long as the settings' duration.
struct Run::Watches {
  TimeBreaks breaks;
  StateSwitches switches;
  StiffnessWatch stiffness;
  SpinWatch spin;
  double end;
  bool follows_jumps;
  std::string published{};  // note on a method that meets jumps as they come
};

Run::Run(SystemWorkspace& workspace, const Settings& settings)
    : workspace_(workspace), settings_(settings), integrator_(workspace.make_run_integrator(settings)) {}
Run::~Run() = default;

void Run::make_watches() {
  const double longest = is_adaptive() && !workspace_.system().is_stepped()
                             ? std::min(settings_.steps.largest_step, kLongestStep * settings_.duration)
                             : settings_.steps.largest_step;
  const double t = time();
  watches_.reset();  // before another set holds the texts' choices
  watches_.reset(new Watches{TimeBreaks(workspace_.system(), t, settings_.duration, longest),
                             StateSwitches(workspace_, settings_), StiffnessWatch(workspace_, settings_),
                             SpinWatch(workspace_, settings_), t + settings_.duration,
                             settings_.integrator != kAsPublished});
  if (!watches_->follows_jumps && watches_->breaks.has_jumps())
    watches_->published = fmt::format(
        "{} is reproduced as it was published: texts that jump are met by its steps as they come", kAsPublished);
  watches_->switches.start(t, workspace_.model_state(integrator_->state()));
}

void Run::start(double t, const State& initial) {
  State state = workspace_.begin(t, initial);
  require_regular(t, state);
  // forces that look now and then have looked at a state that knows theirs
  if (static_cast<int>(initial.z.size()) != workspace_.system().element_states()) workspace_.sample(t, state);
  seen_.reset();
  integrator_->start(t, state);
  // what was put beyond a limit by hand is not held there
  watches_limits_ =
      workspace_.may_reach_limits() && !workspace_.is_beyond_limits(workspace_.model_state(state), kLimitRounding);
  watches_.reset();
}

/// No constraint, no prescribed motion and no other order of Euler angles may make up for a singular mass matrix.
void Run::require_regular(double t, const State& start) const {
  const System& system = workspace_.system();
  const Model& model = system.model();
  if (workspace_.rows() > 0 || !system.driven_joints().empty()) return;
  if (system.settings().formulation != Formulation::recursive || !system.settings().maximal_bodies.empty()) return;
  for (int i = 1; i <= model.bodies(); ++i)
    if (model.joint(i).other_chart(start.q.data() + model.link(i).q)) return;
  Workspace<double> scratch(model);
  if (const std::string why = explain_singular_mass_matrix(model, scratch, start.q); !why.empty())
    throw std::runtime_error(fmt::format("simulate: t = {:g}: {}", t, why));
}

void Run::restart() {
  const State here = seen_ ? *seen_ : integrator_->state();
  seen_.reset();
  integrator_->start(time(), here);
  if (watches_) watches_->switches.start(time(), workspace_.model_state(here));
}

void Run::step(double t_max) {
  while (!try_step(t_max)) continue;
}

void Run::pass_breaks() {
  Watches& w = *watches_;
  if (w.follows_jumps && w.breaks.is_at(time())) {
    State state = integrator_->state();
    const double after = w.breaks.after();
    const State before = jump_ ? workspace_.model_state(state) : State();
    workspace_.jump(after, state);
    if (jump_) jump_(after, before, workspace_.model_state(state));
    integrator_->start(after, state);
    w.switches.start(time(), workspace_.model_state(integrator_->state()));
  }
  if (time() >= w.switches.due()) {
    w.switches.change();
    integrator_->start(time(), State(integrator_->state()));
  }
}

bool Run::try_step(double t_max) {
  if (seen_) integrator_->start(time(), *std::exchange(seen_, std::nullopt));
  if (!watches_ || time() >= watches_->end) make_watches();
  pass_breaks();
  Watches& w = *watches_;
  w.stiffness.look(time(), integrator_->state());
  if (!w.spin.is_idle(time())) w.spin.look(time(), workspace_.model_state(integrator_->state()));
  const double before = time(), sample = workspace_.system().next_sample(before);
  const bool may_repeat = watches_limits_ || !w.switches.is_idle();
  const State from = may_repeat ? workspace_.model_state(integrator_->state()) : State();
  const double limit = std::min({t_max, sample, w.follows_jumps ? w.breaks.limit(before) : t_max, w.switches.due(),
                                 before + workspace_.longest_turning_step(integrator_->state())});
  if (w.switches.is_sliding())
    w.switches.slide(*integrator_, limit);
  else
    integrator_->step(limit);
  if (watches_limits_ && workspace_.is_beyond_limits(workspace_.model_state(integrator_->state()))) {
    hold_limits(before, from);
    return false;
  }
  if (w.switches.look(*integrator_, [this](double t) { return at(t); })) {
    // a text jumps within the step: it is made again, up to there
    --accepted_;
    ++rejected_;
    integrator_->start(before, workspace_.restart_from(from));
    return false;
  }
  if (!has_finite_numbers(integrator_->state())) throw StepFailure(time(), {}, "the state is not finite");
  if (time() + kSameTime * (time() - previous_time()) >= sample) {
    seen_ = integrator_->state();
    workspace_.sample(sample, *seen_);
  }
  return true;
}

void Run::hold_limits(double before, const State& from) {
  watches_limits_ = false;
  watches_->switches.stop();
  accepted_ += integrator_->accepted() - 1;
  rejected_ += integrator_->rejected() + 1;
  evaluations_ += integrator_->evaluations();
  const State start = workspace_.begin(before, from);
  integrator_ = workspace_.make_contact_stepper(settings_);
  integrator_->start(before, start);
}

State Run::problem_at(double t) const {
  State out = integrator_->state();
  if (std::abs(t - time()) > kSameTime * (time() - previous_time())) integrator_->interpolate(t, out);
  return out;
}

State Run::at(double t) {
  State out = integrator_->state();
  if (t < time()) integrator_->interpolate(t, out);
  if (workspace_.is_projected()) workspace_.follow(t, out);
  return workspace_.model_state(out);
}

State Run::output(double t) {
  const bool is_seen = seen_ && t >= time() - kSameTime * (time() - previous_time());
  State out = is_seen ? *seen_ : problem_at(t);
  if (!is_seen) integrator_->prepare_output(t, out);
  if (workspace_.is_projected()) workspace_.follow(t, out);
  State shown = workspace_.model_state(out);
  // the next step tells of a state that is not sound itself
  if (has_finite_numbers(shown) || !has_finite_numbers(out)) return shown;
  // coordinates of the scene may say nothing about one that is: velocities of Euler angles in gimbal lock
  const std::vector<SingularJoint> singular = singular_joints(workspace_.model(), shown.q);
  throw StepFailure(t, {},
                    singular.empty() ? std::string("the state is not finite in the coordinates of the scene")
                                     : singular.front().what);
}

bool Run::is_finite() const {
  return has_finite_numbers(integrator_->state()) && has_finite_numbers(workspace_.model_state(integrator_->state()));
}

double Run::violation() { return workspace_.violation(time(), integrator_->state()); }

std::vector<std::string> Run::notes() const {
  std::vector<std::string> out;
  if (!watches_) return out;
  for (const std::string& note :
       {watches_->published, watches_->switches.note(), watches_->stiffness.note(), watches_->spin.note()})
    if (!note.empty()) out.push_back(note);
  return out;
}

}  // namespace cardan
