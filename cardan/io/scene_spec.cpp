#include "cardan/io/scene_spec.hpp"

#include "cardan/io/internal/csv.hpp"
#include "cardan/io/internal/scene_changes.hpp"
#include "cardan/io/internal/scene_doubts.hpp"
#include "cardan/io/internal/scene_files.hpp"
#include "cardan/io/internal/scene_reader.hpp"
#include "cardan/io/internal/toml_write.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cardan {

namespace {

io::Source source_of(const std::string& name) { return {"scene", io::printable(name)}; }

}  // namespace

SceneSpec::SceneSpec(std::string name, io::TomlNode root, std::vector<std::string> warnings)
    : name_(std::move(name)),
      warnings_(std::move(warnings)),
      root_(std::make_shared<const io::TomlNode>(std::move(root))) {}

SceneSpec SceneSpec::parse(std::string_view text, const std::string& name) {
  SceneSpec out(name, io::parse_toml(text, source_of(name)));
  out.is_by_hand_ = true;
  return out;
}

SceneSpec SceneSpec::load(const std::string& path) {
  constexpr std::size_t max_bytes = std::size_t{8} << 20;
  return parse(io::read_text_file("scene", path, max_bytes), path);
}

void SceneSpec::set(const std::string& change) {
  auto changed = std::make_shared<io::TomlNode>(*root_);
  io::apply_change(*changed, change, source_of(name_));
  root_ = std::move(changed);
}

void SceneSpec::set(const std::string& name, double value) { set(fmt::format("{}={:.17g}", name, value)); }

std::string SceneSpec::value(const std::string& name) const {
  return io::to_toml_value(io::find_value(*root_, name, source_of(name_)));
}

std::vector<std::string> SceneSpec::parameters() const {
  const io::Source source = source_of(name_);
  const io::TomlValue table = io::TomlValue(*root_, source, "").find("parameters");
  return table ? table.keys() : std::vector<std::string>();
}

void SceneSpec::lead_inputs(const std::string& path) { course_ = std::make_shared<const CsvTable>(load_csv(path)); }

Scene SceneSpec::bind() const {
  const io::Source source = source_of(name_);
  Scene scene = io::read_scene(*root_, source, name_, course_.get());
  scene.warnings.insert(scene.warnings.begin(), warnings_.begin(), warnings_.end());
  if (is_by_hand_)
    for (std::string& doubt : io::doubtful_numbers(io::TomlValue(*root_, source, ""), scene.model))
      scene.warnings.push_back(std::move(doubt));
  return scene;
}

std::string SceneSpec::to_toml() const { return io::to_toml(*root_); }

std::string SceneSpec::to_toml(const std::string& path) const {
  io::TomlNode root = *root_;
  io::rename_files(root, std::filesystem::path(name_).parent_path(), std::filesystem::path(path).parent_path());
  return io::to_toml(root);
}

Scene parse_scene(std::string_view text, const std::string& name, const std::vector<std::string>& changes) {
  SceneSpec spec = SceneSpec::parse(text, name);
  for (const std::string& change : changes) spec.set(change);
  return spec.bind();
}

Scene load_scene(const std::string& path, const std::vector<std::string>& changes) {
  SceneSpec spec = SceneSpec::load(path);
  for (const std::string& change : changes) spec.set(change);
  return spec.bind();
}

}  // namespace cardan
