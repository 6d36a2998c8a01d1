#include "cardan/contact/collision_world.hpp"

#include "cardan/contact/collision/internal/core_pair.hpp"
#include "cardan/contact/collision/nearest.hpp"
#include "cardan/contact/internal/pair_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cardan {

using collision::BoxPair;
using collision::Kind;
using collision::Manifold;
using collision::PairMemory;

namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw ModelError(where.empty() ? "contact: " + what : where + ": " + what);
}

std::pair<int, int> in_order(int i, int j) { return {std::min(i, j), std::max(i, j)}; }

bool contains_pair(const std::vector<std::pair<int, int>>& sorted, int i, int j) {
  return std::binary_search(sorted.begin(), sorted.end(), in_order(i, j));
}

void sort_pairs(std::vector<std::pair<int, int>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

constexpr const char* kGround = "ground";
constexpr std::size_t kMostDecidedOnce = 1024;  // shapes
constexpr double kSameMargin = 1e-6;            // relative: margins with the same contacts

}  // namespace

CollisionWorld::CollisionWorld(const Model& model, const ContactRules& rules) {
  for (int i = 0; i <= model.bodies(); ++i) parent_.push_back(i == 0 ? -1 : model.link(i).parent);
  for (const LoopJoint& loop : model.loops())
    if (loop.predecessor.body != 0 && loop.successor.body != 0)
      apart_.push_back(in_order(loop.predecessor.body, loop.successor.body));
  sort_pairs(apart_);
  add_shapes(model);
  if (rules.ground) add_ground(*rules.ground);
  resolve_rules(model, rules);
  if (shapes_.size() <= kMostDecidedOnce) {
    std::vector<bool> touching(shapes_.size() * shapes_.size());
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      for (std::size_t j = 0; j < shapes_.size(); ++j)
        touching[i * shapes_.size() + j] = decide_may_touch(static_cast<int>(i), static_cast<int>(j));
    touching_ = std::move(touching);
  }
  refuse_meshes();
  check_damping(*this, rules);
  std::vector<bool> moves;
  for (const WorldShape& shape : shapes_) moves.push_back(shape.body != 0);
  poses_.resize(shapes_.size());
  bounds_.resize(shapes_.size());
  broad_phase_ = collision::BroadPhase(moves);
  states_.reserve(64 + 16 * shapes_.size());
  next_states_.reserve(states_.capacity());
  contacts_.reserve(4 * states_.capacity());
}

void CollisionWorld::add_shapes(const Model& model) {
  std::vector<const FrameShape*> given;
  for (const FrameShape& shape : model.shapes()) given.push_back(&shape);
  std::stable_sort(given.begin(), given.end(),
                   [](const FrameShape* a, const FrameShape* b) { return a->place < b->place; });
  // numbers count all shapes of a body; where looks and collisions are described apart, only the latter
  int last_frame = -1, all = 0, unseen = 0;
  bool has_owner = false;
  for (const FrameShape* shape : given) {
    const Frame& frame = model.frame(shape->frame);
    if (shape->frame != last_frame) {
      last_frame = shape->frame;
      all = unseen = 0;
      has_owner = false;
    }
    const int number = shape->shape.visual ? all : unseen;
    ++all;
    unseen += shape->shape.visual ? 0 : 1;
    if (!shape->shape.collide) continue;
    if (!has_owner) owners_.push_back(frame.name);
    has_owner = true;
    WorldShape out;
    out.body = frame.body;
    out.frame = shape->frame;
    out.parent_frame = shape->parent;
    out.owner = static_cast<int>(owners_.size()) - 1;
    out.index = number;
    out.group = shape->shape.group;
    out.material = shape->shape.material;
    out.at = Pose<double>{transpose(frame.X.E), frame.X.r} * shape->shape.at;
    try {
      out.solid = collision::make_solid(shape->shape.shape, shape->shape.hull);
    } catch (const std::runtime_error& problem) {
      refuse("", fmt::format("body \"{}\": shape {}: {}", frame.name, out.index, problem.what()));
    }
    shapes_.push_back(std::move(out));
    if (const auto& solid = shapes_.back().solid; solid.kind == Kind::mesh && !solid.mesh->closed)
      open_meshes_.push_back(fmt::format("{}: mesh {} is not closed: it has a surface but no inside",
                                         title(static_cast<int>(shapes_.size()) - 1), solid.mesh->name));
  }
}

