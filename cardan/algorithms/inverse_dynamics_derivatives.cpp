#include "cardan/algorithms/inverse_dynamics_derivatives.hpp"

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/model/state.hpp"

#include <algorithm>
#include <vector>

namespace cardan {

namespace {
constexpr int kDirections = 8;
using D = Dual<kDirections>;
}  // namespace

struct InverseDynamicsDerivatives::Scratch {
  explicit Scratch(const Model& model)
      : w(model),
        q(static_cast<std::size_t>(model.nq())),
        moved(q),
        v(static_cast<std::size_t>(model.nv())),
        a(v),
        x(v),
        tau(v) {}

  Workspace<D> w;
  std::vector<D> q, moved, v, a, x, tau;
};

InverseDynamicsDerivatives::InverseDynamicsDerivatives(const Model& model)
    : model_(model), scratch_(std::make_unique<Scratch>(model)) {}
InverseDynamicsDerivatives::~InverseDynamicsDerivatives() = default;

void InverseDynamicsDerivatives::compute(In<double> q, In<double> v, In<double> a, OutMatrix<double> by_q,
                                         OutMatrix<double> by_v) {
  auto& s = *scratch_;
  const int n = model_.nv();
  const auto index = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < model_.nq(); ++i) s.q[index(i)] = s.moved[index(i)] = D(q[i]);
  for (int i = 0; i < n; ++i) {
    s.v[index(i)] = D(v[i]);
    s.a[index(i)] = D(a[i]);
    s.x[index(i)] = D(0.0);
  }
  const auto keep = [&](const OutMatrix<double>& out, int first, int count) {
    inverse_dynamics(model_, s.w, s.moved, s.v, s.a, s.tau);
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < n; ++i) out(i, first + k) = s.tau[index(i)].d[k];
  };
  for (int first = 0; first < n; first += kDirections) {
    const int count = std::min(kDirections, n - first);
    for (int k = 0; k < count; ++k) s.x[index(first + k)].d[k] = 1.0;
    integrate(model_, s.q.data(), s.x.data(), D(1.0), s.moved.data());
    keep(by_q, first, count);
    for (int k = 0; k < count; ++k) s.x[index(first + k)].d[k] = 0.0;
    std::copy(s.q.begin(), s.q.end(), s.moved.begin());
    for (int k = 0; k < count; ++k) s.v[index(first + k)].d[k] = 1.0;
    keep(by_v, first, count);
    for (int k = 0; k < count; ++k) s.v[index(first + k)].d[k] = 0.0;
  }
}

}  // namespace cardan
