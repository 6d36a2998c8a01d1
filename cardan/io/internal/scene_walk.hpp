// Goes through the values of a scene along the table of keys.
#pragma once

#include "cardan/io/internal/scene_keys.hpp"

#include <functional>

namespace cardan::io {

/// Where a value stands: in a table of this kind, under this key.
struct PlaceOfKey {
  const KeyTable& table;
  const SceneKey& key;
  const std::string& variant;  // which kind of this table, a joint type for instance; empty where it has no kinds
};

/// Visits what a table has under keys that the table of keys knows, and so on in the tables inside. Messages of values
/// call entries of arrays by their names, where they have some.
void visit_values(const TomlValue& table, const KeyTable& known,
                  const std::function<void(const TomlValue&, const PlaceOfKey&)>& visit);

}  // namespace cardan::io