void CollisionWorld::add_ground(const Ground& ground) {
  WorldShape out;
  if (ground.height_field) {
    out.solid.kind = Kind::mesh;
    out.solid.mesh = ground.height_field;
    out.at.p = {0.0, 0.0, ground.height};
  } else {
    out.solid = collision::make_plane();
    const Vec3<double>& z = ground.normal;
    const Vec3<double> x = collision::perpendicular(z), y = cross(z, x);
    out.at.R = mat3(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]);
    out.at.p = ground.height * z;
  }
  out.owner = static_cast<int>(owners_.size());
  owners_.emplace_back(kGround);
  shapes_.push_back(std::move(out));
}

void CollisionWorld::resolve_rules(const Model& model, const ContactRules& rules) {
  check_names(model, rules);
  rules_ = rules.rules;
  for (const auto& [a, b] : rules.disabled) {
    const auto first = std::find(owners_.begin(), owners_.end(), a),
               second = std::find(owners_.begin(), owners_.end(), b);
    if (first != owners_.end() && second != owners_.end())
      disabled_.push_back(
          in_order(static_cast<int>(first - owners_.begin()), static_cast<int>(second - owners_.begin())));
  }
  sort_pairs(disabled_);
}

std::string CollisionWorld::title(int shape) const {
  const WorldShape& s = shapes_[static_cast<std::size_t>(shape)];
  return fmt::format("body \"{}\": shape {}", owners_[static_cast<std::size_t>(s.owner)], s.index);
}

void CollisionWorld::refuse_meshes() const {
  std::vector<int> meshes;
  for (int i = 0; i < static_cast<int>(shapes_.size()); ++i)
    if (shapes_[static_cast<std::size_t>(i)].solid.kind == Kind::mesh) meshes.push_back(i);
  for (const int i : meshes)
    for (const int j : meshes)
      if (i < j && may_touch(i, j))
        refuse("", fmt::format("{} and {}: expected one of the two to be convex, found two meshes that are not: say "
                               "hull = true, divide them into convex parts, or ignore the pair",
                               title(i), title(j)));
}

bool CollisionWorld::is_called(const std::string& name, int shape) const {
  const WorldShape& s = shapes_[static_cast<std::size_t>(shape)];
  return name.empty() || owners_[static_cast<std::size_t>(s.owner)] == name || (!s.group.empty() && s.group == name);
}

bool CollisionWorld::matches(const ContactRule& rule, int i, int j) const {
  return (is_called(rule.a, i) && is_called(rule.b, j)) || (is_called(rule.a, j) && is_called(rule.b, i));
}

const ContactRule* CollisionWorld::rule(int i, int j) const {
  const ContactRule* general = nullptr;
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (!matches(*rule, i, j)) continue;
    if (!rule->a.empty() || !rule->b.empty()) return &*rule;
    if (general == nullptr) general = &*rule;
  }
  return general;
}

bool CollisionWorld::may_touch(int i, int j) const {
  if (touching_.empty()) return decide_may_touch(i, j);
  return touching_[static_cast<std::size_t>(i) * shapes_.size() + static_cast<std::size_t>(j)];
}

