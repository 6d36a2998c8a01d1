#include "cardan/gradient/run_gradient.hpp"

#include "cardan/gradient/internal/differences.hpp"
#include "cardan/gradient/internal/tangent_problem.hpp"
#include "cardan/simulate/path_watch.hpp"
#include "cardan/simulate/run.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace cardan {

NotDifferentiable::NotDifferentiable(double at, const std::string& why)
    : std::runtime_error(std::isfinite(at) ? fmt::format("t = {:.12g}: {}", at, why) : why),
      time(at),
      what_is_not(why) {}

namespace {

constexpr double kCheckStep = 1e-4;  // of the size of what is varied
constexpr double kNearStep = 1e-5;
constexpr double kFineTolerance = 1e-12;
constexpr double kSameMotion = 1e-6;  // by which a step made again may differ, of its size
constexpr double kSameTime = 1e-9;    // of a step or an interval
constexpr double kWholeStretch = 1e100;

/// One step of the run and the outputs within it.
struct Stretch {
  double from, to;
  std::vector<double> outputs;
};

/// The columns that outcomes are of, and what is summed up.
struct Wanted {
  std::vector<Outcome> outcomes;
  std::vector<Eigen::Index> columns;

  Wanted(const std::vector<std::string>& texts, const Records& records) {
    for (const std::string& text : texts) {
      outcomes.push_back(Outcome::parse(text, records.columns()));
      columns.push_back(static_cast<Eigen::Index>(records.find(outcomes.back().column)));
    }
  }
  std::vector<OutcomeSum> sums(std::size_t slopes) const {
    std::vector<OutcomeSum> out;
    for (const Outcome& outcome : outcomes) out.emplace_back(outcome.kind, slopes);
    return out;
  }
};

/// Makes the settings in which runs are differentiated: joint coordinates, loops by multipliers, no code to wait for.
Settings differentiable(Settings settings) {
  settings.formulation = Formulation::recursive;
  settings.maximal_bodies.clear();
  settings.independent.clear();
  settings.code = Settings::Code::generic;
  return settings;
}

/// The method for one stretch after another. Of fixed steps: each stretch is a step. Adaptive ones take more where
/// tangents ask for it: steps that a stiff motion just bears may let its tangents grow without bound.
std::unique_ptr<Integrator> stretch_integrator(const Settings& settings, Problem& problem) {
  IntegratorOptions options = settings.steps;
  options.step = kWholeStretch;
  options.largest_step = std::numeric_limits<double>::infinity();
  return make_integrator(settings.integrator, problem, options);
}

bool is_explicit(const std::string& integrator) {
  static const std::vector<std::string> names{"euler",         "symplectic_euler", "rk4",           "dopri5",
                                              "munthe_kaas_1", "munthe_kaas_2",    "munthe_kaas_4", "munthe_kaas_54"};
  return std::find(names.begin(), names.end(), integrator_name(integrator)) != names.end();
}

/// Throws where the scene moves in a way that is not differentiated here.
void require_smooth(VariedSystem& base) {
  const System& system = base.workspace().system();
  const auto refuse = [](const std::string& why) { throw NotDifferentiable(INFINITY, why); };
  if (system.is_stepped()) refuse("contacts, dry friction and bearings: their steps are not differentiated yet");
  if (std::isfinite(system.next_sample(system.settings().start)))
    refuse("controllers that sample and hold are not differentiated yet");
  if (!is_explicit(system.settings().integrator))
    refuse(fmt::format("steps of {} are not differentiated yet: take an explicit method, such as munthe_kaas_4",
                       system.settings().integrator));
}

double distance(const StateSpace& space, const State& a, const State& b) {
  std::vector<double> x(a.v.size());
  space.difference(a.q.data(), b.q.data(), x.data());
  double out = 0.0;
  for (const double change : x) out = std::max(out, std::abs(change));
  for (std::size_t i = 0; i < a.v.size(); ++i)
    out = std::max(out, std::abs(a.v[i] - b.v[i]) / (1.0 + std::abs(a.v[i])));
  return out;
}

class GradientRun {
 public:
  /// `step`: by which parts of their size numbers are varied.
  GradientRun(const SceneFamily& family, const std::vector<std::string>& outcomes, const GradientOptions& options,
              double step)
      : family_(family),
        options_(options),
        step_(step),
        base_(scene_at(family.values)),
        wanted_(outcomes, base_.scene().records),
        sums_(wanted_.sums(family.names.size())) {
    for (auto name = family.names.begin(); name != family.names.end(); ++name)
      if (std::find(family.names.begin(), name, *name) != name)
        throw std::invalid_argument(fmt::format("\"{}\": expected each number once, found it twice", *name));
    require_smooth(base_);
    for (std::size_t i = 0; i < family.names.size(); ++i) varied_.push_back(vary(i));
    tangents_.emplace(base_, varied_);
  }

