// Reads MuJoCo's model files (MJCF, .xml) as scenes.
//
//   body, joint, freejoint, frame: bodies and joints, several a body too; q of hinge and slide is qpos, with ref
//
//   inertial, geom: mass and inertia, those of primitive geoms where <inertial> is missing; shapes to see
//
//   default, include, compiler: as MuJoCo does
//
//   equality connect, weld, joint: exact loops and couplings
//
//   tendon fixed, spatial: springs and dampers; paths over spheres and cylinders
//
//   actuator motor, position, velocity, general (affine, of joints): inputs with that law
//
//   site: ends of tendons and loops
//
// What is not read is told in the scene's warnings (contact, limits of tendons, ...) or refused where bodies would be
// missing (replicate, attach, composite, flexcomp).
#pragma once

#include "cardan/io/scene_spec.hpp"

namespace cardan {

/// Throws ModelError, one line: mjcf: FILE:LINE: ...
SceneSpec load_mjcf(const std::string& path);
SceneSpec parse_mjcf(std::string_view text, const std::string& name);

}  // namespace cardan
