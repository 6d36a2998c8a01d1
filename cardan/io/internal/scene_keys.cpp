#include "cardan/io/internal/scene_keys.hpp"

#include "cardan/io/internal/scene_key_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace cardan::io {

namespace {

[[noreturn]] void no_such_entry(std::string_view what, std::string_view name) {
  throw std::logic_error(fmt::format("the table of keys has no {} \"{}\"", what, name));
}

/// Puts the key `type` in front of tables whose variants it chooses.
void add_type(KeyTable& table) {
  if (table.choice != KeyTable::Choice::by_type) return;
  SceneKey type{"type", {}, "which kind it is; further keys go with it", "", std::string(kRequired)};
  type.type.kind = ValueType::Kind::choice;
  table.keys.insert(table.keys.begin(), std::move(type));
}

/// Lets `type` take the names of the variants, which another table may hold.
std::vector<KeyTable> complete(std::vector<KeyTable> tables) {
  const auto variants_of = [&](const KeyTable& table) -> const std::vector<KeyVariant>& {
    if (table.variants_of.empty()) return table.variants;
    for (const KeyTable& other : tables)
      if (other.name == table.variants_of) return other.variants;
    no_such_entry("table", table.variants_of);
  };
  for (KeyTable& table : tables) {
    add_type(table);
    if (table.choice != KeyTable::Choice::by_type) continue;
    for (const KeyVariant& variant : variants_of(table)) table.keys.front().type.words.push_back(variant.name);
  }
  return tables;
}

const KeyVariant& variant_of(const KeyTable& table, std::string_view name) {
  for (const KeyVariant& variant : key_variants(table))
    if (variant.name == name) return variant;
  no_such_entry("variant of " + table.name, name);
}

/// Adds keys whose names are not there yet.
void add_keys(const std::vector<SceneKey>& keys, std::vector<const SceneKey*>& out) {
  for (const SceneKey& key : keys)
    if (std::none_of(out.begin(), out.end(), [&](const SceneKey* other) { return other->name == key.name; }))
      out.push_back(&key);
}

/// Gathers the names of keys by table and variant once, so that reading looks them up.
using KeyNames = std::map<std::pair<std::string, std::string>, std::vector<std::string>, std::less<>>;
const KeyNames& key_names() {
  static const KeyNames all = [] {
    KeyNames out;
    const auto add = [&](const KeyTable& table, const std::string& variant) {
      std::vector<std::string>& names = out[{table.name, variant}];
      for (const SceneKey* key : keys_of(table, variant)) names.push_back(key->name);
    };
    for (const KeyTable& table : key_tables()) {
      add(table, "");
      for (const KeyVariant& variant : key_variants(table)) add(table, variant.name);
    }
    return out;
  }();
  return all;
}

/// Complains of a key that other variants have, by their names; returns where none has it.
void refuse_key_of_others(const TomlValue& value, const std::string& key, const KeyTable& table,
                          std::string_view variant) {
  std::vector<std::string> owners;
  for (const KeyVariant& other : key_variants(table))
    if (std::any_of(other.keys.begin(), other.keys.end(), [&](const SceneKey& known) { return known.name == key; }))
      owners.push_back(in_quotes(other.name));
  if (owners.empty()) return;
  const char* const type = table.choice == KeyTable::Choice::by_type ? "type " : "";
  value.fail_key(key, fmt::format("unknown key {}: it goes with {}{}, found {}{}", in_quotes(key), type,
                                  fmt::join(owners, ", "), type, in_quotes(variant)));
}

}  // namespace

const std::vector<KeyTable>& key_tables() {
  static const std::vector<KeyTable> all = [] {
    std::vector<KeyTable> out;
    for (auto* part : {scene_key_tables, body_key_tables, joint_key_tables, constraint_key_tables, force_key_tables,
                       line_key_tables, feedback_key_tables, contact_key_tables, run_key_tables})
      for (KeyTable& table : part()) out.push_back(std::move(table));
    return complete(std::move(out));
  }();
  return all;
}

const KeyTable& key_table(std::string_view name) {
  for (const KeyTable& table : key_tables())
    if (table.name == name) return table;
  no_such_entry("table", name);
}

const std::vector<KeyVariant>& key_variants(const KeyTable& table) {
  return table.variants_of.empty() ? table.variants : key_table(table.variants_of).variants;
}

std::vector<const SceneKey*> keys_of(const KeyTable& table, std::string_view variant) {
  std::vector<const SceneKey*> out;
  if (!table.variants_of.empty()) add_keys(table.keys, out);
  if (variant.empty())
    for (const KeyVariant& any : key_variants(table)) add_keys(any.keys, out);
  else
    add_keys(variant_of(table, variant).keys, out);
  add_keys(table.keys, out);
  return out;
}

const std::vector<KeyRule>& rules_of(std::string_view table, std::string_view variant) {
  return variant_of(key_table(table), variant).rules;
}

const std::vector<std::string>& variant_names(std::string_view table) {
  static const auto all = [] {
    std::map<std::string, std::vector<std::string>, std::less<>> out;
    for (const KeyTable& any : key_tables())
      for (const KeyVariant& variant : key_variants(any)) out[any.name].push_back(variant.name);
    return out;
  }();
  const auto found = all.find(table);
  if (found == all.end()) no_such_entry("table with variants", table);
  return found->second;
}

const std::vector<std::string>& choices(std::string_view table, std::string_view key, std::string_view variant) {
  for (const SceneKey* known : keys_of(key_table(table), variant))
    if (known->name == key) {
      using Kind = ValueType::Kind;
      const bool is_inside = known->type.kind == Kind::either || known->type.kind == Kind::list;
      const ValueType& type = is_inside ? known->type.parts.front() : known->type;
      if (type.kind == ValueType::Kind::choice) return type.words;
    }
  no_such_entry(fmt::format("key with words in {}", table), key);
}

void allow_keys(const TomlValue& value, std::string_view table, std::string_view variant) {
  const auto found = key_names().find(std::pair(std::string(table), std::string(variant)));
  if (found == key_names().end()) no_such_entry("variant of " + std::string(table), variant);
  const std::vector<std::string>& known = found->second;
  for (const std::string& key : value.keys())
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      if (!variant.empty()) refuse_key_of_others(value, key, key_table(table), variant);
      break;
    }
  value.allow(known);
}

}  // namespace cardan::io
