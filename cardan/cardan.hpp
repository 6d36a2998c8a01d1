// The public face of the library in one include.
#pragma once

// models
#include "cardan/joints/curve.hpp"
#include "cardan/joints/spline.hpp"
#include "cardan/joints/surface.hpp"
#include "cardan/model/dynamic_equivalence.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/model/state.hpp"
#include "cardan/model/workspace.hpp"
#include "cardan/spatial/planar.hpp"

// algorithms on a model
#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/equivalent_models.hpp"
#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/floating_base.hpp"
#include "cardan/algorithms/floating_base_matrix.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/handles.hpp"
#include "cardan/algorithms/hybrid_dynamics.hpp"
#include "cardan/algorithms/hybrid_matrix.hpp"
#include "cardan/algorithms/impulse_response.hpp"
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/algorithms/joint_forces.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/algorithms/momentum_matrix.hpp"
#include "cardan/algorithms/operational_space.hpp"
#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/compile/c_export.hpp"
#include "cardan/compile/compiled_model.hpp"

// what acts on a mechanism
#include "cardan/constraints/constraint.hpp"
#include "cardan/constraints/coordinate_motion.hpp"
#include "cardan/constraints/coupling_constraint.hpp"
#include "cardan/constraints/loop_inverse_dynamics.hpp"
#include "cardan/constraints/mobility.hpp"
#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/constraints/reduced_coordinates.hpp"
#include "cardan/constraints/rolling_constraint.hpp"
#include "cardan/constraints/twist_motion.hpp"
#include "cardan/forces/applied_wrench.hpp"
#include "cardan/forces/body_damping.hpp"
#include "cardan/forces/bushing.hpp"
#include "cardan/forces/controller.hpp"
#include "cardan/forces/force_of.hpp"
#include "cardan/forces/joint_force.hpp"
#include "cardan/forces/joint_spring.hpp"
#include "cardan/forces/muscle.hpp"
#include "cardan/forces/muscle_curves.hpp"
#include "cardan/forces/soft_contact.hpp"
#include "cardan/forces/spring.hpp"

// what touches
#include "cardan/contact/collision/advancement.hpp"
#include "cardan/contact/collision/gap_motion.hpp"
#include "cardan/contact/collision/nearest.hpp"
#include "cardan/contact/collision_world.hpp"

// multipliers, and velocities under laws of contact: these know no mechanism
#include "cardan/solve/graph_elimination.hpp"
#include "cardan/solve/law_solver.hpp"
#include "cardan/solve/lcp.hpp"
#include "cardan/solve/pyramid_friction.hpp"
#include "cardan/solve/staggered_projections.hpp"
#include "cardan/solve/velocity_program.hpp"

// symbols
#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/dstar.hpp"
#include "cardan/symbolic/simplify.hpp"

// motion
#include "cardan/integrate/event.hpp"
#include "cardan/integrate/integrator.hpp"
#include "cardan/integrate/tree_problem.hpp"
#include "cardan/simulate/equilibrium.hpp"
#include "cardan/simulate/simulate.hpp"

// files
#include "cardan/io/load.hpp"
#include "cardan/io/report.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/io/trajectory_file.hpp"
#include "cardan/io/urdf.hpp"
#include "cardan/view/page.hpp"
