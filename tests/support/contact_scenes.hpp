// Scenes with contact as texts, and how their runs are read.
#pragma once

#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cardan::test {

/// Runs a scene, by contact stepping where it does not say otherwise; it must come to its end with every step solved.
inline Trajectory run_contact(std::string text) {
  if (const std::size_t at = text.find("[simulation]\n");
      at != std::string::npos && text.find("contact = \"", at) == std::string::npos)
    text.insert(at + 13, "contact = \"stepping\"\n");
  const Scene scene = parse_scene("cardan = 1\n" + text, "contact.toml");
  Trajectory out = simulate(scene);
  EXPECT_EQ(out.summary.end, RunSummary::End::done) << out.summary.failure;
  EXPECT_TRUE(out.summary.contact.has_value());
  if (out.summary.contact) {
    EXPECT_EQ(out.summary.contact->unsolved, 0) << "residual " << out.summary.contact->residual;
  }
  return out;
}

inline double q_at(const Trajectory& run, std::size_t row, int k) { return run.q(row)[static_cast<std::size_t>(k)]; }
inline double v_at(const Trajectory& run, std::size_t row, int k) { return run.v(row)[static_cast<std::size_t>(k)]; }
inline double last_q(const Trajectory& run, int k) { return q_at(run, run.size() - 1, k); }
inline double last_v(const Trajectory& run, int k) { return v_at(run, run.size() - 1, k); }

/// A ground that falls by `degrees` towards the azimuth.
struct Slope {
  double angle, azimuth;
  Slope(double degrees, double towards = 0.0)
      : angle(degrees * std::numbers::pi / 180.0), azimuth(towards * std::numbers::pi / 180.0) {}

  Vec3<double> normal() const {
    return {std::sin(angle) * std::cos(azimuth), std::sin(angle) * std::sin(azimuth), std::cos(angle)};
  }
  Vec3<double> down() const {
    return {std::cos(angle) * std::cos(azimuth), std::cos(angle) * std::sin(azimuth), -std::sin(angle)};
  }
  std::string ground(const std::string& more) const {
    const Vec3<double> n = normal();
    return fmt::format("[ground]\nnormal = [{:.17g}, {:.17g}, {:.17g}]\n{}\n", n[0], n[1], n[2], more);
  }
  /// q of a free body that lies on it, its origin at this height.
  std::string pose(double height) const {
    const Vec3<double> n = normal();
    const double s = std::sin(0.5 * angle), c = std::cos(0.5 * angle);
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}, 0, {:.17g}, {:.17g}, {:.17g}]", c, -s * std::sin(azimuth),
                       s * std::cos(azimuth), height * n[0], height * n[1], height * n[2]);
  }
  /// How far a free body has come down, and how fast it does.
  double way(const Trajectory& run, std::size_t row) const {
    double out = 0.0;
    for (int k = 0; k < 3; ++k) out += down()[k] * (q_at(run, row, 4 + k) - q_at(run, 0, 4 + k));
    return out;
  }
};

/// A free body with one shape and the inertia of a solid box.
inline std::string box_body(const std::string& name, const Vec3<double>& size, double mass, const std::string& q,
                            const std::string& more = "") {
  const auto I = [&](int a, int b) { return mass * (size[a] * size[a] + size[b] * size[b]) / 12.0; };
  return fmt::format(
      "[[body]]\nname = \"{}\"\nmass = {}\ninertia = [{}, {}, {}, 0, 0, 0]\n{}\n"
      "[[body.shape]]\nbox = [{}, {}, {}]\n[body.joint]\ntype = \"free\"\nq = {}\n",
      name, mass, I(1, 2), I(0, 2), I(0, 1), more, size[0], size[1], size[2], q);
}
inline std::string ball_body(const std::string& name, double radius, double mass, const std::string& q,
                             const std::string& v = "[0, 0, 0, 0, 0, 0]") {
  const double I = 0.4 * mass * radius * radius;
  return fmt::format(
      "[[body]]\nname = \"{}\"\nmass = {}\ninertia = [{}, {}, {}, 0, 0, 0]\n"
      "[[body.shape]]\nsphere = {}\n[body.joint]\ntype = \"free\"\nq = {}\nv = {}\n",
      name, mass, I, I, I, radius, q, v);
}

}  // namespace cardan::test
