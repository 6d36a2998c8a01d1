// The functions of a model that programs call most. They take their arguments from the interpreter themselves: what
// lies between a call in Python and the code of the model is then a fifth of a microsecond.
#pragma once

#include "module.hpp"

namespace cardan::python {

/// Methods of Model, and functions of the module whose first argument is the model.
PyMethodDef* model_methods();
PyMethodDef* model_functions();

}  // namespace cardan::python
