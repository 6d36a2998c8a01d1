// Geometry of COLLADA files, against volumes and centers in closed form.
#include "cardan/model/internal/collada_file.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan::collada_test {
namespace {

/// A unit cube as the primitives say, in a file whose unit is `meter`, below the node that holds `motion`.
std::string cube(const std::string& primitives, const std::string& motion, const std::string& meter = "1") {
  return "<?xml version=\"1.0\"?>\n<COLLADA><asset><unit meter=\"" + meter +
         "\"/><up_axis>Y_UP</up_axis></asset>\n<library_geometries><geometry id=\"g\"><mesh>\n"
         "<source id=\"s\"><float_array id=\"f\" count=\"24\">0 0 0 1 0 0 1 1 0 0 1 0\n 0 0 1 1 0 1 1 1 1 0 1 1"
         "</float_array></source>\n<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>\n" +
         primitives + "</mesh></geometry></library_geometries>\n<library_visual_scenes><visual_scene id=\"x\"><node>" +
         motion +
         "<node><instance_geometry url=\"#g\"/></node></node></visual_scene></library_visual_scenes>\n</COLLADA>\n";
}

const std::string kQuads =
    "<polylist count=\"6\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><vcount>4 4 4 4 4 4</vcount>"
    "<p>0 3 2 1 4 5 6 7 0 1 5 4 1 2 6 5 2 3 7 6 3 0 4 7</p></polylist>\n";

/// With a normal's index after each corner.
const std::string kTriangles =
    "<triangles count=\"12\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/><p>0 9 3 9 2 9 0 9 2 9 1 9 4 0 5 0 6 0 4 0 6 0 7 0 "
    "0 1 1 1 5 1 0 1 5 1 4 1 1 2 2 2 6 2 1 2 6 2 5 2 2 3 3 3 7 3 2 3 7 3 6 3 3 4 0 4 4 4 3 4 4 4 7 4</p></triangles>\n";

const std::string kPolygons =
    "<polygons><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 3 2 1</p><p>4 5 6 7</p><p>0 1 5 4</p>"
    "<p>1 2 6 5</p><p>2 3 7 6</p><p>3 0 4 7</p></polygons>\n";

TEST(Collada, PrimitivesAreTheSameCube) {
  for (const std::string& primitives : {kQuads, kTriangles, kPolygons}) {
    const MassProperties m = mass_properties(parse_collada(cube(primitives, ""), "c.dae"), 1.0);
    EXPECT_NEAR(m.mass, 1.0, 1e-14);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(m.com[k], 0.5, 1e-14);
  }
}

TEST(Collada, NodesAndUnitPlaceIt) {
  const std::string motion = "<translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 3 -4</scale>";
  const MassProperties m = mass_properties(parse_collada(cube(kQuads, motion, "0.1"), "c.dae"), 1.0);
  EXPECT_NEAR(m.mass, 24e-3, 1e-14);
  // (0.5, 0.5, 0.5) -> (1, 1.5, -2) -> (-1.5, 1, -2) -> (8.5, 1, -2), all times 0.1
  EXPECT_NEAR(m.com[0], 0.85, 1e-14);
  EXPECT_NEAR(m.com[1], 0.1, 1e-14);
  EXPECT_NEAR(m.com[2], -0.2, 1e-14);
  const std::string matrix = "<matrix>0 -3 0 10 2 0 0 0 0 0 -4 0 0 0 0 1</matrix>";
  const Mesh same = parse_collada(cube(kQuads, matrix, "0.1"), "c.dae");
  const Mesh first = parse_collada(cube(kQuads, motion, "0.1"), "c.dae");
  for (std::size_t i = 0; i < same.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(same.vertices[i][k], first.vertices[i][k], 1e-14);
}

std::string complaint(const std::string& text) {
  try {
    parse_collada(text, "c.dae", {.bytes = 1 << 20, .vertices = 8, .triangles = 12});
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(Collada, MistakesHaveFileAndLine) {
  const auto replaced = [](std::string text, const std::string& old, const std::string& by) {
    return text.replace(text.find(old), old.size(), by);
  };
  const std::string sound = cube(kQuads, "");
  EXPECT_EQ(complaint(sound), "");
  EXPECT_EQ(complaint("<COLLADA"), "c.dae:1: expected XML, found a mistake in it");
  EXPECT_EQ(complaint("<x/>"), "c.dae:1: expected the element COLLADA, found none");
  EXPECT_EQ(complaint("<COLLADA/>"), "c.dae:1: expected a geometry with triangles, found none");
  EXPECT_EQ(complaint(replaced(sound, "0 3 2 1", "0 3 2 8")), "c.dae:7: expected indices of 8 vertices, found 8");
  EXPECT_EQ(complaint(replaced(sound, "4 4 4 4", "4 4 4 5")),
            "c.dae:7: expected as many corners as vcount says, found 24");
  EXPECT_EQ(complaint(replaced(sound, "0 0 0 1", "0 0 nan 1")),
            "c.dae:4: expected a finite number, found another word");
  EXPECT_EQ(complaint(replaced(sound, "url=\"#g\"", "url=\"#h\"")),
            "c.dae:9: expected url that names a <geometry>, found another");
  EXPECT_EQ(complaint(cube(kQuads + kQuads, "")), "c.dae:4: expected at most 8 vertices, found more");
}

TEST(Collada, DamagedFilesAreReadOrRefused) {
  const std::string sound = cube(kTriangles, "<rotate>0 0 1 90</rotate>");
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = sound;
    for (unsigned k = 0; k <= random() % 3; ++k) text[random() % text.size()] = static_cast<char>(32 + random() % 95);
    const std::string message = complaint(text);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    refused += !message.empty();
  }
  EXPECT_GT(refused, 300);
  EXPECT_LT(refused, 2900);
}

}  // namespace
}  // namespace cardan::collada_test
