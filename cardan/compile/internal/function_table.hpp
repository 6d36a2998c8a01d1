// All that the house knows of the functions that can be compiled, in one table: a new function is a new entry, and its
// algorithm on symbols in one of the trace_*.cpp.
#pragma once

#include "cardan/compile/internal/trace_parts.hpp"
#include "cardan/compile/model_function.hpp"

#include <span>

namespace cardan {

struct FunctionEntry {
  ModelFunction function;
  const char* name;
  bool needs_frame, needs_derivatives;
  /// Instructions beyond which the generic loop is faster on one state, with AVX-512 and with AVX2 (docs/compiling.md
  /// has the measurements).
  int largest_symbolic, largest_symbolic_avx2;
  Signature (*signature)(int nq, int nv);
  void (*trace)(const FunctionCall<Expr>& call);
  void (*run)(const FunctionCall<double>& call);
  /// Nodes beyond which code for several states at once is slower than the generic loop, and takes seconds to compile.
  std::size_t most_nodes_of_lanes = 20'000'000;
};

/// Entries in the order of ModelFunction.
std::span<const FunctionEntry> function_table();
const FunctionEntry& table_entry(ModelFunction function);

}  // namespace cardan
