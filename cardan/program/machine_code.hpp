// A program as x86-64 machine code in this process, made in milliseconds. It runs on one state, or on four (AVX2) or
// eight (AVX-512) at once: then each entry of an array is followed by the same entry of the next state.
#pragma once

#include "cardan/program/program.hpp"

#include <memory>
#include <stdexcept>

namespace cardan::program {

/// The kinds of vector instructions that code can be made for.
enum class InstructionSet { avx2, avx512 };

/// No machine code here: why, and what to use instead.
struct NoMachineCode : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether this build and this processor can make and run such code.
bool can_run(InstructionSet set);
/// Whether there is any machine code here.
bool machine_code_is_possible();
/// The best that can be run. Throws NoMachineCode where there is none.
InstructionSet best_instruction_set();
/// States that one register holds.
int register_lanes(InstructionSet set);

class MachineCode {
 public:
  /// lanes: 1 or register_lanes(set).
  MachineCode(const Program& program, InstructionSet set, int lanes = 1);

  int lanes() const { return lanes_; }
  /// Numbers of scratch memory that a run needs, 64-byte aligned for several lanes.
  int scratch() const { return scratch_; }

  /// Counts the bytes of the code, its constants included.
  std::size_t bytes() const { return bytes_; }

  /// Runs on arrays. Outputs must not overlap inputs or scratch.
  void run(const double* const* inputs, double* const* outputs, double* scratch) const {
    entry_(inputs, outputs, scratch);
  }

  /// For callers that keep the code without this class: its start, and what keeps it in memory.
  using Entry = void (*)(const double* const* inputs, double* const* outputs, double* scratch);
  Entry entry() const { return entry_; }
  const std::shared_ptr<const void>& pages() const { return pages_; }

 private:
  std::shared_ptr<const void> pages_;
  Entry entry_ = nullptr;
  std::size_t bytes_ = 0;
  int lanes_ = 1, scratch_ = 0;
};

}  // namespace cardan::program

namespace cardan {
using program::best_instruction_set;
using program::can_run;
using program::InstructionSet;
using program::machine_code_is_possible;
using program::MachineCode;
using program::NoMachineCode;
using program::register_lanes;
}  // namespace cardan
