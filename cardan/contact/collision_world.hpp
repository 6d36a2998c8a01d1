// All shapes of a mechanism and the ground, and which of them touch where.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/contact/collision/broad_phase.hpp"
#include "cardan/contact/collision/manifold.hpp"
#include "cardan/contact/collision/ray.hpp"
#include "cardan/contact/contact_rules.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cardan {

/// A solid on a body of the model.
struct WorldShape {
  collision::Solid solid;
  int body = 0;                       // of the model; 0: the world
  Pose<double> at;                    // in the body's internal frame
  int frame = -1, parent_frame = -1;  // of its owner, and of the body that carries that; -1: the world
  int owner = 0;                      // body as the user described it: index in owners()
  int index = 0;                      // among the shapes of its owner, from 0
  std::string group{};
  SurfaceMaterial material{};
};

/// A contact between two shapes of the world; a comes before b in the file, the ground is always b.
struct WorldContact {
  int shape_a = 0, shape_b = 0;
  collision::Contact contact;
};

/// Nearest shapes of two bodies.
struct BodyDistance {
  std::string a, b;              // names; the ground is "ground"
  int shape_a = 0, shape_b = 0;  // among the shapes of each
  collision::Contact contact;
};

struct WorldRayHit {
  int shape = 0;
  collision::RayHit hit;
};

/// Made once; update() and contacts() then allocate nothing, once the largest number of pairs was seen. Not paired are:
/// shapes of one body or both fixed to the world, bodies with a joint or a loop between them (unless one is the world),
/// and what the rules ignore or an SRDF file disables.
class CollisionWorld {
 public:
  /// Throws ModelError, one line, for shapes that cannot collide, rules that speak of nothing, pairs of meshes, and
  /// damping of pairs without stiffness.
  explicit CollisionWorld(const Model& model, const ContactRules& rules = {});

  const std::vector<WorldShape>& shapes() const { return shapes_; }
  /// Names of the bodies with shapes, as the user described them, in the order of the file; last "ground" if there is.
  const std::vector<std::string>& owners() const { return owners_; }
  /// Meshes whose surface is not closed: they have no inside. A line each.
  const std::vector<std::string>& open_meshes() const { return open_meshes_; }
  /// Counts the pairs of shapes that may touch.
  long pairs() const;
  /// Tells whether two shapes may touch.
  bool may_touch(int i, int j) const;
  /// Finds the rule that governs a pair: the last that names both, else the last that names none; null if there is
  /// none.
  const ContactRule* rule(int i, int j) const;

  /// Places the shapes. Throws std::invalid_argument where a pose is not finite.
  void update(const Kinematics<double>& kinematics);
  const Pose<double>& pose(int shape) const { return poses_[static_cast<std::size_t>(shape)]; }

  /// Finds all contacts up to this gap [m], pairs in ascending order, names kept from call to call. Contacts of a pair
  /// that has moved less than `stillness` [m, rad] since they were found are moved along with their bodies instead:
  /// gaps are then right to second order.
  const std::vector<WorldContact>& contacts(double margin, double stillness = 0.0);
  /// Forgets the last contacts: the next ones do not depend on them.
  void forget();

  /// Measures all pairs of bodies that may touch, in the order of the file.
  std::vector<BodyDistance> distances() const;
  bool in_collision() const;
  /// Finds what a ray meets first.
  std::optional<WorldRayHit> cast_ray(const collision::Ray& ray) const;

 private:
  struct PairState {
    collision::BoxPair pair;
    collision::PairMemory memory;
    Pose<double> pose_a, pose_b;  // where its contacts were found
    double margin = -1.0;
    std::size_t first = 0, count = 0;  // in kept_
  };
  bool is_still(const PairState& state, double margin, double stillness) const;
  void move_along(const PairState& state, WorldContact& contact) const;
  void add_shapes(const Model& model);
  void add_ground(const Ground& ground);
  void resolve_rules(const Model& model, const ContactRules& rules);
  void refuse_meshes() const;
  bool matches(const ContactRule& rule, int i, int j) const;
  bool decide_may_touch(int i, int j) const;
  bool is_called(const std::string& name, int shape) const;
  std::string title(int shape) const;

  std::vector<WorldShape> shapes_;
  std::vector<std::string> owners_, open_meshes_;
  std::vector<ContactRule> rules_;
  std::vector<int> parent_;                    // of the model's bodies
  std::vector<std::pair<int, int>> apart_;     // bodies with a loop between them, sorted
  std::vector<std::pair<int, int>> disabled_;  // owners that never touch, sorted
  std::vector<bool> touching_;                 // of all pairs, where they are few enough to be decided once
  std::vector<Pose<double>> poses_;
  std::vector<collision::AxisBox> bounds_;
  collision::BroadPhase broad_phase_{{}};
  std::vector<PairState> states_, next_states_;
  std::vector<WorldContact> contacts_;
  std::vector<WorldContact> kept_, next_kept_;  // as they were found
  bool placed_ = false;
};

}  // namespace cardan
