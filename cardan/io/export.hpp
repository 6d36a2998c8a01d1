// Writes the mechanism of a scene for other programs, as far as their formats can describe it. Coordinates keep their
// meaning and order, and the dynamics stay the same to rounding: joints of several freedoms become several joints
// (NAME.0, NAME.1, ...) with links between them that have no mass. Bodies that are fixed to others keep frame and
// shapes; their mass is that of the body that carries them.
#pragma once

#include "cardan/dynamics/scene.hpp"

namespace cardan {

struct Exported {
  std::string text;
  std::vector<std::string> left_out;  // what the format cannot say, a line each
};

/// Writes URDF for a file at this path, from which meshes are named. Joints: hinges, slides, planar and free ones;
/// straight couplings are mimics. Throws ModelError, one line, on other joints.
Exported to_urdf(const Scene& scene, const std::string& path);

/// Writes a MuJoCo model likewise. Joints: hinges, slides, balls, and free ones of bodies in the world; springs,
/// dampers, dry friction, armature and limits are theirs; straight couplings are equalities.
Exported to_mjcf(const Scene& scene, const std::string& path);

}  // namespace cardan
