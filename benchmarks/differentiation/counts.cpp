// Prints the tables of docs/differentiation.md; with --times also how long deriving took.
#include "benchmarks/differentiation/tables.hpp"

#include <cstring>
#include <iostream>

int main(int argc, char** argv) {
  const bool with_times = argc > 1 && std::strcmp(argv[1], "--times") == 0;
  std::cout << cardan::bench::counts_table(with_times) << '\n' << cardan::bench::joints_table(with_times);
}
