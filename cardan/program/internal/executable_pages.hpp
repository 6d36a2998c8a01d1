// Memory for machine code: written first, then made executable and read-only; never both at once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace cardan::program {

/// A copy of the bytes that can be executed; null if the system refuses.
std::shared_ptr<const void> executable_copy(std::span<const std::byte> code);

}  // namespace cardan::program
