// Registers for the values of a program, with a limited number of them. When all are taken, the value that is needed
// last leaves (Belady's rule); what has a place in memory already leaves without being written. One operand of an
// instruction may be read from memory directly, which costs no instruction of its own.
#pragma once

#include "cardan/program/program.hpp"

namespace cardan::program {

/// A number in memory: an entry of an input or output array, of the constants, or of the scratch memory.
struct MemoryRef {
  enum class Kind : std::uint8_t { none, input, output, constant, scratch };
  Kind kind = Kind::none;
  int array = 0, index = 0;
};

struct Operand {
  int reg = -1;  // or, if negative,
  MemoryRef place;
};

struct MachineStep {
  enum class Kind : std::uint8_t { compute, load, store, copy, call };
  Kind kind = Kind::compute;
  Code code = Code::add;  // of compute; a fused one has the register `to` among its operands
  int to = -1;            // register; of a call, the first scratch entry of its results
  Operand arg[4];         // store and copy: the register; call: the first argument
  MemoryRef place;        // load and store
  int call = -1;
};

struct Allocation {
  std::vector<MachineStep> steps;
  int scratch = 0;  // entries of scratch memory
};

Allocation allocate_registers(const Program& program, int registers);

}  // namespace cardan::program
