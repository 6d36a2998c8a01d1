// Serves one page and its WebSocket on loopback: GET / gives the page, GET /live the messages of the session. Whoever
// asks must know the token, name 127.0.0.1:PORT as host and come from no other origin. One thread; ends with its owner.
#pragma once

#include "cardan/view/internal/live_session.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cardan::view {

class PageServer {
 public:
  /// Listens on 127.0.0.1; port 0 is a free one. Throws std::runtime_error, one line, where it cannot.
  PageServer(Session& session, int port);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  int port() const { return port_; }
  /// "http://127.0.0.1:PORT/?token=TOKEN".
  std::string address() const;
  /// Serves until `go_on` says no; it is asked at least every 20 ms.
  void run(const std::function<bool()>& go_on);

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection;

  void accept_all();
  void read_from(Connection& connection);
  void write_to(Connection& connection);
  void answer_request(Connection& connection);
  void answer_messages(Connection& connection);
  void answer(Connection& connection, int status, const std::string& body = {}, const char* type = "text/plain");
  void send(Connection& connection, const LiveMessages& messages);
  void broadcast(const LiveMessages& messages);
  std::string policy() const;

  Session& session_;
  int listener_ = -1, port_ = 0;
  std::string token_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace cardan::view
