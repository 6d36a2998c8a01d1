// Heads of HTTP requests: what is read, what is refused.
#include "cardan/view/internal/http_request.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan::view_test {
namespace {

using Kind = view::HttpHead::Kind;

TEST(HttpRequest, ReadsMethodPathQueryAndHeaders) {
  const std::string text = "GET /live?a=1&token=abc HTTP/1.1\r\nHost: 127.0.0.1:80\r\nX-Odd:  two words \t\r\n\r\nrest";
  const view::HttpHead head = view::read_head(text);
  ASSERT_EQ(head.kind, Kind::whole);
  EXPECT_EQ(text.substr(head.length), "rest");
  EXPECT_EQ(head.request.method, "GET");
  EXPECT_EQ(head.request.path, "/live");
  EXPECT_EQ(head.request.parameter("token"), "abc");
  EXPECT_EQ(head.request.parameter("a"), "1");
  EXPECT_EQ(head.request.parameter("tok"), "");
  EXPECT_EQ(head.request.header("host"), "127.0.0.1:80");
  EXPECT_EQ(head.request.header("x-odd"), "two words");
}

TEST(HttpRequest, WaitsForTheEmptyLine) {
  const std::string text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (std::size_t n = 0; n < text.size(); ++n) EXPECT_EQ(view::read_head(text.substr(0, n)).kind, Kind::unfinished);
}

TEST(HttpRequest, RefusesWhatIsUnclear) {
  for (const char* line :
       {"GET /", "GET  HTTP/1.1", "GET / HTTP/2", "G T / HTTP/1.1", "GET x HTTP/1.1", "", "GET /\x01 HTTP/1.1",
        "GET / HTTP/1.1\r\nno colon", "GET / HTTP/1.1\r\n: empty", "GET / HTTP/1.1\r\nHost : a",
        "GET / HTTP/1.1\r\nA: 1\r\n folded", "GET / HTTP/1.1\r\nHost: a\r\nhost: b"})
    EXPECT_EQ(view::read_head(std::string(line) + "\r\n\r\n").kind, Kind::malformed) << line;
}

TEST(HttpRequest, RefusesWhatIsLong) {
  const std::string line = "GET / HTTP/1.1\r\n";
  EXPECT_EQ(view::read_head("GET /" + std::string(view::kLongestHead, 'x')).kind, Kind::too_long);
  EXPECT_EQ(view::read_head(line + "A: " + std::string(view::kLongestHead, 'x') + "\r\n\r\n").kind, Kind::too_long);
  std::string many = line;
  for (std::size_t i = 0; i <= view::kMostHeaders; ++i) many += "h" + std::to_string(i) + ": 1\r\n";
  EXPECT_EQ(view::read_head(many + "\r\n").kind, Kind::too_long);
}

TEST(HttpRequest, StandsDamagedHeads) {
  const std::string sound = "GET /live?token=abc HTTP/1.1\r\nHost: 127.0.0.1:80\r\nUpgrade: websocket\r\n\r\n";
  std::mt19937 random(1);
  int whole = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string text = sound;
    for (unsigned k = 0; k <= random() % 4; ++k) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 5);
      else
        text[at] = static_cast<char>(random());
      if (text.empty()) text = "x";
    }
    whole += view::read_head(text).kind == Kind::whole;
  }
  EXPECT_GT(whole, 100);  // damage inside of names and values leaves a request
  EXPECT_LT(whole, 9900);
}

}  // namespace
}  // namespace cardan::view_test