bool CollisionWorld::decide_may_touch(int i, int j) const {
  const WorldShape &a = shapes_[static_cast<std::size_t>(i)], &b = shapes_[static_cast<std::size_t>(j)];
  if (a.body == b.body) return false;
  const auto is_child = [&](int child, int of) { return of != 0 && parent_[static_cast<std::size_t>(child)] == of; };
  if (is_child(a.body, b.body) || is_child(b.body, a.body)) return false;
  // what is fixed to the world may carry others too
  if ((a.parent_frame >= 0 && a.parent_frame == b.frame) || (b.parent_frame >= 0 && b.parent_frame == a.frame))
    return false;
  if (contains_pair(apart_, a.body, b.body) || contains_pair(disabled_, a.owner, b.owner)) return false;
  if (rules_.empty()) return true;
  const ContactRule* governing = rule(i, j);
  return governing == nullptr || !governing->ignore;
}

long CollisionWorld::pairs() const {
  long count = 0;
  for (int i = 0; i < static_cast<int>(shapes_.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(shapes_.size()); ++j) count += may_touch(i, j) ? 1 : 0;
  return count;
}

void CollisionWorld::update(const Kinematics<double>& kinematics) {
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const WorldShape& shape = shapes_[i];
    if (placed_ && shape.body == 0) continue;
    const Transform<double>& X = kinematics.X_0[static_cast<std::size_t>(shape.body)];
    poses_[i] = Pose<double>{transpose(X.E), X.r} * shape.at;
    if (!collision::are_finite(poses_[i]))
      throw std::invalid_argument(
          fmt::format("contact: {}: expected a finite pose, found one that is not", title(static_cast<int>(i))));
    const collision::Bounds box = collision::bounds(shape.solid, poses_[i].R, poses_[i].p);
    bounds_[i] = {box.low, box.high};
  }
  if (!placed_) {
    for (int i = 0; i < broad_phase_.size(); ++i) broad_phase_.box(i) = bounds_[static_cast<std::size_t>(i)];
    broad_phase_.build_static();
  }
  placed_ = true;
}

/// Tells whether the contacts of a pair may be moved along rather than found anew.
bool CollisionWorld::is_still(const PairState& state, double margin, double stillness) const {
  if (!(std::abs(margin - state.margin) <= kSameMargin * margin)) return false;
  const auto moved = [](const Pose<double>& before, const Pose<double>& now) {
    double out = 0.0;
    for (int i = 0; i < 3; ++i) {
      out = std::max(out, std::abs(now.p[i] - before.p[i]));
      for (int j = 0; j < 3; ++j) out = std::max(out, std::abs(now.R(i, j) - before.R(i, j)));
    }
    return out;
  };
  return moved(state.pose_a, pose(state.pair.a)) < stillness && moved(state.pose_b, pose(state.pair.b)) < stillness;
}

void CollisionWorld::move_along(const PairState& state, WorldContact& found) const {
  collision::Contact& contact = found.contact;
  const auto move = [](const Pose<double>& before, const Pose<double>& now, const Vec3<double>& point) {
    return now.R * transpose_apply(before.R, point - before.p) + now.p;
  };
  const Vec3<double> a = move(state.pose_a, pose(state.pair.a), contact.point_a);
  const Vec3<double> b = move(state.pose_b, pose(state.pair.b), contact.point_b);
  contact.gap += dot(contact.normal, (b - contact.point_b) - (a - contact.point_a));
  contact.point_a = a;
  contact.point_b = b;
}

