// Shapes, colors and meshes of URDF links.
#include "cardan/io/internal/urdf_shapes.hpp"
#include "cardan/io/urdf.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cardan {
namespace {

using test::TemporaryFolder;

constexpr const char* kTetrahedron = R"(v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
)";

std::string with_link(const std::string& inside, const std::string& before = "") {
  return "<robot name=\"r\">" + before + "\n<link name=\"a\">" + inside + "</link></robot>";
}
std::string visual(const std::string& geometry, const std::string& more = "") {
  return "<visual><geometry>" + geometry + "</geometry>" + more + "</visual>";
}

struct Read {
  Model model;
  std::vector<std::string> warnings;
};
Read read(const std::string& text, const std::string& file = "r.urdf", const std::vector<std::string>& packages = {}) {
  std::vector<std::string> warnings;
  UrdfOptions options;
  options.warnings = &warnings;
  options.package_paths = packages;
  Model model = parse_urdf(text, file, options);
  return {std::move(model), warnings};
}
template <class S>
S only_shape(const Read& read) {
  EXPECT_EQ(read.model.shapes().size(), 1u);
  return std::get<S>(read.model.shapes().at(0).shape.shape);
}

TEST(UrdfShapes, EveryGeometry) {
  const Box box = only_shape<Box>(read(with_link(visual("<box size=\"1 2 3\"/>"))));
  EXPECT_EQ(box.x, 1.0);
  EXPECT_EQ(box.y, 2.0);
  EXPECT_EQ(box.z, 3.0);
  EXPECT_EQ(only_shape<Sphere>(read(with_link(visual("<sphere radius=\"0.5\"/>")))).radius, 0.5);
  const Cylinder cylinder = only_shape<Cylinder>(read(with_link(visual("<cylinder radius=\"0.1\" length=\"2\"/>"))));
  EXPECT_EQ(cylinder.radius, 0.1);
  EXPECT_EQ(cylinder.length, 2.0);
  const Capsule capsule = only_shape<Capsule>(read(with_link(visual("<capsule radius=\"0.1\" length=\"2\"/>"))));
  EXPECT_EQ(capsule.radius, 0.1);
  EXPECT_EQ(capsule.length, 2.0);
}

