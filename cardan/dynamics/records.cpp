#include "cardan/dynamics/records.hpp"

#include "cardan/program/internal/expression_limits.hpp"
#include "cardan/symbolic/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cardan {

namespace {

struct QuantityText {
  const char *name, *unit;
  std::vector<std::string> endings;
};
const std::vector<QuantityText>& quantities() {
  static const std::vector<QuantityText> all{
      {"position", "m", {"x", "y", "z"}},
      {"orientation", "quaternion", {"qw", "qx", "qy", "qz"}},
      {"pose", "m, quaternion", {"x", "y", "z", "qw", "qx", "qy", "qz"}},
      {"velocity", "m/s", {"x", "y", "z"}},
      {"angular_velocity", "rad/s", {"x", "y", "z"}},
      {"acceleration", "m/s²", {"x", "y", "z"}},
  };
  return all;
}

const std::vector<QuantityText>& force_quantities() {
  static const std::vector<QuantityText> all{
      {"force", "N", {"x", "y", "z"}},
      {"moment", "N m", {"x", "y", "z"}},
      {"wrench", "N m, N", {"mx", "my", "mz", "fx", "fy", "fz"}},
      {"bearing", "N m, N", {"mx", "my", "mz", "fx", "fy", "fz"}},
      {"effort", "N or N m", {}},
      {"power", "W", {}},
      {"work", "J", {}},
  };
  return all;
}

std::vector<std::string> names_of(const std::vector<QuantityText>& all) {
  std::vector<std::string> out;
  for (const QuantityText& quantity : all) out.emplace_back(quantity.name);
  return out;
}

}  // namespace

std::vector<std::string> trajectory_columns(const Model& model) {
  std::vector<std::string> out{"t"};
  for (const char kind : {'q', 'v'})
    for (int body = 1; body <= model.bodies(); ++body) {
      const int n = kind == 'q' ? model.link(body).nq : model.link(body).nv;
      const std::string name = fmt::format("{}.{}", kind, model.joint_name(body));
      if (n == 1) out.push_back(name);
      for (int k = 0; n > 1 && k < n; ++k) out.push_back(fmt::format("{}.{}", name, k));
    }
  out.insert(out.end(), {"energy", "kinetic", "potential"});
  return out;
}

const std::vector<std::string>& frame_quantity_names() {
  static const std::vector<std::string> names = names_of(quantities());
  return names;
}

const std::vector<std::string>& force_quantity_names() {
  static const std::vector<std::string> names = names_of(force_quantities());
  return names;
}

void Records::add(const std::string& name, OfForces record) {
  const QuantityText& text = force_quantities()[static_cast<std::size_t>(record.quantity)];
  std::vector<std::string> columns;
  for (const std::string& ending : text.endings) columns.push_back(name + "." + ending);
  const bool several = record.quantity == ForceQuantity::effort && record.efforts > 1;
  for (int k = 0; several && k < record.efforts; ++k) columns.push_back(fmt::format("{}.{}", name, k));
  if (columns.empty()) columns.push_back(name);
  add_columns({name, text.unit, columns});
  entries_.emplace_back(std::move(record));
}

void Records::add(const std::string& name, int frame, FrameQuantity quantity, const Vec3<double>& at) {
  const QuantityText& text = quantities()[static_cast<std::size_t>(quantity)];
  std::vector<std::string> columns;
  for (const std::string& ending : text.endings) columns.push_back(name + "." + ending);
  add_columns({name, text.unit, columns});
  entries_.emplace_back(OfFrame{frame, at, quantity});
}

const std::vector<std::string>& contact_quantity_names() {
  static const std::vector<std::string> names{"force", "gap", "count"};
  return names;
}

void Records::add(const std::string& name, const std::string& a, const std::string& b, ContactQuantity quantity) {
  if (quantity == ContactQuantity::force)
    add_columns({name, "N", {name + ".x", name + ".y", name + ".z"}});
  else
    add_columns({name, quantity == ContactQuantity::gap ? "m" : "", {name}});
  entries_.emplace_back(OfContact{a, b, quantity});
}

void Records::add(const std::string& name, const std::vector<std::string>& inputs, const SymbolicFunction& function,
                  const std::string& unit) {
  Expression out;
  for (const std::string& input : inputs) {
    out.inputs.push_back(find(input));
    if (out.inputs.back() == columns_.size())
      throw std::invalid_argument(fmt::format("record \"{}\": no column \"{}\"", name, input));
  }
  Graph graph(kMostTextNodes);
  std::vector<Expr> x;
  for (std::size_t i = 0; i < inputs.size(); ++i) x.push_back(graph.input(static_cast<int>(i)));
  const Expr result = function(x);
  const std::span<const Expr> results(&result, 1);
  if (const int operations = count_operations(graph, results).total(); operations > kMostTextOperations)
    throw GraphTooLarge(
        fmt::format("the expression takes {} operations, at most {} are allowed", operations, kMostTextOperations));
  out.interpreter = Interpreter(make_program(graph, results, static_cast<int>(inputs.size())));
  add_columns({name, unit, {name}});
  entries_.emplace_back(std::move(out));
}

void Records::add(const std::string& name, const std::string& expression, const std::string& unit) {
  const std::vector<std::string> inputs = names_in(expression);
  add(
      name, inputs,
      [&](std::span<const Expr> x) {
        Symbols symbols;
        for (std::size_t i = 0; i < inputs.size(); ++i) symbols[inputs[i]] = x[i];
        return parse_expression(expression, symbols);
      },
      unit);
}

void Records::add(const std::string& name, const LineRecord& record) {
  std::vector<std::string> columns;
  for (int k = 0; k < record.velocities; ++k)
    columns.push_back(record.velocities == 1 ? name : fmt::format("{}.{}", name, k));
  add_columns({name, unit_of(record.quantity), columns});
  entries_.emplace_back(record);
}

void Records::add(const std::string& name, SignalFunction value, const std::string& unit) {
  add_columns({name, unit, {name}});
  entries_.emplace_back(OfSignal{std::move(value)});
}

std::size_t Records::find(const std::string& column) const {
  return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
}

void Records::add_columns(RecordedColumns columns) {
  for (const std::string& column : columns.columns)
    if (find(column) != columns_.size())
      throw std::invalid_argument(
          fmt::format("record \"{}\": the column \"{}\" is there already", columns.name, column));
  columns_.insert(columns_.end(), columns.columns.begin(), columns.columns.end());
  layout_.push_back(std::move(columns));
}

}  // namespace cardan
