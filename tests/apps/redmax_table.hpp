// A trajectory that the command wrote as CSV, and how far it is from the reference's states.
#pragma once

#include "tests/support/redmax_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace cardan::test {

/// The columns of a CSV file by name, and its rows.
struct Table {
  explicit Table(const std::string& path) {
    std::ifstream in(path);
    std::string line, cell;
    std::getline(in, line);
    std::istringstream header(line);
    for (std::size_t i = 0; std::getline(header, cell, ','); ++i) column[cell] = i;
    while (std::getline(in, line)) {
      std::istringstream cells(line);
      auto& row = rows.emplace_back();
      while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
    }
  }
  double at(std::size_t row, const std::string& name) const { return rows.at(row).at(column.at(name)); }

  std::map<std::string, std::size_t> column;
  std::vector<std::vector<double>> rows;
};

/// The largest difference of a row of the reference to one of the table, relative to its largest number.
inline double difference(const nlohmann::json& scene, const nlohmann::json& expected, const Table& table,
                         std::size_t row, const char* kind) {
  double most = 0.0, size = 1.0;
  for (const auto& joint : scene.at("joints")) {
    const std::size_t n = joint.at("dof_indices").size();
    for (std::size_t k = 0; k < n; ++k) {
      const std::string name =
          std::string(kind) + "." + redmax_body(joint.at("index")) + (n > 1 ? "." + std::to_string(k) : "");
      const double x = expected[joint.at("dof_indices")[k].get<std::size_t>()];
      most = std::max(most, std::abs(table.at(row, name) - x));
      size = std::max(size, std::abs(x));
    }
  }
  return most / size;
}

}  // namespace cardan::test
