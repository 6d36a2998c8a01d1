#include "benchmarks/constrained.hpp"

#include "benchmarks/bench_row.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"

#include <fmt/format.h>

namespace cardan::bench {

namespace {

constexpr int kClosedStates = 4;

/// Between two bodies of a tree, where they are at configuration q.
struct Closure {
  std::string predecessor, successor;
  Joint joint;
};

/// The tree and these loops, all closed at q.
Model close(ModelBuilder builder, const std::vector<Closure>& closures, const std::vector<double>& q) {
  const Model tree = builder.build();
  Workspace<double> w(tree);
  Kinematics<double> k(tree);
  forward_kinematics<double>(tree, w, q, k);
  const auto pose = [&](const std::string& body) {
    return body == "world" ? Pose<double>{} : frame_pose(tree, k, tree.find_frame(body));
  };
  for (const Closure& c : closures) {
    JointSpec loop;
    loop.name = c.predecessor + "-" + c.successor;
    loop.predecessor = c.predecessor;
    loop.successor = c.successor;
    loop.type = c.joint;
    loop.at = inverse(pose(c.predecessor)) * pose(c.successor);
    loop.closes_loop = true;
    builder.joint(loop);
  }
  return builder.build();
}

/// States that obey the loops, found from nearby ones that do not.
States closed_states(const Model& model, const std::vector<double>& closed, int count) {
  States states = random_states(model, count);
  ConstrainedDynamics dynamics{ConstraintSet(model)};
  for (std::size_t i = 0; i < states.q.size(); ++i) {
    integrate(model, closed.data(), states.v[i].data(), 0.002, states.q[i].data());
    if (!dynamics.project_positions(0.0, states.q[i], 1e-10)) throw std::runtime_error("a loop does not close");
    dynamics.project_velocities(0.0, states.q[i], states.v[i]);
  }
  return states;
}

/// A chain whose links are tied together by loop joints at one random configuration.
struct ClosedChain {
  ClosedChain(int links, const std::vector<Closure>& closures)
      : tree(chain(links)),
        q(random_states(tree, 1).q[0]),
        model(close(chain_builder(links), closures, q)),
        states(closed_states(model, q, kClosedStates)),
        dynamics(ConstraintSet(model), ConstraintMethod::articulated),
        a(static_cast<std::size_t>(model.nv())) {}

  void forward(int i) {
    const auto n = static_cast<std::size_t>(i);
    dynamics.forward_dynamics(0.0, states.q[n], states.v[n], states.tau[n], a);
  }

  Model tree;
  std::vector<double> q;
  Model model;
  States states;
  ConstrainedDynamics dynamics;
  std::vector<double> a;
};

std::string link(int i) { return "link" + std::to_string(i); }

void time_against_tree(nlohmann::json& rows) {
  fmt::print("  chain of 1000 links with 3 loops, by articulated inertias; \"tree\": the same without loops\n");
  fmt::print("  {:<28} {:>5} {:>12} {:>10} {:>8}\n", "loop joints", "rows", "cardan ns", "tree ns", "of tree");
  const std::pair<const char*, Joint> kinds[] = {{"spherical", Spherical{}}, {"revolute", Revolute{{0.0, 0.0, 1.0}}}};
  for (const auto& [name, joint] : kinds) {
    ClosedChain closed(1000,
                       {{"world", link(332), joint}, {link(333), link(665), joint}, {link(666), link(999), joint}});
    Workspace<double> w(closed.tree);
    const States& s = closed.states;
    const auto ns = time_together({[&](int i) { closed.forward(i); },
                                   [&](int i) {
                                     const auto n = static_cast<std::size_t>(i);
                                     forward_dynamics<double>(closed.tree, w, s.q[n], s.v[n], s.tau[n], closed.a);
                                   }},
                                  kClosedStates);
    fmt::print("  {:<28} {:>5} {:>12.0f} {:>10.0f} {:>8.2f}\n", name, closed.dynamics.constraints().rows(), ns[0],
               ns[1], ns[0] / ns[1]);
    auto row = bench_row(fmt::format("chain1000_3_{}_loops", name), "constrained_dynamics", "articulated", ns[0]);
    row["tree_ns"] = ns[1];
    rows.push_back(row);
  }
}

double disagreement(ClosedChain& closed, const Peer& peer) {
  double worst = 0.0;
  for (int i = 0; i < kClosedStates; ++i) {
    closed.forward(i);
    const std::vector<double> theirs = peer.constrained_dynamics(i);
    double difference = 0.0, size = 0.0;
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      difference = std::max(difference, std::abs(theirs[k] - closed.a[k]));
      size = std::max(size, std::abs(theirs[k]));
    }
    worst = std::max(worst, difference / size);
  }
  return worst;
}

void time_against_peer(nlohmann::json& rows) {
  fmt::print("\n  chains from the world to a joint at their tip\n  {:<28} {:>5} {:>12} {:>10} {:>8} {:>10}\n", "",
             "rows", "cardan ns", "peer ns", "ratio", "differs by");
  const std::tuple<int, const char*, Joint> kinds[] = {
      {7, "fixed", Fixed{}}, {7, "spherical", Spherical{}}, {100, "fixed", Fixed{}}, {100, "spherical", Spherical{}}};
  for (const auto& [links, name, joint] : kinds) {
    ClosedChain closed(links, {{"world", link(links - 1), joint}});
    const std::string model = fmt::format("chain{}_{}_tip", links, name);
    const std::unique_ptr<Peer> peer = make_pinocchio(closed.model, closed.states);
    std::vector<Call> calls{[&](int i) { closed.forward(i); }};
    if (peer) calls.push_back(peer->calls["constrained_dynamics"][0]);
    const auto ns = time_together(calls, kClosedStates);
    auto row = bench_row(model, "constrained_dynamics", "articulated", ns[0]);
    fmt::print("  {:<28} {:>5} {:>12.0f}", model, closed.dynamics.constraints().rows(), ns[0]);
    if (peer) {
      add_peer(row, *peer, ns[1]);
      fmt::print(" {:>10.0f} {:>8.2f} {:>10.1e}", ns[1], ns[1] / ns[0], disagreement(closed, *peer));
    }
    fmt::print("\n");
    rows.push_back(row);
  }
}

}  // namespace

void time_constrained(nlohmann::json& rows) {
  fmt::print("\nconstrained dynamics\n");
  time_against_tree(rows);
  time_against_peer(rows);
}

}  // namespace cardan::bench
