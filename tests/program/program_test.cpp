// Lowering, sums, calls and registers.
#include "cardan/program/allocate.hpp"
#include "cardan/program/interpreter.hpp"
#include "tests/support/random_graphs.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

using namespace program;

int count(const Program& p, Code code) {
  return static_cast<int>(
      std::count_if(p.code.begin(), p.code.end(), [&](const Instruction& x) { return x.code == code; }));
}

std::vector<double> interpret(const Program& p, std::vector<double> in) {
  const Interpreter interpreter(p);
  std::vector<double> out(static_cast<std::size_t>(p.output_sizes[0]));
  std::vector<double> scratch(static_cast<std::size_t>(interpreter.scratch()), NAN);
  double* const arrays[2] = {in.data(), out.data()};
  interpreter.run(arrays, scratch.data());
  return out;
}

struct Symbols4 {
  Graph graph;
  Tracing to{graph};
  Expr a = graph.input(0), b = graph.input(1), c = graph.input(2), d = graph.input(3);
  Program program(Expr e) { return make_program(graph, {{4}, {{e}}}); }
};

TEST(Program, SumsOfProductsAreChainsOfFusedOperations) {
  Symbols4 s;
  const Program p = s.program(s.a * s.b + s.c * s.d - s.b * s.d + s.a);
  EXPECT_EQ(p.code.size(), 3u);  // the lone term begins, every product costs one instruction
  EXPECT_EQ(count(p, Code::multiply_add) + count(p, Code::subtract_product), 3);
  EXPECT_DOUBLE_EQ(interpret(p, {2.0, 3.0, 5.0, 7.0})[0], 6.0 + 35.0 - 21.0 + 2.0);
}

TEST(Program, SignsVanishIntoSums) {
  Symbols4 s;
  const Program p = s.program(-(s.a * s.b) - s.c);
  EXPECT_EQ(p.code.size(), 1u);
  EXPECT_EQ(count(p, Code::negated_multiply_add), 1);
  EXPECT_DOUBLE_EQ(interpret(p, {2.0, 3.0, 5.0, 0.0})[0], -11.0);
}

TEST(Program, SumsOfNegativeTermsAreRight) {
  Symbols4 s;
  for (const Expr e : {-s.a - s.b, -s.a - s.b - s.c * s.d, -(s.a * s.b) - s.c * s.d, -s.a - s.b + s.c}) {
    const double value = evaluate(s.graph, std::vector<Expr>{e}, std::vector<double>{2.0, 3.0, 5.0, 7.0})[0];
    EXPECT_DOUBLE_EQ(interpret(s.program(e), {2.0, 3.0, 5.0, 7.0})[0], value);
  }
}

TEST(Program, AProductThatIsReadElsewhereStaysAValue) {
  Symbols4 s;
  const Expr product = s.a * s.b;
  const Program p = make_program(s.graph, {{4}, {{product + s.c, product}}});
  EXPECT_EQ(count(p, Code::multiply), 1);
  EXPECT_EQ(count(p, Code::add), 1);
}

TEST(Program, AllAnglesAreOneCall) {
  Symbols4 s;
  const Program p = s.program(sin(s.a) * cos(s.b) + sin(s.c) * cos(s.a) + sin(s.d));
  ASSERT_EQ(p.calls.size(), 1u);
  EXPECT_EQ(p.calls[0].count, 4);
  EXPECT_EQ(p.code[0].code, Code::call);
}

TEST(Program, FunctionsOfFunctionsAreCalledLater) {
  Symbols4 s;
  const Program p = s.program(sin(s.a + sin(s.b)) + exp(s.c));
  ASSERT_EQ(p.calls.size(), 3u);
  EXPECT_NEAR(interpret(p, {0.3, 0.4, 0.5, 0.0})[0], std::sin(0.3 + std::sin(0.4)) + std::exp(0.5), 1e-15);
}

