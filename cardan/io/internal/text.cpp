#include "cardan/io/internal/text.hpp"

#include "cardan/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace cardan::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string printable(std::string_view text) {
  std::string out(text);
  std::replace_if(out.begin(), out.end(), is_control, '?');
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t end = std::min(text.size(), longest);
  if (end < text.size())
    while (end > 0 && continues_character(text[end])) --end;
  return "\"" + printable(text.substr(0, end)) + (end < text.size() ? "...\"" : "\"");
}

std::optional<double> parse_number(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    const auto begin = std::find_if_not(text.begin(), text.end(), is_blank);
    const auto end = std::find_if(begin, text.end(), is_blank);
    if (begin == end) return out;
    out.emplace_back(begin, end);
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  }
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string best = nearest_name(name, candidates);
  return best.empty() ? "" : fmt::format(": did you mean {}?", in_quotes(best));
}

int line_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

std::vector<std::string> folders_in(const char* variable) {
  std::vector<std::string> out;
  const char* const value = std::getenv(variable);
  for (std::string_view list = value == nullptr ? "" : value; !list.empty();) {
    const auto end = std::min(list.find(':'), list.size());
    if (end > 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

std::string read_text_file(const std::string& format, const std::string& path, std::size_t max_bytes) {
  const auto fail = [&](const std::string& what) {
    throw ModelError(fmt::format("{}: {}: {}", format, printable(path), what));
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail("expected a file, found none of this name");
  if (std::filesystem::is_directory(status)) fail("expected a file, found a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(fmt::format("expected a file that can be read, found: {}", std::strerror(errno)));
  // in pieces, because a pipe does not tell its size
  std::string text;
  std::vector<char> piece(std::size_t{1} << 20);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > max_bytes) {
      const std::size_t line_start = text.rfind('\n', max_bytes) + 1;  // npos + 1 is 0
      throw ModelError(
          fmt::format("{}: {}:{}:{}: expected at most {} bytes, found more", format, printable(path),
                      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line_start), '\n'),
                      max_bytes - line_start + 1, max_bytes));
    }
  }
  if (file.bad()) fail("expected a file that can be read, found an input error");
  return text;
}

}  // namespace cardan::io
