#include "cardan/gradient/optimize.hpp"

#include "cardan/gradient/internal/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace cardan {

namespace {

constexpr int kMostRestarts = 8;
constexpr double kGain = 1e-10;        // of the value, below which another search is not worth it
constexpr double kNothing = 1e-20;     // of the value at the start, for values that vanish
constexpr double kStillMisses = 1e-6;  // of constraints: what is no longer rounding
constexpr double kProbe = 0.01;        // of a range, in which a number that matters shows

void require_sound(const SceneFamily& family, const Search& search) {
  const auto refuse = [](const std::string& name, const std::string& why) {
    throw std::invalid_argument(fmt::format("\"{}\": {}", name, why));
  };
  if (family.names.empty()) throw std::invalid_argument("expected numbers to vary, found none");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < family.names.size(); ++i) {
    const auto [low, high] = search.ranges.at(i);
    const std::string& name = family.names[i];
    if (!seen.insert(name).second) refuse(name, "expected each number once, found it twice");
    if (!std::isfinite(low) || !std::isfinite(high) || !(low < high))
      refuse(name, fmt::format("expected a range from low to high, found {:g} to {:g}", low, high));
    if (!(family.values[i] >= low && family.values[i] <= high))
      refuse(name, fmt::format("expected a start within its range {:g} to {:g}, found {:g} in the scene", low, high,
                               family.values[i]));
  }
}

class Optimization {
 public:
  Optimization(const SceneFamily& family, const Search& search, const SearchOptions& options)
      : family_(family), trials_(family, search, options), search_(search) {}

  Optimum operator()() {
    for (std::size_t i = 0; i < family_.names.size(); ++i) {
      const auto [low, high] = search_.ranges[i];
      start_.push_back((family_.values[i] - low) / (high - low));
    }
    const Trial first = begin();
    require_influence(first);
    trials_.scale_by(first);
    size_ = std::abs(first.texts[0]);
    Optimum out;
    try {
      if (trials_.by_gradients())
        by_gradients();
      else
        by_values();
    } catch (const EnoughTrials&) {
      notes_.push_back(fmt::format("ended after {} evaluations, before it was sure", trials_.evaluations()));
    }
    const Trial& best = trials_.best();
    require_constraints(best);
    out.start = trials_.point(first);
    out.start.numbers = family_.values;
    out.found = trials_.point(best);
    out.method = method_;
    out.notes = notes_;
    out.evaluations = trials_.evaluations();
    out.failed = trials_.failed();
    if (out.failed > 0)
      out.notes.push_back(fmt::format("{} of {} runs failed and were stepped back from, such as: {}", out.failed,
                                      out.evaluations, trials_.failure()));
    return out;
  }

 private:
  /// Evaluates the start, and finds out whether runs have derivatives.
  Trial begin() {
    if (trials_.by_gradients()) try {
        return trials_.start_at(start_);
      } catch (const NotDifferentiable& problem) {
        without_gradients(problem);
      }
    return trials_.start_at(start_);
  }

  void without_gradients(const NotDifferentiable& problem) {
    trials_.give_up_gradients();
    notes_.push_back(fmt::format("no gradients: {}", problem.what()));
  }

  /// Throws where a text, or a number, has nothing to do with the others.
  void require_influence(const Trial& first) {
    const GoalTexts& texts = trials_.texts();
    for (std::size_t k = 0; k < texts.size(); ++k) {
      const bool changes =
          first.slopes.size() > 0 && (first.slopes.row(static_cast<Eigen::Index>(k)).array() != 0).any();
      if (!texts.names_any(k) && (texts.parameters().empty() || (first.slopes.size() > 0 && !changes)))
        throw std::invalid_argument(fmt::format("\"{}\" depends on nothing that is varied", texts.text(k)));
    }
    for (std::size_t i = 0; i < family_.names.size(); ++i)
      if (!matters(first, i))
        throw std::invalid_argument(fmt::format("\"{}\": nothing that is sought depends on it", family_.names[i]));
  }

