#include "cardan/view/internal/sha1.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace cardan::view {

namespace {

/// Mixes one block of 64 bytes into the digest (section 6.1.2).
void mix(const unsigned char* block, std::array<std::uint32_t, 5>& h) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t t = 0; t < 16; ++t)
    for (std::size_t k = 0; k < 4; ++k) w[t] = w[t] << 8 | block[4 * t + k];
  for (std::size_t t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  auto [a, b, c, d, e] = h;
  for (std::size_t t = 0; t < 80; ++t) {
    const std::uint32_t f = t < 20 ? (b & c) | (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
    constexpr std::uint32_t kRound[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    const std::uint32_t next = std::rotl(a, 5) + f + e + kRound[t / 20] + w[t];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const std::uint32_t mixed[] = {a, b, c, d, e};
  for (std::size_t i = 0; i < 5; ++i) h[i] += mixed[i];
}

}  // namespace

std::string sha1(std::string_view message) {
  std::array<std::uint32_t, 5> h{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::string padded(message);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(message.size());
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 255u);
  for (std::size_t i = 0; i < padded.size(); i += 64) mix(reinterpret_cast<const unsigned char*>(padded.data()) + i, h);
  std::string out;
  for (const std::uint32_t word : h)
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(word >> shift & 255u);
  return out;
}

}  // namespace cardan::view
