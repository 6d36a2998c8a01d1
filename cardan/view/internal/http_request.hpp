// The head of an HTTP request (RFC 9112), as much of it as a page on loopback needs. What is unclear is refused.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cardan::view {

/// A head longer than this, or with more lines, is refused.
constexpr std::size_t kLongestHead = 16 << 10;
constexpr std::size_t kMostHeaders = 64;

struct HttpRequest {
  std::string method, path, query;
  std::map<std::string, std::string> headers;  // by name in lower case

  /// Returns a header, or an empty text.
  std::string_view header(const std::string& lower_name) const;
  /// Returns a parameter of the query as it stands there, or an empty text.
  std::string_view parameter(std::string_view name) const;
};

/// What has arrived so far of a request.
struct HttpHead {
  enum class Kind { unfinished, whole, malformed, too_long };
  Kind kind = Kind::unfinished;
  std::size_t length = 0;  // of a whole head, the empty line included
  HttpRequest request;
};
HttpHead read_head(std::string_view received);

}  // namespace cardan::view
