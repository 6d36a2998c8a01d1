// Reads <compiler> of an MJCF file, and what follows from it: angles, orientations, poses.
#pragma once

#include "cardan/io/internal/mjcf_element.hpp"
#include "cardan/model/model_builder.hpp"

namespace cardan::io {

struct MjcfCompiler {
  explicit MjcfCompiler(MjcfDocument& document);

  /// An angle of the file in rad.
  double angle(double value) const { return degrees ? value * 0.017453292519943295 : value; }
  /// The rotation of quat, axisangle, euler, xyaxes or zaxis; none: the identity.
  Mat3<double> orientation(const MjcfElement& element) const;
  Pose<double> pose(const MjcfElement& element) const;

  bool degrees = true, autolimits = true, balance_inertia = false;
  enum class FromGeoms { automatic, always, never };
  FromGeoms inertia_from_geoms = FromGeoms::automatic;
  std::string euler_sequence = "xyz";
  double least_mass = 0.0, least_inertia = 0.0, total_mass = -1.0;
  double first_group = 0.0, last_group = 5.0;  // of geoms that give inertia
  std::string mesh_folder;
};

/// The smallest rotation that takes z to a direction.
Mat3<double> rotation_of_z(const Vec3<double>& direction);

}  // namespace cardan::io
