#include "cardan/view/internal/page_server.hpp"

#include "cardan/view/internal/http_request.hpp"
#include "cardan/view/internal/websocket.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

namespace cardan::view {

namespace {

constexpr std::size_t kMostConnections = 64;
constexpr std::size_t kLargestBody = 1'000'000;
constexpr std::size_t kLargestBacklog = std::size_t{16}
                                        << 20;  // bytes that wait for a slow page before frames are left out
constexpr std::chrono::seconds kPatience{10};   // for a request to arrive, and for an answer to leave
constexpr std::chrono::microseconds kFramePeriod{16'667};

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(fmt::format("view: {}: {}", what, std::strerror(errno)));
}

void set_nonblocking(int socket) { ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK); }

std::string random_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) fail("no random numbers");
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

/// Compares in a time that does not tell how much of the text is right.
bool same(std::string_view given, std::string_view right) {
  if (given.size() != right.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < right.size(); ++i) difference |= static_cast<unsigned>(given[i] ^ right[i]);
  return difference == 0;
}

const char* reason(int status) {
  switch (status) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    case 426: return "Upgrade Required";
    case 431: return "Request Header Fields Too Large";
    default: return "Error";
  }
}

/// Whether a list such as "keep-alive, Upgrade" has the word, in any case.
bool lists(std::string_view header, std::string_view word) {
  while (!header.empty()) {
    std::string_view part = header.substr(0, header.find(','));
    header.remove_prefix(std::min(header.size(), part.size() + 1));
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (std::equal(part.begin(), part.end(), word.begin(), word.end(),
                   [](char a, char b) { return (a | 0x20) == (b | 0x20); }))
      return true;
  }
  return false;
}

/// What a request announces as its body is refused here, before any of it is read.
int body_problem(const HttpRequest& request) {
  if (!request.header("transfer-encoding").empty()) return 413;  // of any length, as far as one can know
  const std::string_view length = request.header("content-length");
  if (length.empty()) return 0;
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
  if (error == std::errc::result_out_of_range) return 413;
  if (error != std::errc{} || end != length.data() + length.size()) return 400;
  return bytes > kLargestBody ? 413 : 0;
}

}  // namespace

struct PageServer::Connection {
  explicit Connection(int of) : socket(of) {}
  ~Connection() { ::close(socket); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket;
  std::string in, out;
  WebSocketReader messages;
  bool is_live = false;  // after the handshake
  bool closing = false;  // when all of `out` has left
  bool dead = false;
  Clock::time_point since = Clock::now();  // when it came, or when its answer was ready
};

PageServer::PageServer(Session& session, int port) : session_(session), token_(random_token()) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) fail("no socket");
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, SOMAXCONN) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const int problem = errno;
    ::close(listener_);
    errno = problem;
    fail(fmt::format("cannot listen on 127.0.0.1:{}", port).c_str());
  }
  port_ = ntohs(address.sin_port);
  set_nonblocking(listener_);
}

PageServer::~PageServer() { ::close(listener_); }

std::string PageServer::address() const { return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_); }

std::string PageServer::policy() const {
  return fmt::format(
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src "
      "blob:; "
      "connect-src ws://127.0.0.1:{}; base-uri 'none'; form-action 'none'",
      port_);
}

