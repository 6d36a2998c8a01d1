// Functions of a model as standalone C: one header, one source, no dependency but the C library's mathematics.
#pragma once

#include "cardan/compile/model_function.hpp"

#include <string>
#include <vector>

namespace cardan {

struct CExport {
  std::string name;            // of the files and the prefix of every identifier
  std::string header, source;  // contents of NAME.h and NAME.c
};

/// frame: of pose and jacobian.
CExport export_c(const Model& model, const std::vector<ModelFunction>& functions, int frame = 0);

}  // namespace cardan
