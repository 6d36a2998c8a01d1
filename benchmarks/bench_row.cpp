#include "benchmarks/bench_row.hpp"

namespace cardan::bench {

nlohmann::json bench_row(const std::string& model, const std::string& quantity, const std::string& backend, double ns) {
  return {{"model", model},  {"quantity", quantity}, {"backend", backend}, {"cardan_ns", ns},
          {"peer", nullptr}, {"peer_ns", nullptr},   {"ratio", nullptr},   {"peer_version", nullptr}};
}

void add_peer(nlohmann::json& row, const Peer& peer, double peer_ns) {
  row["peer"] = peer.name;
  row["peer_version"] = peer.version;
  row["peer_ns"] = peer_ns;
  row["ratio"] = peer_ns / row["cardan_ns"].get<double>();
}

}  // namespace cardan::bench
