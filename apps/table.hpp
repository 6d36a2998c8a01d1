// Text in columns as wide as their longest entry.
#pragma once

#include <string>
#include <vector>

namespace cardan::command {

class Table {
 public:
  explicit Table(std::vector<std::string> headings) : rows_{std::move(headings)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::size_t rows() const { return rows_.size(); }
  /// Columns two spaces apart; `indent` spaces before each row.
  std::string text(std::size_t indent) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace cardan::command