  RunGradient operator()() {
    follow();
    RunGradient out;
    for (std::size_t i = 0; i < varied_.size(); ++i) {
      out.matters.push_back(tangents_->matters(i));
      if (!out.matters.back() && !options_.accept_idle)
        throw std::invalid_argument(fmt::format("\"{}\": nothing in this run depends on it", varied_[i].name));
    }
    out.steps = static_cast<long>(stretches_.size());
    for (std::size_t k = 0; k < sums_.size(); ++k)
      out.outcomes.push_back({wanted_.outcomes[k].name(), sums_[k].value(), sums_[k].slopes(), {}});
    if (options_.check) check(out);
    return out;
  }

 private:
  Scene scene_at(std::span<const double> values) const {
    Scene out = family_.scene(values);
    out.settings = differentiable(out.settings);
    return out;
  }

  VariedNumber vary(std::size_t i) const {
    VariedNumber out{family_.names[i], unit_of(family_.values[i]), step_, {}};
    for (const int place : SixPoints::kPlaces) {
      std::vector<double> values = family_.values;
      values[i] += place * out.step * out.unit;
      out.systems.push_back(std::make_unique<VariedSystem>(scene_at(values)));
      const Settings &own = base_.scene().settings, &other = out.systems.back()->scene().settings;
      if (own.duration != other.duration || own.start != other.start || own.output_every != other.output_every)
        throw NotDifferentiable(INFINITY, fmt::format("\"{}\" changes the times of the run", out.name));
    }
    return out;
  }

  /// Runs as ever, and moves the tangents along, step by step.
  void follow() {
    const Settings& settings = base_.scene().settings;
    const double every = settings.output_every, end = settings.start + settings.duration;
    SystemWorkspace workspace{System(base_.scene())};
    Run run(workspace, settings);
    run.start(settings.start, base_.scene().initial);
    State state = tangents_->start();
    const auto integrator = stretch_integrator(settings, *tangents_);
    PathWatch paths(workspace.system());
    if (!paths.is_idle()) paths.start(settings.start, run.at(settings.start));
    adapts_ = run.is_adaptive();
    add_output(settings.start, state);
    std::vector<double> held;  // choices of texts by the state
    for (long row = 1; run.time() < end;) {
      run.step(end);
      if (!workspace.contact_log().summary.mode.empty())
        throw NotDifferentiable(run.time(), "a joint reaches its limit, and what follows is not differentiated yet");
      Stretch stretch{run.previous_time(), run.time(), {}};
      if (std::vector<double> now = workspace.switches().held(); now != held) {
        if (!held.empty()) tangents_->cross_jump(stretch.from, state, held, now);
        held = std::move(now);
        tangents_->hold(held);
      }
      require_no_jump(paths, run);
      const double reached = run.time() + kSameTime * (run.time() - run.previous_time());
      for (; settings.start + static_cast<double>(row) * every <= reached &&
             settings.start + static_cast<double>(row) * every < end - kSameTime * every;
           ++row)
        stretch.outputs.push_back(std::min(settings.start + static_cast<double>(row) * every, run.time()));
      if (run.time() >= end) stretch.outputs.push_back(run.time());
      state = follow_stretch(*integrator, *tangents_, state, stretch,
                             [&](double t, const State& there) { add_output(t, there); });
      const State arrived = run.at(run.time());
      require_same(arrived, state, run.time());
      tangents_->replace(arrived, state);
      stretches_.push_back(std::move(stretch));
      if (options_.go_on && !options_.go_on(run.time())) throw std::runtime_error("interrupted");
    }
  }

  /// Moves a state along one stretch, and hands out what lies on the way.
  template <class Output>
  static State follow_stretch(Integrator& integrator, Problem& problem, const State& from, const Stretch& stretch,
                              const Output& output) {
    integrator.start(stretch.from, from);
    auto next = stretch.outputs.begin();
    while (integrator.time() < stretch.to) {
      integrator.step(stretch.to);
      for (; next != stretch.outputs.end() && *next <= integrator.time(); ++next) {
        State there = integrator.state();
        if (*next < integrator.time()) {
          integrator.interpolate(*next, there);
          if (problem.rows() > 0) (void)problem.project(*next, there);
        }
        output(*next, there);
      }
    }
    return integrator.state();
  }

  /// Throws where a path jumped in the last step.
  static void require_no_jump(PathWatch& paths, Run& run) {
    if (paths.is_idle()) return;
    std::vector<PathEvent> events;
    paths.look(
        run.time(), run.at(run.time()), [&](double t) { return run.at(t); }, events);
    for (const PathEvent& event : events)
      if (event.kind == PathEvent::Kind::jumps) throw NotDifferentiable(event.t, describe(event));
  }

  void require_same(const State& run, const State& with_tangents, double t) const {
    const State here = tangents_->alone(with_tangents);
    if (!(distance(tangents_->space_alone(), run, here) <= kSameMotion))
      throw NotDifferentiable(t, "the motion jumps, or its coordinates are changed on the way");
  }

