// Reading what `cardan eval` is asked.
#include "cardan/io/internal/eval_request.hpp"

#include "cardan/io/urdf.hpp"
#include "tests/io/broken_requests.hpp"
#include "tests/io/broken_urdfs.hpp"

#include <gtest/gtest.h>

namespace cardan::eval_request_test {
namespace {

Model model() {
  UrdfOptions options;
  options.base = UrdfOptions::Base::free;
  return parse_urdf(test::kRequestUrdf, "ball.urdf", options);
}

std::string complaint(const std::string& text) {
  try {
    parse_eval_request(text, "dir/states.json", model());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(EvalRequest, IsRead) {
  const EvalRequest request = parse_eval_request(test::kRequest, "states.json", model());
  EXPECT_EQ(request.quantities, (std::vector{Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::pose}));
  EXPECT_EQ(request.frame, model().find_frame("pin"));
  ASSERT_EQ(request.states.size(), 2u);
  EXPECT_EQ(request.states[1].v, (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(request.states[1].tau, (std::vector<double>{7, 6, 5, 4, 3, 2, 1}));
}

TEST(EvalRequest, AlmostUnitQuaternionsAreNormalized) {
  const EvalRequest request =
      parse_eval_request(test::replaced(test::kRequest, "[0.6, 0.8,", "[0.6000001, 0.8,"), "states.json", model());
  const auto& q = request.states[1].q;
  EXPECT_NEAR(q[0] * q[0] + q[1] * q[1], 1.0, 1e-15);
  EXPECT_NEAR(q[0] / q[1], 0.75000012500000, 1e-12);
  EXPECT_EQ(q[7], 4.0);
}

TEST(EvalRequest, OnlyWhatIsNeededMustBeThere) {
  const EvalRequest request =
      parse_eval_request(R"({"quantities": ["mass_matrix", "gravity"], "states": [{"q": [1, 0, 0, 0, 0, 0, 0, 0]}]})",
                         "states.json", model());
  EXPECT_EQ(request.frame, -1);
  EXPECT_EQ(request.states.at(0).v, std::vector<double>(7));
  // but what is there must be right
  EXPECT_NE(complaint(R"({"quantities": ["gravity"], "states": [{"q": [1, 0, 0, 0, 0, 0, 0, 0], "v": [1]}]})"), "");
  EXPECT_TRUE(parse_eval_request(R"({"quantities": ["gravity"], "states": []})", "s", model()).states.empty());
}

TEST(EvalRequest, QuantitiesKeepTheirOrderAndComeOnce) {
  const EvalRequest request =
      parse_eval_request(R"({"quantities": ["gravity", "mass_matrix", "gravity"], "states": []})", "s", model());
  EXPECT_EQ(request.quantities, (std::vector{Quantity::gravity, Quantity::mass_matrix}));
}

TEST(EvalRequest, EveryMistakeIsOneLine) {
  EXPECT_EQ(complaint(test::kRequest), "");
  for (const auto& broken : test::broken_requests()) {
    SCOPED_TRACE(broken.by);
    const std::string message = complaint(test::replaced(test::kRequest, broken.part, broken.by));
    EXPECT_TRUE(message.starts_with("eval: dir/states.json:")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& part : broken.says)
      EXPECT_NE(message.find(part), std::string::npos) << message << "\n  does not say: " << part;
  }
}

TEST(EvalRequest, EmptyAndForeignText) {
  EXPECT_EQ(complaint(""), "eval: dir/states.json:1: expected JSON, found an empty file");
  EXPECT_NE(complaint("<robot/>").find(":1: expected valid JSON"), std::string::npos);
  EXPECT_NE(complaint("[]").find("expected an object"), std::string::npos);
  EXPECT_NE(complaint(std::string(100000, '[')).find("JSON"), std::string::npos);
  EXPECT_LT(complaint("\"" + std::string(100000, 'x')).size(), 1000u);
}

}  // namespace
}  // namespace cardan::eval_request_test
