#include "cardan/io/internal/motion_file.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

/// Splits a text into lines, without their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string without_spaces(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (c != ' ' && c != '\t') out += c;
  return out;
}

/// The coordinates of a model that are plain numbers, by their own names, else by that of the joint.
struct NamedCoordinate {
  std::string name;
  int q, v;
  bool is_angle;
};

std::vector<NamedCoordinate> plain_coordinates(const Model& model, const std::vector<double>& q) {
  std::vector<NamedCoordinate> out;
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics<double>(model, w, q, k);
  for (int body = 1; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    if (!model.joint(body).is_flat()) continue;
    const std::vector<std::string> names = model.coordinate_names(body, false);
    for (int i = 0; i < link.nv; ++i) {
      const bool turns = norm(k.S[static_cast<std::size_t>(link.v + i)].angular) > 1e-12;
      if (const std::string& name = names[static_cast<std::size_t>(i)]; !name.empty())
        out.push_back({name, link.q + i, link.v + i, turns});
      if (link.nv == 1) out.push_back({model.joint_name(body), link.q, link.v, turns});
    }
  }
  return out;
}

}  // namespace

bool is_motion_file(const std::string& path) { return path.ends_with(".mot") || path.ends_with(".sto"); }

MotionFile parse_motion_file(std::string_view text, const std::string& name) {
  const auto fail = [&](std::size_t line, const std::string& what) {
    throw ModelError(fmt::format("motion: {}:{}: {}", io::printable(name), line + 1, what));
  };
  const std::vector<std::string_view> lines = lines_of(text);
  MotionFile out;
  std::size_t i = 0;
  for (; i < lines.size() && without_spaces(lines[i]) != "endheader"; ++i)
    if (without_spaces(lines[i]) == "inDegrees=yes") out.in_degrees = true;
  if (i == lines.size()) fail(0, "expected a header that ends with \"endheader\", found none");
  for (++i; i < lines.size() && io::words(lines[i]).empty();) ++i;
  if (i == lines.size()) fail(i, "expected a line with the names of the columns, found the end of the file");
  for (const std::string_view word : io::words(lines[i])) out.table.columns.emplace_back(word);
  if (out.table.columns[0] != "time")
    fail(i, "expected \"time\" as the first column, found " + io::in_quotes(out.table.columns[0]));
  for (++i; i < lines.size(); ++i) {
    const std::vector<std::string_view> row = io::words(lines[i]);
    if (row.empty()) continue;
    if (row.size() != out.table.columns.size())
      fail(i, fmt::format("expected {} numbers as there are columns, found {}", out.table.columns.size(), row.size()));
    std::vector<double>& numbers = out.table.rows.emplace_back();
    for (const std::string_view word : row) {
      const auto number = io::parse_number(word);
      if (!number) fail(i, "expected a finite number, found " + io::in_quotes(word));
      numbers.push_back(*number);
    }
    const std::size_t n = out.table.rows.size();
    if (n > 1 && !(numbers[0] > out.table.rows[n - 2][0])) fail(i, "expected a time that rises, found another");
  }
  if (out.table.rows.empty()) fail(lines.size() - 1, "expected rows of numbers, found none");
  return out;
}

MotionFile load_motion_file(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  return parse_motion_file(io::read_text_file("motion", path, kLargest), path);
}

std::size_t find_motion_column(const CsvTable& table, const std::string& coordinate, bool is_rate) {
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    const std::string& column = table.columns[i];
    if (is_rate ? column == coordinate + "_u" || column.ends_with("/" + coordinate + "/speed")
                : column == coordinate || column.ends_with("/" + coordinate) ||
                      column.ends_with("/" + coordinate + "/value"))
      return i;
  }
  return table.columns.size();
}

MotionState motion_state(const Model& model, const std::string& path, const double* t, const std::vector<double>& q,
                         const std::vector<double>& v) {
  const MotionFile file = load_motion_file(path);
  const auto& rows = file.table.rows;
  MotionState out{t != nullptr ? *t : rows.back()[0], q, v};
  const auto fail = [&](const std::string& what) {
    throw ModelError(fmt::format("motion: {}: {}", io::printable(path), what));
  };
  if (out.t < rows.front()[0] || out.t > rows.back()[0])
    fail(fmt::format("expected a time from {:g} to {:g} s, found {:g}", rows.front()[0], rows.back()[0], out.t));
  std::size_t before = 0;
  while (before + 2 < rows.size() && rows[before + 1][0] <= out.t) ++before;
  const std::vector<double>&a = rows[before], &b = rows[std::min(before + 1, rows.size() - 1)];
  const double width = b[0] - a[0], part = width > 0.0 ? (out.t - a[0]) / width : 0.0;
  bool has_any = false;
  for (const NamedCoordinate& c : plain_coordinates(model, q)) {
    const std::size_t at = find_motion_column(file.table, c.name, false),
                      rate = find_motion_column(file.table, c.name, true), none = file.table.columns.size();
    if (at == none) continue;
    const double unit = file.in_degrees && c.is_angle ? std::acos(-1.0) / 180.0 : 1.0;
    out.q[static_cast<std::size_t>(c.q)] = unit * (a[at] + part * (b[at] - a[at]));
    out.v[static_cast<std::size_t>(c.v)] = unit * (rate != none  ? a[rate] + part * (b[rate] - a[rate])
                                                   : width > 0.0 ? (b[at] - a[at]) / width
                                                                 : 0.0);
    has_any = true;
  }
  if (!has_any) fail("expected a column of a coordinate of the model, found none");
  return out;
}

}  // namespace cardan
