// cardan_bench: nanoseconds a call of every algorithm on one state, and the ratio to a peer in the same run.
//
// For each model 16 random states; one block is about 0.1 ms of calls over these states in turn; our blocks and the
// peer's take turns, 61 of each; medians. Sines and cosines are included. The peer's faster convention counts.
#include "benchmarks/compiled_ways.hpp"
#include "benchmarks/constrained.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/operation_counts.hpp"
#include "benchmarks/paper_table.hpp"
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
#include <map>

namespace {

using namespace cardan;
using namespace cardan::bench;

struct Ours {
  explicit Ours(const Model& m) : model(m), w(m), k(m), out(m.nv()), H(m.nv(), m.nv()), J(6, m.nv()) {}
  const Model& model;
  Workspace<double> w;
  Kinematics<double> k;
  Eigen::VectorXd out;
  Eigen::MatrixXd H, J;

  std::vector<Way> generic(const States& s) {
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const auto way = [](const char* quantity, Call call) { return Way{quantity, "generic", std::move(call)}; };
    return {
        way("inverse_dynamics",
            [&, at](int i) { inverse_dynamics<double>(model, w, s.q[at(i)], s.v[at(i)], s.a[at(i)], out); }),
        // the half that the peer computes, then all of it
        way("mass_matrix",
            [&, at](int i) {
              mass_matrix<double>(model, w, s.q[at(i)], H, MassMatrixForm::automatic, MassMatrixPart::lower);
            }),
        way("whole_mass_matrix", [&, at](int i) { mass_matrix<double>(model, w, s.q[at(i)], H); }),
        way("forward_dynamics",
            [&, at](int i) { forward_dynamics<double>(model, w, s.q[at(i)], s.v[at(i)], s.tau[at(i)], out); }),
        way("kinematics", [&, at](int i) { forward_kinematics<double>(model, w, s.q[at(i)], k); }),
        way("jacobians",
            [&, at](int i) {
              forward_kinematics<double>(model, w, s.q[at(i)], k);
              world_jacobian<double>(model, k, J);
            }),
        way("inverse_mass_matrix", [&, at](int i) { inverse_mass_matrix<double>(model, w, s.q[at(i)], H); }),
        way("inverse_mass_matrix_product",
            [&, at](int i) { inverse_mass_matrix_product<double>(model, w, s.q[at(i)], s.tau[at(i)], out); }),
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

nlohmann::json row_of(const std::string& model, const Way& way, double ns) {
  return {{"model", model},  {"quantity", way.quantity}, {"backend", way.backend}, {"cardan_ns", ns},
          {"peer", nullptr}, {"peer_ns", nullptr},       {"ratio", nullptr}};
}

/// All ways of one quantity and the peer's, in turn.
void time_quantity(const std::string& name, const std::vector<Way>& ways, Peer* peer,
                   const std::map<std::string, OperationCount>& operations, double peak, nlohmann::json& rows) {
  const std::string& quantity = ways[0].quantity;
  std::vector<Call> calls;
  for (const Way& way : ways) calls.push_back(way.call);
  const std::string peers_name = quantity == "whole_mass_matrix" ? "mass_matrix" : quantity;
  const bool has_peer = peer && peer->calls.count(peers_name);
  if (has_peer) calls.insert(calls.end(), peer->calls[peers_name].begin(), peer->calls[peers_name].end());
  std::vector<double> ns = time_together(calls, kStates, {});
  const auto n = static_cast<std::ptrdiff_t>(ways.size());
  const double theirs = has_peer ? *std::min_element(ns.begin() + n, ns.end()) : 0.0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const double ours = ns[i] / ways[i].states;
    nlohmann::json row = row_of(name, ways[i], ours);
    fmt::print("  {:<28} {:<9} {:>10.0f}", quantity, ways[i].backend, ours);
    if (has_peer) {
      row["peer"] = peer->name;
      row["peer_ns"] = theirs;
      row["ratio"] = theirs / ours;
      fmt::print(" {:>10.0f} {:>7.2f}", theirs, theirs / ours);
    }
    if (const auto it = operations.find(quantity); i == 0 && it != operations.end()) {
      const OperationCount& c = it->second;
      const double flops = static_cast<double>(c.multiplications + c.additions + c.divisions + c.square_roots);
      row["multiplications"] = c.multiplications;
      row["additions"] = c.additions;
      row["fraction_of_fma_peak"] = flops / (2.0 * peak * ours);
      fmt::print("{:{}} {:>9.0f} {:>8.0f}%", "", has_peer ? 0 : 19, flops, 100.0 * flops / (2.0 * peak * ours));
    }
    fmt::print("\n");
    rows.push_back(row);
  }
  std::fflush(stdout);
}

void time_model(const NamedModel& named, double peak, nlohmann::json& rows) {
  const Model& model = named.model;
  const States states = random_states(model, kStates);
  Ours ours(model);
  CompiledWays compiled(model, states);
  const std::unique_ptr<Peer> peer = make_pinocchio(model, states);
  fmt::print("\n{} ({} bodies, {} degrees of freedom)", named.name, model.bodies(), model.nv());
  if (peer) fmt::print(", {} differs by {:.1e}", peer->name, disagreement(ours, *peer, states));
  fmt::print("\n{}", compiled.report());
  fmt::print("  {:<28} {:<9} {:>10} {:>10} {:>7} {:>9} {:>9}\n", "", "", "cardan ns", "peer ns", "ratio", "flops",
             "of peak");
  const auto operations = count_operations(model);
  for (const Way& way : ours.generic(states)) {
    std::vector<Way> ways{way};
    for (Way& w : compiled.ways(way.quantity)) ways.push_back(std::move(w));
    time_quantity(named.name, ways, peer.get(), operations, peak, rows);
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
    if (k == 1) rows.push_back(row_of("chain10000", {"forward_dynamics", "generic", {}}, ns[0]));
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
    std::cerr << "usage: cardan_bench [--out FILE.json] [--model NAME|constrained|paper]\n";
    return 2;
  }
  const double peak = fma_per_ns();
  fmt::print("one core does {:.2f} scalar multiply-adds a ns; a flop below is half of one\n", peak);
  nlohmann::json rows = nlohmann::json::array();
  for (const NamedModel& named : all_models(CARDAN_ROBOTS))
    if (only.empty() || named.name == only) time_model(named, peak, rows);
  if (only.empty()) time_long_chain(rows);
  if (only.empty() || only == "constrained") time_constrained(rows);
  if (only.empty() || only == "paper") print_paper_table(rows);
  if (!out.empty()) std::ofstream(out) << rows.dump(1) << "\n";
  return 0;
}
