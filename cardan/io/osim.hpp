// Reads OpenSim models (.osim), versions 2.0 (20000) and newer, as scenes.
//   Body, Joint, JointSet           bodies and joints by the names of the file; ground is the world
//   PinJoint, SliderJoint, WeldJoint, BallJoint, FreeJoint   revolute, prismatic, fixed, spherical, free
//   UniversalJoint, PlanarJoint, GimbalJoint, EllipsoidJoint, CustomJoint   expression joints, splines as tables
//   Coordinate                      start, limits where it is clamped, a coupling where it is locked, a motion where it
//                                   is prescribed
//   ConstraintSet                   couplings of coordinates, exact loops
//   ForceSet                        muscles along paths with wraps, actuators as inputs, springs, bushings
// What is not read is told in one of the scene's warnings, by the names of the elements.
#pragma once

#include "cardan/io/scene_spec.hpp"

namespace cardan {

/// Throws ModelError, one line: osim: FILE:LINE: ...
SceneSpec load_osim(const std::string& path);
SceneSpec parse_osim(std::string_view text, const std::string& name);

}  // namespace cardan
