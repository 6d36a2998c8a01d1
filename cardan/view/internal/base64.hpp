// Bytes and numbers as text (RFC 4648), for JSON and for the WebSocket's handshake.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cardan::view {

std::string base64(std::string_view bytes);

/// Decodes what base64 encodes; letters that are none of it are left out.
std::string base64_decoded(std::string_view text);

/// Encodes numbers as little-endian doubles or, with `single`, as floats.
std::string base64(std::span<const double> numbers, bool single);

}  // namespace cardan::view
