#include "cardan/gradient/internal/trials.hpp"

#include "cardan/gradient/internal/differences.hpp"
#include "cardan/gradient/internal/varied_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

std::vector<std::string> all_texts(const Search& search) {
  std::vector<std::string> out{search.minimize};
  out.insert(out.end(), search.subject_to.begin(), search.subject_to.end());
  return out;
}

double parameter_of(const Scene& scene, const std::string& name) {
  for (const auto& [parameter, value] : scene.parameters)
    if (parameter == name) return value;
  return 0.0;
}

/// Asked to end by the caller.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace

Trials::Trials(const SceneFamily& family, const Search& search, const SearchOptions& options)
    : family_(family),
      search_(search),
      options_(options),
      texts_(family, family.scene(family.values), all_texts(search), search.words),
      by_gradients_(!options.by_values),
      scale_(Eigen::VectorXd::Ones(static_cast<Eigen::Index>(texts_.size()))) {}

std::vector<double> Trials::numbers(std::span<const double> x) const {
  std::vector<double> out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto [low, high] = search_.ranges[i];
    out.push_back(std::clamp(low + x[i] * (high - low), low, high));
  }
  return out;
}

SearchedPoint Trials::point(const Trial& trial) const {
  const Eigen::VectorXd constraints = trial.texts.tail(trial.texts.size() - 1);
  return {numbers(trial.x), {constraints.begin(), constraints.end()}, trial.texts[0]};
}

const Trial& Trials::start_at(std::span<const double> x) {
  last_ = tried(x, true);
  return *last_;
}

const Trial& Trials::at(std::span<const double> x) {
  const bool is_known = last_ && std::equal(x.begin(), x.end(), last_->x.begin(), last_->x.end());
  if (!is_known || (by_gradients_ && last_->failure.empty() && last_->slopes.size() == 0)) last_ = tried(x, false);
  return *last_;
}

Trial Trials::tried(std::span<const double> x, bool is_start) {
  if (evaluations_ >= options_.most_evaluations) throw EnoughTrials();
  Trial out{{x.begin(), x.end()}, "", {}, {}};
  try {
    run(out, is_start ? family_.values : numbers(x));
    if (!out.texts.allFinite()) throw std::runtime_error("a text is not a finite number");
  } catch (const Interrupted&) {
    throw;
  } catch (const NotDifferentiable& problem) {
    if (is_start) throw;
    out.failure = failure_ = problem.what();
    met_no_gradient_ = true;
  } catch (const std::runtime_error& problem) {  // loops that do not close, steps that cannot be made
    if (is_start) throw;
    out.failure = failure_ = problem.what();
  }
  ++evaluations_;
  if (out.failure.empty())
    keep(out);
  else
    ++failed_;
  const double none = std::numeric_limits<double>::infinity();
  progress_ = {evaluations_, out.failure.empty() ? out.texts[0] : none,
               best_ && holds(*best_) ? best_->texts[0] : none};
  require_go_on();
  return out;
}

bool Trials::require_go_on() const {
  if (options_.go_on && !options_.go_on(progress_)) throw Interrupted();
  return true;
}

void Trials::run(Trial& trial, const std::vector<double>& values) {
  const auto n = static_cast<Eigen::Index>(values.size()),
             parameters = static_cast<Eigen::Index>(texts_.parameters().size()),
             outcomes = static_cast<Eigen::Index>(texts_.outcomes().size());
  SceneFamily here = family_;
  here.values = values;
  const Scene scene = here.scene(values);
  Eigen::VectorXd inputs(n + parameters + outcomes);
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(inputs.size(), n);
  inputs.head(n) = Eigen::Map<const Eigen::VectorXd>(values.data(), n);
  for (Eigen::Index k = 0; k < parameters; ++k)
    inputs[n + k] = parameter_of(scene, texts_.parameters()[static_cast<std::size_t>(k)]);
  if (by_gradients_) {
    const GradientOptions options{.accept_idle = true, .go_on = [this](double) { return require_go_on(); }};
    const RunGradient found = run_gradient(here, texts_.outcomes(), options);
    matters_ = found.matters;
    slopes.topRows(n).setIdentity();
    slopes.middleRows(n, parameters) = parameter_slopes(values);
    for (Eigen::Index k = 0; k < outcomes; ++k) {
      const OutcomeGradient& outcome = found.outcomes[static_cast<std::size_t>(k)];
      inputs[n + parameters + k] = outcome.value;
      slopes.row(n + parameters + k) = Eigen::Map<const Eigen::RowVectorXd>(outcome.by.data(), n);
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto [low, high] = search_.ranges[static_cast<std::size_t>(i)];
      slopes.col(i) *= high - low;
    }
    trial.slopes = texts_.slopes(inputs) * slopes;
  } else {
    const std::vector<double> found = run_outcomes(scene, texts_.outcomes());
    inputs.tail(outcomes) = Eigen::Map<const Eigen::VectorXd>(found.data(), outcomes);
  }
  trial.texts = texts_.values(inputs);
}

