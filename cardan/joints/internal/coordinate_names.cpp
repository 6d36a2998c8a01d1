#include "cardan/joints/internal/coordinate_names.hpp"

#include "cardan/joints/composite.hpp"

#include <type_traits>

namespace cardan {

namespace {

using Names = std::vector<std::string>;

template <class J>
Names names_of(const J& joint, bool of_velocities) {
  const Names xyz{"x", "y", "z"};
  if constexpr (std::is_same_v<J, Cylindrical>) return {"angle", "displacement"};
  if constexpr (std::is_same_v<J, Universal> || std::is_same_v<J, Planar>) return {"x", "y"};
  if constexpr (std::is_same_v<J, Translational> || std::is_same_v<J, SphericalExponential>) return xyz;
  if constexpr (std::is_same_v<J, FreePlanar>) return {"x", "y", "angle"};
  if constexpr (std::is_same_v<J, SphericalEuler>) {
    Names out;
    for (std::size_t i = 0; i < 3; ++i)
      out.push_back(xyz[static_cast<std::size_t>(joint.axis[i])] + std::to_string(i + 1));
    return out;
  }
  if constexpr (std::is_same_v<J, Spherical>) return of_velocities ? xyz : Names{"w", "x", "y", "z"};
  if constexpr (std::is_same_v<J, Free>)
    return of_velocities ? Names{"wx", "wy", "wz", "vx", "vy", "vz"} : Names{"qw", "qx", "qy", "qz", "x", "y", "z"};
  if constexpr (std::is_same_v<J, ExpressionJoint>) return joint.coordinate_names();
  if constexpr (std::is_same_v<J, Composite>) {
    Names out;
    for (const Joint& part : joint.joints)
      for (const std::string& name : coordinate_names(part, of_velocities)) out.push_back(name);
    return out;
  }
  return {};
}

}  // namespace

std::vector<std::string> coordinate_names(const Joint& joint, bool of_velocities) {
  Names out = std::visit([&](const auto& type) { return names_of(type, of_velocities); }, joint.type);
  out.resize(static_cast<std::size_t>(of_velocities ? joint.nv() : joint.nq()));
  return out;
}

}  // namespace cardan
