// Linearizations of scenes.
#include "simulator.hpp"

#include "cardan/dynamics/linearization.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace cardan::python {

namespace {

nb::object matrix(const Eigen::MatrixXd& M) {
  const Result out = make_result({{static_cast<std::size_t>(M.rows())}}, {static_cast<int>(M.cols())});
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(out.data, M.rows(), M.cols()) = M;
  return out.array;
}

void require(const char* name, std::size_t expected, std::size_t found) {
  if (expected != found)
    throw std::invalid_argument(fmt::format("{}: expected {} numbers, found {}", name, expected, found));
}

using Numbers = std::optional<std::vector<double>>;

/// Gives A, B, the names of states and of inputs, and the acceleration.
nb::tuple linearization(const SceneSpec& spec, double t, const Numbers& q, const Numbers& v, const Numbers& u) {
  Scene scene = spec.bind();
  assemble(scene);
  State state = scene.initial;
  for (const auto& [name, given, own] : {std::tuple{"q", &q, &state.q}, std::tuple{"v", &v, &state.v}}) {
    if (!*given) continue;
    require(name, own->size(), (*given)->size());
    *own = **given;
  }
  state.z.clear();
  SystemWorkspace workspace{System(scene)};
  if (u) {
    require("u", workspace.inputs().size(), u->size());
    std::copy(u->begin(), u->end(), workspace.inputs().begin());
  }
  const System& system = workspace.system();
  if (system.is_stepped())
    throw std::runtime_error(
        "linearization: contact or dry friction act in this scene: such motions have no linearization");
  const Linearization found = linearize(system, t, state);
  std::vector<std::string> inputs;
  for (const Input& input : scene.inputs) inputs.push_back(input.name);
  return nb::make_tuple(matrix(found.A()), matrix(found.B()), state_names(system), inputs,
                        copied(std::span(found.a.data(), static_cast<std::size_t>(found.a.size()))));
}

}  // namespace

void bind_linearization(nb::module_& m) {
  using namespace nb::literals;
  m.def("_linearization", &linearization, "spec"_a, "t"_a, "q"_a.none(), "v"_a.none(), "u"_a.none());
}

}  // namespace cardan::python
