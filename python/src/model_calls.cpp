#include "model_calls.hpp"

#include "cardan/algorithms/singular_mass_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cardan::python {

namespace {

constexpr std::size_t kMostInputs = 3;

/// A function as Python sees it.
struct Call {
  ModelFunction function;
  const char* name;
  std::size_t inputs;
  std::array<const char*, kMostInputs + 1> arguments;  // inputs, then out
  const char* meaning;
};

constexpr std::array kCalls{
    Call{ModelFunction::forward_dynamics,
         "forward_dynamics",
         3,
         {"q", "v", "tau", "out"},
         "Accelerations (..., nv) under joint forces tau (..., nv) [N or N m]."},
    Call{ModelFunction::inverse_dynamics,
         "inverse_dynamics",
         3,
         {"q", "v", "a", "out"},
         "Joint forces (..., nv) [N or N m] that give accelerations a (..., nv)."},
    Call{ModelFunction::mass_matrix, "mass_matrix", 1, {"q", "out"}, "H(q), shape (..., nv, nv)."},
    Call{ModelFunction::bias, "bias", 2, {"q", "v", "out"}, "Inverse dynamics without acceleration, shape (..., nv)."},
    Call{ModelFunction::gravity,
         "gravity",
         1,
         {"q", "out"},
         "Joint forces that hold the model at rest, shape (..., nv)."},
};

using Values = std::array<PyObject*, kMostInputs + 1>;

[[noreturn]] void refuse(const char* format, const char* name, const char* argument) {
  PyErr_Format(PyExc_TypeError, format, name, argument);
  throw nb::python_error();
}

/// Texts of Python that live as long as the interpreter; keywords of calls are mostly the same objects.
const std::array<PyObject*, kMostInputs + 1>& keywords_of(std::size_t call) {
  static const auto all = [] {
    std::array<std::array<PyObject*, kMostInputs + 1>, kCalls.size()> out{};
    for (std::size_t i = 0; i < kCalls.size(); ++i)
      for (std::size_t k = 0; k <= kCalls[i].inputs; ++k)
        out[i][k] = PyUnicode_InternFromString(kCalls[i].arguments[k]);
    return out;
  }();
  return all[call];
}

std::size_t place_of(PyObject* keyword, std::size_t call) {
  const auto& known = keywords_of(call);
  const std::size_t count = kCalls[call].inputs + 1;
  for (std::size_t k = 0; k < count; ++k)
    if (known[k] == keyword) return k;
  for (std::size_t k = 0; k < count; ++k)
    if (PyUnicode_Compare(known[k], keyword) == 0) return k;
  refuse("%s() got an unexpected keyword argument '%s'", kCalls[call].name, PyUnicode_AsUTF8(keyword));
}

/// Puts arguments into their places as Python does; `names` are those of the last ones.
Values placed(std::size_t call, PyObject* const* values, std::size_t count, PyObject* names) {
  const Call& about = kCalls[call];
  Values out{};
  if (count > about.inputs + 1)
    refuse("%s() takes too many arguments: the last one is %s", about.name, about.arguments[about.inputs]);
  std::copy_n(values, count, out.begin());
  const Py_ssize_t named = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t i = 0; i < named; ++i) {
    const std::size_t place = place_of(PyTuple_GET_ITEM(names, i), call);
    if (out[place] != nullptr) refuse("%s() got multiple values for argument '%s'", about.name, about.arguments[place]);
    out[place] = values[count + static_cast<std::size_t>(i)];
  }
  for (std::size_t k = 0; k < about.inputs; ++k)
    if (out[k] == nullptr) refuse("%s() missing the argument '%s'", about.name, about.arguments[k]);
  if (out[about.inputs] == nullptr) out[about.inputs] = Py_None;
  return out;
}

/// Explains accelerations that are no numbers though the state is one.
[[noreturn]] void refuse_singular(const Model& model, const Array& q) {
  Workspace<double> scratch(model);
  const std::string why =
      explain_singular_mass_matrix(model, scratch, std::vector<double>(q.data(), q.data() + model.nq()));
  throw ModelError("forward_dynamics: " + (why.empty() ? std::string("the mass matrix is singular") : why));
}

