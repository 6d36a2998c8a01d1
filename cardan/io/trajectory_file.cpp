#include "cardan/io/trajectory_file.hpp"

#include <fmt/format.h>

#include <iterator>

namespace cardan {

namespace {

std::string as_field(const std::string& name) {
  if (name.find_first_of(",\"") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string header(const Trajectory& trajectory) {
  std::string out;
  const auto add = [&](const std::string& name) { out += (out.empty() ? "" : ",") + as_field(name); };
  for (const std::string& name : trajectory_columns(trajectory.model())) add(name);
  for (const RecordedColumns& record : trajectory.layout())
    for (const std::string& name : record.columns) add(name);
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
}

}  // namespace

std::string trajectory_csv(const Trajectory& trajectory) {
  std::string out = header(trajectory);
  for (std::size_t row = 0; row < trajectory.size(); ++row) {
    for_each_number(trajectory, row, [&](double x) { fmt::format_to(std::back_inserter(out), "{:.17g},", x); });
    out.back() = '\n';
  }
  return out;
}

std::string trajectory_binary(const Trajectory& trajectory) {
  std::string out = "cardan trajectory 1\n" + header(trajectory);
  for (std::size_t row = 0; row < trajectory.size(); ++row)
    for_each_number(trajectory, row, [&](double x) { out.append(reinterpret_cast<const char*>(&x), sizeof x); });
  return out;
}

}  // namespace cardan
