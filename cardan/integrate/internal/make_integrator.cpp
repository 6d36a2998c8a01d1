#include "cardan/integrate/internal/bdf.hpp"
#include "cardan/integrate/internal/cvode.hpp"
#include "cardan/integrate/internal/generalized_alpha.hpp"
#include "cardan/integrate/internal/linearly_implicit_euler.hpp"
#include "cardan/integrate/internal/runge_kutta.hpp"
#include "cardan/integrate/internal/symplectic_euler.hpp"
#include "cardan/integrate/internal/variational.hpp"
#include "cardan/text/internal/nearest_name.hpp"

#include <fmt/format.h>
#include <cmath>
#include <map>

namespace cardan {

namespace {

using Make = std::unique_ptr<Integrator> (*)(const char* name, Problem& problem, const IntegratorOptions& options);

template <const Tableau& tableau, bool on_manifold>
std::unique_ptr<Integrator> runge_kutta(const char* name, Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<RungeKutta>(name, tableau, Chart{on_manifold}, problem, options);
}
template <bool on_manifold>
std::unique_ptr<Integrator> dormand_prince(const char* name, Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<AdaptiveRungeKutta>(name, kDormandPrince, Chart{on_manifold}, problem, options);
}
template <int order>
std::unique_ptr<Integrator> bdf(const char*, Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<Bdf>(order, problem, options);
}
template <Problem::Implicit implicit>
std::unique_ptr<Integrator> linearly_implicit(const char* name, Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<LinearlyImplicitEuler>(name, implicit, problem, options);
}
template <class Method>
std::unique_ptr<Integrator> method(const char*, Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<Method>(problem, options);
}

std::unique_ptr<Integrator> cvode(const char*, Problem& problem, const IntegratorOptions& options) {
  return make_cvode(problem, options);
}

struct Entry {
  const char* name;
  Make make;
};
constexpr Entry kMethods[] = {
    {"euler", runge_kutta<kEuler, false>},
    {"symplectic_euler", method<SymplecticEuler>},
    {"rk4", runge_kutta<kClassical4, false>},
    {"dopri5", dormand_prince<false>},
    {"linearly_implicit_euler", linearly_implicit<Problem::Implicit::forces>},
    {"rosenbrock_euler", linearly_implicit<Problem::Implicit::all>},
    {"bdf1", bdf<1>},
    {"bdf2", bdf<2>},
    {"munthe_kaas_1", runge_kutta<kEuler, true>},
    {"munthe_kaas_2", runge_kutta<kHeun, true>},
    {"munthe_kaas_4", runge_kutta<kClassical4, true>},
    {"munthe_kaas_54", dormand_prince<true>},
    {"generalized_alpha", method<GeneralizedAlpha>},
    {"variational", method<Variational>},
    {"cvode", cvode},
};

constexpr double kSmallestTolerance = 1e-15;

/// Names that people know from elsewhere.
constexpr std::pair<const char*, const char*> kAliases[] = {
    {"rk45", "dopri5"}, {"ode45", "dopri5"}, {"RK45", "dopri5"}, {"ode15s", "bdf2"}, {"runge_kutta_4", "rk4"}};

void check(const IntegratorOptions& options) {
  const auto require = [](bool holds, const char* what, double found) {
    if (!holds) throw std::invalid_argument(fmt::format("integrator: {}, found {}", what, found));
  };
  require(options.step > 0.0 && std::isfinite(options.step), "step must be positive", options.step);
  require(options.tolerance >= kSmallestTolerance, "tolerance must be at least 1e-15, which is what rounding leaves",
          options.tolerance);
  require(options.absolute_tolerance >= 0.0, "absolute_tolerance must not be negative", options.absolute_tolerance);
  require(options.largest_step > 0.0, "largest_step must be positive", options.largest_step);
  require(options.newton_iterations > 0, "newton_iterations must be positive", options.newton_iterations);
  require(options.newton_tolerance > 0.0, "newton_tolerance must be positive", options.newton_tolerance);
  require(options.newton_residual >= 0.0, "newton_residual must not be negative", options.newton_residual);
  require(options.spectral_radius >= 0.0 && options.spectral_radius <= 1.0, "spectral_radius must lie between 0 and 1",
          options.spectral_radius);
}

}  // namespace

const std::vector<std::string>& integrator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Entry& entry : kMethods)
      if (entry.make != cvode || has_cvode()) out.emplace_back(entry.name);
    return out;
  }();
  return names;
}

const std::vector<std::string>& integrator_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> out;
    for (const Entry& entry : kMethods) out.emplace_back(entry.name);
    for (const auto& [alias, meant] : kAliases) out.emplace_back(alias);
    return out;
  }();
  return words;
}

const std::string& integrator_name(const std::string& name) {
  static const std::map<std::string, std::string> known = [] {
    std::map<std::string, std::string> out;
    for (const auto& [alias, meant] : kAliases) out[alias] = meant;
    return out;
  }();
  const auto found = known.find(name);
  return found == known.end() ? name : found->second;
}

std::unique_ptr<Integrator> make_integrator(const std::string& asked, Problem& problem,
                                            const IntegratorOptions& options) {
  check(options);
  const std::string& name = integrator_name(asked);
  for (const Entry& entry : kMethods)
    if (name == entry.name) return entry.make(entry.name, problem, options);
  const std::string near = nearest_name(name, integrator_names());
  throw std::invalid_argument(
      fmt::format("unknown integrator \"{}\"", name) +
      (near.empty() ? std::string(": expected one of ") + fmt::format("{}", fmt::join(integrator_names(), ", "))
                    : fmt::format(": did you mean \"{}\"?", near)));
}

}  // namespace cardan
