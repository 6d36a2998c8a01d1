// Gradients of runs.
#include "simulator.hpp"

#include "cardan/gradient/run_gradient.hpp"
#include "cardan/io/scene_family.hpp"

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

}  // namespace

void bind_gradient(nb::module_& m) {
  using namespace nb::literals;
  m.def("_gradient", &gradient, "spec"_a, "of"_a, "by"_a, "choices"_a);
}

}  // namespace cardan::python
