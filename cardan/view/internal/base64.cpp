#include "cardan/view/internal/base64.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace cardan::view {

static_assert(std::endian::native == std::endian::little, "pages hold little-endian numbers");

namespace {
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kLetters[group >> (18 - 6 * k) & 63u] : '=';
  }
  return out;
}

std::string base64_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t value = kLetters.find(c);
    if (value == std::string_view::npos) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 255u);
  }
  return out;
}

std::string base64(std::span<const double> numbers, bool single) {
  if (!single) return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  std::string bytes(numbers.size() * sizeof(float), '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto value = static_cast<float>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(float), &value, sizeof(float));
  }
  return base64(bytes);
}

}  // namespace cardan::view
