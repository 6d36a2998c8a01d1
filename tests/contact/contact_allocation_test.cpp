// Once contacts stay what they are, a step takes no memory from the system: a stack of boxes, and a tree of limbs that
// lies on the ground. Calls of malloc are counted, since Eigen does not use operator new.
#include "cardan/simulate/simulator.hpp"
#include "tests/support/contact_scenes.hpp"

#if defined(__GLIBC__) && !defined(CARDAN_SANITIZED)

namespace {
long calls = 0;
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT: the C library's own name
void* malloc(std::size_t size) {
  ++calls;
  return __libc_malloc(size);
}
}

namespace cardan::test::contact_allocation_test {
namespace {

/// Counts the calls of malloc between two times of a run.
long allocations(const std::string& text, double from, double to) {
  const Scene scene =
      parse_scene("cardan = 1\n" + text + fmt::format("[simulation]\nduration = {}\noutput_every = 1000\n", to + 0.1),
                  "contact.toml");
  SystemWorkspace workspace{System(scene)};
  Simulator simulator(workspace);
  long before = -1, after = -1;
  const RunSummary summary = simulator.run(
      scene.initial, [](double, const State&) {},
      [&](double t) {
        if (before < 0 && t >= from) before = calls;
        if (after < 0 && t >= to) after = calls;
        return true;
      });
  EXPECT_EQ(summary.end, RunSummary::End::done) << summary.failure;
  EXPECT_GE(before, 0);
  EXPECT_GE(summary.contact->contacts, 4);
  return after - before;
}

TEST(ContactAllocation, StackOfBoxes) {
  std::string text = "[ground]\n";
  for (int i = 0; i < 5; ++i)
    text += box_body("box" + std::to_string(i), {0.2, 0.2, 0.1}, 1.0 + i,
                     fmt::format("[1, 0, 0, 0, 0, 0, {}]", 0.05 + 0.1 * i));
  EXPECT_EQ(allocations(text, 0.2, 0.5), 0);
}

TEST(ContactAllocation, TwoStacksApart) {
  std::string text = "[ground]\n";
  for (int i = 0; i < 4; ++i)
    text += box_body("box" + std::to_string(i), {0.2, 0.2, 0.1}, 1.0,
                     fmt::format("[1, 0, 0, 0, {}, 0, {}]", i % 2, 0.05 + 0.1 * (i / 2)));
  EXPECT_EQ(allocations(text, 0.2, 0.5), 0);
}

TEST(ContactAllocation, TreeOfLimbs) {
  std::string text = "[ground]\n" + box_body("torso", {0.3, 0.2, 0.1}, 5.0, "[1, 0, 0, 0, 0, 0, 0.06]");
  for (const int side : {-1, 1}) {
    std::string parent = "torso";
    for (const char* part : {"upper", "lower"}) {
      const std::string name = fmt::format("{}{}", part, side);
      text += fmt::format(
          "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1\ncom = [0.1, 0, 0]\n"
          "[[body.shape]]\ncapsule = {{ radius = 0.03, length = 0.14 }}\nat = {{ xyz = [0.1, 0, 0], rpy = [0, "
          "1.5707963267948966, 0] }}\n[body.joint]\ntype = \"composite\"\njoints = [{{ type = \"revolute\", axis = [0, "
          "1, "
          "0] }}, {{ type = \"revolute\", axis = [0, 0, 1] }}]\nat = {{ xyz = [{}, {}, 0] }}\ndamping = 0.5\n"
          "armature = 0.01\nlimits = [[-1.5, 1.5], [-1.0, 1.0]]\n",
          name, parent, parent == "torso" ? 0.16 : 0.22, parent == "torso" ? 0.08 * side : 0.0);
      parent = name;
    }
  }
  EXPECT_EQ(allocations(text, 4.0, 4.5), 0);
}

}  // namespace
}  // namespace cardan::test::contact_allocation_test

#endif
