// Arches of stones without mortar: the thickness below which they fall, against the static theorem of limit analysis
// (golden/contact_more.json, by linear programs).
#include "cardan/io/load.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/support/contact_scenes.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/trials.hpp"

namespace cardan::test {
namespace {

constexpr const char* kArches = "golden/contact_more.json";

/// Writes a semicircle of mean radius 1 as a scene, with its stone beside it.
std::string write_arch(int stones, double thickness, const TemporaryFolder& folder) {
  const double half = std::numbers::pi / (2 * stones);
  std::string mesh;
  for (const double y : {-0.15, 0.15})
    for (const double r : {1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness})
      for (const double a : {-half, half})
        mesh += fmt::format("v {:.17g} {} {:.17g}\n", r * std::sin(a), y, r * std::cos(a) - 1.0);
  folder.write("stone.obj", mesh + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n");
  std::string text = "cardan = 1\nname = \"arch\"\n[ground]\nfriction = 0.7\n[[contact]]\nfriction = 0.7\n";
  for (int i = 0; i < stones; ++i) {
    const double angle = std::numbers::pi * (i + 0.5) / stones, turn = 0.5 * (0.5 * std::numbers::pi - angle);
    text += fmt::format(
        "[[body]]\nname = \"stone{}\"\nmass = 30\n[[body.shape]]\nmesh = \"stone.obj\"\nhull = true\n[body.joint]\n"
        "type = \"free\"\nq = [{:.17g}, 0, {:.17g}, 0, {:.17g}, 0, {:.17g}]\n",
        i, std::cos(turn), std::sin(turn), std::cos(angle), std::sin(angle));
  }
  return folder.write("arch.toml", text + "[simulation]\nduration = 1\nstep = 0.002\n");
}

/// By how much the keystone has sunk.
double sinks(int stones, double thickness) {
  const TemporaryFolder folder;
  const Trajectory run = simulate(load(write_arch(stones, thickness, folder)));
  EXPECT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  const int keystone = 7 * (stones / 2) + 6;
  return q_at(run, 0, keystone) - last_q(run, keystone);
}

TEST(ContactArch, StandsAboveItsCriticalThicknessAndFallsBelow) {
  const auto golden = shared_json(kArches);
  if (!golden) GTEST_SKIP() << missing_data(kArches);
  const std::vector<int> counts = repetitions(0, 1) > 0 ? std::vector<int>{5, 7, 9, 11, 15} : std::vector<int>{5, 7};
  for (const int stones : counts) {
    const double critical = (*golden)["arch"]["t_critical"][std::to_string(stones)].get<double>();
    EXPECT_LT(std::abs(sinks(stones, 1.03 * critical)), 1e-9) << stones;
    EXPECT_GT(sinks(stones, 0.97 * critical), 0.01) << stones;
  }
}

}  // namespace
}  // namespace cardan::test
