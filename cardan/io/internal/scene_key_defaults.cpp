#include "cardan/io/internal/scene_key_defaults.hpp"

#include "cardan/model/model.hpp"

#include <cmath>

namespace cardan::io {

std::optional<TomlNode> default_value(const SceneKey& key) {
  if (key.otherwise.empty() || key.is_required()) return std::nullopt;
  try {
    TomlNode root = parse_toml("value = " + key.otherwise, {"", ""});
    TomlNode& value = root.entries.front().value;
    if (value.kind == TomlNode::Kind::number && !std::isfinite(value.number)) return std::nullopt;
    return std::move(value);
  } catch (const ModelError&) {  // words
    return std::nullopt;
  }
}

}  // namespace cardan::io
