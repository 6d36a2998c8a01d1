// Runs side by side: their columns over time in one plot each, and how far they are apart.
#pragma once

#include "cardan/io/internal/csv.hpp"
#include "cardan/simulate/trajectory.hpp"

#include <string>
#include <vector>

namespace cardan::command {

struct ComparedRun {
  std::string name;
  CsvTable table;
  std::size_t time = 0;  // the column

  /// A run that was made, or one as a file has it. Throws std::runtime_error where it has no times or no rows.
  static ComparedRun of(const std::string& name, const Trajectory& run);
  static ComparedRun of(const std::string& name, CsvTable table, const std::string& file);

  bool has(const std::string& column) const { return table.find(column) < table.columns.size(); }
  std::vector<double> values(const std::string& column) const;
  double first_time() const { return table.rows.front()[time]; }
  double last_time() const { return table.rows.back()[time]; }
  /// Linear between rows; NaN outside.
  double at(double t, std::size_t column) const;
};

/// Lists the columns that at least two of the runs have.
std::vector<std::string> common_columns(const std::vector<ComparedRun>& runs);

/// Says which runs are compared over a part of their time only; throws where two have no time in common.
std::vector<std::string> common_parts(const std::vector<ComparedRun>& runs);

/// Computes the largest difference of a column of two runs at the times of the first that are among those of the
/// second; NaN where either has none.
double largest_difference(const ComparedRun& a, const ComparedRun& b, const std::string& column);

/// Draws the column of all runs that have it. Runs that blow up may be cut off, so that the others can be seen.
std::string figure_of(const std::vector<ComparedRun>& runs, const std::string& column, bool cut_off);

}  // namespace cardan::command
