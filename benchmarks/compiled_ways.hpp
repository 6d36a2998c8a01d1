// The compiled functions of a model, for one state and for as many as a register holds.
#pragma once

#include "benchmarks/peer.hpp"
#include "cardan/compile/batch.hpp"
#include "cardan/compile/compiled_model.hpp"

#include <Eigen/Core>
#include <map>
#include <string>

namespace cardan::bench {

constexpr int kStates = 16;

/// One way of computing a quantity.
struct Way {
  std::string quantity, backend;
  Call call;
  int states = 1;  // that one call computes
};

class CompiledWays {
 public:
  CompiledWays(const Model& model, const States& states);

  /// Compiled and batch, where the quantity can be compiled.
  std::vector<Way> ways(const std::string& quantity);
  /// Derivatives at many states on two threads, and on one where no code takes several states at once. To be timed
  /// apart: the results of so many states leave nothing else in the caches.
  std::vector<Way> ways_of_many_states(const std::string& quantity);
  /// How long compiling took, and what came out: a line.
  std::string report() const;

 private:
  struct Code {
    struct Compiled {
      std::shared_ptr<const CompiledModel> model;  // null where the function is too large
      std::unique_ptr<CompiledWorkspace> w;
    };
    std::map<ModelFunction, Compiled> functions;
    int lanes = 1;
    double milliseconds = 0.0;
    // each entry once for every lane, for each group of states
    std::vector<std::vector<double>> q, v, a, tau;
    Eigen::VectorXd out;  // begins at a register's boundary: anywhere else a batch of large matrices takes a third more
  };
  Way way(Code& code, ModelFunction function, const char* backend);
  /// The function at many states at once.
  Way many(ModelFunction function, const char* backend, int threads);

  Code one_, batch_;
  const States& states_;
  Batch many_;
};

}  // namespace cardan::bench
