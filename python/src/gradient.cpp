// Gradients of runs, and searches by them.
#include "simulator.hpp"

#include "cardan/gradient/optimize.hpp"
#include "cardan/gradient/run_gradient.hpp"
#include "cardan/io/scene_family.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace cardan::python {

namespace {

/// Gives the values of the outcomes, and for each its derivatives in the order of the names.
nb::tuple gradient(const SceneSpec& spec, const std::vector<std::string>& of, const std::vector<std::string>& by,
                   const Choices& choices) {
  const SceneFamily family = scene_family(spec, by, {{}, [&](Settings& settings) { choices.apply(settings); }});
  RunGradient found;
  {
    const nb::gil_scoped_release others_may_run;
    found = run_gradient(family, of);
  }
  std::vector<double> values;
  std::vector<std::vector<double>> slopes;
  for (const OutcomeGradient& outcome : found.outcomes) {
    values.push_back(outcome.value);
    slopes.push_back(outcome.by);
  }
  return nb::make_tuple(values, slopes);
}

/// Searches, and sets what was found in the scene.
nb::tuple optimized(SceneSpec& spec, const std::string& minimize, const std::vector<std::string>& subject_to,
                    const std::vector<std::string>& names, const std::vector<std::pair<double, double>>& ranges,
                    const std::map<std::string, std::string>& words, int evaluations, bool gradients,
                    const Choices& choices) {
  const SceneFamily family = scene_family(spec, names, {{}, [&](Settings& settings) { choices.apply(settings); }});
  Optimum found;
  {
    const nb::gil_scoped_release others_may_run;
    found = optimize(family, {minimize, subject_to, ranges, words},
                     {.most_evaluations = evaluations, .by_values = !gradients});
  }
  for (std::size_t i = 0; i < names.size(); ++i) set_number(spec, names[i], found.found.numbers[i]);
  return nb::make_tuple(found.found.value, found.found.numbers, found.found.constraints, found.evaluations,
                        found.method, found.notes);
}

}  // namespace

void bind_gradient(nb::module_& m) {
  using namespace nb::literals;
  m.def("_gradient", &gradient, "spec"_a, "of"_a, "by"_a, "choices"_a);
  m.def("_optimize", &optimized, "spec"_a, "minimize"_a, "subject_to"_a, "names"_a, "ranges"_a, "words"_a,
        "evaluations"_a, "gradients"_a, "choices"_a);
}

}  // namespace cardan::python
