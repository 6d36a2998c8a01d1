#include "cardan/io/internal/toml.hpp"

#include "cardan/io/internal/scene_parameters.hpp"
#include "cardan/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

}  // namespace

std::string TomlValue::where() const {
  return fmt::format("{}: {}:{}:{}", source_->format, source_->file, node_->line, node_->column);
}

std::string TomlValue::kind() const {
  switch (node_->kind) {
    case TomlNode::Kind::truth: return node_->truth ? "true" : "false";
    case TomlNode::Kind::number: return fmt::format("the number {}", node_->number);
    case TomlNode::Kind::text: return "the text " + in_quotes(node_->text);
    case TomlNode::Kind::list:
      return fmt::format("a list of {} {}", node_->items.size(), node_->items.size() == 1 ? "entry" : "entries");
    case TomlNode::Kind::table: return "a table";
    case TomlNode::Kind::time: return "a date or time";
  }
  return "";
}

bool TomlValue::holds_text(const TomlNode& node) {
  return node.kind == TomlNode::Kind::text ||
         std::any_of(node.items.begin(), node.items.end(), [](const TomlNode& item) { return holds_text(item); });
}

std::string TomlValue::message_at(int line, int column, const std::string& what) const {
  return fmt::format("{}: {}:{}:{}: {}{}{}", source_->format, source_->file, line, column, subject_,
                     subject_.empty() ? "" : ": ", what);
}
void TomlValue::fail_at(int line, int column, const std::string& what) const {
  throw ModelError(message_at(line, column, what));
}
void TomlValue::fail(const std::string& what) const { fail_at(node_->line, node_->column, what); }
void TomlValue::fail_inside(int character, const std::string& what) const {
  fail_at(node_->line, node_->column + (node_->verbatim ? character : 0), what);
}
void TomlValue::fail_key(std::string_view key, const std::string& what) const {
  for (const TomlEntry& entry : node_->entries)
    if (entry.key == key) fail_at(entry.line, entry.column, what);
  fail(what);
}

/// The value of a text of the scene's parameters.
double TomlValue::evaluated() const {
  try {
    const double value = value_of(node_->text, *source_->names);
    if (!std::isfinite(value)) fail(fmt::format("expected a finite number, found {} = {}", in_quotes(text()), value));
    return value;
  } catch (const ParseError& problem) {
    fail_inside(problem.column, fmt::format("expected a finite number, found {}: {}", kind(), problem.what()));
  }
}
double TomlValue::number() const {
  if (is_text() && source_->names) return evaluated();
  if (!is_number() || !std::isfinite(node_->number)) fail("expected a finite number, found " + kind());
  return node_->number;
}
double TomlValue::number_or_infinity() const {
  if (is_text() && source_->names) return evaluated();
  if (!is_number() || std::isnan(node_->number)) fail("expected a number, found " + kind());
  return node_->number;
}
double TomlValue::positive() const {
  const double value = number();
  if (!(value > 0.0)) fail(fmt::format("expected a positive number, found {}", value));
  return value;
}
bool TomlValue::truth() const {
  if (node_->kind != TomlNode::Kind::truth) fail("expected true or false, found " + kind());
  return node_->truth;
}
const std::string& TomlValue::text() const {
  if (!is_text()) fail("expected a text, found " + kind());
  return node_->text;
}
const std::string& TomlValue::name() const {
  constexpr std::size_t longest = 1000;
  const std::string& value = text();
  if (value.empty()) fail("expected a name, found an empty text");
  if (value.size() > longest)
    fail(fmt::format("expected a name of at most {} characters, found {}", longest, value.size()));
  if (printable(value) != value) fail("expected a name without control characters, found " + in_quotes(value));
  return value;
}
const std::string& TomlValue::one_of(const std::vector<std::string>& words) const {
  if (!is_text()) fail(fmt::format("expected {}, found {}", listed(words), kind()));
  const std::string& word = text();
  if (std::find(words.begin(), words.end(), word) == words.end())
    fail(fmt::format("expected {}, found {}{}", listed(words), in_quotes(word), did_you_mean(word, words)));
  return word;
}

std::vector<TomlValue> TomlValue::items() const {
  if (!is_list()) fail("expected a list, found " + kind());
  std::vector<TomlValue> out;
  for (std::size_t i = 0; i < node_->items.size(); ++i)
    out.emplace_back(node_->items[i], *source_, fmt::format("{} entry {}", subject_, i));
  return out;
}
std::vector<TomlValue> TomlValue::items(std::size_t count, const char* what) const {
  if (!is_list()) fail(fmt::format("expected a list of {} {}, found {}", count, what, kind()));
  if (node_->items.size() != count) fail(fmt::format("expected {} {}, found {}", count, what, node_->items.size()));
  return items();
}
std::vector<double> TomlValue::numbers(std::size_t count) const {
  if (count == 1 && (is_number() || is_text())) return {number()};
  std::vector<double> out;
  for (const TomlValue& item : items(count, count == 1 ? "number" : "numbers")) out.push_back(item.number());
  return out;
}
Vec3<double> TomlValue::vec3() const {
  const std::vector<double> v = numbers(3);
  return {v[0], v[1], v[2]};
}

void TomlValue::require_table() const {
  if (node_->kind != TomlNode::Kind::table) fail("expected a table, found " + kind());
}
std::vector<std::string> TomlValue::keys() const {
  require_table();
  std::vector<std::string> out;
  for (const TomlEntry& entry : node_->entries) out.push_back(entry.key);
  return out;
}
TomlValue TomlValue::find(std::string_view key) const {
  require_table();
  for (const TomlEntry& entry : node_->entries)
    if (entry.key == key)
      return {entry.value, *source_, fmt::format("{}{}{}", subject_, subject_.empty() ? "" : ": ", printable(key))};
  return {};
}
TomlValue TomlValue::required(std::string_view key) const {
  const TomlValue found = find(key);
  if (!found) fail(fmt::format("expected the key \"{}\", found none", key));
  return found;
}
void TomlValue::allow(const std::vector<std::string>& known) const {
  for (const std::string& key : keys()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string near = did_you_mean(key, known);
    fail_key(key, fmt::format("unknown key {}{}", in_quotes(key),
                              near.empty() ? fmt::format(": expected {}", listed(known)) : near));
  }
}
std::string TomlValue::only_key(const std::vector<std::string>& known, const char* what) const {
  std::string found;
  for (const std::string& key : known) {
    if (!find(key)) continue;
    if (!found.empty())
      fail_key(key, fmt::format("expected one kind of {}, found \"{}\" and \"{}\"", what, found, key));
    found = key;
  }
  if (!found.empty()) return found;
  const std::vector<std::string> all = keys();
  const std::string first = all.empty() ? "" : all.front();
  fail(fmt::format("expected a {}: {}, found {}{}", what, listed(known), all.empty() ? "none" : in_quotes(first),
                   did_you_mean(first, known)));
}

}  // namespace cardan::io
