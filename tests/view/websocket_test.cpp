// WebSocket frames, against the examples of RFC 6455 and with damage.
#include "cardan/view/internal/websocket.hpp"

#include "cardan/view/internal/sha1.hpp"
#include "tests/view/websocket_client.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan::view_test {
namespace {

using view::WebSocketKind;
using view::WebSocketReader;

std::string hexadecimal(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

TEST(Sha1, ExamplesOfTheStandard) {
  EXPECT_EQ(hexadecimal(view::sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hexadecimal(view::sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hexadecimal(view::sha1(std::string(1'000'000, 'a'))), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(WebSocket, HandshakeOfTheStandard) {
  EXPECT_EQ(view::websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocket, FramesOfTheStandard) {
  EXPECT_EQ(hexadecimal(view::websocket_frame(WebSocketKind::text, "Hello")), "810548656c6c6f");
  EXPECT_TRUE(view::websocket_frame(WebSocketKind::binary, std::string(256, 'x'))
                  .starts_with(std::string("\x82\x7e\x01\x00", 4)));
  EXPECT_TRUE(view::websocket_frame(WebSocketKind::binary, std::string(65536, 'x'))
                  .starts_with(std::string("\x82\x7f\0\0\0\0\0\1\0\0", 10)));
  WebSocketReader reader;
  reader.add(std::string("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", 11));
  const auto message = reader.next();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->payload, "Hello");
}

TEST(WebSocket, PutsPartsTogetherWithAPingBetween) {
  WebSocketReader reader;
  const std::string all = masked_frame(1, "one ", false) + masked_frame(9, "ping") + masked_frame(0, "two", true);
  std::vector<std::string> got;
  for (const char c : all) {  // byte by byte
    reader.add(std::string_view(&c, 1));
    while (const auto message = reader.next()) got.push_back(message->payload);
  }
  EXPECT_EQ(got, (std::vector<std::string>{"ping", "one two"}));
  EXPECT_EQ(reader.error(), 0u);
}

TEST(WebSocket, RefusesBrokenFrames) {
  const auto error = [](const std::string& bytes) {
    WebSocketReader reader;
    reader.add(bytes);
    while (reader.next()) continue;
    return reader.error();
  };
  EXPECT_EQ(error(view::websocket_frame(WebSocketKind::text, "not masked")), 1002u);
  EXPECT_EQ(error(masked_frame(3, "unknown kind")), 1002u);
  EXPECT_EQ(error(masked_frame(0, "nothing begun")), 1002u);
  EXPECT_EQ(error(masked_frame(9, std::string(126, 'x'))), 1002u);
  EXPECT_EQ(error(masked_frame(1, "a", false) + masked_frame(1, "b")), 1002u);
  EXPECT_EQ(error(masked_frame(1, std::string(view::kLongestMessage + 1, 'x'))), 1009u);
  std::string parts = masked_frame(1, std::string(600'000, 'x'), false);
  EXPECT_EQ(error(parts + masked_frame(0, std::string(600'000, 'x'))), 1009u);
  EXPECT_EQ(error(std::string("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10) + "mask"), 1009u);  // 2^64 - 1 bytes
  EXPECT_EQ(error(masked_frame(1, std::string(view::kLongestMessage, 'x'))), 0u);
}

TEST(WebSocket, StandsDamagedFrames) {
  std::mt19937 random(2);
  int messages = 0, errors = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string bytes = masked_frame(1 + random() % 2, std::string(random() % 300, 'a'), random() % 4 != 0) +
                        masked_frame(random() % 11, "end");
    for (unsigned k = 0; k <= random() % 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    WebSocketReader reader;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t n = 1 + random() % 50;
      reader.add(std::string_view(bytes).substr(at, n));
      at += n;
      while (const auto message = reader.next()) {
        ++messages;
        EXPECT_LE(message->payload.size(), bytes.size());
      }
    }
    errors += reader.error() != 0;
  }
  EXPECT_GT(messages, 1000);
  EXPECT_GT(errors, 1000);
}

}  // namespace
}  // namespace cardan::view_test
