// Random mechanisms and states, the same for the same seed on every machine.
#pragma once

#include "cardan/model/model_builder.hpp"

#include <Eigen/Dense>
#include <cstdint>

namespace cardan::test {

/// Random numbers without the standard distributions, which differ from library to library. Never two draws in the
/// arguments of one call: their order differs from compiler to compiler.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) { state_ = bits() ^ seed; }

  std::uint64_t bits();
  double uniform(double low = -1.0, double high = 1.0);
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  bool chance(double p) { return uniform(0.0, 1.0) < p; }

  Vec3<double> vector(double size = 1.0);
  Vec3<double> direction();
  Mat3<double> rotation();
  /// One of the 24 rotations that take coordinate axes to coordinate axes.
  Mat3<double> aligned_rotation();
  Pose<double> pose();
  MotionVector<double> motion();
  ForceVector<double> force();
  /// Of a possible body: its inertia is that of a cloud of points.
  MassProperties mass();
  Eigen::VectorXd values(int n, double size = 1.0);

 private:
  std::uint64_t state_;
};

/// A joint of the type with this index in the Joint variant; axes and parts are random.
Joint random_joint(Random& random, std::size_t type_index);

/// q on the joint's manifold, away from the zero pose.
std::vector<double> random_configuration(Random& random, const Joint& joint);
Eigen::VectorXd random_configuration(Random& random, const Model& model);

/// q moved by h v on the manifold.
Eigen::VectorXd integrate(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h);

/// A tree with every joint type (so at least as many bodies), reversed joints, composites, branches, several roots,
/// aligned and random placements, armature, user frames, described in random order. Odd seeds keep fixed joints.
ModelBuilder random_builder(std::uint64_t seed);
Model random_model(std::uint64_t seed);
/// A tree with every joint type on a base that floats; rotors here and there, but not at the base.
ModelBuilder random_floating_builder(std::uint64_t seed);

/// A model with a state, accelerations, forces and external forces.
struct RandomCase {
  explicit RandomCase(std::uint64_t seed);

  Model model;
  Eigen::VectorXd q, v, a, tau;
  std::vector<ForceVector<double>> f_ext;
  std::string name;
};

}  // namespace cardan::test
