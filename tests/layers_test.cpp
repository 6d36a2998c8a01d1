// The rooms of cardan/ stand on one another (docs/architecture.md); an #include may point down or sideways, never up.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using std::string;
using std::string_view;

// Low to high; rooms in one row stand side by side. "cardan" is the folder itself (headers that gather others).
const std::vector<std::set<string, std::less<>>> kTower{{"text"},
                                                        {"math"},
                                                        {"spatial"},
                                                        {"symbolic"},
                                                        {"program"},
                                                        {"joints"},
                                                        {"model"},
                                                        {"algorithms"},
                                                        {"compile"},
                                                        {"solve"},
                                                        {"forces", "constraints", "collision"},
                                                        {"dynamics"},
                                                        {"integrate"},
                                                        {"contact"},
                                                        {"simulate"},
                                                        {"gradient"},
                                                        {"io"},
                                                        {"view"},
                                                        {"cardan"},
                                                        {"apps"}};

// Beside the tower: higher rooms may use them, they use only these.
const std::map<string, std::set<string, std::less<>>, std::less<>> kBeside{
    {"symbolic", {"text", "math", "spatial", "symbolic"}},
    {"program", {"text", "math", "symbolic", "program"}},
    {"solve", {"math", "solve"}}};

/// Height in the tower; -1 for a room that is not in it.
int height(string_view room) {
  const auto row = std::find_if(kTower.begin(), kTower.end(), [&](const auto& rooms) { return rooms.contains(room); });
  return row == kTower.end() ? -1 : static_cast<int>(row - kTower.begin());
}

/// "cardan/math/vector.hpp" -> "math", "cardan/all.hpp" -> "cardan", "apps/main.cpp" -> "apps".
string room_of(string_view path) {
  const string_view inside = path.starts_with("cardan/") ? path.substr(7) : path;
  const auto slash = inside.find('/');
  return slash == string_view::npos ? "cardan" : string(inside.substr(0, slash));
}

bool may_include(const string& from, const string& to) {
  if (height(from) < 0 || height(to) < 0) return false;
  if (const auto own = kBeside.find(from); own != kBeside.end()) return own->second.contains(to);
  return height(to) <= height(from);
}

/// What the line includes, or nothing.
string included(string_view line) {
  const auto skip = [&line](string_view what) {
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
    const bool there = line.starts_with(what);
    if (there) line.remove_prefix(what.size());
    return there;
  };
  if (!skip("#") || !skip("include") || !(skip("\"") || skip("<"))) return {};
  return string(line.substr(0, line.find_first_of("\">")));
}

/// The lines of a file whose includes are not allowed, each with its reason.
std::vector<string> bad_includes(const string& path, const string& text) {
  std::vector<string> bad;
  std::istringstream lines(text);
  string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const string target = included(line);
    const string where = path + ":" + std::to_string(number) + ": ";
    if (target.find("..") != string::npos) {
      bad.push_back(where + "write the path from the root, not " + target);
    } else if (target.starts_with("cardan/") || target.starts_with("apps/") || target.starts_with("tests/")) {
      const string from = room_of(path), to = room_of(target);
      if (!may_include(from, to)) bad.push_back(where + from + " must not include " + to + " (" + target + ")");
    }
  }
  return bad;
}

