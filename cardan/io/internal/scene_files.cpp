#include "cardan/io/internal/scene_files.hpp"

#include "cardan/io/internal/scene_keys.hpp"

#include <algorithm>
#include <functional>

namespace cardan::io {

namespace {

using OnFile = std::function<void(TomlNode& name)>;

void visit_table(TomlNode& node, const KeyTable& table, const OnFile& on_file);

/// Finds the names of files in a value of this type.
void visit_value(TomlNode& node, const ValueType& type, const OnFile& on_file) {
  switch (type.kind) {
    case ValueType::Kind::file:
      if (node.kind == TomlNode::Kind::text) on_file(node);
      break;
    case ValueType::Kind::table:
      if (node.kind == TomlNode::Kind::table) visit_table(node, key_table(type.of), on_file);
      break;
    case ValueType::Kind::list:
      for (TomlNode& item : node.items) visit_value(item, type.parts.front(), on_file);
      break;
    case ValueType::Kind::either:
      for (const ValueType& part : type.parts) visit_value(node, part, on_file);
      break;
    case ValueType::Kind::map:
      if (node.kind == TomlNode::Kind::table)
        for (TomlEntry& entry : node.entries) visit_value(entry.value, type.parts.front(), on_file);
      break;
    default: break;
  }
}

/// Keys that hold files are the same in every variant, so that all are looked for.
void visit_table(TomlNode& node, const KeyTable& table, const OnFile& on_file) {
  const std::vector<const SceneKey*> keys = keys_of(table);
  for (TomlEntry& entry : node.entries) {
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const auto* known) { return known->name == entry.key; });
    if (key != keys.end()) visit_value(entry.value, (*key)->type, on_file);
  }
}

}  // namespace

void rename_files(TomlNode& root, const std::filesystem::path& from, const std::filesystem::path& to) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::weakly_canonical(from.empty() ? "." : from, error),
                 there = fs::weakly_canonical(to.empty() ? "." : to, error);
  if (here == there) return;
  visit_table(root, key_tables().front(), [&](TomlNode& name) {
    if (fs::path(name.text).is_absolute()) return;
    const fs::path file = fs::weakly_canonical(here / name.text, error), renamed = file.lexically_relative(there);
    name.text = (renamed.empty() ? file : renamed).generic_string();
  });
}

}  // namespace cardan::io
