// The client's side of HTTP and WebSocket, written apart from the server's.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace cardan::view_test {

/// A frame as clients must send it, masked.
inline std::string masked_frame(unsigned kind, const std::string& payload, bool final = true) {
  std::string out(1, static_cast<char>((final ? 0x80u : 0u) | kind));
  const std::uint64_t size = payload.size();
  if (size < 126) {
    out += static_cast<char>(0x80u | size);
  } else if (size < 65536) {
    out += static_cast<char>(0xfe);
    out += static_cast<char>(size / 256);
    out += static_cast<char>(size % 256);
  } else {
    out += static_cast<char>(0xff);
    for (int i = 7; i >= 0; --i) out += static_cast<char>(size >> (8 * i) & 255u);
  }
  const unsigned char mask[4] = {0x12, 0xab, 0x55, 0xf0};
  for (const unsigned char byte : mask) out += static_cast<char>(byte);
  for (std::size_t i = 0; i < payload.size(); ++i)
    out += static_cast<char>(static_cast<unsigned char>(payload[i]) ^ mask[i % 4]);
  return out;
}

class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  void send(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n <= 0) return;  // the server may close before it has read all
      at += static_cast<std::size_t>(n);
    }
  }
  /// False when the server has closed, or after `milliseconds` without anything.
  bool receive(int milliseconds = 3000) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) return false;
    char bytes[1 << 16];
    const ssize_t n = ::recv(socket_, bytes, sizeof bytes, 0);
    if (n <= 0) {
      closed_ = true;
      return false;
    }
    received.append(bytes, static_cast<std::size_t>(n));
    return true;
  }
  /// Whether the server has ended the connection.
  bool closed() const { return closed_; }
  /// All that comes until the server closes.
  std::string rest() {
    while (receive()) continue;
    return received;
  }
  /// The next frame of the server: kind and payload.
  std::optional<std::pair<unsigned, std::string>> frame(int milliseconds = 3000) {
    for (;;) {
      if (received.size() >= 2) {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(received[i]); };
        std::size_t size = byte(1), head = 2;
        if (size == 126) {
          size = received.size() < 4 ? received.size() : std::size_t{byte(2)} * 256 + byte(3);
          head = 4;
        } else if (size == 127) {
          size = 0;
          head = 10;
          for (std::size_t i = 2; i < 10 && received.size() >= 10; ++i) size = size * 256 + byte(i);
        }
        if (received.size() >= head + size && received.size() >= head) {
          std::pair<unsigned, std::string> out{byte(0) & 15u, received.substr(head, size)};
          received.erase(0, head + size);
          return out;
        }
      }
      if (!receive(milliseconds)) return std::nullopt;
    }
  }

  std::string received;

 private:
  int socket_;
  bool connected_ = false, closed_ = false;
};

}  // namespace cardan::view_test
