#include "cardan/compile/internal/function_table.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
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

constexpr FunctionEntry kTable[] = {
    {ModelFunction::forward_dynamics, "forward_dynamics", false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv), joint_forces(nv)}, accelerations(nv)};
     },
     trace_forward_dynamics,
     [](const NumericCall& c) { forward_dynamics<double>(c.model, c.workspace, c.in[0], c.in[1], c.in[2], c.out); }},

    {ModelFunction::inverse_dynamics, "inverse_dynamics", false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv), accelerations(nv)}, joint_forces(nv)};
     },
     trace_inverse_dynamics,
     [](const NumericCall& c) { inverse_dynamics<double>(c.model, c.workspace, c.in[0], c.in[1], c.in[2], c.out); }},

    {ModelFunction::mass_matrix, "mass_matrix", false, 6'000, 6'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq)}, {"H", nv * nv, "symmetric, nv x nv"}};
     },
     trace_mass_matrix,
     [](const NumericCall& c) {
       const int n = c.model.nv();
       mass_matrix<double>(c.model, c.workspace, c.in[0], MatrixView<double>(c.out.data(), n, n));
     }},

    {ModelFunction::bias, "bias", false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq), velocities(nv)}, {"tau", nv, "joint forces at zero acceleration"}};
     },
     trace_bias, [](const NumericCall& c) { bias<double>(c.model, c.workspace, c.in[0], c.in[1], c.out); }},

    {ModelFunction::gravity, "gravity", false, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq)}, {"tau", nv, "joint forces that hold the mechanism at rest"}};
     },
     trace_gravity, [](const NumericCall& c) { gravity<double>(c.model, c.workspace, c.in[0], c.out); }},

    {ModelFunction::pose, "pose", true, 25'000, 65'000,
     [](int nq, int) {
       return Signature{{coordinates(nq)}, {"pose", 12, "rotation by rows, then position, in the world"}};
     },
     trace_pose,
     [](const NumericCall& c) {
       forward_kinematics<double>(c.model, c.workspace, c.in[0], c.kinematics);
       write_pose(frame_pose(c.model, c.kinematics, c.frame), c.out.data());
     }},

    {ModelFunction::jacobian, "jacobian", true, 25'000, 65'000,
     [](int nq, int nv) {
       return Signature{{coordinates(nq)}, {"J", 6 * nv, "6 x nv by columns, angular first, in the frame's axes"}};
     },
     trace_jacobian,
     [](const NumericCall& c) {
       forward_kinematics<double>(c.model, c.workspace, c.in[0], c.kinematics);
       frame_jacobian<double>(c.model, c.kinematics, c.frame, MatrixView<double>(c.out.data(), 6, c.model.nv()));
     }},
};

/// The enumeration numbers the entries.
constexpr bool in_order() {
  int i = 0;
  for (const FunctionEntry& entry : kTable)
    if (static_cast<int>(entry.function) != i++) return false;
  return true;
}
static_assert(in_order());

}  // namespace

std::span<const FunctionEntry> function_table() { return kTable; }
const FunctionEntry& table_entry(ModelFunction function) { return kTable[static_cast<std::size_t>(function)]; }

}  // namespace cardan