/// Evaluates the model's code at all rows of the arguments.
nb::object evaluate(PythonModel& self, const Call& call, const Values& values) {
  const Model& model = self.model();
  std::array<std::optional<Array>, kMostInputs> arrays;
  std::array<Batch::Input, kMostInputs> in;
  for (std::size_t k = 0; k < call.inputs; ++k) {
    const Array& array = arrays[k].emplace(values[k], call.arguments[k], k == 0 ? model.nq() : model.nv());
    in[k] = {array.data(), array.is_single()};
  }
  const auto at = [&](std::size_t k) { return k < call.inputs ? &*arrays[k] : &*arrays[0]; };
  const Rows rows = common_rows({at(0), at(1), at(2)});
  const nb::handle out = values[call.inputs];
  const Result result = call.function == ModelFunction::mass_matrix ? make_result(rows, {model.nv(), model.nv()}, out)
                                                                    : make_result(rows, {model.nv()}, out);
  self.run(call.function, rows.count(), std::span(in.data(), call.inputs), result.data);
  if (call.function == ModelFunction::forward_dynamics && rows.shape.empty()) {  // a batch keeps what is no number
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(result.data, result.data + model.nv(), finite) &&
        std::all_of(arrays.begin(), arrays.end(), [](const auto& array) { return array->is_finite(); }))
      refuse_singular(model, *arrays[0]);
  }
  return result.array;
}

template <class Work>
PyObject* guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (...) {
    set_error(std::current_exception());
    return nullptr;
  }
}

template <std::size_t call>
PyObject* method(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) noexcept {
  return guarded([&] {
    const Values found = placed(call, values, static_cast<std::size_t>(PyVectorcall_NARGS(count)), names);
    return evaluate(*nb::inst_ptr<PythonModel>(self), kCalls[call], found).release().ptr();
  });
}

template <std::size_t call>
PyObject* function(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) noexcept {
  return guarded([&] {
    if (count < 1 || !nb::isinstance<PythonModel>(values[0]))
      refuse("%s() expected a %s as its first argument", kCalls[call].name, "Model");
    const Values found = placed(call, values + 1, static_cast<std::size_t>(count) - 1, names);
    return evaluate(*nb::inst_ptr<PythonModel>(values[0]), kCalls[call], found).release().ptr();
  });
}

using Quick = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

/// Makes the table of all calls; the first line of a text is the signature that inspect and help() show.
template <std::size_t... call>
PyMethodDef* table(const char* first, const std::array<Quick, kCalls.size()>& code, std::index_sequence<call...>) {
  auto* const texts = new std::array<std::string, kCalls.size()>;  // the interpreter keeps them to its end
  for (std::size_t i = 0; i < kCalls.size(); ++i) {
    std::string& text = (*texts)[i];
    text = std::string(kCalls[i].name) + "(" + first;
    for (std::size_t k = 0; k <= kCalls[i].inputs; ++k) text += std::string(", ") + kCalls[i].arguments[k];
    text += std::string("=None)\n--\n\n") + kCalls[i].meaning;
  }
  return new PyMethodDef[]{{kCalls[call].name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(code[call])),
                            METH_FASTCALL | METH_KEYWORDS, (*texts)[call].c_str()}...,
                           {}};
}

template <std::size_t... call>
std::array<Quick, kCalls.size()> methods(std::index_sequence<call...>) {
  return {method<call>...};
}
template <std::size_t... call>
std::array<Quick, kCalls.size()> functions(std::index_sequence<call...>) {
  return {function<call>...};
}
constexpr auto kAll = std::make_index_sequence<kCalls.size()>();

}  // namespace

PyMethodDef* model_methods() { return table("$self", methods(kAll), kAll); }
PyMethodDef* model_functions() { return table("model", functions(kAll), kAll); }

}  // namespace cardan::python
