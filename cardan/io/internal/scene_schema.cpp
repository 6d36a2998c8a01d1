#include "cardan/io/internal/scene_schema.hpp"

#include "cardan/io/internal/scene_key_defaults.hpp"
#include "cardan/io/internal/scene_keys.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

using SchemaJson = nlohmann::ordered_json;
using ValueKind = ValueType::Kind;

constexpr const char* kWord = "^[A-Za-z_][A-Za-z0-9_]*$";
constexpr const char* kColor = "^#[0-9a-fA-F]{6}$";

/// Adds the range of a number; texts pass by it.
void put_bounds(const Bounds& bounds, SchemaJson& out) {
  if (std::isfinite(bounds.least)) out[bounds.is_open ? "exclusiveMinimum" : "minimum"] = bounds.least;
  if (std::isfinite(bounds.most)) out[bounds.is_open ? "exclusiveMaximum" : "maximum"] = bounds.most;
  if (bounds.is_whole) out["multipleOf"] = 1;
}

SchemaJson schema_of(const ValueType& type) {
  SchemaJson out = SchemaJson::object();
  switch (type.kind) {
    case ValueKind::plain: out["type"] = "number"; break;
    case ValueKind::number:
    case ValueKind::expression:
      out["type"] = {"number", "string"};
      if (type.kind == ValueKind::number) out["minLength"] = 1;
      break;
    case ValueKind::truth: out["type"] = "boolean"; break;
    case ValueKind::yes: out["const"] = true; break;
    case ValueKind::text: out["type"] = "string"; break;
    case ValueKind::file:
    case ValueKind::name: out = {{"type", "string"}, {"minLength", 1}}; break;
    case ValueKind::word: out = {{"type", "string"}, {"pattern", kWord}}; break;
    case ValueKind::choice: out["enum"] = type.words; break;
    case ValueKind::color: out = {{"type", "string"}, {"pattern", kColor}}; break;
    case ValueKind::list:
      out = {{"type", "array"}, {"items", schema_of(type.parts.front())}};
      if (type.least > 0) out["minItems"] = type.least;
      if (type.most >= 0) out["maxItems"] = type.most;
      break;
    case ValueKind::map:
      out = {{"type", "object"}, {"additionalProperties", schema_of(type.parts.front())}};
      if (type.keys_are_words) out["propertyNames"] = {{"pattern", kWord}};
      break;
    case ValueKind::table: out["$ref"] = "#/$defs/" + type.of; break;
    case ValueKind::either:
      out["anyOf"] = SchemaJson::array();
      for (const ValueType& part : type.parts) out["anyOf"].push_back(schema_of(part));
      break;
  }
  put_bounds(type.bounds, out);
  return out;
}

SchemaJson to_json(const TomlNode& node) {
  switch (node.kind) {
    case TomlNode::Kind::truth: return node.truth;
    case TomlNode::Kind::text: return node.text;
    case TomlNode::Kind::list: {
      SchemaJson out = SchemaJson::array();
      for (const TomlNode& item : node.items) out.push_back(to_json(item));
      return out;
    }
    default: return node.number;
  }
}

SchemaJson property_of(const SceneKey& key) {
  SchemaJson out = schema_of(key.type);
  std::string description = key.meaning + (key.unit.empty() ? "" : " [" + key.unit + "]");
  if (const auto value = default_value(key))
    out["default"] = to_json(*value);
  else if (!key.otherwise.empty() && !key.is_required())
    description += "; default: " + key.otherwise;
  out["description"] = description;
  return out;
}

SchemaJson present(const std::string& key) { return {{"required", {key}}}; }

/// Finds the word that a key of a table stands for where it is not given; empty if none.
std::string default_word(const KeyTable& table, const std::string& name) {
  for (const SceneKey* key : keys_of(table))
    if (key->name == name)
      if (const auto value = default_value(*key)) return value->text;
  return {};
}

