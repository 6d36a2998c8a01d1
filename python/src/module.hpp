// What the parts of the module share.
#pragma once

#include "arrays.hpp"

#include "cardan/compile/batch.hpp"

#include <nanobind/stl/shared_ptr.h>

#include <mutex>

namespace cardan::python {

constexpr std::size_t kFewRows = 32;  // below this the interpreter's lock is kept: releasing it costs more

/// A model with the code that was compiled for it.
struct PythonModel {
  explicit PythonModel(const Model& model) : batch(model) {}
  const Model& model() const { return batch.model(); }

  Batch batch;
  std::mutex mutex;  // of batches that run without the interpreter's lock
};

void bind_model(nb::module_& m);
void bind_scene(nb::module_& m);

}  // namespace cardan::python
