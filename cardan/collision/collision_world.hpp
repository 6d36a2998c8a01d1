// Places the shapes of a mechanism, and finds which of them touch where.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/collision/broad_phase.hpp"
#include "cardan/collision/contact_scene.hpp"
#include "cardan/collision/manifold.hpp"
#include "cardan/collision/ray.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cardan {

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

/// One for each thread, on a ContactScene that any number of them share. update() and contacts() allocate nothing, once
/// the largest number of pairs was seen.
class CollisionWorld {
 public:
  explicit CollisionWorld(std::shared_ptr<const ContactScene> scene);
  /// Makes a scene of its own. Throws as ContactScene does.
  explicit CollisionWorld(const Model& model, const ContactRules& rules = {});

  const ContactScene& scene() const { return *scene_; }
  const std::vector<WorldShape>& shapes() const { return scene_->shapes(); }
  const std::vector<std::string>& owners() const { return scene_->owners(); }
  const std::vector<std::string>& open_meshes() const { return scene_->open_meshes(); }
  long pairs() const { return scene_->pairs(); }
  bool may_touch(int i, int j) const { return scene_->may_touch(i, j); }

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

  std::shared_ptr<const ContactScene> scene_;
  std::vector<Pose<double>> poses_;
  std::vector<collision::AxisBox> bounds_;
  collision::BroadPhase broad_phase_{{}};
  std::vector<PairState> states_, next_states_;
  std::vector<WorldContact> contacts_;
  std::vector<WorldContact> kept_, next_kept_;  // as they were found
  bool placed_ = false;
};

}  // namespace cardan
