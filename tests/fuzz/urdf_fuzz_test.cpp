// Thousands of damaged files: reading them gives a model that can be used or one line of complaint, never anything
// else.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/io/internal/eval_request.hpp"
#include "cardan/io/urdf.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/io/broken_requests.hpp"
#include "tests/io/broken_urdfs.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

using test::expect_one_line;
using test::Mutator;

TEST(UrdfFuzz, DamagedRobots) {
  const std::string branched = R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="j" type="planar"><parent link="a"/><child link="b"/><axis xyz="1 2 3"/></joint>
    <joint name="k" type="floating"><parent link="b"/><child link="c"/></joint>
    <joint name="l" type="fixed"><parent link="b"/><child link="d"/><origin rpy="1 2 3"/></joint>
    <link name="e"><collision><geometry><mesh filename="package://x/y.stl" scale="1 -1 1"/></geometry></collision></link>
    <joint name="m" type="continuous"><parent link="d"/><child link="e"/><mimic joint="n"/></joint>
    <link name="f"/><joint name="n" type="prismatic"><parent link="a"/><child link="f"/></joint></robot>)";
  Mutator mutate({"1e308",
                  "-1e308",
                  "nan",
                  "-inf",
                  "0 0 0",
                  "1e-320",
                  "99999999999999999999",
                  "",
                  "\n",
                  "\"",
                  "<",
                  ">",
                  "</link>",
                  "<link name=\"x\"/>",
                  "<joint>",
                  "world",
                  "upper",
                  "a",
                  "b",
                  "shoulder",
                  "j",
                  "fixed",
                  "planar",
                  "floating",
                  "&#0;",
                  "&#10;",
                  "&#xFFFFFF;",
                  "&quot;",
                  "<!--",
                  "<![CDATA[",
                  "<?xml?>",
                  std::string(1, '\0'),
                  "\xff\xfe",
                  "<inertial><mass value=\"1e300\"/>"});
  const int files = test::repetitions(20000, 500000);
  int models = 0, complaints = 0;
  for (int i = 0; i < files; ++i) {
    const std::string text = mutate(i % 2 == 0 ? test::kSoundUrdf : branched);
    UrdfOptions options;
    std::vector<std::string> warnings;
    options.warnings = &warnings;
    options.base = i % 3 == 0 ? UrdfOptions::Base::free : UrdfOptions::Base::fixed;
    try {
      const Model model = parse_urdf(text, "damaged.urdf", options);
      Workspace<double> w(model);
      std::vector<double> zero(static_cast<std::size_t>(model.nv())), tau(zero.size());
      bias<double>(model, w, model.neutral(), zero, tau);
      ++models;
      for (const std::string& warning : warnings) expect_one_line(warning, "urdf: damaged.urdf:");
    } catch (const ModelError& error) {
      expect_one_line(error.what(), "urdf: damaged.urdf:");
      ++complaints;
    } catch (const std::exception& error) {
      FAIL() << "not a ModelError: " << error.what() << "\n" << text;
    }
  }
  // damage that is always fatal, or never, would test nothing
  EXPECT_GT(models, files / 40);
  EXPECT_GT(complaints, files / 20);
}

TEST(UrdfFuzz, EveryBeginningOfAFile) {
  for (std::size_t n = 0; n + 2 < test::kSoundUrdf.size(); ++n) {
    try {
      parse_urdf(std::string_view(test::kSoundUrdf).substr(0, n), "cut.urdf");
      FAIL() << "read after " << n << " bytes";
    } catch (const ModelError& error) {
      expect_one_line(error.what(), "urdf: cut.urdf:");
    }
  }
}

TEST(UrdfFuzz, DamagedRequests) {
  UrdfOptions options;
  options.base = UrdfOptions::Base::free;
  const Model model = parse_urdf(test::kRequestUrdf, "ball.urdf", options);
  Mutator mutate({"1e308",    "1e999", "-0", "NaN",  "null",
                  "true",     "[]",    "{}", "[[[[", "]",
                  "}",        ",",     ":",  "\"",   "\\u0000",
                  "\\ud800",  "\xff",  "\n", "pose", "frame",
                  "jacobian", "world", "q",  "a",    "123456789012345678901234567890"});
  const int files = test::repetitions(20000, 500000);
  int requests = 0, complaints = 0;
  for (int i = 0; i < files; ++i) {
    const std::string text = mutate(test::kRequest);
    try {
      const EvalRequest request = parse_eval_request(text, "damaged.json", model);
      for (const EvalState& state : request.states) EXPECT_EQ(static_cast<int>(state.q.size()), model.nq());
      ++requests;
    } catch (const ModelError& error) {
      expect_one_line(error.what(), "eval: damaged.json:");
      ++complaints;
    } catch (const std::exception& error) {
      FAIL() << "not a ModelError: " << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(requests, files / 100);
  EXPECT_GT(complaints, files / 20);
}

}  // namespace
}  // namespace cardan
