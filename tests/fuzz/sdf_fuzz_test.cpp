// Thousands of damaged SDF files: reading them gives a scene that can be used or one line of complaint.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/io/sdf.hpp"
#include "tests/fuzz/damaged_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

constexpr const char* kSoundSdf = R"(<sdf version="1.9"><world name="w"><gravity>0 0 -1</gravity><model name="m">
<pose degrees="true">0 0 1 0 0 30</pose><link name="a"><inertial><mass>2</mass><pose>0 0 0.1 0.1 0 0</pose><inertia>
<ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial><visual name="v"><geometry><box><size>1 2 3</size></box>
</geometry><material><diffuse>1 0 0 1</diffuse></material></visual></link><link name="b"><pose relative_to="f">1 0 0 0 0 0
</pose><gravity>false</gravity></link><frame name="f" attached_to="a"><pose>0 0 1 0 0 0</pose></frame>
<joint name="i" type="revolute"><pose>0 0 0.5 0 0 0</pose><parent>world</parent><child>a</child><axis>
<xyz expressed_in="__model__">0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit><dynamics><damping>1</damping>
</dynamics></axis></joint><joint name="j" type="universal"><parent>a</parent><child>b</child><axis2><xyz>1 0 0</xyz></axis2>
</joint><model name="n" placement_frame="g"><link name="c"/><frame name="g"><pose>1 0 0 0 0 0</pose></frame></model>
<joint name="k" type="ball"><parent>b</parent><child>n::c</child></joint></model><model name="s"><static>true</static>
<link name="d"/></model></world></sdf>)";

TEST(SdfFuzz, DamagedFiles) {
  test::Mutator mutate({"1e308",
                        "-1e308",
                        "nan",
                        "inf",
                        "0 0 0",
                        "1e-320",
                        "",
                        "\n",
                        "\"",
                        "<",
                        ">",
                        "</link>",
                        "<link/>",
                        "<joint/>",
                        "a",
                        "b",
                        "m",
                        "n::c",
                        "world",
                        "__model__",
                        "ball",
                        "screw",
                        "gearbox",
                        "revolute2",
                        "fixed",
                        "&#0;",
                        "<!--",
                        "<include><uri>m",
                        "1.4",
                        "1.6",
                        "name",
                        "0",
                        "-1",
                        "relative_to",
                        "attached_to",
                        "<frame name=\"x\"/>",
                        std::string(1, '\0'),
                        "\xff\xfe"});
  test::expect_models_or_complaints(
      mutate, kSoundSdf, "damaged.sdf", test::repetitions(3000, 100000),
      [](std::string_view text, const std::string& file) { return parse_sdf(text, file); });
}

}  // namespace
}  // namespace cardan
