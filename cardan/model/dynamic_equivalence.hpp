// Dynamic equivalence (section 9.7): mass that lies on a joint's axis may belong to either of the two bodies, and the
// equation of motion stays the same. Used to make parameters vanish.
#pragma once

#include "cardan/model/model.hpp"

namespace cardan {

/// Returns a model with the same equation of motion and as many inertia parameters zero as the joints allow: behind a
/// revolute joint mass, first moment along the axis and second moment along the axis; behind a prismatic one all second
/// moments; behind a ball joint the mass. What is taken from a body goes to its parent, from the first bodies to the
/// world. Energy, momentum and center of mass are not those of the model.
///
/// Mass gathers towards the base and cancels against what the tips then lack, which costs digits; a body that has come
/// to `most_mass` times the mass of the lightest body of its subtree gives nothing away.
Model with_fewest_parameters(const Model& model, double most_mass = 1e3);

/// Returns a model with the same equation of motion and I_delta taken from a body and given to the body that carries it
/// (Table 9.7). I_delta is in the body's frame, as the user described it. Behind a revolute joint it must be of mass on
/// the axis (m, c_z and one I), behind a prismatic joint a pure rotational inertia, behind a ball joint a point mass at
/// its center, behind a fixed joint anything; other joints let nothing pass. Throws ModelError if it is not. Energy,
/// momentum and center of mass are not those of the model.
Model with_shifted_inertia(const Model& model, int body, const RigidBodyInertia<double>& I_delta);

}  // namespace cardan
