#include "cardan/io/internal/scene_parameters.hpp"

#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/symbolic/definitions.hpp"
#include "cardan/symbolic/internal/piecewise_cubic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

void require_name(const TomlValue& value, const std::string& word) {
  if (const std::string problem = name_problem(word); !problem.empty())
    value.fail(problem + (problem.find("found") == std::string::npos ? ", found " + in_quotes(word) : ""));
  if (word == "t" || word == "v")
    value.fail(fmt::format("expected another name, found {}, which has a meaning", in_quotes(word)));
}

void read_parameters(const TomlValue& table, SceneNames& names) {
  constexpr std::size_t most = 10'000;
  const std::vector<std::string> keys = table.keys();
  if (keys.size() > most) table.fail(fmt::format("expected at most {} parameters, found {}", most, keys.size()));
  std::vector<Definition> texts;
  std::vector<TomlValue> values;
  for (const std::string& key : keys) {
    const TomlValue value = table.find(key);
    require_name(value, key);
    if (value.is_text()) {
      texts.push_back({key, value.text()});
      values.push_back(value);
    } else {
      names.symbols[key] = Expr(value.number());
    }
  }
  try {
    define(names.symbols, texts);
  } catch (const DefinitionError& error) {
    values[error.definition].fail_inside(error.column, error.what());
  }
  for (const std::string& key : keys) {
    const double value = names.symbols[key].value();
    if (!std::isfinite(value)) table.find(key).fail(fmt::format("expected a finite number, found {}", value));
    names.parameters.emplace_back(key, value);
  }
}

std::vector<double> read_row(const TomlValue& list) {
  constexpr std::size_t most = 100'000;
  const std::vector<TomlValue> items = list.items();
  if (items.size() > most) list.fail(fmt::format("expected at most {} numbers, found {}", most, items.size()));
  std::vector<double> out;
  for (const TomlValue& item : items) out.push_back(item.number());
  return out;
}

void read_table(const TomlValue& table, const std::string& name, SceneNames& names) {
  require_name(table, name);
  if (names.symbols.contains(name))
    table.fail("expected another name than that of a parameter, found " + in_quotes(name));
  allow_keys(table, "table");
  const TomlValue method = table.find("method"), periodic = table.find("periodic"), y = table.required("y");
  const auto& methods = interpolation_names();
  const std::string& word = method ? method.one_of(methods) : methods.back();
  const auto which = static_cast<Interpolation>(std::find(methods.begin(), methods.end(), word) - methods.begin());
  const std::vector<double> xs = read_row(table.required("x")), ys = read_row(y);
  if (xs.size() != ys.size()) y.fail(fmt::format("expected {} numbers as in x, found {}", xs.size(), ys.size()));
  try {
    names.symbols.functions.emplace(name, PiecewiseCubic(xs, ys, which, periodic && periodic.truth()));
  } catch (const std::invalid_argument& problem) {
    table.fail(problem.what());
  }
}

}  // namespace

SceneNames read_names(const TomlNode& root, const Source& source) {
  SceneNames names;
  if (const TomlValue parameters = TomlValue(root, source, "").find("parameters")) read_parameters(parameters, names);
  const Source with_parameters{source.format, source.file, &names};
  if (const TomlValue tables = TomlValue(root, with_parameters, "").find("tables"))
    for (const std::string& name : tables.keys()) read_table(tables.find(name), name, names);
  return names;
}

double value_of(const std::string& text, const SceneNames& names) {
  return parse_expression(text, names.symbols).value();
}

}  // namespace cardan::io
