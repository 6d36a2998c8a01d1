#include "cardan/gradient/internal/nlopt_search.hpp"

#include <stdexcept>

namespace cardan {

const char* const kNoNlopt =
    "searches are not part of this build: they need NLopt (Debian: libnlopt-dev) when Cardan is built";

}  // namespace cardan

#ifdef CARDAN_HAS_NLOPT

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

namespace cardan {

namespace {

struct Destroy {
  void operator()(nlopt_opt search) const { nlopt_destroy(search); }
};
using OwnedSearch = std::unique_ptr<nlopt_opt_s, Destroy>;

/// One search, as NLopt calls back into it. No exception may pass through its C code: the first one stops the search.
struct Calls {
  const SearchedFunctions& functions;
  nlopt_opt search = nullptr;
  std::exception_ptr problem{};

  void evaluate(const double* x, double& value, std::span<double> constraints, std::span<double> value_slopes,
                std::span<double> constraint_slopes) {
    if (problem) return;
    try {
      functions.evaluate(std::span(x, static_cast<std::size_t>(functions.numbers)), value, constraints, value_slopes,
                         constraint_slopes);
    } catch (...) {
      problem = std::current_exception();
      nlopt_force_stop(search);
    }
  }
};

double value_of(unsigned n, const double* x, double* slopes, void* data) {
  Calls& calls = *static_cast<Calls*>(data);
  double out = HUGE_VAL;
  std::vector<double> constraints(static_cast<std::size_t>(calls.functions.constraints));
  calls.evaluate(x, out, constraints, std::span(slopes, slopes == nullptr ? 0 : n), {});
  return out;
}

/// Gives the constraints as NLopt has them: to hold where they are <= 0.
void constraints_of(unsigned m, double* result, unsigned n, const double* x, double* slopes, void* data) {
  Calls& calls = *static_cast<Calls*>(data);
  double value = 0.0;
  const std::span<double> by_numbers(slopes, slopes == nullptr ? 0 : std::size_t{m} * n);
  std::fill_n(result, m, 0.0);
  calls.evaluate(x, value, std::span(result, m), {}, by_numbers);
  for (double& entry : std::span(result, m)) entry = -entry;
  for (double& entry : by_numbers) entry = -entry;
}

nlopt_algorithm algorithm(SearchMethod method) {
  switch (method) {
    case SearchMethod::slsqp: return NLOPT_LD_SLSQP;
    case SearchMethod::mma: return NLOPT_LD_MMA;
    case SearchMethod::cobyla: return NLOPT_LN_COBYLA;
    case SearchMethod::bobyqa: break;
  }
  return NLOPT_LN_BOBYQA;
}

}  // namespace

bool has_nlopt() { return true; }

void nlopt_search(SearchMethod method, const SearchedFunctions& functions, const SearchSteps& steps,
                  std::vector<double>& x) {
  const OwnedSearch search(nlopt_create(algorithm(method), static_cast<unsigned>(functions.numbers)));
  if (!search) throw std::bad_alloc();
  Calls calls{functions, search.get()};
  nlopt_set_lower_bounds1(search.get(), 0.0);
  nlopt_set_upper_bounds1(search.get(), 1.0);
  nlopt_set_min_objective(search.get(), value_of, &calls);
  if (functions.constraints > 0) {
    const std::vector<double> slack(static_cast<std::size_t>(functions.constraints), 1e-10);
    nlopt_add_inequality_mconstraint(search.get(), static_cast<unsigned>(functions.constraints), constraints_of, &calls,
                                     slack.data());
  }
  nlopt_set_initial_step1(search.get(), steps.first);
  nlopt_set_xtol_abs1(search.get(), steps.smallest);
  nlopt_set_ftol_rel(search.get(), steps.least_gain);
  double value = HUGE_VAL;
  // how it ended does not matter: whoever evaluates keeps the best, and rounding ends many a good search
  (void)nlopt_optimize(search.get(), x.data(), &value);
  if (calls.problem) std::rethrow_exception(calls.problem);
}

}  // namespace cardan

#else

namespace cardan {

bool has_nlopt() { return false; }

void nlopt_search(SearchMethod, const SearchedFunctions&, const SearchSteps&, std::vector<double>&) {
  throw std::runtime_error(kNoNlopt);
}

}  // namespace cardan

#endif
