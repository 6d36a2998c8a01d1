// Runs a program instruction by instruction, on any machine: what machine code is compared with.
#pragma once

#include "cardan/program/program.hpp"

namespace cardan::program {

class Interpreter {
 public:
  explicit Interpreter(Program program);

  /// Numbers of scratch memory that a run needs.
  int scratch() const { return scratch_; }
  /// arrays: the input arrays, then the output arrays.
  void run(double* const* arrays, double* scratch) const;

 private:
  Program p_;
  int scratch_ = 0;
};

}  // namespace cardan::program

namespace cardan {
using program::Interpreter;
}  // namespace cardan
