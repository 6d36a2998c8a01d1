// Shapes of a scene's robots, changed by the names of their links.
#include "cardan/io/load.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

TEST(SceneRobots, ColorAndMaterialAreThoseOfAllShapesOfTheLink) {
  const test::TemporaryFolder folder;
  folder.write("r.urdf", R"(<robot name="r"><link name="base"/>
<link name="foot"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
 <visual><geometry><sphere radius="1"/></geometry></visual>
 <collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="toe"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<joint name="ankle" type="prismatic"><parent link="base"/><child link="foot"/></joint>
<joint name="ball" type="fixed"><parent link="foot"/><child link="toe"/></joint></robot>)");
  const Scene scene = load(folder.write("s.toml", R"(cardan = 1
[parameters]
mu = 0.4
[[robot]]
file = "r.urdf"
set = { foot = { color = "#102030", material = { friction = "2*mu", restitution = 0.25 } } }
)"));
  ASSERT_EQ(scene.model.shapes().size(), 3u);
  for (const FrameShape& shape : scene.model.shapes()) {
    const bool is_foot = scene.model.frame(shape.frame).name == "foot";
    EXPECT_EQ(shape.shape.color, is_foot ? "#102030" : "");
    EXPECT_EQ(shape.shape.material.friction, is_foot ? std::optional(0.8) : std::nullopt);
    EXPECT_EQ(shape.shape.material.restitution, is_foot ? std::optional(0.25) : std::nullopt);
  }
}

/// A link without mass that gets one is a point at its frame.
TEST(SceneRobots, MassOfALinkWithoutAny) {
  const test::TemporaryFolder folder;
  folder.write("r.urdf", R"(<robot name="r"><link name="base"/><link name="tool"/>
<joint name="slide" type="prismatic"><parent link="base"/><child link="tool"/></joint></robot>)");
  const Scene scene = load(folder.write("s.toml", R"(cardan = 1
[[robot]]
file = "r.urdf"
set.tool.mass = 3
)"));
  const RigidBodyInertia<double>& I = scene.model.link(1).I;
  EXPECT_EQ(I.m, 3.0);
  EXPECT_EQ(norm(I.h), 0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(I.I(i, j), 0.0);
}

}  // namespace
}  // namespace cardan
