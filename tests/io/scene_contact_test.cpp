// What scenes say about ground and contact, gray maps, and the pairs that SRDF files disable.
#include "cardan/collision/collision_world.hpp"
#include "cardan/io/internal/gray_map.hpp"
#include "cardan/io/internal/srdf.hpp"
#include "cardan/io/load.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace cardan::test::scene_contact_test {
namespace {

constexpr const char* kBodies = R"toml(
[[body]]
name = "box"
[body.joint]
type = "free"
[[body.shape]]
box = [1, 1, 1]
density = 1
material = { friction = 0.3 }
[[body]]
name = "ball"
[body.joint]
type = "prismatic"
[[body.shape]]
sphere = 0.5
density = 1
group = "balls"
)toml";

Scene scene(const std::string& contact) { return parse_scene("cardan = 1\n" + contact + kBodies, "s.toml"); }

TEST(SceneContact, ReadsTheGround) {
  const Scene s =
      scene("[ground]\nheight = 0.5\nnormal = [0, 0, 2]\nfriction = 0.7\nrestitution = 0.2\nlaw = \"poisson\"\n");
  ASSERT_TRUE(s.contact.ground.has_value());
  EXPECT_EQ(s.contact.ground->height, 0.5);
  EXPECT_EQ(s.contact.ground->normal[2], 1.0);
  EXPECT_EQ(s.contact.ground->coefficients.friction, 0.7);
  EXPECT_EQ(s.contact.ground->coefficients.law, "poisson");
  EXPECT_FALSE(s.contact.ground->coefficients.stiffness.has_value());
  EXPECT_FALSE(s.contact.acting_where().empty());
  EXPECT_TRUE(scene("").contact.acting_where().empty());
  EXPECT_TRUE(scene("[[contact]]\nignore = true\n").contact.acting_where().empty());
  EXPECT_FALSE(scene("[[contact]]\nfriction = 1\n").contact.acting_where().empty());
}

TEST(SceneContact, ReadsRulesMaterialsAndGroups) {
  const Scene s = scene("[[contact]]\na = \"box\"\nb = \"balls\"\nsurface_velocity = [1, 0, 0]\nrolling = 0.01\n");
  ASSERT_EQ(s.contact.rules.size(), 1u);
  EXPECT_EQ(s.contact.rules[0].b, "balls");
  EXPECT_EQ((*s.contact.rules[0].coefficients.surface_velocity)[0], 1.0);
  const CollisionWorld world(s.model, s.contact);
  ASSERT_EQ(world.shapes().size(), 2u);
  EXPECT_EQ(world.shapes()[0].material.friction, 0.3);
  EXPECT_EQ(world.scene().rule(0, 1)->coefficients.rolling, 0.01);
}

TEST(SceneContact, HeightFieldsFromRowsAndGrayMaps) {
  const Scene rows = scene("[ground]\nheight_field = { rows = [[0, 0], [0, 1]], size = [4, 2] }\n");
  ASSERT_TRUE(rows.contact.ground->height_field);
  EXPECT_EQ(rows.contact.ground->height_field->vertices[3][0], 2.0);
  EXPECT_EQ(rows.contact.ground->height_field->vertices[3][2], 1.0);
  TemporaryFolder folder;
  folder.write("map.pgm", "P2\n# hills\n2 2\n4\n0 1\n2 4\n");
  const Scene map = load(folder.write(
      "s.toml", std::string("cardan = 1\n[ground]\nheight_field = \"map.pgm\"\nsize = [1, 1]\nscale = 2\n") + kBodies));
  ASSERT_TRUE(map.contact.ground->height_field);
  EXPECT_EQ(map.contact.ground->height_field->vertices[1][2], 0.5);
  EXPECT_EQ(map.contact.ground->height_field->vertices[3][2], 2.0);
}

TEST(GrayMap, TextAndBytesAgreeAndNonsenseIsRefused) {
  EXPECT_EQ(io::parse_gray_map("P2 2 2 255 0 255 51 102", "m"),
            io::parse_gray_map(std::string("P5 2 2 255\n\0\xff\x33\x66", 15), "m"));
  for (const char* bad : {"", "P3 2 2 255", "P2 2 2", "P2 1 2 255 0 0", "P2 2 2 255 0 0 0", "P2 2 2 255 0 0 0 256",
                          "P5 2 2 255\n\x01", "P2 x 2 255", "P2 99999999 2 255"})
    EXPECT_THROW((void)io::parse_gray_map(bad, "m"), ModelError) << bad;
}

TEST(Srdf, DisablesPairsByName) {
  const std::vector<std::string> bodies{"left/a", "left/b", "left/c"};
  const BodyPairs pairs = parse_disabled_pairs(
      "<robot name=\"r\"><disable_collisions link1=\"a\" link2=\"c\" reason=\"Never\"/><group name=\"g\"/></robot>",
      "r.srdf", bodies, "left/");
  EXPECT_EQ(pairs, (BodyPairs{{"left/a", "left/c"}}));
  try {
    (void)parse_disabled_pairs("<robot>\n<disable_collisions link1=\"a\" link2=\"d\"/></robot>", "r.srdf", bodies,
                               "left/");
    FAIL();
  } catch (const ModelError& problem) {
    EXPECT_NE(std::string(problem.what()).find("r.srdf:2"), std::string::npos) << problem.what();
    EXPECT_NE(std::string(problem.what()).find("expected a link of the robot, found \"d\""), std::string::npos)
        << problem.what();
  }
  EXPECT_THROW((void)parse_disabled_pairs("<robot><disable_collisions link1=\"a\"/></robot>", "r", bodies, "left/"),
               ModelError);
  EXPECT_THROW((void)parse_disabled_pairs("<sdf/>", "r", bodies, "left/"), ModelError);
}

TEST(Srdf, ScenesBringItInWithTheirRobot) {
  TemporaryFolder folder;
  std::string urdf = "<robot name=\"r\">";
  for (const char* link : {"base", "a", "b", "c"})
    urdf += std::string("<link name=\"") + link +
            "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
            "iyz=\"0\"/></inertial><collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link>";
  const char* links[] = {"base", "a", "b", "c"};
  for (int i = 1; i < 4; ++i)
    urdf += std::string("<joint name=\"j") + links[i] + "\" type=\"prismatic\"><parent link=\"" + links[i - 1] +
            "\"/><child link=\"" + links[i] +
            "\"/><axis xyz=\"1 0 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>";
  folder.write("r.urdf", urdf + "</robot>");
  folder.write("r.srdf", "<robot name=\"r\"><disable_collisions link1=\"base\" link2=\"b\"/></robot>");
  const Scene with =
      load(folder.write("s.toml", "cardan = 1\n[[robot]]\nfile = \"r.urdf\"\nname = \"left\"\nsrdf = \"r.srdf\"\n"));
  const Scene without = load(folder.write("t.toml", "cardan = 1\n[[robot]]\nfile = \"r.urdf\"\nname = \"left\"\n"));
  EXPECT_EQ(CollisionWorld(without.model, without.contact).pairs(), 3);  // base and b, base and c, a and c
  EXPECT_EQ(CollisionWorld(with.model, with.contact).pairs(), 2);
}

}  // namespace
}  // namespace cardan::test::scene_contact_test
