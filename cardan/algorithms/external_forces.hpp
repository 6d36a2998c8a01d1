// Forces on bodies from outside the mechanism, in world coordinates about the world's origin: one for each body,
// entry 0 (the world) unused; none at all is an empty span.
#pragma once

#include "cardan/algorithms/fold.hpp"

#include <span>

namespace cardan {

template <class T>
using ExternalForces = std::span<const ForceVector<std::type_identity_t<T>>>;

namespace detail {

template <class T>
void check_external(const Model& model, const char* function, std::span<const ForceVector<T>> f_ext) {
  if (!f_ext.empty()) check_size(function, "f_ext", model.bodies() + 1, static_cast<int>(f_ext.size()));
}

/// Transforms from the world to every body; sines and cosines must be there.
template <class T>
void world_poses(const Model& model, Workspace<T>& w, const In<T>& q) {
  outward(model, w, Transform<T>::identity(), [&](const auto& at, Transform<T>& X_0) {
    const auto joint = at.evaluate(w, q, {});
    X_0 = at.transform(joint.X_J) * X_0;
    w.pose[at.index()] = X_0;
  });
}

}  // namespace detail

}  // namespace cardan
