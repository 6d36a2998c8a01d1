// Machine code against the interpreter: bit for bit, because both run the same list of instructions.
#include "cardan/math/aligned.hpp"
#include "cardan/program/executable.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/random_graphs.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

namespace cardan::test {
namespace {

using namespace program;

struct Variant {
  InstructionSet set;
  int lanes;
};

std::vector<Variant> variants() {
  std::vector<Variant> out;
  for (const auto set : {InstructionSet::avx2, InstructionSet::avx512})
    if (can_run(set))
      for (const int lanes : {1, register_lanes(set)}) out.push_back({set, lanes});
  return out;
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// Inputs and outputs of one run of several states, NaN where nothing was written.
struct Arrays {
  Arrays(int inputs, int outputs, int scratch)
      : in(static_cast<std::size_t>(inputs)),
        out(static_cast<std::size_t>(outputs), NAN),
        memory(static_cast<std::size_t>(scratch), NAN) {}
  template <class Code>
  void run(const Code& code) {
    const double* const inputs = in.data();
    double* const outputs = out.data();
    code.run(&inputs, &outputs, memory.data());
  }
  std::vector<double> in, out;
  AlignedVector<double> memory;
};

double random_input(Random& random) {
  if (random.chance(0.01)) return random.chance(0.5) ? std::numeric_limits<double>::infinity() : NAN;
  if (random.chance(0.02)) return random.uniform(-1e6, 1e6);
  return random.chance(0.05) ? 0.0 : random.uniform(-2.0, 2.0);
}

/// Empty if all agree.
std::string mismatch(const RandomGraph& g, Random& random) {
  const Program program = make_program(g.graph, {{g.inputs}, {g.outputs}});
  const Interpreter interpreter(program);
  const int outputs = static_cast<int>(g.outputs.size());
  for (const Variant& variant : variants()) {
    const MachineCode code(program, variant.set, variant.lanes);
    Arrays all(g.inputs * variant.lanes, outputs * variant.lanes, code.scratch());
    for (double& x : all.in) x = random_input(random);
    all.run(code);
    Arrays one(g.inputs, outputs, interpreter.scratch());
    for (int lane = 0; lane < variant.lanes; ++lane) {
      for (int i = 0; i < g.inputs; ++i)
        one.in[static_cast<std::size_t>(i)] = all.in[static_cast<std::size_t>(i * variant.lanes + lane)];
      one.run(interpreter);
      for (int i = 0; i < outputs; ++i) {
        const double found = all.out[static_cast<std::size_t>(i * variant.lanes + lane)];
        if (!same(found, one.out[static_cast<std::size_t>(i)]))
          return "lanes " + std::to_string(variant.lanes) + ", output " + std::to_string(i) + ": " +
                 std::to_string(found) + " instead of " + std::to_string(one.out[static_cast<std::size_t>(i)]);
      }
    }
  }
  return {};
}

TEST(MachineCode, AgreesWithTheInterpreterOnRandomGraphs) {
  if (variants().empty()) GTEST_SKIP() << "no machine code on this machine";
  const int graphs = repetitions(20'000, 1'000'000);
  for (int seed = 0; seed < graphs; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const int inputs = 1 + random.below(8), outputs = 1 + random.below(6);
    // now and then more values at once than there are registers
    const int operations = seed % 50 == 0 ? 600 : 5 + random.below(40);
    ASSERT_EQ(mismatch(RandomGraph(random, inputs, operations, outputs), random), "") << "seed " << seed;
  }
}

/// More values alive than registers, several calls in a row, all of them needed again after the calls.
TEST(MachineCode, KeepsValuesOverCalls) {
  if (variants().empty()) GTEST_SKIP() << "no machine code on this machine";
  Graph graph;
  std::vector<Expr> values, outputs;
  for (int i = 0; i < 60; ++i) values.push_back(graph.input(i) * graph.input((i + 1) % 60));
  Expr all;
  for (const Expr v : values) all += v;
  for (int round = 0; round < 3; ++round) {
    all = sin(all) + exp(-all * all);
    for (Expr& v : values) v = v + all * v;
  }
  outputs = values;
  const Program program = make_program(graph, {{60}, {outputs}});
  EXPECT_GE(program.calls.size(), 6u);
  const Interpreter interpreter(program);
  for (const Variant& variant : variants()) {
    if (variant.lanes > 1) continue;
    const MachineCode code(program, variant.set);
    Arrays a(60, 60, code.scratch()), b(60, 60, interpreter.scratch());
    for (std::size_t i = 0; i < 60; ++i) a.in[i] = b.in[i] = 0.01 * static_cast<double>(i) - 0.2;
    a.run(code);
    b.run(interpreter);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_TRUE(same(a.out[i], b.out[i])) << i;
  }
}

TEST(MachineCode, RunsWithoutAllocating) {
  if (variants().empty()) GTEST_SKIP() << "no machine code on this machine";
  Random random(5);
  const RandomGraph g(random, 6, 300, 5);
  const Executable code(make_program(g.graph, {{6}, {g.outputs}}));
  Arrays a(6, 5, code.scratch());
  const AllocationCounter allocations;
  a.run(code);
  EXPECT_EQ(allocations.count(), 0);
}

TEST(MachineCode, PagesAreNeverWritableAndExecutable) {
  if (variants().empty()) GTEST_SKIP() << "no machine code on this machine";
  Random random(6);
  const RandomGraph g(random, 3, 50, 2);
  const MachineCode code(make_program(g.graph, {{3}, {g.outputs}}), best_instruction_set());
  std::ifstream maps("/proc/self/maps");
  std::string line;
  bool found = false;
  while (std::getline(maps, line)) {
    const std::string access = line.substr(line.find(' ') + 1, 4);
    EXPECT_FALSE(access[1] == 'w' && access[2] == 'x') << line;
    const std::uint64_t first = std::stoull(line, nullptr, 16);
    if (first == reinterpret_cast<std::uint64_t>(code.pages().get())) {
      found = true;
      EXPECT_EQ(access.substr(0, 3), "r-x");
    }
  }
  EXPECT_TRUE(found);
}

TEST(MachineCode, RefusesLanesThatNoRegisterHas) {
  if (variants().empty()) GTEST_SKIP() << "no machine code on this machine";
  Graph graph;
  const Program program = make_program(graph, {{1}, {{graph.input(0)}}});
  EXPECT_THROW(MachineCode(program, variants()[0].set, 3), std::invalid_argument);
  EXPECT_THROW(Executable(program, {Backend::interpreter, std::nullopt, 4}), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test