string contents(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Layers, NoIncludePointsUpward) {
  const fs::path root = CARDAN_SOURCE_DIR;
  int files = 0;
  for (const char* top : {"cardan", "apps"}) {
    if (!fs::exists(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      const string path = entry.path().lexically_relative(root).generic_string();
      EXPECT_GE(height(room_of(path)), 0) << path << " is in a room that has no place in kTower";
      for (const string& message : bad_includes(path, contents(entry.path()))) ADD_FAILURE() << message;
      ++files;
    }
  }
  EXPECT_GT(files, 0);
}

/// What cardan/cardan.hpp includes, itself and through others.
std::set<string> public_headers(const fs::path& root) {
  std::set<string> out;
  std::vector<string> open{"cardan/cardan.hpp"};
  while (!open.empty()) {
    const string path = open.back();
    open.pop_back();
    if (!path.starts_with("cardan/") || !out.insert(path).second) continue;
    std::istringstream lines(contents(root / path));
    for (string line; std::getline(lines, line);) open.push_back(included(line));
  }
  return out;
}

TEST(Layers, WhatIsNotPublicIsInternal) {
  const fs::path root = CARDAN_SOURCE_DIR;
  const std::set<string> face = public_headers(root);
  EXPECT_GT(face.size(), 100u);
  for (const auto& entry : fs::recursive_directory_iterator(root / "cardan")) {
    if (entry.path().extension() != ".hpp") continue;
    const string path = entry.path().lexically_relative(root).generic_string();
    const bool is_internal = path.find("/internal/") != string::npos;
    EXPECT_NE(face.contains(path), is_internal)
        << path
        << (is_internal ? " is part of the public face: it does not belong into internal/"
                        : " is not reached from cardan/cardan.hpp: include it there, or move it to internal/");
  }
}

TEST(LayersChecker, ReportsAnUpwardIncludeWithFileAndLine) {
  const string text = "#pragma once\n#include <cmath>\n#include \"cardan/model/model.hpp\"\n";
  const auto bad = bad_includes("cardan/spatial/transform.hpp", text);
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_EQ(bad[0], "cardan/spatial/transform.hpp:3: spatial must not include model (cardan/model/model.hpp)");
}

TEST(LayersChecker, SeesEveryWayOfWritingAnInclude) {
  EXPECT_EQ(bad_includes("cardan/math/x.hpp", "#include <cardan/io/urdf.hpp>").size(), 1u);
  EXPECT_EQ(bad_includes("cardan/math/x.hpp", "  #  include\t\"cardan/io/urdf.hpp\"").size(), 1u);
  EXPECT_EQ(bad_includes("cardan/math/x.hpp", "#include \"../io/urdf.hpp\"").size(), 1u);
  EXPECT_EQ(bad_includes("cardan/io/x.cpp", "#include \"apps/command.hpp\"").size(), 1u);
  EXPECT_EQ(bad_includes("cardan/io/x.cpp", "#include \"tests/support/trees.hpp\"").size(), 1u);
  EXPECT_TRUE(bad_includes("cardan/math/x.hpp", "// #include \"cardan/io/urdf.hpp\"").empty());
}

TEST(LayersChecker, AllowsDownwardSidewaysAndOwnRoom) {
  EXPECT_TRUE(bad_includes("cardan/algorithms/x.hpp", "#include \"cardan/joints/joint.hpp\"").empty());
  EXPECT_TRUE(bad_includes("cardan/contact/x.hpp", "#include \"cardan/constraints/loop.hpp\"").empty());
  EXPECT_TRUE(bad_includes("cardan/math/x.hpp", "#include \"cardan/math/scalar.hpp\"").empty());
  EXPECT_TRUE(bad_includes("apps/main.cpp", "#include \"cardan/cardan.hpp\"").empty());
}

TEST(LayersChecker, SymbolicAndProgramStandBesideTheTower) {
  EXPECT_TRUE(may_include("joints", "symbolic"));
  EXPECT_TRUE(may_include("compile", "program"));
  EXPECT_TRUE(may_include("program", "symbolic"));
  EXPECT_TRUE(may_include("symbolic", "math"));
  EXPECT_FALSE(may_include("spatial", "symbolic"));
  EXPECT_TRUE(may_include("symbolic", "spatial"));
  EXPECT_FALSE(may_include("symbolic", "joints"));
  EXPECT_FALSE(may_include("program", "algorithms"));
  EXPECT_TRUE(may_include("joints", "program"));
  EXPECT_FALSE(may_include("program", "joints"));
  EXPECT_FALSE(may_include("math", "unheard_of"));
}

}  // namespace
