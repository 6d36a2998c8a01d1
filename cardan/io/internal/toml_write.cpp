#include "cardan/io/internal/toml_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace cardan::io {

namespace {

using Kind = TomlNode::Kind;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (code < 0x20 || code == 0x7f)
      out += fmt::format("\\u{:04x}", code);
    else
      out += c;
  }
  return out + "\"";
}

std::string written_key(const std::string& key) {
  const bool is_bare = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return (std::isalnum(c) != 0 && c < 0x80) || c == '_' || c == '-';
  });
  return is_bare ? key : quoted(key);
}

std::string written_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  constexpr double kWhole = 1e15;  // below this a whole number is written without an exponent
  if (value == std::floor(value) && std::abs(value) < kWhole && !(value == 0.0 && std::signbit(value)))
    return fmt::format("{:.0f}", value);
  std::string out = fmt::format("{}", value);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

bool is_list_of_tables(const TomlNode& node) {
  return node.kind == Kind::list && !node.items.empty() &&
         std::all_of(node.items.begin(), node.items.end(),
                     [](const TomlNode& item) { return item.kind == Kind::table; });
}

/// Values with a header of their own: all of the file's tables, and joint and shapes of a body.
bool has_header(const TomlEntry& entry, bool is_top) {
  const bool is_large = entry.value.kind == Kind::table || is_list_of_tables(entry.value);
  return is_large && (is_top || entry.key == "joint" || entry.key == "shape");
}

void write_table(const TomlNode& table, const std::string& path, std::string& out) {
  for (const TomlEntry& entry : table.entries)
    if (!has_header(entry, path.empty())) out += written_key(entry.key) + " = " + to_toml_value(entry.value) + "\n";
  for (const TomlEntry& entry : table.entries) {
    if (!has_header(entry, path.empty())) continue;
    const std::string name = path + (path.empty() ? "" : ".") + written_key(entry.key);
    const auto begin = [&](const char* open, const char* close) {
      if (path.empty() && !out.empty()) out += "\n";
      out += open + name + close + "\n";
    };
    if (entry.value.kind == Kind::table) {
      begin("[", "]");
      write_table(entry.value, name, out);
    } else {
      for (const TomlNode& item : entry.value.items) {
        begin("[[", "]]");
        write_table(item, name, out);
      }
    }
  }
}

}  // namespace

std::string to_toml_value(const TomlNode& node) {
  switch (node.kind) {
    case Kind::truth: return node.truth ? "true" : "false";
    case Kind::number: return written_number(node.number);
    case Kind::text: return quoted(node.text);
    case Kind::time: return "\"\"";  // which no key of a scene takes
    case Kind::list: {
      std::string out;
      for (const TomlNode& item : node.items) out += (out.empty() ? "" : ", ") + to_toml_value(item);
      return "[" + out + "]";
    }
    case Kind::table: {
      std::string out;
      for (const TomlEntry& entry : node.entries)
        out += (out.empty() ? " " : ", ") + written_key(entry.key) + " = " + to_toml_value(entry.value);
      return "{" + out + (out.empty() ? "}" : " }");
    }
  }
  return {};
}

std::string to_toml(const TomlNode& root) {
  std::string out;
  write_table(root, "", out);
  return out;
}

}  // namespace cardan::io
