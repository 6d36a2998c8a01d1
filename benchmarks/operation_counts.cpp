#include "benchmarks/operation_counts.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"

namespace cardan::bench {

std::map<std::string, OperationCount> count_operations(const Model& model) {
  using T = Counted<double>;
  Workspace<T> w(model);
  std::vector<T> q, v(static_cast<std::size_t>(model.nv()), T(0.3)), a(v), out(v), H(v.size() * v.size());
  for (const double x : model.neutral()) q.emplace_back(x);
  std::map<std::string, OperationCount> counts;
  const auto count = [&](const char* name, const auto& f) {
    T::reset();
    f();
    counts[name] = T::count();
  };
  count("inverse_dynamics", [&] { inverse_dynamics<T>(model, w, q, v, a, out); });
  count("forward_dynamics", [&] { forward_dynamics<T>(model, w, q, v, a, out); });
  count("mass_matrix", [&] { mass_matrix<T>(model, w, q, MatrixView<T>(H.data(), model.nv(), model.nv())); });
  return counts;
}

}  // namespace cardan::bench
