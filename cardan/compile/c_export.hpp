// Functions of a model as standalone C: one header, one source, no dependency but the C library's mathematics.
#pragma once

#include "cardan/compile/model_function.hpp"
#include "cardan/program/program.hpp"

#include <string>
#include <vector>

namespace cardan {

struct CExport {
  std::string name;            // of the files and the prefix of every identifier
  std::string header, source;  // contents of NAME.h and NAME.c
};

/// A function beside those of the model.
struct CFunction {
  std::string name;                // NAME_name in C
  std::vector<std::string> about;  // lines of the comment over it
  Program program;
  std::vector<std::string> arrays;  // inputs, then outputs
};

struct CExportOptions {
  int frame = 0;  // of pose and jacobian
  /// Lets the springs and dampers of plain coordinates act beside tau in forward and inverse dynamics.
  bool joint_springs = false;
  /// Lists what the scene has and the code does not, a line each of the header's comment.
  std::vector<std::string> left_out{};
  std::vector<CFunction> more{};
};

CExport export_c(const Model& model, const std::vector<ModelFunction>& functions, const CExportOptions& options = {});

}  // namespace cardan
