// Reference data that lies beside the project (CARDAN_SHARED_DATA). A test that needs it begins with
//   const auto file = shared_json("golden/joints.json");
//   if (!file) GTEST_SKIP() << missing_data("golden/joints.json");
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace cardan::test {

inline std::string shared_path(const std::string& name) { return std::string(CARDAN_SHARED_DATA) + "/" + name; }

inline std::optional<nlohmann::json> shared_json(const std::string& name) {
  std::ifstream in(shared_path(name));
  if (!in) return std::nullopt;
  return nlohmann::json::parse(in);
}

inline std::string missing_data(const std::string& name) {
  return "no reference data: " + shared_path(name) + " is not there";
}

}  // namespace cardan::test
