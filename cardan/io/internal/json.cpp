#include "cardan/io/internal/json.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace cardan::io {

namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// The word around a byte of the text.
std::string_view word_at(std::string_view text, std::size_t byte) {
  std::size_t begin = std::min(byte, text.size()), end = begin;
  while (begin > 0 && in_word(text[begin - 1])) --begin;
  while (end < text.size() && in_word(text[end])) ++end;
  return text.substr(begin, end - begin);
}

/// The library's message without its own numbering and place.
std::string plain(std::string message) {
  for (const std::string_view end : {"] ", "parse error", ": "})
    if (const auto at = message.find(end); at != std::string::npos) message.erase(0, at + end.size());
  constexpr std::size_t longest = 160;
  if (message.size() > longest) message = message.substr(0, longest) + "...";
  return printable(message);
}

}  // namespace

Json parse_json(std::string_view text, const std::string& format, const std::string& name) {
  const auto fail = [&](std::size_t byte, const std::string& what) {
    throw ModelError(fmt::format("{}: {}:{}: {}", format, printable(name), line_of(text, byte), what));
  };
  if (words(text).empty()) fail(0, "expected JSON, found an empty file");
  try {
    std::vector<std::set<std::string>> keys;  // of the objects around the present place
    const auto once = [&](int, Json::parse_event_t event, Json& parsed) {
      if (event == Json::parse_event_t::object_start) keys.emplace_back();
      if (event == Json::parse_event_t::object_end) keys.pop_back();
      if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
        const std::string quoted = parsed.dump(-1, ' ', false, Json::error_handler_t::replace);
        const std::size_t second = text.find(quoted, text.find(quoted) + 1);
        fail(second == std::string_view::npos ? 0 : second,
             fmt::format("expected every key once, found {} twice", in_quotes(parsed.get<std::string>())));
      }
      return true;
    };
    return Json::parse(text.begin(), text.end(), once);
  } catch (const Json::parse_error& error) {
    const std::size_t byte = error.byte > 0 ? error.byte - 1 : 0;
    const std::string_view word = word_at(text, byte);
    // other programs write these although JSON has no such numbers
    for (const std::string_view none : {"NaN", "nan", "Infinity", "inf", "Inf"})
      if (word == none) fail(byte, fmt::format("expected a finite number, found {}", none));
    fail(byte, "expected valid JSON, found: " + plain(error.what()));
  } catch (const Json::out_of_range& error) {  // a number beyond double; the message quotes it
    const std::string message = error.what();
    const auto first = message.find('\''), last = message.rfind('\'');
    const std::string number = first < last ? message.substr(first + 1, last - first - 1) : "";
    const auto byte = text.find(number);
    fail(number.empty() || byte == std::string_view::npos ? 0 : byte,
         fmt::format("expected a finite number, found {}", in_quotes(number)));
  } catch (const Json::exception& error) {
    fail(0, "expected valid JSON, found: " + plain(error.what()));
  }
  return {};
}

std::string kind(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "an object";
    case Json::value_t::array:
      return fmt::format("a list of {} {}", value.size(), value.size() == 1 ? "entry" : "entries");
    case Json::value_t::string: return "the text " + in_quotes(value.get_ref<const std::string&>());
    case Json::value_t::boolean: return value.get<bool>() ? "true" : "false";
    default: return "the number " + value.dump();
  }
}

}  // namespace cardan::io
