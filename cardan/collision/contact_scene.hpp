// All shapes of a mechanism and the ground, which of them may touch, and by which rules: what never changes while they
// move. Made once for a system; hulls of meshes are found here.
#pragma once

#include "cardan/collision/contact_rules.hpp"
#include "cardan/collision/solid.hpp"

#include <algorithm>
#include <string>
#include <utility>
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

/// Not paired are: shapes of one body or both fixed to the world, bodies with a joint or a loop between them (unless
/// one is the world), and what the rules ignore or an SRDF file disables.
class ContactScene {
 public:
  /// Throws ModelError, one line, for shapes that cannot collide, rules that speak of nothing, pairs of meshes, and
  /// damping of pairs without stiffness.
  explicit ContactScene(const Model& model, const ContactRules& rules = {});

  const std::vector<WorldShape>& shapes() const { return shapes_; }
  /// Names of the bodies with shapes, as the user described them, in the order of the file; last "ground" if there is.
  const std::vector<std::string>& owners() const { return owners_; }
  /// Names the owner of a shape.
  const std::string& owner(int shape) const {
    return owners_[static_cast<std::size_t>(shapes_[static_cast<std::size_t>(shape)].owner)];
  }
  /// Names a shape by its owner and its number.
  std::string title(int shape) const;
  /// Meshes whose surface is not closed: they have no inside. A line each.
  const std::vector<std::string>& open_meshes() const { return open_meshes_; }
  const ContactRules& rules() const { return rules_; }
  /// Counts the pairs of shapes that may touch.
  long pairs() const;
  /// Tells whether two shapes may touch.
  bool may_touch(int i, int j) const;
  /// Finds the rule that governs a pair: the last that names both, else the last that names none; null if there is
  /// none.
  const ContactRule* rule(int i, int j) const;
  /// How far the shapes of a body of the model reach from its origin, at most (m); 0 where it has none.
  double reach(int body) const { return reach_[static_cast<std::size_t>(body)]; }
  double largest_reach() const { return *std::max_element(reach_.begin(), reach_.end()); }

 private:
  void add_shapes(const Model& model);
  void add_ground(const Ground& ground);
  void resolve_rules(const Model& model);
  void refuse_meshes() const;
  bool matches(const ContactRule& rule, int i, int j) const;
  bool decide_may_touch(int i, int j) const;
  bool is_called(const std::string& name, int shape) const;

  ContactRules rules_;
  std::vector<WorldShape> shapes_;
  std::vector<std::string> owners_, open_meshes_;
  std::vector<int> parent_;                    // of the model's bodies
  std::vector<std::pair<int, int>> apart_;     // bodies with a loop between them, sorted
  std::vector<std::pair<int, int>> disabled_;  // owners that never touch, sorted
  std::vector<bool> touching_;                 // of all pairs, where they are few enough to be decided once
  std::vector<double> reach_;                  // of each body
};

}  // namespace cardan
