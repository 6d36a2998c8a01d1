#include "cardan/algorithms/equivalent_models.hpp"

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/model/internal/sample_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

bool same_coordinates(const Model& a, const Model& b) {
  if (a.bodies() != b.bodies() || a.nq() != b.nq() || a.nv() != b.nv()) return false;
  for (int i = 1; i <= a.bodies(); ++i)
    if (a.link(i).nq != b.link(i).nq || a.link(i).nv != b.link(i).nv) return false;
  return true;
}

}  // namespace

Equivalence dynamically_equivalent(const Model& a, const Model& b, double tolerance, int states) {
  Equivalence out;
  if (!same_coordinates(a, b)) {
    out.largest_difference = std::numeric_limits<double>::infinity();
    return out;
  }
  Workspace<double> of_a(a), of_b(b);
  std::vector<double> tau_a(static_cast<std::size_t>(a.nv())), tau_b(tau_a);
  for (const SampleState& s : sample_states(a, states, 1)) {
    inverse_dynamics<double>(a, of_a, s.q, s.v, s.a, tau_a);
    inverse_dynamics<double>(b, of_b, s.q, s.v, s.a, tau_b);
    double size = std::numeric_limits<double>::min();
    for (std::size_t i = 0; i < tau_a.size(); ++i) size = std::max({size, std::abs(tau_a[i]), std::abs(tau_b[i])});
    for (std::size_t i = 0; i < tau_a.size(); ++i) {
      const double difference = std::abs(tau_a[i] - tau_b[i]) / size;
      if (!(difference > out.largest_difference) && !std::isnan(difference)) continue;  // a NaN stays
      out.largest_difference = difference;
      out.velocity = static_cast<int>(i);
    }
  }
  out.holds = out.largest_difference <= tolerance;
  return out;
}

}  // namespace cardan
