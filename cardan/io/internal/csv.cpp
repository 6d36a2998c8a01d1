#include "cardan/io/internal/csv.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace cardan {

namespace {

/// Takes the next line off the text, without its line break.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"')
      out.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += line[i];
  }
  return out;
}

std::size_t CsvTable::find(std::string_view column) const {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
}

std::string csv_field(const std::string& name) {
  if (name.find_first_of(",\"") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

CsvTable parse_csv(std::string_view text, const std::string& name) {
  CsvTable out;
  const auto fail = [&](std::size_t line, const std::string& what) {
    throw ModelError(fmt::format("csv: {}:{}: {}", io::printable(name), line, what));
  };
  if (text.empty()) fail(1, "expected a header with the names of columns, found an empty file");
  out.columns = csv_fields(next_line(text));
  for (std::size_t line = 2; !text.empty(); ++line) {
    const std::string_view row = next_line(text);
    if (row.empty()) continue;
    std::vector<double>& numbers = out.rows.emplace_back();
    for (std::size_t begin = 0; begin <= row.size();) {
      const std::size_t end = std::min(row.find(',', begin), row.size());
      std::string_view field = row.substr(begin, end - begin);
      while (field.starts_with(' ')) field.remove_prefix(1);
      while (field.ends_with(' ')) field.remove_suffix(1);
      double value = 0.0;
      const auto [last, error] = std::from_chars(field.data(), field.data() + field.size(), value);
      if (error != std::errc() || last != field.data() + field.size())
        fail(line, fmt::format("column {}: expected a number, found {}", numbers.size() + 1, io::in_quotes(field)));
      numbers.push_back(value);
      begin = end + 1;
    }
    if (numbers.size() != out.columns.size())
      fail(line,
           fmt::format("expected {} numbers as the header has names, found {}", out.columns.size(), numbers.size()));
  }
  return out;
}

CsvTable load_csv(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  return parse_csv(io::read_text_file("csv", path, kLargest), path);
}

}  // namespace cardan
