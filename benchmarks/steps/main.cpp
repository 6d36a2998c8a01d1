// cardan_bench_steps: what a step of the variational integrator costs.
#include "benchmarks/variational_steps.hpp"

int main() {
  nlohmann::json rows;
  cardan::bench::time_variational(rows);
}
