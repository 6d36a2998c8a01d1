#include "cardan/io/internal/scene_walk.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

using Visit = std::function<void(const TomlValue&, const PlaceOfKey&)>;

/// The kind of table that a value is, by its key `type` or by the keys that it has; empty where it has no kinds.
std::string variant_of(const TomlValue& value, const KeyTable& table) {
  if (table.choice == KeyTable::Choice::none) return {};
  const TomlValue type = value.find("type");
  for (const KeyVariant& variant : key_variants(table))
    if (table.choice == KeyTable::Choice::by_key ? static_cast<bool>(value.find(variant.name))
                                                 : type && type.is_text() && type.text() == variant.name)
      return variant.name;
  return {};
}

/// Goes on into the tables that a value of this type holds.
void visit_inside(const TomlValue& value, const ValueType& type, const Visit& visit) {
  using Kind = ValueType::Kind;
  if (type.kind == Kind::table && value.is_table()) visit_values(value, key_table(type.of), visit);
  if (type.kind == Kind::either)
    for (const ValueType& part : type.parts) visit_inside(value, part, visit);
  if (type.kind == Kind::list && type.parts.front().kind == Kind::table && value.is_list())
    for (const TomlValue& item : value.items()) visit_inside(item, type.parts.front(), visit);
  if (type.kind == Kind::map && value.is_table())
    for (const std::string& key : value.keys()) visit_inside(value.find(key), type.parts.front(), visit);
}

}  // namespace

void visit_values(const TomlValue& table, const KeyTable& known, const Visit& visit) {
  const TomlValue name = table.find("name");
  const bool is_entry = known.heading.starts_with("[[") && name && name.is_text();
  const TomlValue value = is_entry ? table.named(fmt::format("{} {}", known.name, in_quotes(name.text()))) : table;
  const std::string variant = variant_of(value, known);
  for (const SceneKey* key : keys_of(known, variant))
    if (const TomlValue found = value.find(key->name)) {
      visit(found, {known, *key, variant});
      visit_inside(found, key->type, visit);
    }
}

}  // namespace cardan::io
