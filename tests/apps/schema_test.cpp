// `cardan schema`: the JSON Schema of scene files. python/tests/test_schema.py validates scenes with it.
#include "tests/apps/scene_runs.hpp"

#include <set>

namespace cardan::test {
namespace {

class Schema : public SceneRuns {
 protected:
  Json schema() const {
    const Outcome done = run({"schema"});
    EXPECT_EQ(done.code, 0) << done.err;
    return Json::parse(done.out);
  }
  /// The condition of one variant of a table.
  static Json variant(const Json& table, const std::string& type) {
    for (const Json& rule : table.at("allOf"))
      if (rule.contains("if") && rule.at("if").value("/properties/type/const"_json_pointer, "") == type)
        return rule.at("then");
    ADD_FAILURE() << "no variant " << type;
    return {};
  }
};

/// Gathers all references, and all objects that close their keys.
void look_through(const Json& node, std::set<std::string>& references, int& closed) {
  if (node.is_object()) {
    if (node.contains("$ref")) references.insert(node.at("$ref").get<std::string>());
    if (node.contains("additionalProperties") && node.at("additionalProperties") == false) ++closed;
  }
  if (node.is_structured())
    for (const Json& child : node) look_through(child, references, closed);
}

TEST_F(Schema, IsWholeAndClosed) {
  const Json all = schema();
  EXPECT_EQ(all.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(all.at("required"), Json::array({"cardan"}));
  std::set<std::string> references;
  int closed = 0;
  look_through(all, references, closed);
  for (const std::string& reference : references)
    EXPECT_TRUE(all.contains(Json::json_pointer(reference.substr(1)))) << reference;
  EXPECT_GT(references.size(), 30u);
  EXPECT_GT(closed, 100);
  for (const auto& [name, table] : all.at("$defs").items()) {
    EXPECT_EQ(table.at("type"), "object") << name;
    EXPECT_EQ(table.at("additionalProperties"), false) << name;
    EXPECT_TRUE(references.contains("#/$defs/" + name)) << name << " is used nowhere";
    for (const auto& [key, property] : table.at("properties").items())
      EXPECT_TRUE(property.contains("description")) << name << "." << key;
  }
}

TEST_F(Schema, SaysTypesRangesWordsAndDefaults) {
  const Json all = schema(), tables = all.at("$defs");
  const Json mass = tables.at("body").at("properties").at("mass");
  EXPECT_EQ(mass.at("type"), Json::array({"number", "string"}));
  EXPECT_EQ(mass.at("minimum"), 0.0);
  EXPECT_TRUE(says(mass.at("description"), "[kg]"));
  EXPECT_EQ(all.at("properties").at("gravity").at("default"), Json::array({0.0, 0.0, -9.81}));
  const Json simulation = tables.at("simulation").at("properties");
  EXPECT_EQ(simulation.at("duration").at("exclusiveMinimum"), 0.0);
  EXPECT_EQ(simulation.at("duration").at("default"), 10.0);
  EXPECT_TRUE(says(simulation.at("integrator").at("enum").dump(), "\"rk4\""));
  EXPECT_TRUE(says(simulation.at("integrator").at("enum").dump(), "\"cvode\""));  // whatever this build has
}

/// Keys go with the type: a pitch with a screw, a stiffness with a spring; `a` is a body in a loop, a surface in a
/// joint.
TEST_F(Schema, KeysGoWithTheirType) {
  const Json tables = schema().at("$defs"), joint = tables.at("body.joint"), loop = tables.at("loop");
  EXPECT_TRUE(variant(joint, "helical").at("properties").contains("pitch"));
  EXPECT_FALSE(variant(joint, "revolute").at("properties").contains("pitch"));
  EXPECT_TRUE(says(variant(joint, "helical").at("required").dump(), "pitch"));
  EXPECT_EQ(variant(joint, "surface").at("properties").at("a").at("$ref"), "#/$defs/surface");
  EXPECT_EQ(loop.at("properties").at("a").at("type"), "string");
  EXPECT_EQ(variant(loop, "surface").at("properties").at("a"), true);
  EXPECT_EQ(variant(loop, "surface").at("properties").at("surface_a").at("$ref"), "#/$defs/surface");
  const Json spring = variant(tables.at("force"), "spring");
  EXPECT_TRUE(spring.at("properties").contains("law"));
  EXPECT_FALSE(spring.at("properties").contains("max_force"));
}

TEST_F(Schema, WritesFilesAndThePage) {
  const std::string path = folder_.path("scene.schema.json");
  ASSERT_EQ(run({"schema", "--out", path}).code, 0);
  EXPECT_EQ(file_contents(path), run({"schema"}).out);
  EXPECT_TRUE(says(run({"schema", "--markdown"}).out, "## `[[body]]`"));
  EXPECT_TRUE(says(refusal(run({"schema", "--out", folder_.path("none/schema.json")})), "none"));
}

}  // namespace
}  // namespace cardan::test
