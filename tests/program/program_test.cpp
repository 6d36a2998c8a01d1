// Lowering, sums, calls and registers.
#include "cardan/math/dual.hpp"
#include "cardan/program/internal/allocate.hpp"
#include "cardan/program/interpreter.hpp"
#include "cardan/symbolic/differentiate.hpp"
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

std::vector<double> interpret(const Program& p, const std::vector<double>& in) {
  const Interpreter interpreter(p);
  std::vector<double> out(static_cast<std::size_t>(p.output_sizes[0]));
  std::vector<double> scratch(static_cast<std::size_t>(interpreter.scratch()), NAN);
  interpreter.run(in.data(), out.data(), scratch.data());
  return out;
}

struct Symbols4 {
  Graph graph;
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

/// Long programs need few values at once.
TEST(Program, TheInterpreterUsesScratchMemoryAgain) {
  Symbols4 s;
  Expr e = s.a;
  for (int i = 0; i < 500; ++i) e = e * s.b + s.c / (s.d + e);
  const Program p = s.program(e);
  EXPECT_GT(p.values, 1000);
  EXPECT_LT(Interpreter(p).scratch(), 20);
}

/// The interpreter on dual numbers gives what the graph's derivatives give.
TEST(Program, IsInterpretedOnAnyScalar) {
  Symbols4 s;
  const std::vector<Expr> in{s.a, s.b, s.c, s.d},
      out{s.a * s.b - s.c,
          s.c - s.a * s.d,
          -(s.a * s.b) - s.c * s.d,
          abs(-s.a) + min(s.b, s.c) * max(s.c, s.d),
          tan(s.a) + asin(s.b) * acos(s.b) + atan(s.c) * atan2(s.d, s.a),
          sinh(s.a) + cosh(s.b) + tanh(s.c),
          exp(s.a) * log(s.b) + sqrt(s.d) * sin(s.a) * cos(s.b) + select_less(s.a, s.b, s.c, s.d),
          Expr(2.5)};
  const std::vector<double> at{0.3, 0.4, -0.2, 0.9};
  const Interpreter interpreter(make_program(s.graph, out, 4));
  const std::vector<double> value = evaluate(s.graph, out, at),
                            J = evaluate(s.graph, jacobian(s.graph, out, in, Differentiation::reverse), at);
  std::vector<Dual<4>> x(4), y(out.size()), scratch(static_cast<std::size_t>(interpreter.scratch()));
  std::vector<float> x_f(at.begin(), at.end()), y_f(out.size()), scratch_f(scratch.size());
  for (std::size_t i = 0; i < 4; ++i) x[i] = Dual<4>::variable(at[i], static_cast<int>(i));
  interpreter.run(x.data(), y.data(), scratch.data());
  interpreter.run(x_f.data(), y_f.data(), scratch_f.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(y[i].value, value[i], 1e-14) << i;
    EXPECT_NEAR(y_f[i], value[i], 1e-6) << i;
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(y[i].d[k], J[4 * i + k], 1e-13) << i << " " << k;
  }
}

/// Neither time nor stack grows with the square of a hostile text.
TEST(Program, LongSumsAndDeepFunctionsAreLoweredInTime) {
  Symbols4 s;
  Expr sum, deep = s.a;
  for (int i = 0; i < 50'000; ++i) sum = i % 2 ? sum - s.a / (s.b + Expr(i)) : sum + s.a / (s.b + Expr(i));
  for (int i = 0; i < 20'000; ++i) deep = sin(deep + Expr(0.1));
  const Program p = make_program(s.graph, {{4}, {{sum, deep}}});
  EXPECT_EQ(p.calls.size(), 20'000u);
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
