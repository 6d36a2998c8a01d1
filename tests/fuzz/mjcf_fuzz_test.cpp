// Thousands of damaged MuJoCo models: reading them gives a scene that can be used or one line of complaint.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/io/mjcf.hpp"
#include "tests/fuzz/damaged_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

constexpr const char* kSound = R"(<mujoco model="m"><compiler angle="radian" eulerseq="ZYX"/><option gravity="0 0 -1"/>
<default><joint damping="1"/><default class="c"><geom type="capsule" size="0.1 0.2"/></default></default>
<worldbody><body name="a" pos="0 0 1" childclass="c"><joint name="j" type="slide" axis="1 0 0" range="-1 1"/>
<joint name="k" axis="0 1 0" pos="0 0 0.1" ref="0.2" stiffness="3" springref="0.1"/><geom/><site name="s" pos="1 0 0"/>
<body name="b" euler="0.1 0.2 0.3"><joint name="l" type="ball"/><geom fromto="0 0 0 0 0 1" size="0.1"/>
<inertial pos="0 0 0.1" mass="2" diaginertia="0.1 0.2 0.25" quat="1 0.1 0 0"/></body></body>
<body name="f" pos="1 1 1"><freejoint/><geom type="box" size="0.1 0.2 0.3" mass="1"/><site name="r"/></body></worldbody>
<equality><connect body1="b" body2="f" anchor="0 0 0"/><joint joint1="j" joint2="k" polycoef="0 1 2"/></equality>
<tendon><fixed name="t" stiffness="2"><joint joint="j" coef="1"/></fixed><spatial><site site="s"/><site site="r"/></spatial></tendon>
<actuator><motor name="m" joint="j" gear="2"/><position joint="k" kp="3" ctrlrange="-1 1"/></actuator></mujoco>)";

TEST(MjcfFuzz, DamagedModels) {
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
                        "</body>",
                        "<body/>",
                        "<joint/>",
                        "a",
                        "b",
                        "j",
                        "k",
                        "world",
                        "free",
                        "ball",
                        "slide",
                        "&#0;",
                        "<!--",
                        "<include file=\"m\"/>",
                        "class",
                        "name",
                        "0",
                        "-1",
                        "<default class=\"d\">",
                        std::string(1, '\0'),
                        "\xff\xfe"});
  test::expect_models_or_complaints(
      mutate, kSound, "damaged.xml", test::repetitions(3000, 100000),
      [](std::string_view text, const std::string& file) { return parse_mjcf(text, file); });
}

}  // namespace
}  // namespace cardan
