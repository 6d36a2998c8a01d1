// The tables of docs/differentiation.md, made afresh.
#pragma once

#include <string>

namespace cardan::bench {

/// How many operations forward mode, reverse mode and D* take, function and derivatives together, and what is used.
std::string counts_table(bool with_times);

/// What whole joints take: pose, S and c_J as ExpressionJoint runs them.
std::string joints_table(bool with_times);

}  // namespace cardan::bench
