#include "cardan/io/internal/scene_keys_page.hpp"

#include "cardan/io/internal/scene_key_defaults.hpp"
#include "cardan/io/internal/scene_keys.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

namespace cardan::io {

namespace {

using ValueKind = ValueType::Kind;

constexpr const char* kIntroduction = R"(# Keys of scene files

<!-- Written by `cardan schema --markdown`. -->

Every key of every table of a scene, from the table that the reader itself uses; [scenes.md](scenes.md) introduces them with examples. `cardan schema` writes the same as a JSON Schema, by which editors complete and check scenes
([scenes.md](scenes.md#in-an-editor)).

- A *number* may be a text of the scene's parameters everywhere: `mass = "2*rho"`, or have a unit, which is checked against that of the key: `"30 deg"`, `"-500 mm"`. An *expression* is a number, or a text that may also use what its table speaks of: `t`, coordinates, velocities.
- *one or a list* is one value for all, or a list with one for each velocity of a joint, or for each joint.
- Tables in `[[double brackets]]` may stand several times. Keys that are not listed are mistakes, and so are keys of another type of joint, force or controller.
- "required" keys have no default. A default in words is no value that could be written.
)";

std::string range_of(const Bounds& b) {
  const bool low = std::isfinite(b.least), high = std::isfinite(b.most);
  std::string out;
  if (low && high)
    out = fmt::format("{} to {}", b.least, b.most);
  else if (low)
    out = fmt::format("{} {}", b.is_open ? ">" : ">=", b.least);
  if (b.may_be_infinite) out += out.empty() ? "may be inf" : ", may be inf";
  return out;
}

std::string count_of(const ValueType& list) {
  if (list.least == list.most) return fmt::format("{} ", list.least);
  if (list.most >= 0) return fmt::format("{} to {} ", list.least, list.most);
  return list.least > 0 ? fmt::format("{} or more ", list.least) : "";
}

/// Describes a value in words; `plural` in lists.
std::string words_of(const ValueType& type, bool plural = false) {
  const std::string s = plural ? "s" : "";
  if (!type.called.empty()) return type.called;
  switch (type.kind) {
    case ValueKind::number:
    case ValueKind::plain: return (type.bounds.is_whole ? "whole number" : "number") + s;
    case ValueKind::expression: return "expression" + s;
    case ValueKind::truth: return "true or false";
    case ValueKind::yes: return "true";
    case ValueKind::text: return "text" + s;
    case ValueKind::name: return "name" + s;
    case ValueKind::file: return "file" + s;
    case ValueKind::word: return "word" + s;
    case ValueKind::color: return "\"#rrggbb\"";
    case ValueKind::choice: {
      std::string out;
      for (const std::string& word : type.words) out += (out.empty() ? "`\"" : ", `\"") + word + "\"`";
      return out;
    }
    case ValueKind::list: {
      const ValueType& item = type.parts.front();
      if (item.kind == ValueKind::list) return fmt::format("list of {}({})", count_of(type), words_of(item));
      return (type.least == type.most ? "" : "list of ") + count_of(type) + words_of(item, true);
    }
    case ValueKind::map: return fmt::format("table of names and {}", words_of(type.parts.front(), true));
    case ValueKind::table: return plural ? "tables" : "table";
    case ValueKind::either: {
      const ValueType &a = type.parts.front(), &b = type.parts.back();
      if (b.kind == ValueKind::list && b.parts.front().kind == a.kind) return words_of(a) + ", one or a list";
      return words_of(a) + " or " + words_of(b);
    }
  }
  return {};
}

/// Describes the range of the numbers in a value.
std::string bounds_of(const ValueType& type) {
  if (type.kind == ValueKind::map || type.kind == ValueKind::table || !type.called.empty()) return "";
  if (type.kind == ValueKind::list || type.kind == ValueKind::either) return bounds_of(type.parts.back());
  return range_of(type.bounds);
}

std::string in_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string default_of(const SceneKey& key) {
  if (key.is_required()) return "required";
  return default_value(key) || key.otherwise == "inf" ? "`" + key.otherwise + "`" : key.otherwise;
}

/// Finds the table under which the keys of a value are listed.
const ValueType* table_in(const ValueType& type) {
  if (type.kind == ValueKind::table) return &type;
  for (const ValueType& part : type.parts)
    if (const ValueType* found = table_in(part)) return found;
  return nullptr;
}

/// Makes the anchor of a heading as GitHub does.
std::string anchor(const std::string& heading) {
  std::string out;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (c == ' ') out += '-';
  }
  return out;
}

std::string heading_of(const KeyTable& table) {
  const bool is_code = table.heading.front() == '[' || table.heading.find('=') != std::string::npos;
  return is_code ? "`" + table.heading + "`" : table.heading;
}

std::string row_of(const SceneKey& key) {
  std::string value = words_of(key.type);
  if (const ValueType* inside = table_in(key.type))
    value = fmt::format("[{}](#{})", value, anchor(heading_of(key_table(inside->of))));
  if (const std::string range = bounds_of(key.type); !range.empty()) value += ", " + range;
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, in_cell(value), key.unit, in_cell(default_of(key)),
                     in_cell(key.meaning));
}

constexpr const char* kHeader = "\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";

std::string rows_of(const std::vector<SceneKey>& keys) {
  std::string out = kHeader;
  for (const SceneKey& key : keys) out += row_of(key);
  return out;
}

std::string joined(const std::vector<std::string>& keys, const char* last, std::size_t first = 0) {
  std::string out;
  for (std::size_t i = first; i < keys.size(); ++i)
    out += (i == first ? "" : i + 1 == keys.size() ? fmt::format(" {} ", last) : ", ") + ("`" + keys[i] + "`");
  return out;
}

std::string sentence_of(const KeyRule& rule) {
  switch (rule.kind) {
    case KeyRule::Kind::any_of: return fmt::format("At least one of {} is required. ", joined(rule.keys, "and"));
    case KeyRule::Kind::one_of: return fmt::format("Exactly one of {} is required. ", joined(rule.keys, "and"));
    case KeyRule::Kind::at_most_one: return fmt::format("Not both {}. ", joined(rule.keys, "and"));
    case KeyRule::Kind::needs:
      return fmt::format("`{}` needs {} beside it. ", rule.keys.front(), joined(rule.keys, "or", 1));
    case KeyRule::Kind::needs_word:
      return fmt::format("`{}` goes with `{}` {}. ", rule.keys[0], rule.keys[1], joined(rule.keys, "or", 2));
  }
  return {};
}

std::string sentences_of(const std::vector<KeyRule>& rules) {
  std::string out;
  for (const KeyRule& rule : rules) out += sentence_of(rule);
  if (!out.empty()) out.back() = '\n';
  return out.empty() ? out : "\n" + out;
}

/// Begins a text with a capital and ends it with a stop.
std::string as_sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

/// Lists the types with what they are; those with keys have sections of their own.
std::string types_of(const KeyTable& table) {
  std::string out = "\n| type | meaning |\n|---|---|\n";
  for (const KeyVariant& variant : table.variants) out += fmt::format("| `{}` | {} |\n", variant.name, variant.meaning);
  for (const KeyVariant& variant : table.variants)
    if (!variant.keys.empty())
      out += fmt::format("\n### `type = \"{}\"`\n\n{}\n{}{}", variant.name, as_sentence(variant.meaning),
                         rows_of(variant.keys), sentences_of(variant.rules));
  return out;
}

/// Lists the keys of which one must be there; those that bring further keys have sections of their own.
std::string kinds_of(const KeyTable& table) {
  std::string out = std::string("\nOne of these keys says of which kind it is:\n") + kHeader;
  for (const KeyVariant& variant : table.variants)
    for (SceneKey key : variant.keys) {
      key.otherwise.clear();  // required only where it is this kind
      if (key.name == variant.name) out += row_of(key);
    }
  for (const KeyVariant& variant : table.variants)
    if (variant.keys.size() > 1)
      out += fmt::format("\n### with `{}`\n\n{}\n{}{}", variant.name, as_sentence(variant.meaning),
                         rows_of(variant.keys), sentences_of(variant.rules));
  return out;
}

std::string section_of(const KeyTable& table) {
  std::string out = fmt::format("\n## {}\n\n{}.\n", heading_of(table), table.meaning);
  if (!table.keys.empty() && table.name != "joint") out += rows_of(table.keys);
  out += sentences_of(table.rules);
  if (!table.variants_of.empty())
    out += fmt::format("\nThe keys of its type: [{0}](#{1}).\n", key_table(table.variants_of).heading,
                       anchor(key_table(table.variants_of).heading));
  else if (table.choice == KeyTable::Choice::by_type)
    out += types_of(table);
  else if (table.choice == KeyTable::Choice::by_key)
    out += kinds_of(table);
  return out;
}

}  // namespace

std::string scene_keys_page() {
  std::string out = kIntroduction;
  for (const KeyTable& table : key_tables()) out += section_of(table);
  return out;
}

}  // namespace cardan::io
