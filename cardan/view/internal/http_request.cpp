#include "cardan/view/internal/http_request.hpp"

#include <algorithm>

namespace cardan::view {

namespace {

bool is_token_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

bool is_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// "GET /path?query HTTP/1.1".
bool read_request_line(std::string_view line, HttpRequest& request) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return false;
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(line.substr(0, first)) || !target.starts_with('/') || !is_visible(target)) return false;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return false;
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.method = line.substr(0, first);
  request.path = target.substr(0, mark);
  request.query = mark < target.size() ? target.substr(mark + 1) : "";
  return true;
}

/// "Name: value"; a name that comes twice makes the request unclear.
bool read_header(std::string_view line, HttpRequest& request) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return false;
  const std::string_view value = trimmed(line.substr(colon + 1));
  const bool printable =
      std::all_of(value.begin(), value.end(), [](char c) { return c == '\t' || static_cast<unsigned char>(c) >= ' '; });
  return printable && request.headers.emplace(lower(line.substr(0, colon)), value).second;
}

}  // namespace

std::string_view HttpRequest::header(const std::string& lower_name) const {
  const auto found = headers.find(lower_name);
  return found == headers.end() ? std::string_view() : found->second;
}

std::string_view HttpRequest::parameter(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == '=')
      return part.substr(name.size() + 1);
  }
  return {};
}

HttpHead read_head(std::string_view received) {
  HttpHead out;
  const std::size_t end = received.find("\r\n\r\n");
  if (end == std::string_view::npos || end + 4 > kLongestHead) {
    if (received.size() >= kLongestHead) out.kind = HttpHead::Kind::too_long;
    return out;
  }
  out.length = end + 4;
  out.kind = HttpHead::Kind::malformed;
  std::string_view rest = received.substr(0, end + 2);
  for (bool first = true; !rest.empty(); first = false) {
    const std::string_view line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(line.size() + 2);
    if (out.request.headers.size() >= kMostHeaders) {
      out.kind = HttpHead::Kind::too_long;
      return out;
    }
    if (!(first ? read_request_line(line, out.request) : read_header(line, out.request))) return out;
  }
  out.kind = HttpHead::Kind::whole;
  return out;
}

}  // namespace cardan::view
