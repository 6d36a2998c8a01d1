#include "cardan/io/internal/toml_build.hpp"

#include <algorithm>

namespace cardan::io {

using Kind = TomlNode::Kind;

TomlNode toml_number(double value) {
  TomlNode out;
  out.kind = Kind::number;
  out.number = value;
  return out;
}

TomlNode toml_text(std::string text) {
  TomlNode out;
  out.kind = Kind::text;
  out.text = std::move(text);
  return out;
}

TomlNode toml_truth(bool truth) {
  TomlNode out;
  out.kind = Kind::truth;
  out.truth = truth;
  return out;
}

TomlNode toml_list(std::vector<TomlNode> items) {
  TomlNode out;
  out.kind = Kind::list;
  out.items = std::move(items);
  return out;
}

TomlNode toml_numbers(std::span<const double> numbers) {
  std::vector<TomlNode> items;
  for (const double x : numbers) items.push_back(toml_number(x));
  return toml_list(std::move(items));
}

TomlNode toml_vector(const Vec3<double>& v) { return toml_numbers(std::array{v[0], v[1], v[2]}); }

TomlNode toml_pose(const Pose<double>& pose) {
  TomlNode out;
  const Quaternion<double> q = quaternion_from_matrix(pose.R);
  put(out, "xyz", toml_vector(pose.p));
  if (q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0) put(out, "quat", toml_numbers(std::array{q[0], q[1], q[2], q[3]}));
  return out;
}

TomlNode toml_table(std::initializer_list<std::pair<const char*, TomlNode>> entries) {
  TomlNode out;
  for (const auto& [key, value] : entries) put(out, key, value);
  return out;
}

void put(TomlNode& table, const std::string& key, TomlNode value) {
  for (TomlEntry& entry : table.entries)
    if (entry.key == key) {
      entry.value = std::move(value);
      return;
    }
  table.entries.push_back({key, 1, 1, std::move(value)});
}

void append(TomlNode& root, const std::string& key, TomlNode entry) {
  for (TomlEntry& known : root.entries)
    if (known.key == key) {
      known.value.items.push_back(std::move(entry));
      return;
    }
  put(root, key, toml_list({std::move(entry)}));
}

}  // namespace cardan::io
