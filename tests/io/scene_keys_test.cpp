// The table of keys says what readers do: every key is read, every kind of table stands in a scene, defaults are true.
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_key_defaults.hpp"
#include "cardan/io/trajectory_file.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/io/key_walk.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace cardan {
namespace {

namespace fs = std::filesystem;
using test::FoundTable;
using test::WalkedScene;

/// The sources of the readers of scenes, without the table itself.
std::string readers() {
  std::string out;
  for (const auto& entry : fs::directory_iterator(CARDAN_SOURCE_DIR "/cardan/io/internal")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("scene_") || name.starts_with("scene_key") || entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    out += std::string(std::istreambuf_iterator<char>(in), {});
  }
  return out;
}

TEST(SceneKeys, EveryKeyIsReadSomewhere) {
  const std::string sources = readers();
  std::set<std::string> names;
  for (const io::KeyTable& table : io::key_tables())
    for (const io::SceneKey* key : io::keys_of(table)) names.insert(key->name);
  EXPECT_GT(names.size(), 150u);
  for (const std::string& name : names)
    EXPECT_NE(sources.find('"' + name + '"'), std::string::npos) << "no reader knows " << name;
}

TEST(SceneKeys, ReadersHaveNoListsOfTheirOwn) { EXPECT_EQ(readers().find(".allow("), std::string::npos); }

TEST(SceneKeys, EntriesAreWhole) {
  for (const io::KeyTable& table : io::key_tables()) {
    std::set<std::string> known;
    for (const io::SceneKey* key : io::keys_of(table)) {
      known.insert(key->name);
      EXPECT_FALSE(key->meaning.empty()) << table.name << " " << key->name;
      EXPECT_FALSE(key->meaning.ends_with(".")) << table.name << " " << key->name;
    }
    const auto check = [&](const std::vector<io::KeyRule>& rules) {
      for (const io::KeyRule& rule : rules)
        for (std::size_t i = 0; i < (rule.kind == io::KeyRule::Kind::needs_word ? 2 : rule.keys.size()); ++i)
          EXPECT_TRUE(known.contains(rule.keys[i])) << table.name << " " << rule.keys[i];
    };
    check(table.rules);
    for (const io::KeyVariant& variant : table.variants) {
      check(variant.rules);
      if (table.choice == io::KeyTable::Choice::by_key) EXPECT_TRUE(known.contains(variant.name)) << variant.name;
    }
  }
  EXPECT_THROW(io::key_table("bodies"), std::logic_error);
  EXPECT_THROW(io::choices("bearing", "mu"), std::logic_error);
}

/// Joint types of loops and of parts of composite joints are those of bodies; a few of them stand for all.
TEST(SceneKeys, EveryKindOfTableStandsInAScene) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const WalkedScene& scene : test::all_scenes()) {
    EXPECT_NO_THROW(scene.spec.bind()) << scene.name;
    for (const FoundTable& found : scene.tables) seen.insert({found.table->name, found.variant});
  }
  for (const io::KeyTable& table : io::key_tables()) {
    if (table.name == "joint" || table.name == "part" || table.name == "loop") continue;
    if (table.choice == io::KeyTable::Choice::none) EXPECT_TRUE(seen.contains({table.name, ""})) << table.name;
    for (const std::string& variant :
         table.choice == io::KeyTable::Choice::none ? std::vector<std::string>() : io::variant_names(table.name))
      EXPECT_TRUE(seen.contains({table.name, variant})) << table.name << " " << variant;
  }
}

/// Runs the beginning of a scene; its settings, which the run may not show, stand before it.
std::string beginning(const SceneSpec& spec) {
  Scene scene = spec.bind();
  const Settings given = scene.settings;
  const std::string settings = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {}\n", given.start, given.duration, given.output_every, given.steps.tolerance,
      given.penetration, given.residual, given.baumgarte.gamma, given.staggering.convergence, given.staggering.rounds,
      given.staggering.regularization, given.staggering.least_impulse, given.staggering.velocity_products);
  scene.settings.duration = std::min(given.duration, 0.02);
  scene.settings.output_every = 0.005;
  assemble(scene);
  return settings + trajectory_csv(simulate(scene));
}

/// Writes defaults into scenes that do not give them, one at a time: the run stays the same bit for bit.
class Defaults {
 public:
  /// True if a scene takes the default, and its run then is the same.
  bool are_tried(const WalkedScene& scene, const FoundTable& found, const io::SceneKey& key) {
    io::TomlNode root = scene.spec.root();
    io::TomlNode& table = test::node_at(root, found.path);
    if (test::entry_of(table, key.name) != nullptr) return false;
    table.entries.push_back({key.name, 1, 1, *io::default_value(key)});
    try {
      const std::string run = beginning(SceneSpec(scene.name, std::move(root)));
      EXPECT_EQ(run == run_of(scene), true) << scene.name << ": " << found.table->name << " " << key.name;
      return true;
    } catch (const std::exception&) {  // such as a quaternion beside angles: another scene takes it
      return false;
    }
  }

 private:
  const std::string& run_of(const WalkedScene& scene) {
    std::string& run = runs_[&scene];
    if (run.empty()) run = beginning(scene.spec);
    return run;
  }
  std::map<const WalkedScene*, std::string> runs_;
};

TEST(SceneKeys, DefaultsAreTrue) {
  const std::vector<WalkedScene> scenes = test::all_scenes();
  Defaults defaults;
  int tried = 0;
  const auto is_tried = [&](const io::KeyTable& table, const std::string& variant, const io::SceneKey& key) {
    for (const WalkedScene& scene : scenes)
      for (const FoundTable& found : scene.tables)
        if (found.table == &table && found.variant == variant && defaults.are_tried(scene, found, key)) return true;
    return false;
  };
  for (const io::KeyTable& table : io::key_tables()) {
    if (table.name == "joint" || table.name == "part" || table.name == "loop") continue;  // as in body.joint
    std::vector<std::string> variants{""};
    if (table.choice != io::KeyTable::Choice::none) variants = io::variant_names(table.name);
    std::set<const io::SceneKey*> done;  // keys of the table itself, once
    for (const std::string& variant : variants)
      for (const io::SceneKey* key : io::keys_of(table, variant)) {
        if (!io::default_value(*key) || done.contains(key)) continue;
        const bool worked = is_tried(table, variant, *key);
        const bool is_of_table =
            std::any_of(table.keys.begin(), table.keys.end(), [&](auto& own) { return &own == key; });
        if (worked) ++tried;
        if (worked && is_of_table) done.insert(key);
        if (!is_of_table || variant == variants.back())
          EXPECT_TRUE(worked) << table.name << " " << variant << " " << key->name;
      }
  }
  std::printf("    %d defaults written into scenes\n", tried);
  EXPECT_GT(tried, 80);
}

}  // namespace
}  // namespace cardan
