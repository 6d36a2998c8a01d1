#include "tests/support/random_graphs.hpp"

#include "cardan/math/number_table.hpp"

namespace cardan::test {

RandomGraph::RandomGraph(Random& random, int input_count, int operations, int output_count) : inputs(input_count) {
  std::vector<Expr> nodes;
  for (int i = 0; i < inputs; ++i) nodes.push_back(graph.input(i));
  nodes.push_back(Expr(random.uniform(-2.0, 2.0)));
  // mostly recent ones, so that graphs become deep, but old ones come back too
  const auto pick = [&] {
    const int n = static_cast<int>(nodes.size());
    const int near = random.chance(0.7) ? std::min(n, 12) : n;
    return nodes[static_cast<std::size_t>(n - 1 - random.below(near))];
  };
  const double table = keep_table({-1.5, -0.5, 0.25, 1.0, 3.0});
  const int first_op = static_cast<int>(Op::add), op_count = static_cast<int>(Op::select_less) - first_op + 1;
  for (int i = 0; i < operations; ++i) {
    // sums and products are what real graphs consist of
    const Op op = random.chance(0.7) ? static_cast<Op>(first_op + random.below(3))
                                     : static_cast<Op>(first_op + random.below(op_count));
    const Expr a = pick(), b = pick(), c = pick(), d = pick();
    const bool reads_table = op == Op::table_piece || op == Op::table_entry;
    nodes.push_back(graph.make(op, a, reads_table ? Expr(table) : b, c, d));
  }
  for (int i = 0; i < output_count; ++i) outputs.push_back(pick());
}

}  // namespace cardan::test
