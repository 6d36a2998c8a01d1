#include "cardan/model/model_builder.hpp"

#include "cardan/model/internal/model_assembly.hpp"

#include <cmath>

namespace cardan {

ModelBuilder& ModelBuilder::gravity(const Vec3<double>& g) {
  gravity_ = g;
  return *this;
}
ModelBuilder& ModelBuilder::body(BodySpec spec) {
  bodies_.push_back(std::move(spec));
  return *this;
}
ModelBuilder& ModelBuilder::joint(JointSpec spec) {
  if (spec.name.empty()) spec.name = spec.successor;
  joints_.push_back(std::move(spec));
  return *this;
}
ModelBuilder& ModelBuilder::joint(const std::string& predecessor, const std::string& successor, Joint type,
                                  const Pose<double>& at, const std::string& name) {
  return joint(JointSpec{name, predecessor, successor, std::move(type), at, {}, {}, {}, {}});
}
ModelBuilder& ModelBuilder::frame(const std::string& name, const std::string& body, const Pose<double>& at,
                                  const std::string& where) {
  frames_.push_back({name, body, where, at});
  return *this;
}
ModelBuilder& ModelBuilder::coupling(CouplingSpec spec) {
  couplings_.push_back(std::move(spec));
  return *this;
}
ModelBuilder& ModelBuilder::keep_fixed_joints() {
  keep_fixed_ = true;
  return *this;
}
ModelBuilder& ModelBuilder::require_physical_inertia() {
  require_physical_ = true;
  return *this;
}

Model ModelBuilder::build() const { return ModelAssembly(*this).assemble(); }

Mat3<double> rotation_rpy(double roll, double pitch, double yaw) {
  const double cr = std::cos(roll), sr = std::sin(roll), cp = std::cos(pitch), sp = std::sin(pitch), cy = std::cos(yaw),
               sy = std::sin(yaw);
  return mat3<double>(cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
                      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,  //
                      -sp, cp * sr, cp * cr);
}

Pose<double> denavit_hartenberg(double a, double alpha, double d, double theta) {
  const Pose<double> about_x{rotation_rpy(alpha, 0.0, 0.0), Vec3<double>{a, 0.0, 0.0}};
  const Pose<double> about_z{rotation_rpy(0.0, 0.0, theta), Vec3<double>{0.0, 0.0, d}};
  return about_x * about_z;
}

}  // namespace cardan
