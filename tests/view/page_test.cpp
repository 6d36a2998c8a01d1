// The page of a run: what stands in it, and that its numbers are those of the motion.
#include "cardan/view/page.hpp"

#include "cardan/forces/spring.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/simulate/simulate.hpp"
#include "cardan/view/internal/base64.hpp"
#include "cardan/view/internal/built_page.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

namespace cardan::view_test {
namespace {

using Json = nlohmann::json;

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Decodes base64 by arithmetic on letters, apart from what is tested.
std::string decoded(const std::string& text) {
  std::string out;
  unsigned bits = 0, value = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                                             : 63;
    value = value << 6 | static_cast<unsigned>(digit);
    if ((bits += 6) >= 8) out += static_cast<char>(value >> (bits -= 8) & 255u);
  }
  return out;
}

std::vector<double> numbers(const Json& array) {
  const std::string bytes = decoded(array.at("data"));
  const bool single = array.at("type") == "f4";
  const std::size_t width = single ? sizeof(float) : sizeof(double);
  std::vector<double> out(bytes.size() / width);
  for (std::size_t i = 0; i < out.size(); ++i) {
    float shorter = 0.0F;
    if (single) {
      std::memcpy(&shorter, bytes.data() + i * width, width);
      out[i] = static_cast<double>(shorter);
    } else {
      std::memcpy(&out[i], bytes.data() + i * width, width);
    }
  }
  return out;
}

Json data_of(const std::string& page) {
  const std::string begin = "<script id=\"cardan-data\" type=\"application/json\">";
  const std::size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find("</script>", at) - at));
}

