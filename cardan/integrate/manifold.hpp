// Velocities on the joints' manifolds, seen through a chart. Near q0 a configuration is q = q0 moved by x, an increment
// with one entry for each velocity (integrate(model, q0, x, 1)); then v = T(x) dx/dt with the tangent operator of the
// joint's group: SO(3) for a ball joint, SE(3) for a free one, the identity for coordinates that are rates.
#pragma once

#include "cardan/model/state.hpp"

namespace cardan {

/// rate = T(x)^-1 v: how fast the increment grows. rate may be v.
void increment_rate(const Model& model, const double* x, const double* v, double* rate);

/// v = T(x) rate. v may be rate.
void increment_velocity(const Model& model, const double* x, const double* rate, double* v);

/// dq/dt of the coordinates themselves: quaternion rates, and rates of positions in the predecessor's axes.
void coordinate_rate(const Model& model, const double* q, const double* v, double* rate);

/// Scales every quaternion in q to length one.
void normalize_quaternions(const Model& model, double* q);

/// Rotation vectors longer than pi become the short ones of the same orientation, before they reach their singularity
/// at 2 pi. True if any did.
bool shorten_rotation_vectors(const Model& model, State& state);

}  // namespace cardan
