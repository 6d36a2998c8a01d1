// The server of `cardan view` from outside, over its socket.
#include "cardan/view/internal/page_server.hpp"

#include "tests/view/websocket_client.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

namespace cardan::view_test {
namespace {

/// A server in a thread of its own, until the end of the test.
class PageServer : public testing::Test {
 protected:
  explicit PageServer(const std::string& file = "pendulum.toml")
      : session_(std::string(CARDAN_SOURCE_DIR) + "/examples/" + file, false), server_(session_, 0) {
    thread_ = std::thread([this] { server_.run([this] { return !stop_; }); });
  }
  ~PageServer() override {
    stop_ = true;
    thread_.join();
  }

  int port() const { return server_.port(); }
  std::string token() const { return server_.address().substr(server_.address().find('=') + 1); }
  std::string host() const { return fmt::format("127.0.0.1:{}", port()); }

  std::string answer(const std::string& request) const {
    Client client(port());
    client.send(request);
    return client.rest();
  }
  std::string get(const std::string& path, const std::string& headers) const {
    return answer("GET " + path + " HTTP/1.1\r\n" + headers + "\r\n");
  }
  std::string upgrade(const std::string& more = {}) const {
    return fmt::format(
        "GET /live?token={} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{}\r\n",
        token(), host(), more);
  }
  /// Shakes hands and takes the welcome: scene, state, frame.
  void begin(Client& client) const {
    client.send(upgrade());
    while (client.received.find("\r\n\r\n") == std::string::npos) ASSERT_TRUE(client.receive());
    EXPECT_TRUE(client.received.starts_with("HTTP/1.1 101 "));
    EXPECT_NE(client.received.find("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), std::string::npos);
    client.received.erase(0, client.received.find("\r\n\r\n") + 4);
    for (const unsigned kind : {1u, 1u, 2u}) ASSERT_EQ(client.frame().value().first, kind);
  }

  view::LiveSession session_;
  view::PageServer server_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

int status(const std::string& answer) { return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3)); }

/// Connections that say nothing, more than there is room for, make room for one that asks.
TEST_F(PageServer, SilentConnectionsKeepNobodyOut) {
  std::vector<std::unique_ptr<Client>> silent;
  for (int i = 0; i < 400; ++i) {
    silent.push_back(std::make_unique<Client>(port()));
    if (i % 2 == 0) silent.back()->send("GET / HT");
  }
  EXPECT_EQ(status(get("/?token=" + token(), "Host: " + host() + "\r\n")), 200);
}

TEST_F(PageServer, GivesThePageToWhoKnowsTheToken) {
  const std::string answer = get("/?token=" + token(), "Host: " + host() + "\r\n");
  EXPECT_EQ(status(answer), 200);
  EXPECT_NE(answer.find("\"live\":true"), std::string::npos);
  EXPECT_NE(answer.find("<title>double pendulum</title>"), std::string::npos);
  EXPECT_GE(token().size(), 16u);
}

TEST_F(PageServer, RefusesStrangers) {
  const std::string right = "/?token=" + token(), from = "Host: " + host() + "\r\n";
  const std::vector<std::pair<std::string, int>> refused{
      {get("/", from), 403},
      {get("/?token=", from), 403},
      {get("/?token=" + token() + "0", from), 403},
      {get("/?token=" + std::string(token().size(), 'a'), from), 403},
      {get(right, ""), 403},
      {get(right, "Host: localhost:" + std::to_string(port()) + "\r\n"), 403},
      {get(right, "Host: 127.0.0.1\r\n"), 403},
      {get(right, "Host: evil.example\r\n"), 403},
      {get(right, from + "Origin: http://evil.example\r\n"), 403},
      {get(right, from + "Origin: null\r\n"), 403},
      {get(right, from + "Origin: https://" + host() + "\r\n"), 403},
      {get(right, from + from), 400},
      {get("/secret?token=" + token(), from), 404},
      {get("/live?token=" + token(), from), 426},
      {get("/favicon.ico", from), 403},
      {answer("POST " + right + " HTTP/1.1\r\n" + from + "Content-Length: 2\r\n\r\n{}"), 405},
      {answer("POST " + right + " HTTP/1.1\r\n" + from + "Content-Length: 1000001\r\n\r\n"), 413},
      {answer("POST " + right + " HTTP/1.1\r\n" + from + "Content-Length: 99999999999999999999999\r\n\r\n"), 413},
      {answer("POST " + right + " HTTP/1.1\r\n" + from + "Content-Length: -1\r\n\r\n"), 400},
      {answer("POST " + right + " HTTP/1.1\r\n" + from + "Transfer-Encoding: chunked\r\n\r\nffffff\r\n"), 413},
      {answer("GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\n\r\n"), 431},
      {answer("nonsense\r\n\r\n"), 400},
      {answer(upgrade("Origin: http://evil.example\r\n")), 403}};
  for (std::size_t i = 0; i < refused.size(); ++i) {
    const auto& [text, code] = refused[i];
    EXPECT_EQ(status(text), code) << i << ": " << text.substr(0, 80);
    EXPECT_NE(text.find("\r\nContent-Security-Policy: default-src 'none'"), std::string::npos) << i;
    EXPECT_EQ(text.find("Access-Control-Allow-Origin"), std::string::npos) << i;
  }
  EXPECT_EQ(status(get(right, from + "Origin: http://" + host() + "\r\n")), 200);
}

TEST_F(PageServer, IsNotReachableFromElsewhere) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port()));
  ::inet_pton(AF_INET, "127.0.0.2", &address.sin_addr);  // a server on all addresses would answer here
  EXPECT_NE(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
}

TEST_F(PageServer, StreamsAtLeastThirtyFramesASecond) {
  Client client(port());
  begin(client);
  client.send(masked_frame(1, R"({"do":"play"})"));
  const auto start = std::chrono::steady_clock::now();
  int frames = 0;
  double last = -1.0;
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) {
    const auto got = client.frame();
    ASSERT_TRUE(got);
    if (got->first != 2) continue;
    double t = 0.0;
    std::memcpy(&t, got->second.data(), sizeof t);
    EXPECT_GT(t, last);
    last = t;
    ++frames;
  }
  EXPECT_GE(frames, 60) << "in two seconds";
  RecordProperty("frames_in_two_seconds", frames);
}