/// An arm that turns about y and carries a slider along its z, held by a spring from the world.
Scene arm_and_slider() {
  Scene scene =
      scene_of(ModelBuilder("a <b> & \"c\" </script>")
                   .body({"arm",
                          {1.0, {0.0, 0.0, -0.5}, {0.08, 0.08, 0.001, 0.0, 0.0, 0.0}},
                          {{Capsule{0.05, 1.0}, {}, true, true, "#4477aa", ""}},
                          ""})
                   .body("slider", {2.0, {0.0, 0.1, 0.0}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                   .joint("world", "arm", Revolute{{0.0, 1.0, 0.0}}, {Mat3<double>::identity(), {0.3, 0.0, 1.0}})
                   .joint("arm", "slider", Prismatic{{0.0, 0.0, 1.0}}, {Mat3<double>::identity(), {0.0, 0.2, -1.0}})
                   .build());
  scene.initial.q = {0.4, 0.1};
  scene.forces.push_back(make_force(Spring{"s", {0, {1.0, 0.0, 0.0}}, {2, {}}, 30.0, 0.0, 0.5}));
  scene.settings.duration = 0.5;
  return scene;
}

std::string page_of(const Scene& scene, const Trajectory& run) {
  return view::run_page(scene, System(scene), run,
                        {scene.model.name(), {{"steps", "12 <3>"}}, {{"step", "1"}}, {"a & b <script>"}});
}

TEST(Base64, KnownValuesOfTheStandard) {
  EXPECT_EQ(view::base64(""), "");
  EXPECT_EQ(view::base64("f"), "Zg==");
  EXPECT_EQ(view::base64("fo"), "Zm8=");
  EXPECT_EQ(view::base64("foobar"), "Zm9vYmFy");
}

TEST(Page, HoldsTheMotion) {
  const Scene scene = arm_and_slider();
  const Trajectory run = simulate(scene);
  const Json data = data_of(page_of(scene, run));
  const Json& arrays = data.at("run");
  ASSERT_EQ(arrays.at("frames"), run.size());
  const std::vector<double> times = numbers(arrays.at("times")), positions = numbers(arrays.at("positions")),
                            rotations = numbers(arrays.at("rotations")), values = numbers(arrays.at("values"));
  ASSERT_EQ(positions.size(), 6 * run.size());
  ASSERT_EQ(rotations.size(), 8 * run.size());
  for (std::size_t i = 0; i < run.size(); ++i) {
    const double q0 = run.q(i)[0], q1 = run.q(i)[1];
    EXPECT_EQ(times[i], run.times()[i]);
    // the arm stands at its joint; the slider at (0, 0.2, q1 - 1) of the arm
    const double expected[] = {0.3, 0.0, 1.0, 0.3 + std::sin(q0) * (q1 - 1.0), 0.2, 1.0 + std::cos(q0) * (q1 - 1.0)};
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(positions[6 * i + k], expected[k], 2e-7);
    for (std::size_t body = 0; body < 2; ++body) {
      EXPECT_NEAR(rotations[8 * i + 4 * body], std::cos(q0 / 2), 1e-7);
      EXPECT_NEAR(rotations[8 * i + 4 * body + 2], std::sin(q0 / 2), 1e-7);
    }
    const double l = std::hypot(expected[3] - 1.0, expected[4], expected[5]);
    EXPECT_NEAR(values.at(values.size() - run.size() + i), 30.0 * (l - 0.5), 1e-5);  // the tension is the last column
    EXPECT_NEAR(values[run.size() + i], q1, 1e-6);
  }
}

TEST(Page, SaysHowTheSceneAsksToBeShown) {
  Scene scene = arm_and_slider();
  EXPECT_EQ(data_of(page_of(scene, simulate(scene))).at("mechanism").at("view"), Json::object());
  scene.view = {Vec3<double>{1.0, -2.0, 0.5}, 2, {"energy", "arm"}, {"springs"}, "An arm that throws."};
  const Json view = data_of(page_of(scene, simulate(scene))).at("mechanism").at("view");
  EXPECT_EQ(view, Json::parse(R"({"from": [1.0, -2.0, 0.5], "follow": 2, "plots": ["energy", "arm"],
                                  "hide": ["springs"], "description": "An arm that throws."})"));
}

TEST(Page, SaysHowWellTheLawsWereMet) {
  const Scene scene = arm_and_slider();
  const Trajectory run = simulate(scene);
  const std::string page = view::run_page(scene, System(scene), run, {"arm", {}, {}, {}, {"energy kept"}, false});
  EXPECT_EQ(data_of(page).at("health"), Json::parse(R"({"said": ["energy kept"], "good": false})"));
}

TEST(Page, DescribesTheMechanism) {
  const Scene scene = arm_and_slider();
  const Json mechanism = data_of(page_of(scene, simulate(scene))).at("mechanism");
  EXPECT_EQ(mechanism.at("name"), scene.model.name());
  const Json& slider = mechanism.at("bodies").at(1);
  EXPECT_EQ(slider.at("name"), "slider");
  EXPECT_EQ(slider.at("parent"), 1);
  EXPECT_EQ(slider.at("mass"), 2.0);
  EXPECT_NEAR(slider.at("com").at(1).get<double>(), 0.1, 1e-15);
  EXPECT_EQ(slider.at("joint").at("axes").at(0).at("kind"), "slide");
  const Json& axis = mechanism.at("bodies").at(0).at("joint").at("axes").at(0);
  EXPECT_EQ(axis.at("kind"), "turn");
  EXPECT_NEAR(axis.at("direction").at(1).get<double>(), 1.0, 1e-15);
  const Json& line = mechanism.at("lines").at(0);
  EXPECT_EQ(line.at("points").at(0).at("body"), 0);
  EXPECT_EQ(line.at("points").at(1).at("body"), 2);
  EXPECT_EQ(mechanism.at("columns").at(line.at("tension").get<std::size_t>()).at("unit"), "N");
  EXPECT_EQ(mechanism.at("shapes").at(0).at("color"), "#4477aa");
}

TEST(Page, NeedsNothingElseAndEscapesTexts) {
  const Scene scene = arm_and_slider();
  const std::string page = page_of(scene, simulate(scene));
  EXPECT_TRUE(says(page, "<title>a &lt;b&gt; &amp; &quot;c&quot; &lt;/script&gt;</title>"));
  EXPECT_TRUE(says(page, "<li>a &amp; b &lt;script&gt;</li>"));
  EXPECT_TRUE(says(page, "<td>12 &lt;3&gt;</td>"));
  for (const char* foreign : {" src=", "href=\"http", "@import", "url(http"})
    EXPECT_FALSE(says(page, foreign)) << foreign;
  EXPECT_TRUE(says(page, "default-src &#39;none&#39;") || says(page, "default-src 'none'"));
  EXPECT_LT(view::kBuiltPage.size(), 2'000'000u);
}

TEST(Page, ThinsLongRunsAndStandsShortOnes) {
  const Scene scene = arm_and_slider();
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, 2 * view::kMostFrames + 7}) {
    Trajectory run(scene.model);
    for (std::size_t i = 0; i < rows; ++i) run.add(0.1 * static_cast<double>(i), scene.initial, {});
    const std::string page = page_of(scene, run);
    const Json arrays = data_of(page).at("run");
    EXPECT_LE(arrays.at("frames").get<std::size_t>(), view::kMostFrames + 1);
    const std::vector<double> times = numbers(arrays.at("times"));
    if (rows > 0) EXPECT_EQ(times.back(), run.times().back());
    EXPECT_EQ(says(page, "in all; --out has them)"), rows > view::kMostFrames);
  }
}

/// Far away, floats would round positions to millimeters.
TEST(Page, KeepsDigitsFarFromTheOrigin) {
  Scene scene = arm_and_slider();
  Trajectory run(scene.model);
  scene.initial.q[1] = 12345.678901234;
  run.add(0.0, scene.initial, {});
  const std::vector<double> positions = numbers(data_of(page_of(scene, run)).at("run").at("positions"));
  EXPECT_NEAR(positions[5], 1.0 + std::cos(0.4) * 12344.678901234, 1e-9);
}

}  // namespace
}  // namespace cardan::view_test
