#include "cardan/io/internal/scene_text.hpp"

#include "cardan/io/internal/scene_parameters.hpp"

#include <algorithm>

namespace cardan::io {

namespace {

/// A name that messages, and only the texts of this table, know.
std::string own_name(const TomlValue& table, const std::string& word, const std::vector<std::string>& taken) {
  if (const std::string problem = name_problem(word); !problem.empty())
    table.fail(problem + (problem.find("found") == std::string::npos ? ", found " + in_quotes(word) : ""));
  constexpr std::size_t most_names = 1000;
  if (taken.size() >= most_names) table.fail("expected at most 1000 names, found more");
  if (std::find(taken.begin(), taken.end(), word) != taken.end())
    table.fail("expected names that differ, found " + in_quotes(word) + " twice");
  return word;
}

template <class Read>
auto inside(const TomlValue& text, const Read& read) {
  try {
    return read(text.text());
  } catch (const ParseError& error) {
    text.fail_inside(error.column, error.what());
  }
}

}  // namespace

TextScope::TextScope(const TomlValue& table, const std::vector<TomlValue>& coordinates) {
  for (const TomlValue& coordinate : coordinates) names_.push_back(own_name(coordinate, coordinate.text(), names_));
  read_names(table);
}

TextScope TextScope::of_names(const TomlValue& table, std::vector<std::string> coordinates) {
  TextScope scope;
  scope.names_ = std::move(coordinates);
  scope.read_names(table);
  return scope;
}

TextScope TextScope::of_time(const TomlValue& table) { return of_names(table, {"t"}); }

void TextScope::read_names(const TomlValue& table) {
  scene_ = table.names();
  std::vector<std::string> taken = names_;
  if (const TomlValue parameters = table.find("parameters"))
    for (const std::string& key : parameters.keys()) {
      const TomlValue value = parameters.find(key);
      taken.push_back(own_name(value, key, taken));
      parameters_.emplace_back(key, value.number());
    }
  if (const TomlValue let = table.find("let"))
    for (const std::string& key : let.keys()) {
      const TomlValue text = let.find(key);
      taken.push_back(own_name(text, key, taken));
      helpers_.push_back({key, text.text()});
      helper_texts_.push_back(text);
    }
}

Symbols TextScope::symbols(std::span<const Expr> coordinates) const {
  Symbols symbols;
  if (scene_) symbols = scene_->symbols;
  for (const Definition& helper : helpers_) symbols.erase(helper.name);  // the table's own names go before the scene's
  for (std::size_t i = 0; i < names_.size(); ++i) symbols[names_[i]] = coordinates[i];
  for (const auto& [name, value] : parameters_) symbols[name] = Expr(value);
  try {
    define(symbols, helpers_);
  } catch (const DefinitionError& error) {
    helper_texts_[error.definition].fail_inside(error.column, error.what());
  }
  return symbols;
}

std::vector<std::string> names_used(const TomlValue& table, const TomlValue& expression) {
  std::vector<std::string> own, out;
  for (const char* key : {"parameters", "let"})
    if (const TomlValue names = table.find(key))
      for (const std::string& name : names.keys()) own.push_back(name);
  if (table.names())
    for (const auto& [name, value] : table.names()->parameters) own.push_back(name);
  const auto look = [&](const TomlValue& text) {
    if (!text.is_text()) return;
    try {
      for (const std::string& name : names_in(text.text()))
        if (std::find(own.begin(), own.end(), name) == own.end() &&
            std::find(out.begin(), out.end(), name) == out.end())
          out.push_back(name);
    } catch (const ParseError& error) {
      text.fail_inside(error.column, error.what());
    }
  };
  look(expression);
  if (const TomlValue let = table.find("let"))
    for (const std::string& key : let.keys()) look(let.find(key));
  return out;
}

TimeFunction read_time_function(const TomlValue& table, int derivatives,
                                const std::function<std::vector<Expr>(const Symbols&)>& write) {
  const TextScope scope = TextScope::of_time(table);
  try {
    return TimeFunction([&](Expr t) { return write(scope.symbols(std::span(&t, 1))); }, derivatives);
  } catch (const GraphTooLarge& problem) {
    table.fail(problem.what());
  }
}

Expr read_expression(const TomlValue& text, const Symbols& symbols) {
  if (text.is_number()) return Expr(text.number());
  return inside(text, [&](const std::string& source) { return parse_expression(source, symbols); });
}

Vec3<Expr> read_point(const TomlValue& texts, const Symbols& symbols) {
  const std::vector<TomlValue> part = texts.items(3, "expressions");
  return {read_expression(part[0], symbols), read_expression(part[1], symbols), read_expression(part[2], symbols)};
}

MotionProduct read_transform(const TomlValue& text, const Symbols& symbols) {
  return inside(text, [&](const std::string& source) { return parse_transform(source, symbols); });
}

}  // namespace cardan::io
