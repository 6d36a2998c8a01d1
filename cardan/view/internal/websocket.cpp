#include "cardan/view/internal/websocket.hpp"

#include "cardan/view/internal/base64.hpp"
#include "cardan/view/internal/sha1.hpp"

#include <cstdint>
#include <utility>

namespace cardan::view {

std::string websocket_accept(std::string_view key) {
  return base64(sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
}

std::string websocket_frame(WebSocketKind kind, std::string_view payload) {
  std::string out(1, static_cast<char>(0x80u | static_cast<unsigned>(kind)));
  const std::uint64_t size = payload.size();
  const auto big_endian = [&](int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(size >> shift & 255u);
  };
  if (size < 126) {
    big_endian(1);
  } else if (size <= 0xffff) {
    out += '\x7e';
    big_endian(2);
  } else {
    out += '\x7f';
    big_endian(8);
  }
  return out.append(payload);
}

std::string websocket_close(unsigned code) {
  const char bytes[] = {static_cast<char>(code >> 8 & 255u), static_cast<char>(code & 255u)};
  return websocket_frame(WebSocketKind::close, {bytes, 2});
}

std::optional<WebSocketMessage> WebSocketReader::fail(unsigned code) {
  error_ = code;
  received_.clear();
  message_.clear();
  return std::nullopt;
}

std::optional<WebSocketMessage> WebSocketReader::next() {
  constexpr unsigned kProtocolError = 1002, kTooBig = 1009;
  while (error_ == 0) {
    // the head of a frame: final, kind, masked, length (section 5.2)
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(received_[i]); };
    if (received_.size() < 2) return std::nullopt;
    const bool final = (byte(0) & 0x80u) != 0, masked = (byte(1) & 0x80u) != 0;
    const unsigned kind_number = byte(0) & 0x0fu;
    const bool is_control = kind_number >= 8;
    if ((byte(0) & 0x70u) != 0 || !masked) return fail(kProtocolError);
    if ((kind_number > 2 && kind_number < 8) || kind_number > 10) return fail(kProtocolError);
    std::uint64_t length = byte(1) & 0x7fu;
    if (is_control && (!final || length > 125)) return fail(kProtocolError);
    const std::size_t length_bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (received_.size() < 2 + length_bytes + 4) return std::nullopt;
    if (length_bytes > 0) length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length = length << 8 | byte(2 + i);
    if (length > kLongestMessage || message_.size() + length > kLongestMessage) return fail(kTooBig);
    const std::size_t begin = 2 + length_bytes + 4, end = begin + static_cast<std::size_t>(length);
    if (received_.size() < end) return std::nullopt;

    std::string payload = received_.substr(begin, end - begin);
    for (std::size_t i = 0; i < payload.size(); ++i)
      payload[i] = static_cast<char>(static_cast<unsigned char>(payload[i]) ^ byte(2 + length_bytes + i % 4));
    received_.erase(0, end);
    const auto kind = static_cast<WebSocketKind>(kind_number);
    if (is_control) return WebSocketMessage{kind, std::move(payload)};
    // a message may come in several frames, of which the first has its kind
    if ((kind == WebSocketKind::continuation) != begun_) return fail(kProtocolError);
    if (!begun_) kind_ = kind;
    message_ += payload;
    begun_ = !final;
    if (final) return WebSocketMessage{kind_, std::exchange(message_, {})};
  }
  return std::nullopt;
}

}  // namespace cardan::view
