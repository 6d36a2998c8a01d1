// What `cardan eval` is asked, by compiled functions: state by state, or as many states at once as a register holds.
#pragma once

#include "cardan/io/internal/eval_request.hpp"

#include <map>
#include <vector>

namespace cardan::command {

class CompiledResults {
 public:
  /// Compiles what the request names and can be compiled, and runs it on all states; nothing for the generic backend.
  CompiledResults(const Model& model, const EvalRequest& request);

  /// Entries as the compiled function gives them (matrices by columns); null where the quantity is not compiled.
  const std::vector<double>* find(Quantity quantity, std::size_t state) const;

 private:
  std::map<Quantity, std::vector<std::vector<double>>> results_;
};

}  // namespace cardan::command