const std::vector<WorldContact>& CollisionWorld::contacts(double margin, double stillness) {
  if (!placed_) throw std::logic_error("contact: expected update() before contacts(), found none");
  // only moving boxes grow: one of each pair moves
  for (int i = 0; i < broad_phase_.size(); ++i)
    if (shapes_[static_cast<std::size_t>(i)].body != 0)
      broad_phase_.box(i) = bounds_[static_cast<std::size_t>(i)].grown(margin);
  contacts_.clear();
  next_states_.clear();
  next_kept_.clear();
  std::size_t known = 0;
  Manifold manifold;
  for (const BoxPair pair : broad_phase_.update()) {
    if (!may_touch(pair.a, pair.b)) continue;
    while (known < states_.size() && states_[known].pair < pair) ++known;
    const bool is_known = known < states_.size() && states_[known].pair == pair;
    PairState& state = next_states_.emplace_back();
    state.pair = pair;
    if (is_known) state = states_[known];
    const std::size_t first = next_kept_.size();
    if (stillness > 0.0 && is_known && is_still(state, margin, stillness)) {
      for (std::size_t i = 0; i < state.count; ++i) {
        next_kept_.push_back(kept_[state.first + i]);
        move_along(state, contacts_.emplace_back(next_kept_.back()));
      }
    } else {
      const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
      collision::find_manifold(shapes_[a].solid, poses_[a], shapes_[b].solid, poses_[b], {margin, 4}, state.memory,
                               manifold);
      for (int i = 0; i < manifold.count; ++i) contacts_.push_back({pair.a, pair.b, manifold.contact[i]});
      state.margin = -1.0;
      if (stillness > 0.0) {
        state.margin = margin;
        state.pose_a = poses_[a];
        state.pose_b = poses_[b];
        state.count = static_cast<std::size_t>(manifold.count);
        next_kept_.insert(next_kept_.end(), contacts_.end() - manifold.count, contacts_.end());
      }
    }
    state.first = first;
  }
  std::swap(states_, next_states_);
  std::swap(kept_, next_kept_);
  return contacts_;
}

void CollisionWorld::forget() { states_.clear(); }

std::vector<BodyDistance> CollisionWorld::distances() const {
  std::vector<BodyDistance> out;
  const int count = static_cast<int>(shapes_.size());
  const auto owner_end = [&](int i) {
    int end = i;
    while (end < count && shapes_[static_cast<std::size_t>(end)].owner == shapes_[static_cast<std::size_t>(i)].owner)
      ++end;
    return end;
  };
  for (int i = 0; i < count; i = owner_end(i))
    for (int j = owner_end(i); j < count; j = owner_end(j)) {
      BodyDistance best;
      best.contact.gap = std::numeric_limits<double>::infinity();
      bool any = false;
      for (int a = i; a < owner_end(i); ++a)
        for (int b = j; b < owner_end(j); ++b) {
          if (!may_touch(a, b)) continue;
          const auto &shape_a = shapes_[static_cast<std::size_t>(a)], &shape_b = shapes_[static_cast<std::size_t>(b)];
          PairMemory memory;
          const auto found = collision::nearest(shape_a.solid, pose(a), shape_b.solid, pose(b), memory);
          if (any && !(found.gap < best.contact.gap)) continue;
          any = true;
          best = {owners_[static_cast<std::size_t>(shape_a.owner)], owners_[static_cast<std::size_t>(shape_b.owner)],
                  shape_a.index, shape_b.index, found};
        }
      if (any) out.push_back(std::move(best));
    }
  return out;
}

bool CollisionWorld::in_collision() const {
  for (int i = 0; i < static_cast<int>(shapes_.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(shapes_.size()); ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (!bounds_[a].overlaps(bounds_[b]) || !may_touch(i, j)) continue;
      PairMemory memory;
      if (collision::nearest(shapes_[a].solid, pose(i), shapes_[b].solid, pose(j), memory).gap <= 0.0) return true;
    }
  return false;
}

std::optional<WorldRayHit> CollisionWorld::cast_ray(const collision::Ray& ray) const {
  std::optional<WorldRayHit> best;
  collision::Ray left = ray;
  for (int i = 0; i < static_cast<int>(shapes_.size()); ++i)
    if (const auto hit = collision::cast_ray(left, shapes_[static_cast<std::size_t>(i)].solid, pose(i));
        hit && (!best || hit->distance < best->hit.distance)) {
      best = WorldRayHit{i, *hit};
      left.length = hit->distance;
    }
  return best;
}

}  // namespace cardan
