// TOML for the readers of scene files: values that know where they stand, so that every complaint names the file, the
// line, the column and the key: scene: arm.toml:12:8: body "upper": joint axis: expected 3 numbers, found 2.
#pragma once

#include "cardan/io/internal/text.hpp"
#include "cardan/math/vector.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cardan::io {

struct TomlEntry;

/// A value as the file has it.
struct TomlNode {
  enum class Kind { truth, number, text, list, table, time };
  Kind kind = Kind::table;
  int line = 1, column = 1;        // from 1
  bool truth = false;              //
  bool verbatim = false;           // of a text: it stands in the file as it is, right after one quote
  double number = 0.0;             // may be infinite or none
  std::string text;                //
  std::vector<TomlNode> items;     // of a list
  std::vector<TomlEntry> entries;  // of a table, in the file's order
};

struct TomlEntry {
  std::string key;
  int line = 1, column = 1;
  TomlNode value;
};

/// Throws ModelError, one line, if the text is not TOML or has too many values to be a scene.
TomlNode parse_toml(std::string_view text, const Source& source);

/// A node with its name for messages; both node and source must outlive it. False if there is none.
class TomlValue {
 public:
  TomlValue() = default;
  TomlValue(const TomlNode& node, const Source& source, std::string subject)
      : node_(&node), source_(&source), subject_(std::move(subject)) {}

  explicit operator bool() const { return node_ != nullptr; }
  /// Returns the value, which messages then call by this name.
  TomlValue named(std::string subject) const { return {*node_, *source_, std::move(subject)}; }
  /// "scene: arm.toml:12:8".
  std::string where() const;
  /// What it is, for messages: "a list of 3 entries", "the text "abc"".
  std::string kind() const;

  bool is_number() const { return node_->kind == TomlNode::Kind::number; }
  bool is_text() const { return node_->kind == TomlNode::Kind::text; }
  /// Whether it is a text, or a list with one somewhere inside.
  bool holds_text() const { return holds_text(*node_); }
  bool is_table() const { return node_->kind == TomlNode::Kind::table; }
  bool is_list() const { return node_->kind == TomlNode::Kind::list; }

  /// A number, or a text of the scene's parameters: "2*length", "30 deg".
  double number() const;
  /// A limit: a number that may be infinite.
  double number_or_infinity() const;
  double positive() const;
  bool truth() const;
  const std::string& text() const;
  /// A text that can stand in a message: not empty, not endless, without control characters.
  const std::string& name() const;
  /// One of these words.
  const std::string& one_of(const std::vector<std::string>& words) const;

  std::vector<TomlValue> items() const;
  std::vector<TomlValue> items(std::size_t count, const char* what) const;
  /// A list of so many numbers; where one is meant, it may stand alone.
  std::vector<double> numbers(std::size_t count) const;
  Vec3<double> vec3() const;

  std::vector<std::string> keys() const;
  /// What the table has under the key, or none.
  TomlValue find(std::string_view key) const;
  TomlValue required(std::string_view key) const;
  /// Complains of a key that is not among these.
  void allow(const std::vector<std::string>& keys) const;
  /// The one key of these that the table has: what kind of thing it describes.
  std::string only_key(const std::vector<std::string>& keys, const char* what) const;
  /// Complains of this key of the table.
  [[noreturn]] void fail_key(std::string_view key, const std::string& what) const;

  /// Words a message about it: where, whose, then what there is to say.
  std::string message(const std::string& what) const { return message_at(node_->line, node_->column, what); }
  /// Throws ModelError: where, whose, then what is wrong: "expected ..., found ...".
  [[noreturn]] void fail(const std::string& what) const;
  /// What the scene's texts may use everywhere; null where there is no scene.
  const SceneNames* names() const { return source_->names; }
  /// The file that it stands in, as messages call it.
  const std::string& file() const { return source_->file; }
  /// Complains of a character of a text, counted from 1.
  [[noreturn]] void fail_inside(int character, const std::string& what) const;

 private:
  std::string message_at(int line, int column, const std::string& what) const;
  [[noreturn]] void fail_at(int line, int column, const std::string& what) const;
  static bool holds_text(const TomlNode& node);
  void require_table() const;
  double evaluated() const;

  const TomlNode* node_ = nullptr;
  const Source* source_ = nullptr;
  std::string subject_;
};

}  // namespace cardan::io
