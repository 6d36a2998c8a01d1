// Thousands of damaged files: reading them gives a model that can be used or one line of complaint, never anything
// else.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/io/eval_request.hpp"
#include "cardan/io/urdf.hpp"
#include "tests/io/broken_requests.hpp"
#include "tests/io/broken_urdfs.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan {
namespace {

/// Damages text in the ways that files get damaged, and in some that only malice finds. Always the same sequence.
class Mutator {
 public:
  explicit Mutator(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  std::string operator()(std::string text) {
    for (std::size_t times = 1 + below(4); times > 0; --times) mutate(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void mutate(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
    switch (below(12)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 2: text.erase(at, length); break;
      case 3: text.insert(below(text.size() + 1), text.substr(at, length)); break;
      case 4: text.resize(at); break;
      case 5: text.insert(at, pieces_[below(pieces_.size())]); break;
      default: replace_word(text, at); break;
    }
  }

  /// What stands between two quotes, or the number here, becomes another piece.
  void replace_word(std::string& text, std::size_t at) {
    const auto begin = text.find_first_of("\"0123456789", at);
    if (begin == std::string::npos) return;
    const bool quote = text[begin] == '"';
    const auto end = quote ? text.find('"', begin + 1) : text.find_first_not_of("0123456789.e-", begin);
    if (end == std::string::npos) return;
    text.replace(begin + (quote ? 1 : 0), end - begin - (quote ? 1 : 0), pieces_[below(pieces_.size())]);
  }

  std::vector<std::string> pieces_;
  std::mt19937_64 random_{20240611};
};

void expect_one_line(const std::string& message, const std::string& prefix) {
  EXPECT_TRUE(message.starts_with(prefix)) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_LT(message.size(), 2000u) << message;
}

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
  int models = 0, complaints = 0;
  for (int i = 0; i < 20000; ++i) {
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
  EXPECT_GT(models, 1000);
  EXPECT_GT(complaints, 1000);
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
  int requests = 0, complaints = 0;
  for (int i = 0; i < 20000; ++i) {
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
  EXPECT_GT(requests, 200);
  EXPECT_GT(complaints, 1000);
}

}  // namespace
}  // namespace cardan
