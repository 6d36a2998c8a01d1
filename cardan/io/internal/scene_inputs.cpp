#include "cardan/io/internal/scene_inputs.hpp"

#include "cardan/constraints/internal/loop_force.hpp"
#include "cardan/forces/joint_force.hpp"
#include "cardan/forces/line_input.hpp"
#include "cardan/forces/muscle.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

/// The rows of a column over time, with a row more on either side from where on it is held.
PiecewiseCubic course_of(const CsvTable& table, std::size_t time, std::size_t column) {
  std::vector<double> t, u;
  for (const auto& row : table.rows) {
    if (t.empty()) {
      t.push_back(row[time] - 1.0);
      u.push_back(row[column]);
    }
    t.push_back(row[time]);
    u.push_back(row[column]);
  }
  t.push_back(t.back() + 1.0);
  u.push_back(u.back());
  return {t, u, Interpolation::linear};
}

/// Times of the rows, and those in between at which the value passes a limit.
std::vector<double> breaks_of(const CsvTable& table, std::size_t time, std::size_t column, double limit) {
  std::vector<double> out;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    out.push_back(table.rows[i][time]);
    if (i + 1 == table.rows.size()) break;
    const double t = table.rows[i][time], a = table.rows[i][column], b = table.rows[i + 1][column];
    for (const double bound : {-limit, limit})
      if ((a < bound && bound < b) || (b < bound && bound < a))
        out.push_back(t + (bound - a) / (b - a) * (table.rows[i + 1][time] - t));
  }
  return out;
}

void check_course(const CsvTable& table, const std::vector<std::string>& names) {
  const std::string file = "--input: ";
  if (table.find("t") == table.columns.size()) throw ModelError(file + "expected a column t, found none");
  if (table.rows.empty()) throw ModelError(file + "expected rows of numbers, found none");
  for (std::size_t i = 1; i < table.rows.size(); ++i)
    if (const std::size_t t = table.find("t"); !(table.rows[i][t] > table.rows[i - 1][t]))
      throw ModelError(fmt::format("{}row {}: expected times that rise, found {:g} after {:g}", file, i + 1,
                                   table.rows[i][t], table.rows[i - 1][t]));
  for (const std::string& column : table.columns)
    if (column != "t" && std::find(names.begin(), names.end(), column) == names.end())
      throw ModelError(fmt::format("{}expected columns that are inputs of the scene, found {}{}", file,
                                   in_quotes(column), did_you_mean(column, names)));
}

}  // namespace

SceneInputs::SceneInputs(const Model& model, const std::vector<TomlValue>& tables, const CsvTable* course) {
  for (const TomlValue& any : tables) {
    const TomlValue name = any.required("name"), limit = any.find("limit"), value = any.find("default");
    const TomlValue table = any.named("input " + in_quotes(name.name()));
    allow_keys(table, "input");
    if (name.text() == "t" || find(name.text()) >= 0 ||
        (table.names() != nullptr && table.names()->symbols.contains(name.text())))
      name.fail(fmt::format("expected a name that no parameter or other input has, found {}", in_quotes(name.text())));
    Entry entry{table, {.name = name.text()}, {}, {}};
    if (limit) entry.input.limit = limit.positive();
    if (value) entry.input.value = value.number();
    read_target(model, entry);
    entries_.push_back(std::move(entry));
  }
  if (course == nullptr) return;
  check_course(*course, names());
  for (Entry& entry : entries_)
    if (const std::size_t column = course->find(entry.input.name); column < course->columns.size()) {
      entry.course = course_of(*course, course->find("t"), column);
      entry.breaks = breaks_of(*course, course->find("t"), column, entry.input.limit);
    }
}

void SceneInputs::read_target(const Model& model, Entry& entry) const {
  const TomlValue joint = entry.table.find("joint"), force = entry.table.find("force"),
                  coordinate = entry.table.find("coordinate");
  if (coordinate && !joint) coordinate.fail("expected the key \"joint\" beside it, found none");
  if (joint && force) force.fail("expected a joint or a force, found both");
  if (force) {
    entry.force = force.name();
    if (const int other = find_force(entry.force); other >= 0)
      force.fail(fmt::format("expected forces that differ, found {} driven by input {} too", in_quotes(entry.force),
                             in_quotes(entries_[static_cast<std::size_t>(other)].input.name)));
  }
  if (!joint) return;
  const JointOrLoop at = read_joint_or_loop(model, joint);
  entry.joint = joint.text();
  entry.loop = at.loop;
  const double k = coordinate ? coordinate.number() : 0.0;
  if (!(k >= 0.0) || k >= at.velocities || k != std::floor(k))
    coordinate.fail(
        fmt::format("expected a whole number from 0 to {}, found {}", at.velocities - 1, coordinate.kind()));
  entry.velocity = (at.loop != nullptr ? 0 : model.link(at.body).v) + static_cast<int>(k);
}

Inputs SceneInputs::inputs() const {
  Inputs out;
  for (const Entry& entry : entries_) out.push_back(entry.input);
  return out;
}

std::vector<std::string> SceneInputs::names() const {
  std::vector<std::string> out;
  for (const Entry& entry : entries_) out.push_back(entry.input.name);
  return out;
}

int SceneInputs::find(const std::string& name) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].input.name == name) return static_cast<int>(i);
  return -1;
}

int SceneInputs::find_force(const std::string& force) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (!entries_[i].force.empty() && entries_[i].force == force) return static_cast<int>(i);
  return -1;
}

std::vector<double> SceneInputs::breaks() const {
  std::vector<double> out;
  for (const Entry& entry : entries_) out.insert(out.end(), entry.breaks.begin(), entry.breaks.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Expr SceneInputs::value(int input, Expr t, Expr u) const {
  const Entry& entry = entries_[static_cast<std::size_t>(input)];
  const Expr value = entry.course ? (*entry.course)(t) : u;
  const double limit = entry.input.limit;
  return std::isfinite(limit) ? max(min(value, Expr(limit)), Expr(-limit)) : value;
}

SignalFunction SceneInputs::function(int input) const {
  Graph graph;
  const Expr t = graph.input(0), u = graph.input(1);
  const Expr out[] = {value(input, t, u)};
  return {{{.kind = Signal::Kind::time}, {.kind = Signal::Kind::input, .index = input}}, graph, out};
}

void SceneInputs::add_forces(Forces& forces) const {
  std::vector<std::string> lines;
  for (const auto& force : forces)
    if (const auto* line = dynamic_cast<const LineForce*>(force.get())) lines.push_back(line->label());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const int index = static_cast<int>(i);
    if (entry.loop != nullptr)
      forces.push_back(
          std::make_shared<const LoopForce>(*entry.loop, entry.velocity, function(index), entry.input.name));
    else if (!entry.joint.empty())
      forces.push_back(make_force(JointForce{entry.joint, entry.velocity, function(index), entry.input.name}));
    if (entry.force.empty()) continue;
    const LineForce* const line = find_line(forces, entry.force);
    if (line == nullptr)
      entry.table.find("force").fail(fmt::format("expected a spring, cable or muscle of this scene, found {}{}",
                                                 in_quotes(entry.force), did_you_mean(entry.force, lines)));
    if (dynamic_cast<const Muscle*>(line) != nullptr) continue;  // which it excites
    if (find_line(forces, entry.input.name) != nullptr)
      entry.table.find("name").fail("expected a name that no spring, cable or muscle has, found " +
                                    in_quotes(entry.input.name));
    forces.push_back(std::make_shared<const LineInput>(entry.input.name, line->path(), function(index)));
  }
}

}  // namespace cardan::io
