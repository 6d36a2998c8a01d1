// What the parts of the module share.
#pragma once

#include "arrays.hpp"

#include "cardan/compile/batch.hpp"

#include <nanobind/stl/shared_ptr.h>

#include <exception>
#include <mutex>
#include <span>

namespace cardan::python {

constexpr std::size_t kFewRows = 32;  // below this the interpreter's lock is kept: releasing it costs more

/// A model with the code that was compiled for it.
struct PythonModel {
  explicit PythonModel(const Model& model) : batch(model) {}
  const Model& model() const { return batch.model(); }

  /// Runs a batch; calls of several threads take turns. Nobody waits for that with the interpreter's lock.
  void run(ModelFunction function, std::size_t states, std::span<const Batch::Input> in, double* out);

  Batch batch;
  std::mutex mutex;
};

/// Tells Python of a problem: ValueError for a wrong argument, cardan.Error for what the command would say.
void set_error(const std::exception_ptr& problem) noexcept;

void bind_model(nb::module_& m);
void bind_scene(nb::module_& m);
void bind_fleet(nb::module_& m);
void bind_linearization(nb::module_& m);
void bind_gradient(nb::module_& m);

}  // namespace cardan::python
