// The compiled half of the Python package; python/cardan/ is the other.
#include "module.hpp"

#include "cardan/integrate/integrator.hpp"

#include <cstdio>

// the name by which asmjit, linked into this module, knows stderr (cmake/python.cmake)
extern "C" __attribute__((visibility("hidden"))) std::FILE* cardan_asmjit_stderr;
std::FILE* cardan_asmjit_stderr = nullptr;

namespace cardan::python {

namespace {

nb::object& error() {
  static nb::object kept = nb::steal(PyErr_NewExceptionWithDoc(
      "cardan.Error", "What is wrong with a model, a scene or a run, in one line.", PyExc_ValueError, nullptr));
  return kept;
}

}  // namespace

void set_error(const std::exception_ptr& problem) noexcept {
  try {
    std::rethrow_exception(problem);
  } catch (nb::python_error& raised) {
    raised.restore();
  } catch (const std::invalid_argument& what) {  // a wrong argument
    PyErr_SetString(PyExc_ValueError, what.what());
  } catch (const std::runtime_error& what) {  // ModelError, StepFailure: what the command says
    PyErr_SetString(error().ptr(), what.what());
  } catch (const std::exception& what) {
    PyErr_SetString(PyExc_RuntimeError, what.what());
  }
}

void PythonModel::run(ModelFunction function, std::size_t states, std::span<const Batch::Input> in, double* out) {
  if (states < kFewRows) {
    std::unique_lock lock(mutex, std::try_to_lock);
    if (!lock) {
      const nb::gil_scoped_release release;
      lock.lock();
    }
    batch.run(function, states, in, out, 1);
  } else {
    const nb::gil_scoped_release release;
    const std::scoped_lock lock(mutex);
    batch.run(function, states, in, out);
  }
}

}  // namespace cardan::python

NB_MODULE(_cardan, m) {
  namespace nb = nanobind;
  using namespace cardan::python;
  cardan_asmjit_stderr = stderr;
  m.doc() = "The compiled half of cardan.";
  m.attr("Error") = error();
  nb::register_exception_translator([](const std::exception_ptr& problem, void*) {
    try {
      std::rethrow_exception(problem);
    } catch (const nb::python_error&) {
      throw;
    } catch (const nb::builtin_exception&) {
      throw;
    } catch (const std::invalid_argument&) {
      set_error(problem);
    } catch (const std::runtime_error&) {
      set_error(problem);
    }
  });
  bind_model(m);
  bind_scene(m);
  bind_fleet(m);
  bind_linearization(m);
  bind_gradient(m);
}
