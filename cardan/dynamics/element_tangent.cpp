#include "cardan/dynamics/element_tangent.hpp"

#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/model/state.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr int kMostDirections = 8;

std::size_t entry(int i) { return static_cast<std::size_t>(i); }

std::vector<Dual8> constants(const In<double>& x) { return {x.data(), x.data() + x.size()}; }

}  // namespace

/// A displaced instant, eight directions at once, and what forces do there.
struct ElementTangent::Scratch {
  explicit Scratch(const Model& of)
      : model(of), w(of), bodies(of), wrench(entry(of.bodies()) + 1), tau(entry(of.nv())), direct(tau), x(tau) {}

  Model model;
  Workspace<Dual8> w;
  Kinematics<Dual8> bodies;
  std::vector<ForceVector<Dual8>> wrench;
  std::vector<Dual8> tau, direct, x;  // x: a displacement of q
  std::vector<Dual8> q, moved, v, z, u, z_dot;

  void set(const Instant& here) {
    q = moved = constants(here.q);
    v = constants(here.v);
    z = constants(here.z);
    u = constants(here.u);
    z_dot.assign(z.size(), Dual8(0.0));
  }
  void move() {
    integrate(model, q.data(), x.data(), Dual8(1.0), moved.data());
    forward_kinematics<Dual8>(model, w, moved, v, bodies);
  }
  DualInstant instant(double t) const { return {model, Dual8(t), moved, v, z, u, bodies}; }

  /// Sums up forces, taken to the joints, into columns of a matrix.
  void keep_forces(const Forces& forces, const Instant& here, std::span<const int> first_state, int first, int count,
                   Eigen::MatrixXd& columns) {
    std::fill(wrench.begin(), wrench.end(), ForceVector<Dual8>{});
    std::fill(direct.begin(), direct.end(), Dual8(0.0));
    DualPushes pushes(wrench, direct);
    const DualInstant at = instant(here.t);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const int states = first_state[i + 1] - first_state[i];
      forces[i]->add_dual(here.of_element(first_state[i], states), at.of_element(first_state[i], states), pushes);
    }
    jacobian_transpose_product<Dual8>(model, w, moved, wrench, tau);
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < model.nv(); ++i) columns(i, first + k) = tau[entry(i)].d[k] + direct[entry(i)].d[k];
  }
  /// Computes rates of all states, into columns of a matrix.
  void keep_rates(const Forces& forces, const Instant& here, std::span<const int> first_state, const Rates& rates,
                  int first, int count, Eigen::MatrixXd& columns) {
    const DualInstant at = instant(here.t);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const int begin = first_state[i], states = first_state[i + 1] - begin;
      if (states == 0) continue;
      const std::span<Dual8> own(z_dot.data() + begin, entry(states));
      if (rates)
        rates(*forces[i], here.of_element(begin, states), at.of_element(begin, states), own);
      else
        forces[i]->rate_dual(here.of_element(begin, states), at.of_element(begin, states), own);
    }
    for (int k = 0; k < count; ++k)
      for (Eigen::Index i = 0; i < columns.rows(); ++i) columns(i, first + k) = z_dot[static_cast<std::size_t>(i)].d[k];
  }
};

namespace {

/// Calls act(first, count) with the entries from `first` on as directions.
template <class Act>
void in_directions(std::vector<Dual8>& entries, const Act& act) {
  const auto all = static_cast<int>(entries.size());
  for (int first = 0; first < all; first += kMostDirections) {
    const int count = std::min(kMostDirections, all - first);
    for (int k = 0; k < count; ++k) entries[entry(first + k)].d[k] = 1.0;
    act(first, count);
    for (int k = 0; k < count; ++k) entries[entry(first + k)].d[k] = 0.0;
  }
}

}  // namespace

ElementTangent::ElementTangent(const Model& model, const Forces& forces)
    : forces_(forces), scratch_(std::make_unique<Scratch>(model)) {}
ElementTangent::~ElementTangent() = default;

void ElementTangent::compute(const Instant& here, std::span<const int> first_state, const Rates& rates,
                             StateTangent& out) {
  Scratch& s = *scratch_;
  const int n = s.model.nv(), nz = here.z.size(), nu = here.u.size();
  s.set(here);
  out.f_by_z.setZero(n, nz);
  out.f_by_u.setZero(n, nu);
  out.rate_by_z.setZero(nz, nz);
  out.rate_by_u.setZero(nz, nu);
  for (Eigen::MatrixXd* by : {&out.rate_by_q, &out.rate_by_v}) by->setZero(nz, n);
  const auto keep_rates = [&](int first, int count, Eigen::MatrixXd& columns) {
    s.keep_rates(forces_, here, first_state, rates, first, count, columns);
  };
  // where the mechanism is, states and inputs vary
  s.move();
  in_directions(s.z, [&](int first, int count) {
    s.keep_forces(forces_, here, first_state, first, count, out.f_by_z);
    keep_rates(first, count, out.rate_by_z);
  });
  in_directions(s.u, [&](int first, int count) {
    s.keep_forces(forces_, here, first_state, first, count, out.f_by_u);
    keep_rates(first, count, out.rate_by_u);
  });
  if (nz == 0) return;
  // the mechanism varies
  in_directions(s.v, [&](int first, int count) {
    s.move();
    keep_rates(first, count, out.rate_by_v);
  });
  in_directions(s.x, [&](int first, int count) {
    s.move();
    keep_rates(first, count, out.rate_by_q);
  });
}

}  // namespace cardan
