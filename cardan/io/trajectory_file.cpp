#include "cardan/io/trajectory_file.hpp"

#include "cardan/io/internal/csv.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cardan {

namespace {

std::string header(const Trajectory& trajectory) {
  std::string out;
  const auto add = [&](const std::string& name) { out += (out.empty() ? "" : ",") + csv_field(name); };
  for (const std::string& name : trajectory_columns(trajectory.model())) add(name);
  for (const RecordedColumns& record : trajectory.layout())
    for (const std::string& name : record.columns) add(name);
  for (const std::string& name : trajectory.states()) add(name);
  return out + "\n";
}

template <class Visit>
void for_each_number(const Trajectory& trajectory, std::size_t row, const Visit& visit) {
  visit(trajectory.times()[row]);
  for (const double x : trajectory.q(row)) visit(x);
  for (const double x : trajectory.v(row)) visit(x);
  const Energy& energy = trajectory.energies()[row];
  for (const double x : {energy.total(), energy.kinetic, energy.potential}) visit(x);
  for (const double x : trajectory.recorded(row)) visit(x);
  if (!trajectory.states().empty())
    for (const double x : trajectory.z(row)) visit(x);
}

}  // namespace

std::string trajectory_head(const Trajectory& trajectory, TrajectoryFormat format) {
  return (format == TrajectoryFormat::binary ? "cardan trajectory 1\n" : "") + header(trajectory);
}

void append_row(const Trajectory& trajectory, std::size_t row, TrajectoryFormat format, std::string& out) {
  if (format == TrajectoryFormat::binary) {
    for_each_number(trajectory, row, [&](double x) { out.append(reinterpret_cast<const char*>(&x), sizeof x); });
  } else {
    for_each_number(trajectory, row, [&](double x) { fmt::format_to(std::back_inserter(out), "{:.17g},", x); });
    out.back() = '\n';
  }
}

namespace {

std::string whole_file(const Trajectory& trajectory, TrajectoryFormat format) {
  std::string out = trajectory_head(trajectory, format);
  for (std::size_t row = 0; row < trajectory.size(); ++row) append_row(trajectory, row, format, out);
  return out;
}

}  // namespace

std::string trajectory_csv(const Trajectory& trajectory) { return whole_file(trajectory, TrajectoryFormat::csv); }

std::string trajectory_binary(const Trajectory& trajectory) { return whole_file(trajectory, TrajectoryFormat::binary); }

Trajectory load_trajectory(const Model& model, const std::string& path, std::vector<std::string> states) {
  const CsvTable table = load_csv(path);
  const std::vector<std::string> columns = trajectory_columns(model);
  const auto fail = [&](const std::string& what) {
    throw ModelError(fmt::format("csv: {}: {}", io::printable(path), what));
  };
  std::vector<std::size_t> where;
  for (const std::string& column : columns) {
    where.push_back(table.find(column));
    if (where.back() == table.columns.size())
      fail(fmt::format("expected the column {} of model {}, found none{}", io::in_quotes(column),
                       io::in_quotes(model.name()), io::did_you_mean(column, table.columns)));
  }
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::erase_if(states, [&](const std::string& state) { return !has(table.columns, state); });
  std::vector<std::size_t> of_forces;
  for (const std::string& column : states) of_forces.push_back(table.find(column));
  std::vector<RecordedColumns> records;
  std::vector<std::size_t> others;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (!has(columns, table.columns[c]) && !has(states, table.columns[c])) {
      records.push_back({table.columns[c], "", {table.columns[c]}});
      others.push_back(c);
    }
  Trajectory out(model, std::move(records), states);
  State state(model);
  state.z.resize(of_forces.size());
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  std::vector<double> recorded(others.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto at = [&](std::size_t column) { return table.rows[row][where[column]]; };
    for (std::size_t i = 0; i < nq; ++i) state.q[i] = at(1 + i);
    for (std::size_t i = 0; i < nv; ++i) state.v[i] = at(1 + nq + i);
    for (std::size_t i = 0; i < of_forces.size(); ++i) state.z[i] = table.rows[row][of_forces[i]];
    for (std::size_t i = 0; i < others.size(); ++i) recorded[i] = table.rows[row][others[i]];
    if (row > 0 && !(at(0) > out.times().back())) fail(fmt::format("line {}: expected a time that rises", row + 2));
    out.add(at(0), state, {at(nq + nv + 2), at(nq + nv + 3)}, recorded);
  }
  if (out.size() == 0) fail("expected rows of numbers, found none");
  return out;
}

}  // namespace cardan
