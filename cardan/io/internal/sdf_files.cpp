#include "cardan/io/internal/sdf_files.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace cardan::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestSdf = std::size_t{64} << 20;
constexpr int kMostIncludes = 2000;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// Where model://NAME is looked for: the folders of the environment, then those above the file.
std::vector<fs::path> model_folders(const std::string& folder) {
  std::vector<fs::path> out;
  for (const char* variable : {"GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH"})
    for (const std::string& listed : folders_in(variable)) out.emplace_back(listed);
  std::error_code error;
  for (fs::path above = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();;
       above = above.parent_path()) {
    out.push_back(above);
    if (above == above.parent_path()) return out;
  }
}

bool goes_up(const fs::path& path) {
  return std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

/// True if the path, links followed, is in the folder.
bool is_inside(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error), around = fs::weakly_canonical(folder, error);
  return std::mismatch(around.begin(), around.end(), whole.begin(), whole.end()).first == around.end();
}

/// The file that stands for the folder of a model: as model.config says, else model.sdf.
std::string file_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path.string();
  if (is_there(path / "model.config")) {
    const std::string name = (path / "model.config").string();
    const XmlDocument config(read_text_file("sdf", name, kLargestSdf), Source{"sdf", printable(name)});
    const XmlElement root = config.root();
    std::string newest;
    double version = -1.0;
    for (const XmlElement& sdf : root.children("sdf"))
      if (const double own = sdf.number("version", 0.0); own > version) {
        version = own;
        newest = sdf.content_name();
      }
    if (!newest.empty() && !goes_up(newest) && is_there(path / newest)) return (path / newest).string();
  }
  return (path / "model.sdf").string();
}

}  // namespace

SdfFiles::SdfFiles(std::string_view text, const std::string& path)
    : root_folder_(fs::path(path).parent_path().string()) {
  main_ = keep(text, path);
}

const SdfFile& SdfFiles::keep(std::string_view text, const std::string& path) {
  documents_.push_back(std::make_unique<XmlDocument>(text, Source{"sdf", printable(path)}));
  SdfFile& file = known_[path];
  file.root = documents_.back()->root();
  file.folder = fs::path(path).parent_path().string();
  if (file.root.tag() != "sdf")
    file.root.fail(fmt::format("expected an SDF file, <sdf>, found <{}>", printable(file.root.tag())));
  // 1.10 comes after 1.9: the part behind the point is a number of its own
  const std::string version = file.root.text("version");
  const auto point = version.find('.');
  const auto major = parse_number(version.substr(0, point)),
             minor = point == std::string::npos ? std::optional(0.0) : parse_number(version.substr(point + 1));
  if (!major || !minor || *major != 1.0)
    file.root.fail("version", "expected a version from 1.0 to 1.12, found " + in_quotes(version));
  file.version = *major + *minor / 100.0;
  return file;
}

std::string SdfFiles::find(const XmlElement& uri, const std::string& folder) const {
  std::string text = uri.content_name();
  for (const char* scheme : {"model://", "package://"})
    if (text.starts_with(scheme)) {
      const fs::path rest = text.substr(std::string_view(scheme).size());
      if (goes_up(rest) || rest.is_absolute() || rest.empty())
        uri.fail("expected a path inside the folders of models, found " + in_quotes(text));
      for (const fs::path& above : model_folders(folder)) {
        if (is_there(above / rest)) return (above / rest).string();
        const fs::path inner = rest.lexically_relative(*rest.begin());  // the folder may be the model itself
        if (above.filename() == *rest.begin() && is_there(above / inner)) return (above / inner).string();
      }
      return {};
    }
  if (text.starts_with("file://")) text = text.substr(7);
  if (text.find("://") != std::string::npos)
    uri.fail("expected model:// or a file beside this one, found " + in_quotes(text) + ": nothing is fetched");
  const fs::path path = fs::path(folder) / text;
  if (!is_inside(path, root_folder_.empty() ? fs::path(".") : fs::path(root_folder_)))
    uri.fail("expected a path inside the folder of the file, found " + in_quotes(text));
  return is_there(path) ? path.string() : std::string();
}

std::optional<SdfFile> SdfFiles::included(const XmlElement& uri, const std::string& folder) {
  if (++count_ > kMostIncludes) uri.fail(fmt::format("expected at most {} included files, found more", kMostIncludes));
  const std::string found = find(uri, folder);
  if (found.empty()) return std::nullopt;
  try {
    const std::string path = file_of(found);
    if (const auto known = known_.find(path); known != known_.end()) return known->second;
    return keep(read_text_file("sdf", path, kLargestSdf), path);
  } catch (const ModelError& problem) {
    uri.fail(problem.what());
  }
}

}  // namespace cardan::io
