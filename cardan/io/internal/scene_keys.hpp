// The table of keys of scene files: what every table may say, of which type, in which unit and range, with which
// default and meaning. Readers look up here which keys, types and words there are; the JSON Schema and the reference
// page are written from it (scene_schema.hpp, scene_keys_page.hpp).
#pragma once

#include "cardan/io/internal/scene_key_types.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// What stands for a default in a key that must be given.
inline constexpr std::string_view kRequired = "required";

struct SceneKey {
  std::string name;
  ValueType type;
  std::string meaning;         // a sentence without its stop
  std::string unit = "";       // empty: none, or that of what it belongs to
  std::string otherwise = "";  // the default, as TOML or in words; kRequired; empty: nothing
  bool is_required() const { return otherwise == kRequired; }
};

/// What must hold between keys of a table.
struct KeyRule {
  enum class Kind {
    any_of,       // one of them, or several
    one_of,       // exactly one
    at_most_one,  // none or one
    needs,        // the first only beside one of the others
    needs_word    // the first only where the second, or its default, is one of the words that follow
  };
  Kind kind;
  std::vector<std::string> keys;
};

/// What a table may say further where it is of this kind.
struct KeyVariant {
  std::string name;  // the word under `type`, or the key that only this kind has
  std::string meaning;
  std::vector<SceneKey> keys;
  std::vector<KeyRule> rules{};
};

struct KeyTable {
  enum class Choice {
    none,     // all entries are alike
    by_type,  // the key `type` says which variant
    by_key    // the first variant whose key is there
  };
  std::string name;     // as readers call it: "body.joint"
  std::string heading;  // as users see it: "[body.joint]", "a pose"
  std::string meaning;
  std::vector<SceneKey> keys;  // of all variants
  Choice choice = Choice::none;
  std::vector<KeyVariant> variants{};
  std::vector<KeyRule> rules{};
  std::string variants_of = "";  // the table whose variants it has, too; its own keys go before theirs
};

/// Lists all tables; the first is the scene itself.
const std::vector<KeyTable>& key_tables();
/// Finds a table by its name; std::logic_error where there is none.
const KeyTable& key_table(std::string_view name);
/// Lists the variants of a table, its own or those that it shares.
const std::vector<KeyVariant>& key_variants(const KeyTable& table);
/// Lists the keys of a variant with those of the table; of all variants where none is named. Each name stands once.
std::vector<const SceneKey*> keys_of(const KeyTable& table, std::string_view variant = {});

/// Lists the rules of a variant.
const std::vector<KeyRule>& rules_of(std::string_view table, std::string_view variant);

/// Lists the names of the variants: types, or keys of which one must be there.
const std::vector<std::string>& variant_names(std::string_view table);
/// Lists the words that a key takes.
const std::vector<std::string>& choices(std::string_view table, std::string_view key, std::string_view variant = {});
/// Complains of a key of the value that this variant of the table does not have, or none where none is named. A key of
/// other variants is told with their names.
void allow_keys(const TomlValue& value, std::string_view table, std::string_view variant = {});

}  // namespace cardan::io
