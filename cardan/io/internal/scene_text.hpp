// Expressions in scene files: the names they may use, and errors that point into the text.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/joints/internal/parse_transform.hpp"
#include "cardan/program/time_function.hpp"
#include "cardan/symbolic/definitions.hpp"

#include <span>

namespace cardan::io {

/// What the texts of one table may use: coordinates, `parameters` (numbers) and `let` (helpers), and what all texts of
/// the scene may use.
class TextScope {
 public:
  TextScope(const TomlValue& table, const std::vector<TomlValue>& coordinates);
  /// With these coordinates, which need not be words.
  static TextScope of_names(const TomlValue& table, std::vector<std::string> coordinates);
  /// With the time t as the only coordinate.
  static TextScope of_time(const TomlValue& table);

  void add_coordinate(const std::string& name) { names_.push_back(name); }
  int coordinates() const { return static_cast<int>(names_.size()); }
  /// Gives the values of the names for these coordinates.
  Symbols symbols(std::span<const Expr> coordinates) const;

 private:
  TextScope() = default;
  void read_names(const TomlValue& table);

  const SceneNames* scene_ = nullptr;
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, double>> parameters_;
  std::vector<Definition> helpers_;
  std::vector<TomlValue> helper_texts_;
};

/// What an expression of the table, and its helpers, speak of; parameters and helpers themselves left out.
std::vector<std::string> names_used(const TomlValue& table, const TomlValue& expression);

Expr read_expression(const TomlValue& text, const Symbols& symbols);
/// Three texts, or numbers.
Vec3<Expr> read_point(const TomlValue& texts, const Symbols& symbols);
MotionProduct read_transform(const TomlValue& text, const Symbols& symbols);

/// Makes a function of time of what write(symbols) gives; trouble with it is the table's.
TimeFunction read_time_function(const TomlValue& table, int derivatives,
                                const std::function<std::vector<Expr>(const Symbols&)>& write);

}  // namespace cardan::io
