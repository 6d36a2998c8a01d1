// cardan_bench: nanoseconds a call of every algorithm on one state, and the ratio to a peer in the same run.
//
// For each model 16 random states; one block is about 0.1 ms of calls over these states in turn; our blocks and the
// peer's take turns, 7 of each in a round; 15 rounds over all models; medians of the quietest round. Sines and cosines
// are included. The peer's faster convention counts.
#include "benchmarks/bench_row.hpp"
#include "benchmarks/collision.hpp"
#include "benchmarks/constrained.hpp"
#include "benchmarks/ladders.hpp"
#include "benchmarks/linkages.hpp"
#include "benchmarks/paper_table.hpp"
#include "benchmarks/stepping.hpp"
#include "benchmarks/timed_model.hpp"
#include "benchmarks/timing.hpp"
#include "benchmarks/variational_steps.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>

namespace {

using namespace cardan;
using namespace cardan::bench;

/// False if there is no such model.
bool time_models(const std::string& only, nlohmann::json& rows) {
  constexpr int rounds = 15;
  std::vector<std::unique_ptr<TimedModel>> models;
  for (NamedModel& named : all_models(CARDAN_ROBOTS))
    if (only.empty() || named.name == only) models.push_back(std::make_unique<TimedModel>(std::move(named)));
  if (models.empty()) return false;
  double peak = 0.0;
  for (int round = 1; round <= rounds; ++round) {
    if (isatty(STDERR_FILENO))
      std::cerr << "\rtiming, round " << round << " of " << rounds << (round < rounds ? "" : "\n") << std::flush;
    const auto next = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    peak = std::max(peak, fma_per_ns());
    for (const auto& model : models) model->run_round();
    std::this_thread::sleep_until(next);  // a single model is soon done, and its rounds should be apart
  }
  fmt::print("one core does {:.2f} scalar multiply-adds a ns; a flop below is half of one\n", peak);
  for (const auto& model : models) model->report(peak, rows);
  return true;
}

/// Forward dynamics of one chain, over and over.
struct LongChain {
  static constexpr int kStates = 4;
  Model model;
  States states = random_states(model, kStates);
  Workspace<double> w{model};
  std::vector<double> out = std::vector<double>(static_cast<std::size_t>(model.nv()));

  explicit LongChain(int links) : model(chain(links)) {}
  void operator()(int i) {
    const auto n = static_cast<std::size_t>(i);
    forward_dynamics<double>(model, w, states.q[n], states.v[n], states.tau[n], out);
  }
};

void time_long_chain(nlohmann::json& rows) {
  LongChain hundred(100), myriad(10000);
  const auto ns = time_together({std::ref(hundred), std::ref(myriad)}, LongChain::kStates);
  rows.push_back(bench_row("chain10000", "forward_dynamics", "generic", ns[1]));
  fmt::print("\nforward dynamics a joint: {:.1f} ns at 100 links, {:.1f} ns at 10000 ({:.2f}x)\n", ns[0] / 100.0,
             ns[1] / 10000.0, ns[1] / ns[0] / 100.0);
}

}  // namespace

int main(int argc, char** argv) {
  std::string out, only;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--out") out = argv[i + 1];
    if (std::string(argv[i]) == "--model") only = argv[i + 1];
  }
  if (argc % 2 == 0) {
    std::cerr
        << "usage: cardan_bench [--out FILE.json] [--model NAME|stepping|variational|constrained|collision|paper]\n";
    return 2;
  }
  nlohmann::json rows = nlohmann::json::array();
  const bool is_part =
      only == "stepping" || only == "variational" || only == "constrained" || only == "collision" || only == "paper";
  if (!is_part && !time_models(only, rows)) {
    std::cerr << "cardan_bench: no model \"" << only << "\" among the robots of " CARDAN_ROBOTS " and the chains\n";
    return 1;
  }
  if (only.empty()) time_long_chain(rows);
  if (only.empty() || only == "stepping") time_stepping(rows);
  if (only.empty() || only == "variational") time_variational(rows);
  if (only.empty() || only == "constrained") {
    time_linkages(rows);
    time_constrained(rows);
    time_ladders(rows);
  }
  if (only.empty() || only == "collision") time_collision(rows);
  if (only.empty() || only == "paper") print_paper_table(rows);
  if (!out.empty()) std::ofstream(out) << rows.dump(1) << "\n";
  return 0;
}
