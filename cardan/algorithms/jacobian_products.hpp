// Products with the Jacobian of all bodies, without ever forming it, in O(n) (Sueda, Algorithms 5 and 6): J x,
// J_dot x and J' y. Entry i of a list of motions or forces belongs to body i, in its internal frame.
#pragma once

#include "cardan/algorithms/fold.hpp"
#include "cardan/joints/subspace_rate.hpp"

#include <span>

namespace cardan {

/// out_i = J_i x.
template <class T>
void jacobian_product(const Model& model, Workspace<T>& w, In<T> q, In<T> x,
                      std::span<MotionVector<std::type_identity_t<T>>> out) {
  detail::check_size("jacobian_product", "q", model.nq(), q.size());
  detail::check_size("jacobian_product", "x", model.nv(), x.size());
  detail::check_size("jacobian_product", "out", model.bodies() + 1, static_cast<int>(out.size()));
  compute_sincos(model, w, q);
  out[0] = {};
  outward(model, w, MotionVector<T>{}, [&](const auto& at, MotionVector<T>& m) CARDAN_INLINE_LAMBDA {
    const auto [X_J, S, c_J] = at.evaluate(w, q, {});
    m = at.transform(X_J) * m;
    add_to(m, S, at(x));
    out[at.index()] = m;
  });
}

namespace detail {
template <class T>
struct ProductAndRate {
  MotionVector<T> Jx, rate;
};
}  // namespace detail

/// out_i = J_dot_i x at velocity v.
template <class T>
void jacobian_rate_product(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> x,
                           std::span<MotionVector<std::type_identity_t<T>>> out) {
  detail::check_size("jacobian_rate_product", "q", model.nq(), q.size());
  detail::check_size("jacobian_rate_product", "v", model.nv(), v.size());
  detail::check_size("jacobian_rate_product", "x", model.nv(), x.size());
  detail::check_size("jacobian_rate_product", "out", model.bodies() + 1, static_cast<int>(out.size()));
  compute_sincos(model, w, q);
  out[0] = {};
  outward(model, w, detail::ProductAndRate<T>{}, [&](const auto& at, detail::ProductAndRate<T>& m) {
    using Kernel = typename std::remove_cvref_t<decltype(at)>::Kernel;
    const auto qd = at(v), own = at(x);
    const auto [X_J, S, c_J] = at.evaluate(w, q, qd);
    const auto X = at.transform(X_J);
    m.Jx = X * m.Jx;
    m.rate = X * m.rate - cross(S * qd, m.Jx);  // dX/dt = -v_J x X
    if constexpr (has_changing_S<Kernel>)
      m.rate += subspace_rate<T, Kernel::nv>(model.joint(at.body), at.coordinates(w, q), qd) * own;
    add_to(m.Jx, S, own);
    out[at.index()] = m.rate;
  });
}

/// tau = sum over bodies of J_i' f_i.
template <class T>
void jacobian_transpose_product(const Model& model, Workspace<T>& w, In<T> q,
                                std::span<const ForceVector<std::type_identity_t<T>>> f, Out<T> tau) {
  detail::check_size("jacobian_transpose_product", "q", model.nq(), q.size());
  detail::check_size("jacobian_transpose_product", "f", model.bodies() + 1, static_cast<int>(f.size()));
  detail::check_size("jacobian_transpose_product", "tau", model.nv(), tau.size());
  compute_sincos(model, w, q);
  inward<ForceVector<T>>(model, w, [&](const auto& at, ForceVector<T>& sum) CARDAN_INLINE_LAMBDA {
    const auto [X_J, S, c_J] = at.evaluate(w, q, {});
    sum += f[at.index()];
    at.set(tau, dot(S, sum));
    sum = transpose_apply(at.transform(X_J), sum);
  });
}

// compiled once, in the library
extern template void jacobian_product<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                              std::span<MotionVector<double>>);
extern template void jacobian_rate_product<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                                   std::span<MotionVector<double>>);
extern template void jacobian_transpose_product<double>(const Model&, Workspace<double>&, In<double>,
                                                        std::span<const ForceVector<double>>, Out<double>);

}  // namespace cardan
