// Helpers of expressions: any order, and what is wrong with them.
#include "cardan/symbolic/definitions.hpp"
#include "cardan/symbolic/graph.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

struct Definitions : ::testing::Test {
  Graph graph;
  Symbols symbols{{"u", graph.input(0)}};

  /// "index column: message", or "accepted".
  std::string error(const std::vector<Definition>& definitions) {
    Symbols own = symbols;
    try {
      define(own, definitions);
    } catch (const DefinitionError& error) {
      return std::to_string(error.definition) + " " + std::to_string(error.column) + ": " + error.what();
    }
    return "accepted";
  }
};

TEST_F(Definitions, UseOneAnotherInAnyOrder) {
  const std::vector<Definition> definitions{{"a", "b*b + u"}, {"b", "2*c"}, {"c", "u + 1"}};
  define(symbols, definitions);
  const Expr out[] = {symbols.at("a")};
  EXPECT_EQ(evaluate(graph, out, std::vector<double>{3.0})[0], 67.0);
}

TEST_F(Definitions, CyclesAreNamed) {
  EXPECT_EQ(error({{"a", "a + u"}}), "0 1: helpers must not use one another in a cycle: a uses a");
  EXPECT_EQ(error({{"x", "a"}, {"a", "b"}, {"b", "sin(a)"}}),
            "1 1: helpers must not use one another in a cycle: a uses b uses a");
}

TEST_F(Definitions, ErrorsSayInWhichText) {
  EXPECT_EQ(error({{"a", "u"}, {"b", "2*(u"}}), "1 5: expected \")\", found the end");
  EXPECT_EQ(error({{"a", "b"}, {"b", "u + y"}}), "1 5: unknown name \"y\"");
  EXPECT_EQ(error({{"a", "u $"}}), "0 3: unexpected \"$\"");
  EXPECT_EQ(error({{"u", "1"}}), "0 1: the name \"u\" is already taken");
  EXPECT_EQ(error({{"a", "1"}, {"a", "2"}}), "1 1: the name \"a\" is already taken");
}

TEST_F(Definitions, LongChainsAreRefused) {
  std::vector<Definition> chain;
  for (int i = 0; i < 1000; ++i) chain.push_back({"a" + std::to_string(i), "a" + std::to_string(i + 1) + " + u"});
  EXPECT_NE(error(chain).find("too many helpers that use one another"), std::string::npos);
}

}  // namespace
}  // namespace cardan