void PageServer::run(const std::function<bool()>& go_on) {
  Clock::time_point last = Clock::now();
  while (go_on()) {
    std::vector<pollfd> waiting{{listener_, POLLIN, 0}};
    for (const auto& connection : connections_)
      waiting.push_back(
          {connection->socket, static_cast<short>(connection->out.empty() ? POLLIN : POLLIN | POLLOUT), 0});
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(last + kFramePeriod - Clock::now());
    ::poll(waiting.data(), waiting.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      Connection& connection = *connections_[i];
      if ((waiting[i + 1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_from(connection);
      if (!connection.out.empty()) write_to(connection);
    }
    if ((waiting[0].revents & POLLIN) != 0) accept_all();
    if (const auto now = Clock::now(); now - last >= kFramePeriod) {
      broadcast(session_.advance(std::chrono::duration<double>(now - last).count()));
      last = now;
    }
    std::erase_if(connections_, [](const auto& connection) {
      const bool late = (!connection->is_live || connection->closing) && Clock::now() - connection->since > kPatience;
      return connection->dead || late || (connection->closing && connection->out.empty());
    });
  }
}

void PageServer::accept_all() {
  for (int socket = 0; (socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<Connection>(socket);
    if (connections_.size() >= kMostConnections) {  // the oldest that has not said what it wants makes room
      const auto idle = std::find_if(connections_.begin(), connections_.end(),
                                     [](const auto& other) { return !other->is_live && !other->closing; });
      if (idle == connections_.end()) continue;
      connections_.erase(idle);
    }
    connections_.push_back(std::move(connection));
  }
}

void PageServer::read_from(Connection& connection) {
  char bytes[1 << 16];
  const ssize_t count = ::recv(connection.socket, bytes, sizeof bytes, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    connection.dead = true;
    return;
  }
  if (connection.closing) return;  // its answer is on the way; nothing more is read
  const std::string_view received(bytes, static_cast<std::size_t>(count));
  if (connection.is_live) {
    connection.messages.add(received);
    answer_messages(connection);
  } else {
    connection.in.append(received);
    answer_request(connection);
  }
}

void PageServer::write_to(Connection& connection) {
  const ssize_t count = ::send(connection.socket, connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
  if (count > 0) connection.out.erase(0, static_cast<std::size_t>(count));
  if (count < 0 && errno != EAGAIN && errno != EINTR) connection.dead = true;
}

void PageServer::answer(Connection& connection, int status, const std::string& body, const char* type) {
  connection.out += fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Content-Security-Policy: {}; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\n\r\n",
      status, reason(status), type, body.size(), policy());
  connection.out += body;
  connection.closing = true;
  connection.since = Clock::now();
}

void PageServer::answer_request(Connection& connection) {
  const HttpHead head = read_head(connection.in);
  if (head.kind == HttpHead::Kind::unfinished) return;
  if (head.kind == HttpHead::Kind::too_long) return answer(connection, 431, "the request is too long\n");
  if (head.kind == HttpHead::Kind::malformed) return answer(connection, 400, "not an HTTP request\n");
  const HttpRequest& request = head.request;
  const std::string host = fmt::format("127.0.0.1:{}", port_);
  const std::string_view origin = request.header("origin");
  if (request.header("host") != host) return answer(connection, 403, "another host\n");
  if (request.headers.contains("origin") && origin != "http://" + host)
    return answer(connection, 403, "another origin\n");
  if (!same(request.parameter("token"), token_)) return answer(connection, 403, "the token is missing or wrong\n");
  if (const int problem = body_problem(request)) return answer(connection, problem, "a body is not read here\n");
  if (request.method != "GET") return answer(connection, 405, "expected GET\n");
  if (request.path == "/") return answer(connection, 200, session_.page(policy()), "text/html");
  if (request.path != "/live") return answer(connection, 404, "nothing here\n");

  const std::string_view key = request.header("sec-websocket-key");
  if (!lists(request.header("upgrade"), "websocket") || !lists(request.header("connection"), "upgrade") ||
      request.header("sec-websocket-version") != "13" || key.size() != 24)
    return answer(connection, 426, "expected a WebSocket\n");
  connection.out += fmt::format(
      "HTTP/1.1 101 {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n"
      "Content-Security-Policy: {}\r\n\r\n",
      reason(101), websocket_accept(key), policy());
  connection.is_live = true;
  send(connection, session_.welcome());
  connection.messages.add(std::string_view(connection.in).substr(head.length));
  connection.in.clear();
  answer_messages(connection);
}

void PageServer::answer_messages(Connection& connection) {
  while (const auto message = connection.messages.next()) {
    switch (message->kind) {
      case WebSocketKind::text: broadcast(session_.handle(message->payload)); break;
      case WebSocketKind::ping: connection.out += websocket_frame(WebSocketKind::pong, message->payload); break;
      case WebSocketKind::pong: break;
      case WebSocketKind::close:
        connection.out += websocket_close(1000);
        connection.closing = true;
        connection.since = Clock::now();
        return;
      default:  // pages send only text
        connection.out += websocket_close(1003);
        connection.closing = true;
        connection.since = Clock::now();
        return;
    }
  }
  if (const unsigned error = connection.messages.error(); error != 0) {
    connection.out += websocket_close(error);
    connection.closing = true;
    connection.since = Clock::now();
  }
}

void PageServer::send(Connection& connection, const LiveMessages& messages) {
  for (const LiveMessage& message : messages) {
    if (message.is_frame && connection.out.size() > kLargestBacklog) continue;
    connection.out += websocket_frame(message.is_frame ? WebSocketKind::binary : WebSocketKind::text, message.payload);
  }
  if (connection.out.size() > 4 * kLargestBacklog) connection.dead = true;  // it reads nothing at all
}

void PageServer::broadcast(const LiveMessages& messages) {
  for (const auto& connection : connections_)
    if (connection->is_live && !connection->closing) send(*connection, messages);
}

}  // namespace cardan::view
