// cardan_bench_ladders: what elimination on the graph of bodies costs (`make bench-ladders`).
#include "benchmarks/ladders.hpp"

int main() {
  nlohmann::json rows = nlohmann::json::array();
  cardan::bench::time_ladders(rows);
}