TEST_F(PageServer, EndsConnectionsThatBreakTheRules) {
  for (const std::string& bytes : {masked_frame(1, std::string(1'000'001, 'x')), masked_frame(2, "binary"),
                                   std::string("\x81\x02hi"), masked_frame(3, "?"), masked_frame(8, "")}) {
    Client client(port());
    begin(client);
    client.send(bytes);
    const auto closing = client.frame();
    ASSERT_TRUE(closing);
    EXPECT_EQ(closing->first, 8u);
    client.rest();
    EXPECT_TRUE(client.closed());
  }
  Client client(port());
  begin(client);  // others are served as before
}

TEST_F(PageServer, StandsTenThousandMalformedMessages) {
  std::mt19937 random(4);
  auto client = std::make_unique<Client>(port());
  begin(*client);
  int again = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string payload(random() % 40, '\0');
    for (char& c : payload) c = static_cast<char>(random());
    std::string frame = masked_frame(1, payload);
    const bool broken = random() % 50 == 0;
    if (broken) frame[random() % 2] = static_cast<char>(random());
    client->send(frame);
    if (i % 20 == 0 || broken) {
      while (client->receive(broken ? 50 : 0)) client->received.clear();
      if (client->closed()) {
        client = std::make_unique<Client>(port());
        begin(*client);
        ++again;
      } else if (broken) {  // half a frame may be left inside: begin afresh
        client = std::make_unique<Client>(port());
        begin(*client);
      }
    }
  }
  EXPECT_GT(again, 10);
  EXPECT_EQ(status(get("/?token=" + token(), "Host: " + host() + "\r\n")), 200);
}

TEST_F(PageServer, StandsManySilentConnections) {
  std::vector<std::unique_ptr<Client>> silent;
  for (int i = 0; i < 60; ++i) {
    silent.push_back(std::make_unique<Client>(port()));
    silent.back()->send("GET / HT");
  }
  EXPECT_EQ(status(get("/?token=" + token(), "Host: " + host() + "\r\n")), 200);
}

}  // namespace
}  // namespace cardan::view_test