SchemaJson rule_of(const KeyTable& table, const KeyRule& rule) {
  SchemaJson each = SchemaJson::array();
  for (const std::string& key : rule.keys) each.push_back(present(key));
  switch (rule.kind) {
    case KeyRule::Kind::any_of: return {{"anyOf", each}};
    case KeyRule::Kind::one_of: return {{"oneOf", each}};
    case KeyRule::Kind::at_most_one: return {{"not", {{"required", rule.keys}}}};
    case KeyRule::Kind::needs: each.erase(0); return {{"if", present(rule.keys.front())}, {"then", {{"anyOf", each}}}};
    case KeyRule::Kind::needs_word: {
      const std::vector<std::string> words(rule.keys.begin() + 2, rule.keys.end());
      const bool is_default = std::find(words.begin(), words.end(), default_word(table, rule.keys[1])) != words.end();
      SchemaJson is_it = is_default ? SchemaJson::object() : present(rule.keys[1]);
      is_it["properties"][rule.keys[1]]["enum"] = words;
      return {{"if", present(rule.keys.front())}, {"then", is_it}};
    }
  }
  return {};
}

/// Writes what holds in one variant: its own keys in full; those of the table, which are described there, by name.
SchemaJson variant_schema(const KeyTable& table, const KeyVariant& variant) {
  SchemaJson properties = SchemaJson::object(), required = SchemaJson::array();
  const auto is_of_table = [&](const SceneKey* key) {
    return std::any_of(table.keys.begin(), table.keys.end(), [&](const SceneKey& own) { return &own == key; });
  };
  for (const SceneKey* key : keys_of(table, variant.name)) {
    properties[key->name] = is_of_table(key) ? SchemaJson(true) : property_of(*key);
    if (key->is_required() && !is_of_table(key)) required.push_back(key->name);
  }
  SchemaJson out{{"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) out["required"] = required;
  for (const KeyRule& rule : variant.rules) out["allOf"].push_back(rule_of(table, rule));
  return out;
}

/// Adds a condition for each word of `type`.
void put_types(const KeyTable& table, SchemaJson& all_of) {
  for (const KeyVariant& variant : key_variants(table)) {
    const SchemaJson is_it{{"properties", {{"type", {{"const", variant.name}}}}}, {"required", {"type"}}};
    all_of.push_back({{"if", is_it}, {"then", variant_schema(table, variant)}});
  }
}

/// Makes a chain: the first variant whose key is there counts.
SchemaJson chain_of(const KeyTable& table) {
  SchemaJson out{{"anyOf", SchemaJson::array()}};
  for (const KeyVariant& variant : table.variants) out["anyOf"].push_back(present(variant.name));
  for (auto variant = table.variants.rbegin(); variant != table.variants.rend(); ++variant)
    out = {{"if", present(variant->name)}, {"then", variant_schema(table, *variant)}, {"else", out}};
  return out;
}

/// Names the keys of all variants, with what they mean, for editors that complete from here.
void put_names_of_variants(const KeyTable& table, SchemaJson& properties) {
  for (const SceneKey* key : keys_of(table))
    if (!properties.contains(key->name)) properties[key->name] = {{"description", key->meaning}};
}

SchemaJson table_schema(const KeyTable& table) {
  SchemaJson properties = SchemaJson::object(), required = SchemaJson::array(), all_of = SchemaJson::array();
  for (const SceneKey& key : table.keys) {
    properties[key.name] = property_of(key);
    if (key.is_required()) required.push_back(key.name);
  }
  put_names_of_variants(table, properties);
  if (table.choice == KeyTable::Choice::by_type) put_types(table, all_of);
  if (table.choice == KeyTable::Choice::by_key) all_of.push_back(chain_of(table));
  for (const KeyRule& rule : table.rules) all_of.push_back(rule_of(table, rule));
  SchemaJson out{{"type", "object"}, {"description", table.meaning}, {"properties", properties}};
  if (!required.empty()) out["required"] = required;
  out["additionalProperties"] = false;
  if (!all_of.empty()) out["allOf"] = all_of;
  return out;
}

}  // namespace

std::string scene_schema() {
  SchemaJson out{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Scene of Cardan"},
      {"description",
       "A mechanism, what acts on it and how it is simulated. Numbers may be texts of the scene's parameters."}};
  const std::vector<KeyTable>& tables = key_tables();
  const SchemaJson scene = table_schema(tables.front());
  for (const auto& [key, value] : scene.items())
    if (key != "description") out[key] = value;
  for (std::size_t i = 1; i < tables.size(); ++i)
    if (tables[i].name != "joint") out["$defs"][tables[i].name] = table_schema(tables[i]);  // types alone are no table
  return out.dump(2) + "\n";
}

}  // namespace cardan::io
