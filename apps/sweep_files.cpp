#include "apps/sweep_files.hpp"

#include "apps/sweep_folder.hpp"
#include "cardan/io/internal/text.hpp"

#include <filesystem>
#include <optional>

namespace cardan::command {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = std::size_t{1} << 30;
constexpr std::string_view kPackage = "package://";

/// The file that a name means in a text that lies in the folder; a package is one of the folders around it.
std::optional<fs::path> file_named(const std::string& name, const fs::path& folder) {
  std::error_code ignored;
  const auto found = [&](const fs::path& path) { return fs::is_regular_file(path, ignored); };
  if (!name.starts_with(kPackage)) {
    const fs::path path = folder / name;
    return found(path) ? std::optional(path) : std::nullopt;
  }
  const std::string inside = name.substr(kPackage.size());
  const std::string without = inside.substr(std::min(inside.find('/'), inside.size() - 1) + 1);
  for (fs::path at = fs::absolute(folder);; at = at.parent_path()) {
    for (const std::string& rest : {inside, without})
      if (!rest.empty() && found(at / rest)) return at / rest;
    if (at == at.parent_path()) return std::nullopt;
  }
}

void add_file(const std::string& name, const fs::path& path, std::map<std::string, std::uint64_t>& out) {
  if (out.contains(name)) return;
  const std::string text = io::read_text_file("sweep", path.string(), kLargestFile);
  out[name] = fingerprint(text);
  const fs::path ending = path.extension();
  if (ending != ".toml" && ending != ".urdf" && ending != ".srdf" && ending != ".xml") return;
  constexpr std::size_t kLongestName = 4096;
  for (std::size_t open = text.find_first_of("\"'"); open != std::string::npos;
       open = text.find_first_of("\"'", open + 1)) {
    const std::size_t close = text.find_first_of("\"'\n", open + 1);
    if (close == std::string::npos || close - open > kLongestName || close == open + 1) continue;
    const std::string word = text.substr(open + 1, close - open - 1);
    if (const auto other = file_named(word, path.parent_path())) add_file(word, *other, out);
  }
}

}  // namespace

std::map<std::string, std::uint64_t> files_of(const std::string& scene) {
  std::map<std::string, std::uint64_t> out;
  add_file(fs::path(scene).filename().string(), scene, out);
  return out;
}

}  // namespace cardan::command
