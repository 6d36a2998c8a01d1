// SHA-1 (FIPS 180-4). Only the WebSocket's handshake wants it; it protects nothing.
#pragma once

#include <string>
#include <string_view>

namespace cardan::view {

/// Computes the 20 bytes of the digest.
std::string sha1(std::string_view message);

}  // namespace cardan::view
