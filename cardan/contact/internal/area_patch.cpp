// Friction of flat contacts over their area: rigid bodies touch at the corners of the area that they share, and
// friction at the corners alone would hold too much of a twist (a disc: mu N R, where an even pressure holds 2/3 of
// that). One ball block of a patch bounds its force and its moment about the normal together,
//   |(f_1, f_2, m / arm)| <= mu (sum of normal forces), arm^2 = (polar second moment of the area) / area,
// against the velocities (u_1, u_2, arm omega) at the area's center. Both bounds for themselves are those of Coulomb's
// law for the force and, within 6 % for a disc, for the moment; in between the ellipsoid stands for the limit surface.
#include "cardan/contact/internal/step_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cardan {

namespace {

constexpr double kInTouch = 10.0;         // tolerances: points nearer than that belong to a patch
constexpr double kFlat = 1e-6;            // rad: normals that differ by less
constexpr double kOfRadius = 1e-6;        // how near a rim its points lie
constexpr double kWidestArc = 2.1;        // rad, between points of a rim that goes all around
constexpr std::size_t kFewestPoints = 3;  // of an area

struct Corner {
  double x, y, angle;
};

}  // namespace

void StepRows::find_patches(double tolerance) {
  patches_.clear();
  for (std::size_t first = 0, end = 0; first < points_.size(); first = end) {
    const ContactPoint& head = points_[first];
    AreaPatch patch;
    for (end = first;
         end < points_.size() && points_[end].shape_a == head.shape_a && points_[end].shape_b == head.shape_b; ++end) {
      ContactPoint& point = points_[end];
      point.in_patch = false;
      if (head.law.is_area && point.gap <= kInTouch * tolerance && norm(cross(point.axes[0], head.axes[0])) < kFlat)
        patch.points.push_back(static_cast<int>(end));
    }
    if (patch.points.size() < kFewestPoints || !(head.law.friction > 0.0)) continue;
    measure_patch(patch);
    if (!(patch.arm > 0.0)) continue;
    for (const int i : patch.points) points_[static_cast<std::size_t>(i)].in_patch = true;
    patches_.push_back(std::move(patch));
  }
}

/// Computes center and arm of the polygon of a patch's points, or of the disc where they go around a cylinder's rim.
void StepRows::measure_patch(AreaPatch& patch) const {
  const auto point = [&](int i) -> const ContactPoint& { return points_[static_cast<std::size_t>(i)]; };
  const ContactPoint& head = point(patch.points.front());
  Vec3<double> mean{};
  for (const int i : patch.points) mean += (1.0 / static_cast<double>(patch.points.size())) * point(i).point;
  std::vector<Corner> corners;
  for (const int i : patch.points) {
    const Vec3<double> r = point(i).point - mean;
    const double x = dot(r, head.axes[1]), y = dot(r, head.axes[2]);
    corners.push_back({x, y, std::atan2(y, x)});
  }
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) { return a.angle < b.angle; });
  // the rim of a cylinder
  for (const int shape : {head.shape_a, head.shape_b}) {
    const collision::Solid& solid = world_->shapes()[static_cast<std::size_t>(shape)].solid;
    if (solid.kind != collision::Kind::cylinder) continue;
    const double R = solid.half[0];
    bool around = true;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const double next = i + 1 < corners.size() ? corners[i + 1].angle : corners[0].angle + 2.0 * std::numbers::pi;
      around &=
          std::abs(std::hypot(corners[i].x, corners[i].y) - R) < kOfRadius * R && next - corners[i].angle < kWidestArc;
    }
    if (!around) continue;
    patch.center = mean;
    patch.arm = R / std::numbers::sqrt2;
    return;
  }
  // area, first and second moments of a polygon, by its triangles with the origin
  double area = 0.0, x = 0.0, y = 0.0, polar = 0.0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Corner &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const double twice = a.x * b.y - b.x * a.y;
    area += twice / 2.0;
    x += twice * (a.x + b.x) / 6.0;
    y += twice * (a.y + b.y) / 6.0;
    polar += twice * (a.x * a.x + a.x * b.x + b.x * b.x + a.y * a.y + a.y * b.y + b.y * b.y) / 12.0;
  }
  if (!(area > 0.0)) return;  // in a line
  x /= area;
  y /= area;
  patch.center = mean + x * head.axes[1] + y * head.axes[2];
  patch.arm = std::sqrt(std::max(0.0, polar / area - x * x - y * y));
}

void StepRows::add_patch_friction(LawProblem& problem) {
  for (AreaPatch& patch : patches_) {
    const ContactPoint& head = points_[static_cast<std::size_t>(patch.points.front())];
    const ForceVector<double> f[3] = {force_at_point(head.axes[1], patch.center),
                                      force_at_point(head.axes[2], patch.center),
                                      {patch.arm * head.axes[0], {}}};
    patch.block = add_relative(Law::ball, head.body_a, head.body_b, f, 0.0, 0.0, problem);
    const int first = problem.blocks()[static_cast<std::size_t>(patch.block)].first;
    for (int k = 0; k < 2; ++k) problem.b[first + k] = -dot(head.axes[k + 1], head.law.surface_velocity);
    for (const int i : patch.points) {
      const ContactPoint& point = points_[static_cast<std::size_t>(i)];
      if (point.block < 0) continue;
      Load& load = problem.add_load();
      load.factor = point.law.friction;
      load.by_multiplier.push_back(
          {problem.blocks()[static_cast<std::size_t>(point.block)].first, Eigen::Vector3d::UnitX()});
    }
  }
}

void StepRows::share_patch_friction(const LawProblem& problem, const Eigen::VectorXd& lambda,
                                    std::vector<Eigen::Vector3d>& impulses) const {
  for (const AreaPatch& patch : patches_) {
    const int first = problem.blocks()[static_cast<std::size_t>(patch.block)].first;
    double normal = 0.0;
    for (const int i : patch.points) normal += impulses[static_cast<std::size_t>(i)][0];
    if (!(normal > 0.0)) continue;
    for (const int i : patch.points) {
      Eigen::Vector3d& impulse = impulses[static_cast<std::size_t>(i)];
      for (int k = 0; k < 2; ++k) impulse[k + 1] += lambda[first + k] * impulse[0] / normal;
    }
  }
}

}  // namespace cardan
