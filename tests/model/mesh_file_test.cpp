// Mesh files, written here as text and bytes: the unit tetrahedron in every format, and broken files whose messages
// must name the file and the place.
#include "cardan/model/internal/mesh_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace cardan::mesh_file_test {
namespace {

const char* const kTetrahedron =
    "# unit tetrahedron\n"
    "mtllib none.mtl\n"
    "o tetra\n"
    "v 0 0 0\n"
    "v 1.0 0 0 1.0\n"
    "v 0 +1e0 0\r\n"
    "  v 0 0 1 0.5 0.5 0.5\n"
    "vt 0 0\nvn 0 0 1\n"
    "f 1 3 2\n"
    "f 1/1 2/1 4/1\n"
    "f 1//1 4//1 3//1 # comment\n"
    "f -3/1/1 -2/1/1 -1/1/1";

const float kCorners[4][3][3] = {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                                 {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                                 {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                 {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

std::string text_stl() {
  std::string out = "solid unit tetrahedron facet\n";
  for (const auto& triangle : kCorners) {
    out += " facet normal nan 0 0\n  outer loop\n";
    for (const auto& v : triangle)
      out += "   vertex " + std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]) + "\n";
    out += "  endloop\n endfacet\n";
  }
  return out + "endsolid unit tetrahedron\n";
}

void append(std::string& out, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(word >> 8 * i & 0xff);
}

std::string binary_stl() {
  std::string out = "solid but binary all the same";
  out.resize(80);
  append(out, 4);
  for (const auto& triangle : kCorners) {
    for (int i = 0; i < 3; ++i) append(out, 0);
    for (const auto& v : triangle)
      for (const float x : v) append(out, std::bit_cast<std::uint32_t>(x == 0 && &v == &triangle[2] ? -0.0f : x));
    out += std::string(2, '\0');
  }
  return out;
}

void expect_tetrahedron(const Mesh& mesh) {
  EXPECT_EQ(mesh.vertices.size(), 4u) << "equal vertices are one, -0 is 0";
  EXPECT_EQ(mesh.triangles.size(), 4u);
  const MassProperties m = mass_properties(mesh, 6.0);
  EXPECT_NEAR(m.mass, 1, 1e-15);
  EXPECT_NEAR(m.com[2], 0.25, 1e-15);
}

TEST(MeshFile, ReadsEveryFormat) {
  expect_tetrahedron(parse_obj(kTetrahedron, "t.obj"));
  expect_tetrahedron(parse_stl(text_stl(), "t.stl"));
  expect_tetrahedron(parse_stl(binary_stl(), "t.stl"));
}

TEST(MeshFile, CutsPolygonsIntoFans) {
  const Mesh cube = parse_obj(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
      "cube.obj");
  EXPECT_EQ(cube.triangles.size(), 12u);
  EXPECT_NEAR(volume(cube), 1, 1e-15);
}

TEST(MeshFile, ReadsSeveralSolidsOfOneTextFile) {
  const Mesh two = parse_stl(text_stl() + "\n" + text_stl(), "two.stl");
  EXPECT_EQ(two.triangles.size(), 8u);
}

TEST(MeshFile, ReadsFilesByTheirEnding) {
  const auto folder = std::filesystem::temp_directory_path() / ("cardan_mesh_file_test_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return (folder / name).string();
  };
  const auto obj = write("t.OBJ", kTetrahedron);
  expect_tetrahedron(read_mesh(obj));
  EXPECT_EQ(read_mesh(obj).path, obj);
  expect_tetrahedron(read_mesh(write("t.stl", binary_stl())));
  const auto other = write("t.ply", "ply");
  const auto empty = write("e.stl", "");
  const auto complaint = [](const std::string& path, const MeshLimits& limits = {}) -> std::string {
    try {
      read_mesh(path, limits);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(complaint(other), other + ": expected a name ending in .obj, .stl or .dae, found \".ply\"");
  EXPECT_EQ(complaint(folder.string() + "/none.obj"), folder.string() + "/none.obj: expected a mesh file, found none");
  EXPECT_EQ(complaint("/dev/zero"), "/dev/zero: expected a mesh file, found none");
  EXPECT_EQ(complaint(empty), empty + ":0: expected \"solid\", found the end");
  EXPECT_EQ(complaint(obj, {.bytes = 100}),
            obj + ": expected a mesh of at most 100 bytes, found " + std::to_string(std::string(kTetrahedron).size()));
  std::filesystem::remove_all(folder);
}

template <class Parse>
std::string complaint(Parse parse, const std::string& text, const MeshLimits& limits = {}) {
  try {
    parse(text, "m", limits);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MeshFile, RefusesBrokenObj) {
  const auto obj = [](const std::string& text, const MeshLimits& limits = {}) {
    return complaint(parse_obj, text, limits);
  };
  EXPECT_EQ(obj("v 0 0 0\nv 0 zero 0\n"), "m:2: expected a finite number (vertex y), found \"zero\"");
  EXPECT_EQ(obj("v 0 0\n"), "m:1: expected a finite number (vertex z), found the end");
  EXPECT_EQ(obj("v 0 0 nan\n"), "m:1: expected a finite number (vertex z), found \"nan\"");
  EXPECT_EQ(obj("v 0 0 1e999\n"), "m:1: expected a finite number (vertex z), found \"1e999\"");
  EXPECT_EQ(obj("v 0 0 0\nf 1 1 2\n"), "m:2: expected a vertex index among the 1 vertices so far, found \"2\"");
  EXPECT_EQ(obj("v 0 0 0\nf 1 1 0\n"), "m:2: expected a vertex index among the 1 vertices so far, found \"0\"");
  EXPECT_EQ(obj("v 0 0 0\nf 1 1 -2\n"), "m:2: expected a vertex index among the 1 vertices so far, found \"-2\"");
  EXPECT_EQ(obj("v 0 0 0\nf 1 1 99999999999999999999\n"),
            "m:2: expected a vertex index, found \"99999999999999999999\"");
  EXPECT_EQ(obj("v 0 0 0\nf 1 1 /1\n"), "m:2: expected a vertex index, found \"/1\"");
  EXPECT_EQ(obj("v 0 0 0\nf 1 1\n"), "m:2: expected a face with at least 3 corners, found \"2\"");
  EXPECT_EQ(obj("v 0 0 0\n"), "m:1: expected a face (\"f\"), found the end");
  EXPECT_EQ(obj("v 0 0 0\nv 0 0 0\n", {.vertices = 1}), "m:2: expected at most 1 vertices, found \"v\"");
  EXPECT_EQ(obj("v 0 0 0\nf 1 1 1 1 1\n", {.triangles = 2}), "m:2: expected at most 2 triangles, found \"1\"");
  EXPECT_EQ(obj("v 0 0 \x01" + std::string(1000, 'x')),
            "m:1: expected a finite number (vertex z), found \"?" + std::string(39, 'x') + "...\"")
      << "a hostile word is shortened and made printable";
}

TEST(MeshFile, RefusesBrokenStl) {
  const auto stl = [](const std::string& text, const MeshLimits& limits = {}) {
    return complaint(parse_stl, text, limits);
  };
  EXPECT_EQ(stl("hello"), "m:1: expected \"solid\", found \"hello\"");
  EXPECT_EQ(stl("solid x\nendsolid x\n"), "m:2: expected \"facet\", found \"endsolid\"");
  EXPECT_EQ(stl("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex"),
            "m:5: expected a finite number (vertex z), found \"vertex\"");
  EXPECT_EQ(stl("solid x\nfacet normal 0 0 1\nouter lop"), "m:3: expected \"loop\", found \"lop\"");
  EXPECT_EQ(stl("solid x\nfacet normal 0 0 1"), "m:2: expected \"outer\", found the end");
  EXPECT_EQ(stl("solid x\nface"), "m:2: expected \"facet\" or \"endsolid\", found \"face\"");
  EXPECT_EQ(stl(text_stl(), {.triangles = 3}), "m:23: expected at most 3 triangles, found \"facet\"");
  EXPECT_EQ(stl(text_stl() + "rest"), "m:31: expected \"solid\" or the end of the file, found \"rest\"");

  std::string binary = binary_stl();
  EXPECT_EQ(stl(binary, {.triangles = 3}), "m: byte 80: expected 1 to 3 triangles, found 4");
  EXPECT_EQ(stl(binary, {.vertices = 3}), "m: triangle 1: expected at most 3 vertices, found more");
  binary[0] = 'S';
  EXPECT_EQ(stl(binary.substr(0, 200)), "m: byte 80: expected 284 bytes for 4 binary triangles, found 200");
  binary[84 + 12 + 3] = '\x7f';
  binary[84 + 12 + 2] = '\x80';
  EXPECT_EQ(stl(binary), "m: byte 96 (triangle 0): expected a finite coordinate, found inf");
}

}  // namespace
}  // namespace cardan::mesh_file_test
