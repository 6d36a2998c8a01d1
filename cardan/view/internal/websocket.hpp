// WebSocket messages (RFC 6455) as a server sends and receives them: no extensions, bounded sizes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cardan::view {

/// A message longer than this ends the connection.
constexpr std::size_t kLongestMessage = 1'000'000;

/// Computes Sec-WebSocket-Accept from the client's key (section 4.2.2).
std::string websocket_accept(std::string_view key);

enum class WebSocketKind : unsigned char { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

/// Encodes a message as one frame.
std::string websocket_frame(WebSocketKind kind, std::string_view payload);
/// Encodes the frame that ends a connection, with the reason's number (section 7.4.1).
std::string websocket_close(unsigned code);

struct WebSocketMessage {
  WebSocketKind kind;  // text, binary, close, ping or pong
  std::string payload;
};

/// Puts bytes together to messages.
class WebSocketReader {
 public:
  void add(std::string_view bytes) { received_.append(bytes); }
  /// Returns the next message, or none until more bytes have come or after an error.
  std::optional<WebSocketMessage> next();
  /// The number to close with if the client has broken the protocol (1002) or a limit (1009); else 0.
  unsigned error() const { return error_; }

 private:
  std::optional<WebSocketMessage> fail(unsigned code);

  std::string received_, message_;
  bool begun_ = false;  // a message of several frames
  WebSocketKind kind_ = WebSocketKind::text;
  unsigned error_ = 0;
};

}  // namespace cardan::view