TEST(Program, RefusesInputsThatWereNotPromised) {
  Graph graph;
  EXPECT_THROW(make_program(graph, {{2}, {{graph.input(2)}}}), std::invalid_argument);
}

/// The interpreter reorders sums and fuses, so it agrees with the graph only to rounding.
TEST(Program, ComputesWhatTheGraphSays) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const RandomGraph g(random, 4, 5 + random.below(20), 3);
    const std::vector<double> in{random.uniform(), random.uniform(), random.uniform(), random.uniform()};
    const std::vector<double> expected = evaluate(g.graph, g.outputs, in);
    // how much rounding matters here: the same at inputs that differ in the last bits
    std::vector<double> nearby = in;
    for (double& x : nearby) x *= 1.0 + 1e-13;
    const std::vector<double> moved = evaluate(g.graph, g.outputs, nearby);
    const std::vector<double> found = interpret(make_program(g.graph, {{4}, {g.outputs}}), in);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double change = std::abs(moved[i] - expected[i]);
      if (!std::isfinite(expected[i]) || !(change < 1e-9 * (1.0 + std::abs(expected[i])))) continue;
      EXPECT_NEAR(found[i], expected[i], 100.0 * change + 1e-12 * (1.0 + std::abs(expected[i]))) << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, 6000);
}

/// Runs the steps as a processor would, and finds reads of registers or memory that hold something else.
TEST(Allocation, EveryOperandIsWhereItShouldBe) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const RandomGraph g(random, 5, 200, 4);
    const Program p = make_program(g.graph, {{5}, {g.outputs}});
    for (const int registers : {5, 15, 32}) {
      const Allocation a = allocate_registers(p, registers);
      std::vector<double> reg(static_cast<std::size_t>(registers), NAN),
          memory(static_cast<std::size_t>(a.scratch), NAN);
      std::vector<double> in{0.3, -0.7, 1.1, 0.2, -1.3}, out(4, NAN);
      const auto at = [&](const MemoryRef& place) -> double& {
        const auto i = static_cast<std::size_t>(place.index);
        static double constant;
        switch (place.kind) {
          case MemoryRef::Kind::input: return in[i];
          case MemoryRef::Kind::output: return out[i];
          case MemoryRef::Kind::scratch: return memory[i];
          default: return constant = p.constants[i];
        }
      };
      const auto value = [&](const Operand& o) {
        return o.reg >= 0                              ? reg[static_cast<std::size_t>(o.reg)]
               : o.place.kind == MemoryRef::Kind::none ? 0.0
                                                       : at(o.place);
      };
      for (const MachineStep& s : a.steps) switch (s.kind) {
          case MachineStep::Kind::load: reg[static_cast<std::size_t>(s.to)] = at(s.place); break;
          case MachineStep::Kind::store: at(s.place) = value(s.arg[0]); break;
          case MachineStep::Kind::copy: reg[static_cast<std::size_t>(s.to)] = value(s.arg[0]); break;
          case MachineStep::Kind::compute:
            if (is_fused(s.code)) EXPECT_TRUE(s.arg[0].reg == s.to || s.arg[1].reg == s.to || s.arg[2].reg == s.to);
            reg[static_cast<std::size_t>(s.to)] =
                evaluate(s.code, value(s.arg[0]), value(s.arg[1]), value(s.arg[2]), value(s.arg[3]));
            break;
          case MachineStep::Kind::call: {
            const Call& c = p.calls[static_cast<std::size_t>(s.call)];
            run_call(c.function, &at(s.arg[0].place), c.count, memory.data() + s.to);
            std::fill(reg.begin(), reg.end(), NAN);
          }
        }
      const std::vector<double> expected = interpret(p, in);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(out[i] == expected[i] || (std::isnan(out[i]) && std::isnan(expected[i])))
            << seed << " " << registers;
    }
  }
}

}  // namespace
}  // namespace cardan::test
