#include "cardan/collision/contact_scene.hpp"

#include "cardan/collision/internal/core_pair.hpp"
#include "cardan/collision/internal/pair_law.hpp"
#include "cardan/collision/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {

using collision::Kind;

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

/// Computes how far a solid that is placed in a frame reaches from the frame's origin, at most.
double reach_of(const WorldShape& shape) {
  const collision::Bounds box = collision::bounds(shape.solid, shape.at.R, shape.at.p);
  double square = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double far = std::max(std::abs(box.low[k]), std::abs(box.high[k]));
    square += far * far;
  }
  return std::sqrt(square);
}

}  // namespace

ContactScene::ContactScene(const Model& model, const ContactRules& rules) : rules_(rules) {
  for (int i = 0; i <= model.bodies(); ++i) parent_.push_back(i == 0 ? -1 : model.link(i).parent);
  for (const LoopJoint& loop : model.loops())
    if (loop.predecessor.body != 0 && loop.successor.body != 0)
      apart_.push_back(in_order(loop.predecessor.body, loop.successor.body));
  sort_pairs(apart_);
  add_shapes(model);
  if (rules.ground) add_ground(*rules.ground);
  resolve_rules(model);
  if (shapes_.size() <= kMostDecidedOnce) {
    std::vector<bool> touching(shapes_.size() * shapes_.size());
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      for (std::size_t j = 0; j < shapes_.size(); ++j)
        touching[i * shapes_.size() + j] = decide_may_touch(static_cast<int>(i), static_cast<int>(j));
    touching_ = std::move(touching);
  }
  refuse_meshes();
  check_damping(*this);
  reach_.resize(static_cast<std::size_t>(model.bodies()) + 1);
  for (const WorldShape& shape : shapes_)
    if (double& reach = reach_[static_cast<std::size_t>(shape.body)]; shape.body != 0)
      reach = std::max(reach, reach_of(shape));
}

void ContactScene::add_shapes(const Model& model) {
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

void ContactScene::add_ground(const Ground& ground) {
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

void ContactScene::resolve_rules(const Model& model) {
  check_names(model, rules_);
  for (const auto& [a, b] : rules_.disabled) {
    const auto first = std::find(owners_.begin(), owners_.end(), a),
               second = std::find(owners_.begin(), owners_.end(), b);
    if (first != owners_.end() && second != owners_.end())
      disabled_.push_back(
          in_order(static_cast<int>(first - owners_.begin()), static_cast<int>(second - owners_.begin())));
  }
  sort_pairs(disabled_);
}

std::string ContactScene::title(int shape) const {
  const WorldShape& s = shapes_[static_cast<std::size_t>(shape)];
  return fmt::format("body \"{}\": shape {}", owners_[static_cast<std::size_t>(s.owner)], s.index);
}

void ContactScene::refuse_meshes() const {
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

bool ContactScene::is_called(const std::string& name, int shape) const {
  const WorldShape& s = shapes_[static_cast<std::size_t>(shape)];
  return name.empty() || owners_[static_cast<std::size_t>(s.owner)] == name || (!s.group.empty() && s.group == name);
}

bool ContactScene::matches(const ContactRule& rule, int i, int j) const {
  return (is_called(rule.a, i) && is_called(rule.b, j)) || (is_called(rule.a, j) && is_called(rule.b, i));
}

const ContactRule* ContactScene::rule(int i, int j) const {
  const ContactRule* general = nullptr;
  for (auto rule = rules_.rules.rbegin(); rule != rules_.rules.rend(); ++rule) {
    if (!matches(*rule, i, j)) continue;
    if (!rule->a.empty() || !rule->b.empty()) return &*rule;
    if (general == nullptr) general = &*rule;
  }
  return general;
}

bool ContactScene::may_touch(int i, int j) const {
  if (touching_.empty()) return decide_may_touch(i, j);
  return touching_[static_cast<std::size_t>(i) * shapes_.size() + static_cast<std::size_t>(j)];
}

bool ContactScene::decide_may_touch(int i, int j) const {
  const WorldShape &a = shapes_[static_cast<std::size_t>(i)], &b = shapes_[static_cast<std::size_t>(j)];
  if (a.body == b.body) return false;
  const auto is_child = [&](int child, int of) { return of != 0 && parent_[static_cast<std::size_t>(child)] == of; };
  if (is_child(a.body, b.body) || is_child(b.body, a.body)) return false;
  // what is fixed to the world may carry others too
  if ((a.parent_frame >= 0 && a.parent_frame == b.frame) || (b.parent_frame >= 0 && b.parent_frame == a.frame))
    return false;
  if (contains_pair(apart_, a.body, b.body) || contains_pair(disabled_, a.owner, b.owner)) return false;
  if (rules_.rules.empty()) return true;
  const ContactRule* governing = rule(i, j);
  return governing == nullptr || !governing->ignore;
}

long ContactScene::pairs() const {
  long count = 0;
  for (int i = 0; i < static_cast<int>(shapes_.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(shapes_.size()); ++j) count += may_touch(i, j) ? 1 : 0;
  return count;
}

}  // namespace cardan
