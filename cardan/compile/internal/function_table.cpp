#include "cardan/compile/internal/function_table.hpp"

#include "cardan/algorithms/forward_dynamics_adjoint.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/compile/internal/pose_layout.hpp"

namespace cardan {

namespace {

using NumericCall = FunctionCall<double>;

Argument coordinates(int nq) { return {"q", nq, "coordinates"}; }
Argument velocities(int nv) { return {"v", nv, "velocities"}; }
Argument accelerations(int nv) { return {"a", nv, "accelerations"}; }
Argument joint_forces(int nv) { return {"tau", nv, "joint forces"}; }

constexpr std::size_t kMostNodesOfMatrices = 300'000;

constexpr FunctionEntry kTable[] = {
    {ModelFunction::forward_dynamics, "forward_dynamics", false, false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv), joint_forces(nv)}, accelerations(nv)};
     },
     trace_forward_dynamics,
     [](const NumericCall& c) { forward_dynamics<double>(c.model, c.workspace, c.in[0], c.in[1], c.in[2], c.out); }},

    {ModelFunction::inverse_dynamics, "inverse_dynamics", false, false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv), accelerations(nv)}, joint_forces(nv)};
     },
     trace_inverse_dynamics,
     [](const NumericCall& c) { inverse_dynamics<double>(c.model, c.workspace, c.in[0], c.in[1], c.in[2], c.out); }},

    {ModelFunction::mass_matrix, "mass_matrix", false, false, 6'000, 6'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq)}, {"H", nv * nv, "symmetric, nv x nv"}};
     },
     trace_mass_matrix,
     [](const NumericCall& c) {
       const int n = c.model.nv();
       mass_matrix<double>(c.model, c.workspace, c.in[0], MatrixView<double>(c.out.data(), n, n));
     }},

    {ModelFunction::bias, "bias", false, false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv)}, {"tau", nv, "joint forces at zero acceleration"}};
     },
     trace_bias, [](const NumericCall& c) { bias<double>(c.model, c.workspace, c.in[0], c.in[1], c.out); }},

    {ModelFunction::gravity, "gravity", false, false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq)}, {"tau", nv, "joint forces that hold the mechanism at rest"}};
     },
     trace_gravity, [](const NumericCall& c) { gravity<double>(c.model, c.workspace, c.in[0], c.out); }},

    {ModelFunction::pose, "pose", true, false, 25'000, 65'000,
     [](int nq, int) {
       return Signature{{coordinates(nq)}, {"pose", 12, "rotation by rows, then position, in the world"}};
     },
     trace_pose,
     [](const NumericCall& c) {
       forward_kinematics<double>(c.model, c.workspace, c.in[0], c.kinematics);
       write_pose(frame_pose(c.model, c.kinematics, c.frame), c.out.data());
     }},

    {ModelFunction::jacobian, "jacobian", true, false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq)}, {"J", 6 * nv, "6 x nv by columns, angular first, in the frame's axes"}};
     },
     trace_jacobian,
     [](const NumericCall& c) {
       forward_kinematics<double>(c.model, c.workspace, c.in[0], c.kinematics);
       frame_jacobian<double>(c.model, c.kinematics, c.frame, MatrixView<double>(c.out.data(), 6, c.model.nv()));
     }},

    {ModelFunction::inverse_mass_matrix, "inverse_mass_matrix", false, false, 15'000, 8'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq)}, {"H_inv", nv * nv, "inverse of the mass matrix, nv x nv"}};
     },
     trace_inverse_mass_matrix,
     [](const NumericCall& c) { inverse_mass_matrix<double>(c.model, c.workspace, c.in[0], c.square(0)); },
     kMostNodesOfMatrices},

    {ModelFunction::inverse_dynamics_derivatives, "inverse_dynamics_derivatives", false, true, 8'000, 8'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv), accelerations(nv)},
                        {"d_tau", 3 * nv * nv, "by q, v and a: nv x nv each, by columns"}};
     },
     trace_inverse_dynamics_derivatives,
     [](const NumericCall& c) {
       inverse_dynamics_derivatives<double>(c.model, c.derivatives->inverse, c.in[0], c.in[1], c.in[2], c.square(0),
                                            c.square(1), c.square(2));
     },
     kMostNodesOfMatrices},

    {ModelFunction::forward_dynamics_derivatives, "forward_dynamics_derivatives", false, true, 12'000, 8'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv), joint_forces(nv)},
                        {"d_a", 3 * nv * nv, "by q, v and tau: nv x nv each, by columns"}};
     },
     trace_forward_dynamics_derivatives,
     [](const NumericCall& c) {
       forward_dynamics_derivatives<double>(c.model, *c.derivatives, c.in[0], c.in[1], c.in[2], c.square(0),
                                            c.square(1), c.square(2));
     },
     kMostNodesOfMatrices},

    {ModelFunction::forward_dynamics_adjoint, "forward_dynamics_adjoint", false, true, 15'000, 15'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv), joint_forces(nv), {"z", nv, "a row"}},
                        {"z_d_a", 3 * nv, "the row times the derivatives of a by q, v and tau"}};
     },
     trace_forward_dynamics_adjoint,
     [](const NumericCall& c) {
       forward_dynamics_adjoint<double>(c.model, *c.derivatives, c.in[0], c.in[1], c.in[2], c.in[3], c.row(0), c.row(1),
                                        c.row(2));
     }},
};

/// The enumeration numbers the entries.
constexpr bool in_order() {
  int i = 0;
  for (const FunctionEntry& entry : kTable)
    if (static_cast<int>(entry.function) != i++) return false;
  return true;
}
static_assert(in_order() && std::size(kTable) == kModelFunctions);

}  // namespace

std::span<const FunctionEntry> function_table() { return kTable; }
const FunctionEntry& table_entry(ModelFunction function) { return kTable[static_cast<std::size_t>(function)]; }

}  // namespace cardan
