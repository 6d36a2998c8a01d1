// Trees of values made by a program, for readers that turn other formats into scenes.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/math/so3.hpp"
#include "cardan/model/model_builder.hpp"

#include <initializer_list>
#include <utility>

namespace cardan::io {

TomlNode toml_number(double value);
TomlNode toml_text(std::string text);
TomlNode toml_truth(bool truth);
TomlNode toml_list(std::vector<TomlNode> items);
TomlNode toml_numbers(std::span<const double> numbers);
TomlNode toml_vector(const Vec3<double>& v);
/// { xyz, quat }, each where it is not trivial.
TomlNode toml_pose(const Pose<double>& pose);
TomlNode toml_table(std::initializer_list<std::pair<const char*, TomlNode>> entries);
/// Sets a key of a table.
void put(TomlNode& table, const std::string& key, TomlNode value);
/// Appends to an array of tables of the root.
void append(TomlNode& root, const std::string& key, TomlNode entry);

}  // namespace cardan::io
