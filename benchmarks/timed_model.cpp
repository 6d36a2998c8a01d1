#include "benchmarks/timed_model.hpp"

#include "benchmarks/bench_row.hpp"
#include "benchmarks/compiled_ways.hpp"
#include "benchmarks/operation_counts.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/algorithms/forward_dynamics_adjoint.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <algorithm>

namespace cardan::bench {

namespace {

struct Ours {
  explicit Ours(const Model& m)
      : model(m),
        w(m),
        d(m),
        k(m),
        out(m.nv()),
        row_q(out),
        row_v(out),
        H(m.nv(), m.nv()),
        by_q(H),
        by_v(H),
        J(6, m.nv()) {}
  const Model& model;
  Workspace<double> w;
  ForwardDerivativeWorkspace<double> d;
  Kinematics<double> k;
  Eigen::VectorXd out, row_q, row_v;
  Eigen::MatrixXd H, by_q, by_v, J;

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
        way("inverse_dynamics_derivatives",
            [&, at](int i) {
              inverse_dynamics_derivatives<double>(model, d.inverse, s.q[at(i)], s.v[at(i)], s.a[at(i)], by_q, by_v, H);
            }),
        way("forward_dynamics_derivatives",
            [&, at](int i) {
              forward_dynamics_derivatives<double>(model, d, s.q[at(i)], s.v[at(i)], s.tau[at(i)], by_q, by_v, H);
            }),
        way("forward_dynamics_adjoint",
            [&, at](int i) {
              forward_dynamics_adjoint<double>(model, d, s.q[at(i)], s.v[at(i)], s.tau[at(i)], s.a[at(i)], row_q, row_v,
                                               out);
            }),
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
    const std::vector<std::vector<double>> derivatives = peer.derivatives(i);
    const auto compare = [&](const Eigen::MatrixXd& found, std::size_t which) {
      const Eigen::Map<const Eigen::MatrixXd> expected(derivatives[which].data(), found.rows(), found.cols());
      worst = std::max(worst, (found - expected).norm() / expected.norm());
    };
    inverse_dynamics_derivatives<double>(ours.model, ours.d.inverse, s.q[n], s.v[n], s.a[n], ours.by_q, ours.by_v);
    compare(ours.by_q, 0);
    compare(ours.by_v, 1);
    forward_dynamics_derivatives<double>(ours.model, ours.d, s.q[n], s.v[n], s.tau[n], ours.by_q, ours.by_v);
    compare(ours.by_q, 2);
    compare(ours.by_v, 3);
  }
  return worst;
}

/// All ways to one quantity, and the peer's.
struct Quantity {
  std::vector<Way> ways;
  bool has_peer = false;
  Contest contest;
};

Quantity quantity_of(std::vector<Way> ways, const Peer* peer) {
  std::vector<Call> calls;
  for (const Way& way : ways) calls.push_back(way.call);
  const std::string& quantity = ways[0].quantity;
  bool has_peer = false;
  if (peer) {
    const auto theirs = peer->calls.find(quantity == "whole_mass_matrix" ? "mass_matrix" : quantity);
    has_peer = theirs != peer->calls.end();
    if (has_peer) calls.insert(calls.end(), theirs->second.begin(), theirs->second.end());
  }
  return {std::move(ways), has_peer, Contest(std::move(calls), kStates)};
}

}  // namespace

struct TimedModel::Parts {
  NamedModel named;
  States states;
  Ours ours;
  CompiledWays compiled;
  std::unique_ptr<Peer> peer;
  std::vector<Quantity> quantities;

  explicit Parts(NamedModel n)
      : named(std::move(n)),
        states(random_states(named.model, kStates)),
        ours(named.model),
        compiled(named.model, states),
        peer(make_pinocchio(named.model, states)) {
    for (const Way& way : ours.generic(states)) {
      std::vector<Way> ways{way};
      for (Way& w : compiled.ways(way.quantity)) ways.push_back(std::move(w));
      quantities.push_back(quantity_of(std::move(ways), peer.get()));
      if (std::vector<Way> many = compiled.ways_of_many_states(way.quantity); !many.empty())
        quantities.push_back(quantity_of(std::move(many), peer.get()));
    }
  }
};

TimedModel::TimedModel(NamedModel named) : parts_(std::make_unique<Parts>(std::move(named))) {}
TimedModel::~TimedModel() = default;

void TimedModel::run_round() {
  for (Quantity& quantity : parts_->quantities) quantity.contest.run_round();
}

void TimedModel::report(double peak, nlohmann::json& rows) const {
  const Parts& p = *parts_;
  const Model& model = p.named.model;
  fmt::print("\n{} ({} bodies, {} degrees of freedom)", p.named.name, model.bodies(), model.nv());
  if (p.peer)
    fmt::print(", {} {} differs by {:.1e}", p.peer->name, p.peer->version,
               disagreement(parts_->ours, *p.peer, p.states));
  fmt::print("\n{}", p.compiled.report());
  fmt::print("  {:<28} {:<9} {:>10} {:>10} {:>7} {:>9} {:>9}\n", "", "", "cardan ns", "peer ns", "ratio", "flops",
             "of peak");
  const auto operations = count_operations(model);
  for (const Quantity& quantity : p.quantities) {
    const std::vector<double> ns = quantity.contest.medians();
    const auto n = static_cast<std::ptrdiff_t>(quantity.ways.size());
    const double theirs = quantity.has_peer ? *std::min_element(ns.begin() + n, ns.end()) : 0.0;
    for (std::size_t i = 0; i < quantity.ways.size(); ++i) {
      const Way& way = quantity.ways[i];
      const double ours = ns[i] / way.states;
      nlohmann::json row = bench_row(p.named.name, way.quantity, way.backend, ours);
      fmt::print("  {:<28} {:<9} {:>10.0f}", quantity.ways[0].quantity, way.backend, ours);
      if (quantity.has_peer) {
        add_peer(row, *p.peer, theirs);
        fmt::print(" {:>10.0f} {:>7.2f}", theirs, theirs / ours);
      }
      if (const auto it = operations.find(way.quantity); i == 0 && it != operations.end()) {
        const OperationCount& c = it->second;
        const double flops = static_cast<double>(c.multiplications + c.additions + c.divisions + c.square_roots);
        row["multiplications"] = c.multiplications;
        row["additions"] = c.additions;
        row["fraction_of_fma_peak"] = flops / (2.0 * peak * ours);
        fmt::print("{:{}} {:>9.0f} {:>8.0f}%", "", quantity.has_peer ? 0 : 19, flops,
                   100.0 * flops / (2.0 * peak * ours));
      }
      fmt::print("\n");
      rows.push_back(row);
    }
  }
}

}  // namespace cardan::bench
