// cardan_bench: nanoseconds a call of every algorithm on one state, and the ratio to a peer in the same run.
//
// For each model 16 random states; one block is about 0.1 ms of calls over these states in turn; our blocks and the
// peer's take turns, 61 of each; medians. Sines and cosines are included. The peer's faster convention counts.
#include "benchmarks/models.hpp"
#include "benchmarks/operation_counts.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <fstream>
#include <iostream>

namespace {

using namespace cardan;
using namespace cardan::bench;

constexpr int kStates = 16;

struct Ours {
  explicit Ours(const Model& m) : model(m), w(m), k(m), out(m.nv()), H(m.nv(), m.nv()), J(6, m.nv()) {}
  const Model& model;
  Workspace<double> w;
  Kinematics<double> k;
  Eigen::VectorXd out;
  Eigen::MatrixXd H, J;

  std::vector<std::pair<std::string, Call>> calls(const States& s) {
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    return {
        {"inverse_dynamics",
         [&, at](int i) { inverse_dynamics<double>(model, w, s.q[at(i)], s.v[at(i)], s.a[at(i)], out); }},
        {"mass_matrix", [&, at](int i) { mass_matrix<double>(model, w, s.q[at(i)], H); }},
        {"forward_dynamics",
         [&, at](int i) { forward_dynamics<double>(model, w, s.q[at(i)], s.v[at(i)], s.tau[at(i)], out); }},
        {"kinematics", [&, at](int i) { forward_kinematics<double>(model, w, s.q[at(i)], k); }},
        {"jacobians",
         [&, at](int i) {
           forward_kinematics<double>(model, w, s.q[at(i)], k);
           world_jacobian<double>(model, k, J);
         }},
        {"inverse_mass_matrix", [&, at](int i) { inverse_mass_matrix<double>(model, w, s.q[at(i)], H); }},
        {"inverse_mass_matrix_product",
         [&, at](int i) { inverse_mass_matrix_product<double>(model, w, s.q[at(i)], s.tau[at(i)], out); }},
    };
  }
};

/// The two libraries must agree before their speed means anything.
double disagreement(Ours& ours, const Peer& peer, const States& s) {
  double worst = 0.0;
  for (int i = 0; i < kStates; ++i) {
    const auto n = static_cast<std::size_t>(i);
    forward_dynamics<double>(ours.model, ours.w, s.q[n], s.v[n], s.tau[n], ours.out);
    const std::vector<double> theirs = peer.forward_dynamics(i);
    const Eigen::Map<const Eigen::VectorXd> b(theirs.data(), ours.out.size());
    worst = std::max(worst, (ours.out - b).norm() / b.norm());
  }
  return worst;
}

void time_model(const NamedModel& named, double peak, nlohmann::json& rows) {
  const Model& model = named.model;
  const States states = random_states(model, kStates);
  Ours ours(model);
  const std::unique_ptr<Peer> peer = make_pinocchio(model, states);
  const auto operations = count_operations(model);
  fmt::print("\n{} ({} bodies, {} degrees of freedom)", named.name, model.bodies(), model.nv());
  if (peer) fmt::print(", {} differs by {:.1e}", peer->name, disagreement(ours, *peer, states));
  fmt::print("\n  {:<28} {:>10} {:>10} {:>7} {:>9} {:>9}\n", "", "cardan ns", "peer ns", "ratio", "flops", "of peak");
  for (const auto& [quantity, call] : ours.calls(states)) {
    std::vector<Call> ways{call};
    if (peer && peer->calls.count(quantity))
      ways.insert(ways.end(), peer->calls[quantity].begin(), peer->calls[quantity].end());
    const std::vector<double> ns = time_together(ways, kStates, {});
    nlohmann::json row{{"model", named.name}, {"quantity", quantity}, {"backend", "generic"}, {"cardan_ns", ns[0]},
                       {"peer", nullptr},     {"peer_ns", nullptr},   {"ratio", nullptr}};
    fmt::print("  {:<28} {:>10.0f}", quantity, ns[0]);
    if (ns.size() > 1) {
      const double theirs = *std::min_element(ns.begin() + 1, ns.end());
      row["peer"] = peer->name;
      row["peer_ns"] = theirs;
      row["ratio"] = theirs / ns[0];
      fmt::print(" {:>10.0f} {:>7.2f}", theirs, theirs / ns[0]);
    } else {
      fmt::print(" {:>10} {:>7}", "", "");
    }
    if (const auto it = operations.find(quantity); it != operations.end()) {
      const OperationCount& c = it->second;
      const double flops = static_cast<double>(c.multiplications + c.additions + c.divisions + c.square_roots);
      row["multiplications"] = c.multiplications;
      row["additions"] = c.additions;
      row["fraction_of_fma_peak"] = flops / (2.0 * peak * ns[0]);
      fmt::print(" {:>9.0f} {:>8.0f}%", flops, 100.0 * flops / (2.0 * peak * ns[0]));
    }
    fmt::print("\n");
    std::fflush(stdout);
    rows.push_back(row);
  }
}

void time_long_chain(nlohmann::json& rows) {
  double per_joint[2];
  const int lengths[2] = {100, 10000};
  for (int k = 0; k < 2; ++k) {
    const Model model = chain(lengths[k]);
    const States states = random_states(model, 4);
    Workspace<double> w(model);
    std::vector<double> out(static_cast<std::size_t>(model.nv()));
    const auto ns = time_together({[&](int i) {
                                    const auto n = static_cast<std::size_t>(i);
                                    forward_dynamics<double>(model, w, states.q[n], states.v[n], states.tau[n], out);
                                  }},
                                  4, {});
    per_joint[k] = ns[0] / lengths[k];
    if (k == 1)
      rows.push_back({{"model", "chain10000"},
                      {"quantity", "forward_dynamics"},
                      {"backend", "generic"},
                      {"cardan_ns", ns[0]},
                      {"peer", nullptr},
                      {"peer_ns", nullptr},
                      {"ratio", nullptr}});
  }
  fmt::print("\nforward dynamics a joint: {:.1f} ns at 100 links, {:.1f} ns at 10000 ({:.2f}x)\n", per_joint[0],
             per_joint[1], per_joint[1] / per_joint[0]);
}

}  // namespace

int main(int argc, char** argv) {
  std::string out, only;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--out") out = argv[i + 1];
    if (std::string(argv[i]) == "--model") only = argv[i + 1];
  }
  if (argc % 2 == 0) {
    std::cerr << "usage: cardan_bench [--out FILE.json] [--model NAME]\n";
    return 2;
  }
  const double peak = fma_per_ns();
  fmt::print("one core does {:.2f} scalar multiply-adds a ns; a flop below is half of one\n", peak);
  nlohmann::json rows = nlohmann::json::array();
  for (const NamedModel& named : all_models(CARDAN_ROBOTS))
    if (only.empty() || named.name == only) time_model(named, peak, rows);
  if (only.empty()) time_long_chain(rows);
  if (!out.empty()) std::ofstream(out) << rows.dump(1) << "\n";
  return 0;
}
