// Tables of numbers as text: a header with the names of the columns, then rows of numbers, separated by commas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardan {

struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  /// Which column has this name; the number of columns if none.
  std::size_t find(std::string_view column) const;
};

/// Reads a table. Throws ModelError, one line, that names file and line, where it is none.
CsvTable parse_csv(std::string_view text, const std::string& name);
CsvTable load_csv(const std::string& path);

/// Splits a line into its fields; one in quotes may have commas, and a doubled quote stands for one.
std::vector<std::string> csv_fields(std::string_view line);

/// A name as a field of the header: in quotes where it has a comma or a quote.
std::string csv_field(const std::string& name);

}  // namespace cardan