  void add_output(double t, const State& state) {
    const Eigen::VectorXd values = base_.columns(t, tangents_->alone(state));
    const Eigen::MatrixXd slopes = tangents_->column_slopes(t, state);
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      const Eigen::VectorXd row = slopes.row(wanted_.columns[k]);
      sums_[k].add(t, values[wanted_.columns[k]], std::span(row.data(), static_cast<std::size_t>(row.size())));
    }
  }

  /// Outcomes of a run with other numbers that makes the same steps.
  std::vector<double> repeated(std::span<const double> values) const {
    VariedSystem system(scene_at(values));
    RecursiveProblem& equations = system.equations();
    const auto integrator = stretch_integrator(system.scene().settings, equations);
    std::vector<OutcomeSum> sums = wanted_.sums(0);
    const auto add = [&](double t, const State& state) {
      const Eigen::VectorXd row = system.columns(t, state);
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k].add(t, row[wanted_.columns[k]]);
    };
    State state = system.start();
    add(system.scene().settings.start, state);
    for (const Stretch& stretch : stretches_) state = follow_stretch(*integrator, equations, state, stretch, add);
    std::vector<double> out;
    for (const OutcomeSum& sum : sums) out.push_back(sum.value());
    return out;
  }

  /// Outcomes of a run with other numbers that makes its own steps, finer ones where it chooses them: where texts
  /// choose by the state, the time at which they do moves, too.
  std::vector<double> anew(std::span<const double> values) const {
    Scene scene = scene_at(values);
    scene.settings.steps.tolerance = std::min(scene.settings.steps.tolerance, kFineTolerance);
    std::vector<std::string> names;
    for (const Outcome& outcome : wanted_.outcomes) names.push_back(outcome.name());
    return run_outcomes(scene, names);
  }

  void check(RunGradient& out) {
    const bool chooses = !base_.workspace().switches().is_empty() || adapts_;
    for (std::size_t i = 0; i < family_.names.size(); ++i) {
      const double h = kCheckStep * unit_of(family_.values[i]);
      const auto at = [&](int place) {
        std::vector<double> values = family_.values;
        values[i] += place * h;
        const std::vector<double> found = chooses ? anew(values) : repeated(values);
        return Eigen::VectorXd(
            Eigen::Map<const Eigen::VectorXd>(found.data(), static_cast<Eigen::Index>(found.size())));
      };
      const Eigen::VectorXd slopes = six_point_slope(static_cast<Eigen::Index>(sums_.size()), at) / h;
      for (std::size_t k = 0; k < sums_.size(); ++k)
        out.outcomes[k].difference.push_back(slopes[static_cast<Eigen::Index>(k)]);
    }
  }

  const SceneFamily& family_;
  const GradientOptions& options_;
  const double step_;
  VariedSystem base_;
  Wanted wanted_;
  std::vector<OutcomeSum> sums_;
  std::vector<VariedNumber> varied_;
  std::optional<TangentProblem> tangents_;
  std::vector<Stretch> stretches_;
  bool adapts_ = false;  // the method chooses its steps
};

}  // namespace

RunGradient run_gradient(const SceneFamily& family, const std::vector<std::string>& outcomes,
                         const GradientOptions& options) {
  try {
    return GradientRun(family, outcomes, options, SixPoints::kStep)();
  } catch (const NotSmooth&) {  // stiff things, such as tendons: nearer places, and some digits less
    return GradientRun(family, outcomes, options, kNearStep)();
  }
}

std::vector<double> run_outcomes(const Scene& scene, const std::vector<std::string>& outcomes) {
  const Wanted wanted(outcomes, scene.records);
  std::vector<OutcomeSum> sums = wanted.sums(0);
  const Trajectory motion = simulate(scene);
  if (motion.summary.end != RunSummary::End::done) throw std::runtime_error(motion.summary.failure);
  const auto n = static_cast<Eigen::Index>(1 + scene.model.nq() + scene.model.nv() + 3);
  for (std::size_t row = 0; row < motion.size(); ++row)
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const Eigen::Index column = wanted.columns[k];
      const Energy& energy = motion.energies()[row];
      const double energies[] = {energy.total(), energy.kinetic, energy.potential};
      const double value = column == 0                  ? motion.times()[row]
                           : column <= scene.model.nq() ? motion.q(row)[static_cast<std::size_t>(column - 1)]
                           : column < n - 3 ? motion.v(row)[static_cast<std::size_t>(column - 1 - scene.model.nq())]
                           : column < n     ? energies[column - (n - 3)]
                                            : motion.recorded(row)[static_cast<std::size_t>(column - n)];
      sums[k].add(motion.times()[row], value);
    }
  std::vector<double> out;
  for (const OutcomeSum& sum : sums) out.push_back(sum.value());
  return out;
}

}  // namespace cardan
