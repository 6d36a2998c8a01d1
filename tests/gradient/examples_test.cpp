// `cardan gradient --check` on every example: derivatives are those of differences, or one line says why there is none.
#include "tests/apps/run_command.hpp"
#include "tests/support/trials.hpp"

#include <filesystem>
#include <set>

namespace cardan::test {
namespace {

struct ExampleRequest {
  const char *file, *by;
  const char* duration;
  bool in_sample;      // checked by `make test`; all are in the long trials
  const char* reason;  // why there is no derivative; empty where there is one
};

constexpr const char* kContacts = "contacts, dry friction and bearings";
constexpr const char* kImplicit = "steps of linearly_implicit_euler are not differentiated yet";

const std::vector<ExampleRequest>& requests() {
  static const std::vector<ExampleRequest> all{
      {"arch", "body.stone0.mass", "0.1", true, kContacts},
      {"arm26", "body.humerus.mass,initial.v.shoulder", "0.1", false, ""},
      {"board", "initial.v.bob.0", "0.2", false, ""},
      {"bow", "body.arrow.mass", "0.1", false, ""},
      {"bricard", "body.link 1.mass,initial.v.link 1", "0.1", false, ""},
      {"cam", "radius", "0.2", true, ""},
      {"card_house", "body.first left.mass", "0.1", false, kContacts},
      {"cart_pole", "length,body.cart.mass,initial.v.cart", "0.5", true, ""},
      {"delta_robot", "body.arm a.mass", "0.1", false, ""},
      {"differential", "initial.v.cage", "0.1", true, ""},
      {"dominoes", "body.first.mass", "0.1", false, kContacts},
      {"door_hinge", "body.door.mass", "0.1", true, kContacts},
      {"driven_arm", "length,initial.v.shoulder", "0.3", true, ""},
      {"fishing_rod", "body.handle.mass", "0.01", false, ""},
      {"flat_foot", "coupler,rocker", "0.3", true, ""},
      {"flying_chain", "initial.v.rod 1.0", "0.1", true, ""},
      {"forced_pendulum", "body.slider.mass", "0.2", true, ""},
      {"four_bar", "body.crank.mass,initial.v.crank", "0.1", true, ""},
      {"geneva_drive", "distance", "0.2", true, ""},
      {"gripper", "body.left.mass", "0.1", false, kContacts},
      {"heavy_top", "body.top.mass,initial.v.top.0", "0.1", true, ""},
      {"humanoid_falls", "simulation.step", "0.1", false, kContacts},
      {"knee", "body.thigh.mass", "0.3", true, "a joint reaches its limit"},
      {"knee_extensor", "body.shin.mass,initial.v.foot", "0.1", true, ""},
      {"marbles", "body.ring.mass", "0.1", false, kContacts},
      {"measured_knee", "body.shin.mass", "0.2", true, ""},
      {"mixed_arm", "body.upper arm.mass", "0.1", false, kImplicit},
      {"newtons_cradle", "body.ball0.mass", "0.1", false, kContacts},
      {"passive_walker", "body.stone0.mass", "0.1", false, kContacts},
      {"pendulum", "body.upper.mass,initial.q.lower", "0.2", true, ""},
      {"planetary_gear", "r_sun", "0.2", true, ""},
      {"pyramid", "body.box0_0.mass", "0.1", false, kContacts},
      {"quadruped_falls", "simulation.step", "0.1", false, kContacts},
      {"rack_and_pinion", "radius,body.pinion.mass", "0.2", true, ""},
      {"ragdoll", "body.torso.mass", "0.1", false, kContacts},
      {"rimless_wheel", "body.wheel.mass", "0.1", true, kContacts},
      {"rolling_coin", "r,body.coin.mass", "0.2", true, ""},
      {"screw_jack", "body.jack.mass", "0.1", false, kContacts},
      {"shapes", "initial.q.upper", "0.2", false, ""},
      {"slider_crank", "body.crank.mass", "0.1", true, ""},
      {"spring_pendulum", "body.rod.mass,initial.v.rod", "0.2", true, ""},
      {"spring_tree", "body.stick 0.mass", "0.1", true, kImplicit},
      {"stack", "body.box0.mass", "0.1", false, kContacts},
      {"stewart_platform", "body.cylinder 1.mass", "0.05", false, ""},
      {"strand_net", "body.knot_1.mass", "0.02", false, ""},
      {"suspension_bridge", "body.plank 0.mass", "0.1", false, kImplicit},
      {"swing_fit", "inertia,drag", "0.3", true, ""},
      {"throw", "speed", "0.1", true, kContacts},
      {"tippe_top", "R", "0.1", false, kContacts},
      {"torus_chain_10", "initial.v.ring 2.0", "0.02", false, ""},
      {"torus_chain_20", "initial.v.ring 2.0", "0.02", false, ""},
      {"torus_chain_on_curve", "initial.v.ring 2.0", "0.02", false, ""},
      {"umbrella", "body.pole.mass", "0.1", false, kImplicit},
      {"unstable_rotation", "initial.v.brick.1", "0.1", true, ""},
      {"walking_linkage", "body.left upper.joint.at.xyz.0", "0.1", false, ""},
      {"watt_linkage", "body.left rocker.mass,initial.v.left rocker", "0.1", true, ""},
      {"windmill", "initial.v.hub", "0.05", false, ""}};
  return all;
}

TEST(GradientOfExamples, AgreesWithDifferencesOrSaysWhyThereIsNone) {
  const TemporaryFolder folder;
  for (const ExampleRequest& request : requests()) {
    if (!request.in_sample && repetitions(0, 1) == 0) continue;
    const std::string scene = std::string(CARDAN_SOURCE_DIR "/examples/") + request.file + ".toml";
    const Outcome outcome = run_command({"gradient", scene, "--of", "energy.final,kinetic.integral", "--by", request.by,
                                         "--duration", request.duration, "--check"},
                                        folder);
    if (std::string(request.reason).empty()) {
      EXPECT_EQ(outcome.code, 0) << request.file << ": " << outcome.err;
    } else {
      const std::string line = refusal(outcome);
      EXPECT_TRUE(says(line, request.reason)) << line;
    }
  }
}

TEST(GradientOfExamples, KnowsAllScenes) {
  std::set<std::string> known, scenes;
  for (const ExampleRequest& request : requests()) known.insert(request.file);
  for (const auto& entry : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".toml") scenes.insert(entry.path().stem().string());
  EXPECT_EQ(known, scenes);
}

}  // namespace
}  // namespace cardan::test
