#include "cardan/collision/collision_world.hpp"

#include "cardan/collision/internal/core_pair.hpp"
#include "cardan/collision/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cardan {

using collision::BoxPair;
using collision::Manifold;
using collision::PairMemory;

namespace {

constexpr double kSameMargin = 1e-6;  // relative: margins with the same contacts

}  // namespace

CollisionWorld::CollisionWorld(const Model& model, const ContactRules& rules)
    : CollisionWorld(std::make_shared<const ContactScene>(model, rules)) {}

CollisionWorld::CollisionWorld(std::shared_ptr<const ContactScene> scene) : scene_(std::move(scene)) {
  const std::vector<WorldShape>& shapes = scene_->shapes();
  std::vector<bool> moves;
  for (const WorldShape& shape : shapes) moves.push_back(shape.body != 0);
  poses_.resize(shapes.size());
  bounds_.resize(shapes.size());
  broad_phase_ = collision::BroadPhase(moves);
  states_.reserve(64 + 16 * shapes.size());
  next_states_.reserve(states_.capacity());
  contacts_.reserve(4 * states_.capacity());
}

void CollisionWorld::update(const Kinematics<double>& kinematics) {
  for (std::size_t i = 0; i < shapes().size(); ++i) {
    const WorldShape& shape = shapes()[i];
    if (placed_ && shape.body == 0) continue;
    const Transform<double>& X = kinematics.X_0[static_cast<std::size_t>(shape.body)];
    poses_[i] = Pose<double>{transpose(X.E), X.r} * shape.at;
    if (!collision::are_finite(poses_[i]))
      throw std::invalid_argument(fmt::format("contact: {}: expected a finite pose, found one that is not",
                                              scene_->title(static_cast<int>(i))));
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
    if (shapes()[static_cast<std::size_t>(i)].body != 0)
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
      collision::find_manifold(shapes()[a].solid, poses_[a], shapes()[b].solid, poses_[b], {margin, 4}, state.memory,
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
  const int count = static_cast<int>(shapes().size());
  const auto owner_end = [&](int i) {
    int end = i;
    while (end < count && shapes()[static_cast<std::size_t>(end)].owner == shapes()[static_cast<std::size_t>(i)].owner)
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
          const auto &shape_a = shapes()[static_cast<std::size_t>(a)], &shape_b = shapes()[static_cast<std::size_t>(b)];
          PairMemory memory;
          const auto found = collision::nearest(shape_a.solid, pose(a), shape_b.solid, pose(b), memory);
          if (any && !(found.gap < best.contact.gap)) continue;
          any = true;
          best = {owners()[static_cast<std::size_t>(shape_a.owner)], owners()[static_cast<std::size_t>(shape_b.owner)],
                  shape_a.index, shape_b.index, found};
        }
      if (any) out.push_back(std::move(best));
    }
  return out;
}

bool CollisionWorld::in_collision() const {
  for (int i = 0; i < static_cast<int>(shapes().size()); ++i)
    for (int j = i + 1; j < static_cast<int>(shapes().size()); ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (!bounds_[a].overlaps(bounds_[b]) || !may_touch(i, j)) continue;
      PairMemory memory;
      if (collision::nearest(shapes()[a].solid, pose(i), shapes()[b].solid, pose(j), memory).gap <= 0.0) return true;
    }
  return false;
}

std::optional<WorldRayHit> CollisionWorld::cast_ray(const collision::Ray& ray) const {
  std::optional<WorldRayHit> best;
  collision::Ray left = ray;
  for (int i = 0; i < static_cast<int>(shapes().size()); ++i)
    if (const auto hit = collision::cast_ray(left, shapes()[static_cast<std::size_t>(i)].solid, pose(i));
        hit && (!best || hit->distance < best->hit.distance)) {
      best = WorldRayHit{i, *hit};
      left.length = hit->distance;
    }
  return best;
}

}  // namespace cardan
