// Contacts of a mechanism at one instant as the equations of motion need them: the rows J of the relative velocity
// u = J v at the contact (normal, two tangents), and the part of its rate that is there while no joint accelerates,
//   du/dt = J a + bias.
// Along the normal this is the second derivative of the gap (book 11.29, 11.30; collision/gap_motion.hpp). Across it
// the material velocities of both bodies are compared at the contact point c, which moves over the surfaces:
//   d/dt (v + w x (c - p)) = a + alpha x (c - p) + w x (c_dot - v)      of each body, with p its origin.
// Tangents are taken as fixed, which is right where nothing slides and not asked for elsewhere.
#pragma once

#include "cardan/contact/internal/step_rows.hpp"

namespace cardan {

struct TouchingPoint : ContactPoint {
  bool fixed = false;             // stays with its body although the surface is curved there
  Eigen::Vector3d u{0, 0, 0};     // relative velocity, of b against a and the velocity of the surface (m/s)
  Eigen::Vector3d bias{0, 0, 0};  // (m/s^2)
  Vec3<double> slip() const { return u[1] * axes[1] + u[2] * axes[2]; }
};

class TouchingPoints {
 public:
  explicit TouchingPoints(std::shared_ptr<const ContactScene> scene);

  const CollisionWorld& world() const { return world_; }
  CollisionWorld& world() { return world_; }
  /// Finds all contacts with at most this gap; the instant has velocity-product accelerations.
  const std::vector<TouchingPoint>& find(const Instant& at, double margin);
  /// What find() gave last.
  const std::vector<TouchingPoint>& last() const { return points_; }
  /// How far shapes reach from the origins of their bodies (m).
  double largest_reach() const { return world_.scene().largest_reach(); }
  /// Sets the three rows of a contact, each as long as there are velocities.
  static void set_rows(const Instant& at, const ContactPoint& point,
                       Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>> J);
  /// Names the two bodies: "box" and "ground".
  std::string names(const ContactPoint& point) const;
  const PairLaw& law_of(int shape_a, int shape_b);
  /// An upper bound of the speed at which points of bodies move against each other (m/s).
  double speed(const Instant& at) const;

 private:
  CollisionWorld world_;
  PairLaws laws_;
  std::vector<TouchingPoint> points_;
};

}  // namespace cardan
