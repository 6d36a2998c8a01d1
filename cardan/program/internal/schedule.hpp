// The order of instructions.
#pragma once

#include "cardan/program/program.hpp"

namespace cardan::program {

/// Reorders instructions between calls: among the next few in the given order, the first whose operands have arrived.
/// A small window keeps values close to their readers, so that registers suffice, and still hides latencies.
void schedule(Program& program, int window = 24);

}  // namespace cardan::program