Eigen::MatrixXd Trials::parameter_slopes(const std::vector<double>& values) const {
  const auto n = static_cast<Eigen::Index>(values.size()),
             parameters = static_cast<Eigen::Index>(texts_.parameters().size());
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(parameters, n);
  if (parameters == 0) return out;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double step = SixPoints::kStep * unit_of(values[static_cast<std::size_t>(i)]);
    out.col(i) = six_point_slope(parameters,
                                 [&](int place) {
                                   std::vector<double> other = values;
                                   other[static_cast<std::size_t>(i)] += place * step;
                                   const Scene scene = family_.scene(other);
                                   Eigen::VectorXd found(parameters);
                                   for (Eigen::Index k = 0; k < parameters; ++k)
                                     found[k] = parameter_of(scene, texts_.parameters()[static_cast<std::size_t>(k)]);
                                   return found;
                                 }) /
                 step;
  }
  return out;
}

void Trials::keep(const Trial& trial) {
  worst_ = worst_.size() == 0 ? trial.texts : worst_;
  worst_[0] = std::max(worst_[0], trial.texts[0]);
  worst_.tail(worst_.size() - 1) = worst_.tail(worst_.size() - 1).cwiseMin(trial.texts.tail(trial.texts.size() - 1));
  const auto better = [&](const Trial& other) {
    if (holds(trial) && holds(other)) return trial.texts[0] < other.texts[0];
    return miss(trial) < miss(other);
  };
  if (!best_ || better(*best_)) best_ = trial;
}

void Trials::scale_by(const Trial& trial) {
  for (Eigen::Index k = 0; k < scale_.size(); ++k) {
    const double change = trial.slopes.size() > 0 ? trial.slopes.row(k).cwiseAbs().maxCoeff() : 0.0;
    const double size = std::abs(trial.texts[k]);
    scale_[k] = std::isfinite(change) && change > 0.0 ? change : size > 0.0 ? size : 1.0;
  }
}

double Trials::miss(const Trial& trial) const {
  double out = 0.0;
  for (Eigen::Index k = 1; k < scale_.size(); ++k) out = std::max(out, -trial.texts[k] / scale_[k]);
  return out;
}

void Trials::give(const Trial& trial, double& value, std::span<double> constraints, std::span<double> value_slopes,
                  std::span<double> constraint_slopes) const {
  const bool is_done = trial.failure.empty();
  const std::size_t n = trial.x.size();
  // a search by gradients steps back from infinity; models of values want a number, and no better one than they have
  const double failed = by_gradients_ ? std::numeric_limits<double>::infinity() : worst_[0] / scale_[0] + 1.0;
  value = is_done ? trial.texts[0] / scale_[0] : failed;
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k) + 1;
    constraints[k] = (is_done ? trial.texts[row] : worst_[row]) / scale_[row];
  }
  const auto slope = [&](std::size_t row, std::size_t i) {
    if (!is_done || trial.slopes.size() == 0) return 0.0;
    const auto k = static_cast<Eigen::Index>(row);
    const double out = trial.slopes(k, static_cast<Eigen::Index>(i)) / scale_[k];
    return std::isfinite(out) ? out : 0.0;  // the tip of a root, where it is least
  };
  for (std::size_t i = 0; i < value_slopes.size(); ++i) value_slopes[i] = slope(0, i);
  for (std::size_t i = 0; i < constraint_slopes.size(); ++i) constraint_slopes[i] = slope(1 + i / n, i % n);
}

SearchedFunctions Trials::functions() {
  return {static_cast<int>(family_.names.size()), static_cast<int>(texts_.size()) - 1,
          [this](std::span<const double> x, double& value, std::span<double> constraints,
                 std::span<double> value_slopes, std::span<double> constraint_slopes) {
            give(at(x), value, constraints, value_slopes, constraint_slopes);
          }};
}

}  // namespace cardan
