// What is known of each joint in hybrid dynamics.
#pragma once

#include <span>

namespace cardan {

enum class Given : unsigned char { force, acceleration };

/// One for each body's joint; entry 0 (the world) unused.
using GivenAtJoints = std::span<const Given>;

}  // namespace cardan
