// Rows of build/bench.json.
#pragma once

#include "benchmarks/peer.hpp"

#include <nlohmann/json.hpp>

namespace cardan::bench {

/// A row of bench.json, without a peer.
nlohmann::json bench_row(const std::string& model, const std::string& quantity, const std::string& backend, double ns);
/// Enters the peer and its nanoseconds into the row.
void add_peer(nlohmann::json& row, const Peer& peer, double peer_ns);

}  // namespace cardan::bench