TEST(UrdfShapes, VisualAndCollisionWithPlaceAndName) {
  const Read r =
      read(with_link(R"(<visual name="shell"><origin xyz="1 2 3"/><geometry><sphere radius="1"/></geometry></visual>
      <collision><geometry><box size="1 1 1"/></geometry></collision>)"));
  ASSERT_EQ(r.model.shapes().size(), 2u);
  const ShapeInstance& seen = r.model.shapes()[0].shape;
  EXPECT_EQ(r.model.frame(r.model.shapes()[0].frame).name, "a");
  EXPECT_TRUE(seen.visual);
  EXPECT_FALSE(seen.collide);
  EXPECT_EQ(seen.name, "shell");
  EXPECT_EQ(seen.at.p[2], 3.0);
  const ShapeInstance& touched = r.model.shapes()[1].shape;
  EXPECT_FALSE(touched.visual);
  EXPECT_TRUE(touched.collide);
}

TEST(UrdfShapes, Colors) {
  const auto color = [](const std::string& material, const std::string& before = "") {
    return read(with_link(visual("<sphere radius=\"1\"/>", material), before)).model.shapes().at(0).shape.color;
  };
  EXPECT_EQ(color(""), "");
  EXPECT_EQ(color("<material name=\"own\"><color rgba=\"1 0.5 0 0.3\"/></material>"), "#ff8000");
  EXPECT_EQ(color("<material name=\"too bright\"><color rgba=\"7 -1 0 1\"/></material>"), "#ff0000");
  EXPECT_EQ(color("<material name=\"sky\"/>", "<material name=\"sky\"><color rgba=\"0 0 1 1\"/></material>"),
            "#0000ff");
  EXPECT_EQ(color("<material name=\"unknown\"/>"), "");
  EXPECT_EQ(color("<material name=\"wood\"><texture filename=\"wood.png\"/></material>"), "");
}

TEST(UrdfShapes, ShapesWithoutSizeAreLeftOut) {
  for (const char* geometry : {"<box size=\"0 0 0\"/>", "<sphere radius=\"-1\"/>", "", "<plane/>"}) {
    const Read r = read(with_link(visual(geometry)));
    EXPECT_TRUE(r.model.shapes().empty()) << geometry;
    ASSERT_EQ(r.warnings.size(), 1u) << geometry;
    EXPECT_TRUE(r.warnings[0].starts_with("urdf: r.urdf:2: link \"a\": visual: ")) << r.warnings[0];
    EXPECT_EQ(r.warnings[0].find('\n'), std::string::npos);
  }
}

TEST(UrdfShapes, RelativeMeshWithScale) {
  const TemporaryFolder folder;
  folder.write("meshes/body.obj", kTetrahedron);
  const std::string file = folder.path("r.urdf");
  const Mesh mesh =
      only_shape<Mesh>(read(with_link(visual("<mesh filename=\"meshes/body.obj\" scale=\"2 3 4\"/>")), file));
  ASSERT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(volume(mesh), 4.0, 1e-14);  // 2 * 3 * 4 / 6
  // a mirrored mesh keeps its outside outside
  const Mesh mirrored =
      only_shape<Mesh>(read(with_link(visual("<mesh filename=\"meshes/body.obj\" scale=\"1 -1 1\"/>")), file));
  EXPECT_NEAR(volume(mirrored), 1.0 / 6.0, 1e-15);
}

TEST(UrdfShapes, MissingAndUnreadableMeshesAreWarnings) {
  const TemporaryFolder folder;
  folder.write("a.dae", "<COLLADA/>");
  folder.write("broken.obj", "v 1 2 zwei\n");
  for (const std::string name :
       {"none.stl", "package://nobody/none.stl", "a.dae", "broken.obj", "http://x/y.stl", "."}) {
    const Read r = read(with_link(visual("<mesh filename=\"" + name + "\"/>")), folder.path("r.urdf"));
    ASSERT_EQ(r.warnings.size(), 1u) << name;
    EXPECT_NE(r.warnings[0].find("r.urdf:2: link \"a\": mesh: "), std::string::npos) << r.warnings[0];
    EXPECT_NE(r.warnings[0].find(name), std::string::npos) << r.warnings[0];
    EXPECT_EQ(r.warnings[0].find('\n'), std::string::npos);
    const Mesh mesh = only_shape<Mesh>(r);
    EXPECT_TRUE(mesh.triangles.empty());
    EXPECT_TRUE(mesh.path.ends_with(name)) << mesh.path;
  }
}

TEST(UrdfShapes, MeshesCanBeLeftUnread) {
  UrdfOptions options;
  std::vector<std::string> warnings;
  options.warnings = &warnings;
  options.read_meshes = false;
  const Model model = parse_urdf(with_link(visual("<mesh filename=\"none.stl\"/>")), "r.urdf", options);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(std::get<Mesh>(model.shapes().at(0).shape.shape).path, "none.stl");
}

TEST(UrdfShapes, PackagesAreFound) {
  const TemporaryFolder folder;
  const std::string mesh = folder.write("ws/my_robot/meshes/a.obj", kTetrahedron);
  const std::string reference = "package://my_robot/meshes/a.obj";
  const std::string elsewhere = folder.path("elsewhere/r.urdf");
  const auto same = [&](const std::string& found) {
    return !found.empty() && std::filesystem::equivalent(found, mesh);
  };
  EXPECT_TRUE(same(io::resolve_urdf_path(reference, elsewhere, {folder.path("ws")})));
  EXPECT_TRUE(same(io::resolve_urdf_path(reference, elsewhere, {folder.path("none"), folder.path("ws/my_robot")})));
  EXPECT_TRUE(same(io::resolve_urdf_path(reference, elsewhere, {folder.path("ws/my_robot/")})));
  EXPECT_TRUE(same(io::resolve_urdf_path(reference, folder.path("ws/my_robot/urdf/deep/r.urdf"), {})));
  EXPECT_EQ(io::resolve_urdf_path(reference, elsewhere, {}), "");
  EXPECT_EQ(io::resolve_urdf_path("package://", elsewhere, {folder.path("ws")}), "");
  ::setenv("ROS_PACKAGE_PATH", ("/nowhere::" + folder.path("ws")).c_str(), 1);
  EXPECT_TRUE(same(io::resolve_urdf_path(reference, elsewhere, {})));
  ::unsetenv("ROS_PACKAGE_PATH");
  const std::string installed = folder.write("jazzy/share/my_robot/meshes/arm.stl", "");
  ::setenv("AMENT_PREFIX_PATH", (folder.path("overlay") + ":" + folder.path("jazzy")).c_str(), 1);
  EXPECT_EQ(std::filesystem::path(io::resolve_urdf_path("package://my_robot/meshes/arm.stl", elsewhere, {})),
            std::filesystem::path(installed));
  ::unsetenv("AMENT_PREFIX_PATH");
  EXPECT_TRUE(same(io::resolve_urdf_path("file://" + mesh, elsewhere, {})));
  EXPECT_TRUE(same(io::resolve_urdf_path(mesh, elsewhere, {})));
}

TEST(UrdfShapes, ShapesOfTheWorldAreLeftOut) {
  const Read r = read("<robot name=\"r\"><link name=\"world\">" + visual("<sphere radius=\"1\"/>") + "</link></robot>");
  EXPECT_TRUE(r.model.shapes().empty());
  EXPECT_EQ(r.warnings.size(), 1u);
}

}  // namespace
}  // namespace cardan
