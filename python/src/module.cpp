// The compiled half of the Python package; python/cardan/ is the other.
#include "module.hpp"

#include "cardan/integrate/integrator.hpp"

#include <cstdio>

// the name by which asmjit, linked into this module, knows stderr (cmake/python.cmake)
extern "C" __attribute__((visibility("hidden"))) std::FILE* cardan_asmjit_stderr;
std::FILE* cardan_asmjit_stderr = nullptr;

NB_MODULE(_cardan, m) {
  namespace nb = nanobind;
  cardan_asmjit_stderr = stderr;
  m.doc() = "The compiled half of cardan.";
  static nb::object error = nb::borrow(PyErr_NewExceptionWithDoc(
      "cardan.Error", "What is wrong with a model, a scene or a run, in one line.", PyExc_ValueError, nullptr));
  m.attr("Error") = error;
  nb::register_exception_translator([](const std::exception_ptr& problem, void*) {
    try {
      std::rethrow_exception(problem);
    } catch (const nb::python_error&) {
      throw;
    } catch (const nb::builtin_exception&) {
      throw;
    } catch (const std::invalid_argument& what) {  // a wrong argument
      PyErr_SetString(PyExc_ValueError, what.what());
    } catch (const std::runtime_error& what) {  // ModelError, StepFailure: what the command says
      PyErr_SetString(error.ptr(), what.what());
    }
  });
  cardan::python::bind_model(m);
  cardan::python::bind_scene(m);
}