  bool matters(const Trial& first, std::size_t i) {
    if (trials_.by_gradients())
      return trials_.matters()[i] || (first.slopes.col(static_cast<Eigen::Index>(i)).array() != 0.0).any();
    for (const double far : {kProbe, 0.5}) {
      std::vector<double> x = start_;
      x[i] += x[i] + far <= 1.0 ? far : -far;
      const Trial& there = trials_.at(x);
      if (!there.failure.empty() || (there.texts.array() != first.texts.array()).any()) return true;
    }
    return false;
  }

  void by_gradients() {
    method_ = "SLSQP, by gradients of runs";
    repeat(SearchMethod::slsqp, {});
    if (trials_.holds(trials_.best()) && moved_) return;
    const Trial before = trials_.best();
    repeat(SearchMethod::mma, {});
    if (is_better(trials_.best(), before)) {
      method_ = "MMA, then SLSQP, by gradients of runs";
      repeat(SearchMethod::slsqp, {});
    } else if (trials_.met_no_gradient()) {  // on every way from here
      notes_.push_back(fmt::format("no gradients beside the start: {}", trials_.failure()));
      trials_.give_up_gradients();
      by_values();
    }
  }

  void by_values() {
    // quadratic models cannot have constraints, and need two numbers
    const bool quadratic = search_.subject_to.empty() && family_.names.size() > 1;
    method_ = quadratic ? "BOBYQA, by values alone" : "COBYLA, by values alone";
    double first = 0.1;
    for (int i = 0; i < kMostRestarts; ++i, first *= 0.1) {
      const Trial before = trials_.best();
      once(quadratic ? SearchMethod::bobyqa : SearchMethod::cobyla, {.first = std::max(first, 1e-3), .smallest = 1e-8});
      if (i > 0 && !is_better(trials_.best(), before)) return;
    }
  }

  /// Searches anew from the best so far until nothing is gained: what a method remembers may hold it back.
  void repeat(SearchMethod method, const SearchSteps& steps) {
    for (int i = 0; i < kMostRestarts; ++i) {
      const Trial before = trials_.best();
      once(method, steps);
      if (!is_better(trials_.best(), before)) return;
      moved_ = true;
    }
  }

  void once(SearchMethod method, const SearchSteps& steps) {
    std::vector<double> x = trials_.best().x;
    nlopt_search(method, trials_.functions(), steps, x);
  }

  bool is_better(const Trial& now, const Trial& before) const {
    if (!trials_.holds(before)) return trials_.miss(now) < (1.0 - 1e-3) * trials_.miss(before);
    const double gain = before.texts[0] - now.texts[0];
    return gain > kGain * std::abs(before.texts[0]) && gain > kNothing * size_;
  }

  void require_constraints(const Trial& best) const {
    if (trials_.miss(best) <= kStillMisses) return;
    Eigen::Index worst = 1;
    for (Eigen::Index k = 1; k < best.texts.size(); ++k)
      if (best.texts[k] < best.texts[worst]) worst = k;
    throw std::runtime_error(
        fmt::format("no numbers within their ranges were found that make \"{}\" >= 0: {:g} at best",
                    trials_.texts().text(static_cast<std::size_t>(worst)), best.texts[worst]));
  }

  const SceneFamily& family_;
  Trials trials_;
  const Search& search_;
  std::vector<double> start_;
  std::string method_;
  std::vector<std::string> notes_;
  double size_ = 0.0;   // of the value at the start
  bool moved_ = false;  // found anything better than the start
};

}  // namespace

Optimum optimize(const SceneFamily& family, const Search& search, const SearchOptions& options) {
  if (!has_nlopt()) throw std::runtime_error(kNoNlopt);
  require_sound(family, search);
  return Optimization(family, search, options)();
}

}  // namespace cardan
