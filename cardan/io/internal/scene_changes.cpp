#include "cardan/io/internal/scene_changes.hpp"

#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace cardan::io {

namespace {

using Kind = TomlNode::Kind;

TomlNode* entry_of(TomlNode& table, std::string_view key) {
  for (TomlEntry& entry : table.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

/// What a step of a path can be called at this node.
std::vector<std::string> known_steps(const TomlNode& node) {
  std::vector<std::string> out;
  if (node.kind == Kind::table)
    for (const TomlEntry& entry : node.entries) out.push_back(entry.key);
  if (node.kind == Kind::list)
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const auto name = std::find_if(node.items[i].entries.begin(), node.items[i].entries.end(),
                                     [](const TomlEntry& entry) { return entry.key == "name"; });
      out.push_back(name != node.items[i].entries.end() && name->value.kind == Kind::text ? name->value.text
                                                                                          : std::to_string(i));
    }
  return out;
}

/// What a word means at a node: a key, the name of an entry or its index; null if nothing.
TomlNode* step(TomlNode& node, std::string_view word) {
  if (node.kind == Kind::table) return entry_of(node, word);
  if (node.kind != Kind::list) return nullptr;
  for (TomlNode& item : node.items)
    if (item.kind == Kind::table)
      if (const TomlNode* name = entry_of(item, "name"); name && name->kind == Kind::text && name->text == word)
        return &item;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  return error == std::errc() && end == word.data() + word.size() && index < node.items.size() ? &node.items[index]
                                                                                               : nullptr;
}

/// What the table of keys says of the value that a word means inside a value of this type; null where it says nothing.
const ValueType* type_inside(const ValueType* type, std::string_view word) {
  if (type == nullptr) return nullptr;
  switch (type->kind) {
    case ValueType::Kind::table:
      for (const SceneKey* key : keys_of(key_table(type->of)))
        if (key->name == word) return &key->type;
      return nullptr;
    case ValueType::Kind::map:
    case ValueType::Kind::list: return &type->parts.front();
    case ValueType::Kind::either:
      for (const ValueType& part : type->parts)
        if (const ValueType* inside = type_inside(&part, word)) return inside;
      return nullptr;
    default: return nullptr;
  }
}

/// Whether values of this type are tables, of keys or of names of the user's own.
bool is_of_tables(const ValueType* type) {
  return type != nullptr && (type->kind == ValueType::Kind::table || type->kind == ValueType::Kind::map);
}

/// Takes the longest beginning of the path that means something off it, because names may have dots themselves; null if
/// none does.
TomlNode* take_step(TomlNode& node, std::string_view& path) {
  for (std::size_t end = path.size(); end != std::string_view::npos && end > 0; end = path.rfind('.', end - 1))
    if (TomlNode* next = step(node, path.substr(0, end))) {
      path.remove_prefix(std::min(end + 1, path.size()));
      return next;
    }
  return nullptr;
}

class Change {
 public:
  Change(const std::string& text, const Source& source) : text_(text), source_(source) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) fail("expected NAME=VALUE");
    path_ = text.substr(0, equals);
    value_ = read_value(text.substr(equals + 1));
  }

  void apply(TomlNode& root) {
    if (path_.find('.') == std::string::npos) return set_parameter(root);
    const ValueType scene = keys::table(key_tables().front().name);
    follow(root, &scene, path_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ModelError(fmt::format("{}: {}: --set {}: {}", source_.format, source_.file, in_quotes(text_), what));
  }

  TomlNode read_value(const std::string& text) const {
    if (text.empty()) fail("expected NAME=VALUE, found no value");
    try {
      const TomlNode root = parse_toml("value = " + text, {"", ""});
      if (root.entries.size() == 1) return root.entries.front().value;
    } catch (const ModelError&) {  // no TOML: a text without quotes
    }
    TomlNode out;
    out.kind = Kind::text;
    out.text = text;
    return out;
  }

  void put(TomlNode& place) const {
    TomlNode value = value_;
    value.line = place.line;
    value.column = place.column;
    place = std::move(value);
  }

  void set_parameter(TomlNode& root) const {
    TomlNode* parameters = entry_of(root, "parameters");
    if (parameters == nullptr || parameters->kind != Kind::table)
      fail("expected a parameter of this scene or a path such as body.NAME.mass, found a scene without parameters");
    if (TomlNode* place = entry_of(*parameters, path_)) return put(*place);
    fail(fmt::format("expected a parameter of this scene or a path such as body.NAME.mass, found {}{}",
                     in_quotes(path_), did_you_mean(path_, known_steps(*parameters))));
  }

  /// Goes along the path from a node of this type. Tables that the scene could have are made on the way.
  void follow(TomlNode& node, const ValueType* type, std::string_view path) const {
    if (path.empty()) return put(node);
    const std::string_view before = path;
    if (TomlNode* next = take_step(node, path)) {
      const std::string_view taken = before.substr(0, before.size() - path.size() - (path.empty() ? 0 : 1));
      return follow(*next, type_inside(type, taken), path);
    }
    const std::string_view word = path.substr(0, path.find('.'));
    const ValueType* const inside = type_inside(type, word);
    const bool is_map = type != nullptr && type->kind == ValueType::Kind::map;  // whose names may have dots
    if (node.kind == Kind::table && (word == path || (is_map && !is_of_tables(inside))))
      return add(node, std::string(path), value_);
    if (node.kind == Kind::table && is_of_tables(inside)) {
      add(node, std::string(word), {});
      return follow(node, type, path);
    }
    fail(fmt::format("expected a path to a value of this scene, found {} where there is none{}", in_quotes(word),
                     did_you_mean(word, possible_steps(node, type))));
  }

  /// Lists those that are there, and tables that could be made.
  static std::vector<std::string> possible_steps(const TomlNode& node, const ValueType* type) {
    std::vector<std::string> out = known_steps(node);
    if (type != nullptr && type->kind == ValueType::Kind::table)
      for (const SceneKey* key : keys_of(key_table(type->of)))
        if (is_of_tables(&key->type)) out.push_back(key->name);
    return out;
  }

  static void add(TomlNode& table, const std::string& key, TomlNode value) {
    value.line = table.line;
    value.column = table.column;
    table.entries.push_back({key, table.line, table.column, std::move(value)});
  }

  std::string text_, path_;
  const Source& source_;
  TomlNode value_;
};

}  // namespace

void apply_change(TomlNode& root, const std::string& change, const Source& source) {
  Change(change, source).apply(root);
}

const TomlNode& find_value(const TomlNode& root, const std::string& name, const Source& source) {
  auto& any = const_cast<TomlNode&>(root);  // NOLINT: nothing is changed here
  const bool is_path = name.find('.') != std::string::npos;
  TomlNode* node = is_path ? &any : entry_of(any, "parameters");
  TomlNode* last = node;
  std::string_view rest = name;
  while (node && !rest.empty()) {
    last = node;
    node = is_path ? take_step(*node, rest) : entry_of(*node, std::exchange(rest, {}));
  }
  if (node) return *node;
  throw ModelError(fmt::format(
      "{}: {}: expected a parameter of this scene or a path such as body.NAME.mass, found {}{}", source.format,
      source.file, in_quotes(name), last ? did_you_mean(is_path ? rest : name, known_steps(*last)) : std::string()));
}

}  // namespace cardan::io
