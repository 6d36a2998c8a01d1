// What a scene says about contact: the ground, which pairs touch, and the coefficients of the laws that they obey.
#pragma once

#include "cardan/collision/triangle_mesh.hpp"
#include "cardan/model/model.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cardan {

/// Coefficients of a pair, where given.
struct ContactCoefficients {
  std::optional<double> friction{}, restitution{};
  std::optional<double> stiffness{}, damping{};  // [N/m], [N s/m]
  std::optional<double> rolling{}, torsional{};  // [m]
  std::optional<Vec3<double>> surface_velocity{};
  std::string law{};  // newton, poisson, sequential; empty: not given
};

/// Fills everything below a plane, or below a height field.
struct Ground {
  double height = 0.0;
  Vec3<double> normal{0.0, 0.0, 1.0};  // of unit length
  std::shared_ptr<const collision::TriangleMesh> height_field{};
  ContactCoefficients coefficients{};
};

/// A rule for pairs of bodies or groups; an empty name stands for all.
struct ContactRule {
  std::string a{}, b{};
  bool ignore = false;
  ContactCoefficients coefficients{};
  std::string where{};  // put before messages
};

struct ContactRules {
  std::optional<Ground> ground{};
  std::string ground_where{};
  std::vector<ContactRule> rules{};
  /// Bodies that never touch, by name: what an SRDF file disables.
  std::vector<std::pair<std::string, std::string>> disabled{};

  /// Where it is said that something touches: a place for messages, or empty where nothing does.
  std::string acting_where() const;
  /// Tells whether the coefficients of the ground or of a rule are such.
  template <class Is>
  bool any(const Is& is) const {
    return (ground && is(ground->coefficients)) ||
           std::any_of(rules.begin(), rules.end(), [&](const ContactRule& rule) { return is(rule.coefficients); });
  }
};

/// Throws ModelError, one line, where a rule speaks of a body or group that the model does not have.
void check_names(const Model& model, const ContactRules& rules);

}  // namespace cardan
