// Walks the tree of a scene along the table of keys: which tables of which kind stand where.
#pragma once

#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/scene_spec.hpp"
#include "tests/support/markdown.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cardan::test {

/// A table in the tree of a scene.
struct FoundTable {
  const io::KeyTable* table;
  std::string variant;
  std::vector<std::size_t> path;  // indices of entries and items, from the root
};

inline io::TomlNode& node_at(io::TomlNode& root, const std::vector<std::size_t>& path) {
  io::TomlNode* node = &root;
  for (const std::size_t i : path)
    node = node->kind == io::TomlNode::Kind::list ? &node->items.at(i) : &node->entries.at(i).value;
  return *node;
}

inline const io::TomlNode* entry_of(const io::TomlNode& table, const std::string& key) {
  for (const io::TomlEntry& entry : table.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

inline std::string variant_of(const io::TomlNode& node, const io::KeyTable& table) {
  if (table.choice == io::KeyTable::Choice::by_type) return entry_of(node, "type")->text;
  if (table.choice == io::KeyTable::Choice::by_key)
    for (const io::KeyVariant& variant : table.variants)
      if (entry_of(node, variant.name) != nullptr) return variant.name;
  return {};
}

inline void find_tables(const io::TomlNode& node, const io::KeyTable& table, const std::vector<std::size_t>& path,
                        std::vector<FoundTable>& out);

/// Goes on into what a value holds.
inline void find_inside(const io::TomlNode& node, const io::ValueType& type, const std::vector<std::size_t>& path,
                        std::vector<FoundTable>& out) {
  using Kind = io::ValueType::Kind;
  const auto below = [&](std::size_t i) {
    std::vector<std::size_t> longer = path;
    longer.push_back(i);
    return longer;
  };
  if (type.kind == Kind::either)
    for (const io::ValueType& part : type.parts) find_inside(node, part, path, out);
  if (type.kind == Kind::table && node.kind == io::TomlNode::Kind::table)
    find_tables(node, io::key_table(type.of), path, out);
  if (type.kind == Kind::list)
    for (std::size_t i = 0; i < node.items.size(); ++i) find_inside(node.items[i], type.parts[0], below(i), out);
  if (type.kind == Kind::map)
    for (std::size_t i = 0; i < node.entries.size(); ++i)
      find_inside(node.entries[i].value, type.parts[0], below(i), out);
}

inline void find_tables(const io::TomlNode& node, const io::KeyTable& table, const std::vector<std::size_t>& path,
                        std::vector<FoundTable>& out) {
  const std::string variant = variant_of(node, table);
  out.push_back({&table, variant, path});
  const auto keys = io::keys_of(table, variant);
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    std::vector<std::size_t> longer = path;
    longer.push_back(i);
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const auto* known) { return known->name == node.entries[i].key; });
    if (key != keys.end()) find_inside(node.entries[i].value, (*key)->type, longer, out);
  }
}

/// A scene and all tables in it.
struct WalkedScene {
  std::string name;
  SceneSpec spec;
  std::vector<FoundTable> tables;
};

inline WalkedScene walked(const std::string& text, const std::string& name) {
  WalkedScene out{name, SceneSpec::parse(text, name), {}};
  find_tables(out.spec.root(), io::key_tables().front(), {}, out.tables);
  return out;
}

/// Scenes of this folder, of the documents and of the examples, short ones first; each table of keys is in one of them.
inline std::vector<WalkedScene> all_scenes() {
  const std::string root = CARDAN_SOURCE_DIR;
  std::vector<WalkedScene> out;
  std::string scene;
  const auto read_folder = [&](const std::string& folder, std::uintmax_t largest) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(root + folder))
      if (entry.path().extension() == ".toml" && entry.file_size() <= largest) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      std::ifstream in(file);
      out.push_back(walked({std::istreambuf_iterator<char>(in), {}}, file.string()));
    }
  };
  constexpr std::uintmax_t kShort = 8000;
  read_folder("/tests/io/scenes", kShort);
  for (const CodeBlock& block : code_blocks("toml")) {
    const bool is_whole = block.text.find("cardan = 1") != std::string::npos;
    if (block.is_fragment() || (!is_whole && block.marker != "continues")) continue;
    if (block.marker.starts_with("file ")) continue;  // tests of documents run it, beside the files that it names
    if (is_whole)
      scene = block.text;
    else
      scene += block.text;
    out.push_back(walked(scene, root + "/examples/" + block.file.stem().string() + ".toml"));
  }
  read_folder("/examples", kShort);
  return out;
}

}  // namespace cardan::test
