// Cycles until a result can be read, on x86-64 processors of the last years.
#pragma once

#include "cardan/program/program.hpp"

namespace cardan::program {

inline int latency(Code code) {
  switch (code) {
    case Code::divide: return 13;
    case Code::square_root: return 18;
    case Code::negate:
    case Code::absolute: return 1;
    case Code::select_less: return 6;
    default: return 4;
  }
}

/// Latency of a graph node. Library calls are scheduled first, so they are given latency 0.
inline int latency(Op op) {
  switch (op) {
    case Op::divide: return latency(Code::divide);
    case Op::sqrt: return latency(Code::square_root);
    case Op::negate:
    case Op::abs: return latency(Code::negate);
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::min:
    case Op::max: return latency(Code::add);
    case Op::select_less: return latency(Code::select_less);
    default: return 0;
  }
}

}  // namespace cardan::program
