#include "cardan/io/internal/scene_parameters.hpp"

#include "cardan/io/internal/motion_file.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/symbolic/definitions.hpp"
#include "cardan/symbolic/internal/piecewise_cubic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

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

/// file = "x.mot", column = "knee_angle": a column of a table over its first one; angles of a motion file in radians
/// where `degrees` is true.
void read_file_rows(const TomlValue& table, std::vector<double>& x, std::vector<double>& y) {
  const TomlValue file = table.required("file"), column = table.required("column"), degrees = table.find("degrees");
  const std::string path = (std::filesystem::path(table.file()).parent_path() / file.name()).string();
  CsvTable rows;
  try {
    rows = is_motion_file(path) ? load_motion_file(path).table : load_csv(path);
  } catch (const ModelError& problem) {
    file.fail(problem.what());
  }
  const std::size_t at = rows.find(column.name());
  if (at == rows.columns.size())
    column.fail(fmt::format("expected a column of {}, found {}{}", in_quotes(file.text()), in_quotes(column.text()),
                            did_you_mean(column.text(), rows.columns)));
  const double unit = degrees && degrees.truth() ? std::acos(-1.0) / 180.0 : 1.0;
  for (const std::vector<double>& row : rows.rows) {
    x.push_back(row[0]);
    y.push_back(unit * row[at]);
  }
}

void read_table(const TomlValue& table, const std::string& name, SceneNames& names) {
  require_name(table, name);
  if (names.symbols.contains(name))
    table.fail("expected another name than that of a parameter, found " + in_quotes(name));
  allow_keys(table, "table");
  const bool from_file = static_cast<bool>(table.find("file"));
  for (const char* key : from_file ? std::initializer_list<const char*>{"x", "y"}
                                   : std::initializer_list<const char*>{"column", "degrees"})
    if (table.find(key))
      table.fail_key(key,
                     from_file ? "expected none beside a file, found one" : "expected a file beside it, found none");
  const TomlValue method = table.find("method"), periodic = table.find("periodic");
  const auto& methods = interpolation_names();
  const std::string& word = method ? method.one_of(methods) : methods.back();
  const auto which = static_cast<Interpolation>(std::find(methods.begin(), methods.end(), word) - methods.begin());
  std::vector<double> xs, ys;
  if (from_file) {
    read_file_rows(table, xs, ys);
  } else {
    const TomlValue y = table.required("y");
    xs = read_row(table.required("x"));
    ys = read_row(y);
    if (xs.size() != ys.size()) y.fail(fmt::format("expected {} numbers as in x, found {}", xs.size(), ys.size()));
  }
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
