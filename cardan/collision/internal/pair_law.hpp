// The law that a pair of shapes obeys, from what rules, ground and materials say.
#pragma once

#include "cardan/collision/contact_scene.hpp"

#include <cstdint>
#include <unordered_map>

namespace cardan {

enum class Restitution { newton, poisson, sequential };

struct PairLaw {
  double friction = 0.5, restitution = 0.0;
  Restitution law = Restitution::newton;
  double stiffness = 0.0, damping = 0.0;  // [N/m], [N s/m]; stiffness 0: rigid
  double rolling = 0.0, torsional = 0.0;  // [m]
  Vec3<double> surface_velocity{};        // of shape a against shape b, world axes [m/s]
  bool is_area = false;                   // points of a flat contact rub as one patch
};

/// Names what makes a law more than a rigid contact with Coulomb's friction: "stiffness"; empty if nothing does.
inline const char* not_rigid(const PairLaw& law) {
  return law.stiffness > 0.0   ? "stiffness"
         : law.rolling > 0.0   ? "rolling friction"
         : law.torsional > 0.0 ? "torsional friction"
         : law.is_area         ? "patch = \"area\""
                               : "";
}

/// Coefficients, each for itself: the last rule that names both sides, else the ground if it is one side, else the last
/// rule that names none, else sqrt(mu_a mu_b) and max(e_a, e_b) of the materials, else 0.5 and 0.
PairLaw pair_law(const ContactScene& scene, int shape_a, int shape_b);

/// The laws of the pairs that came near, each found once.
class PairLaws {
 public:
  const PairLaw& of(const ContactScene& scene, int shape_a, int shape_b);

 private:
  std::unordered_map<std::uint64_t, PairLaw> laws_;
};

/// Throws ModelError, one line, where a pair that may touch would have damping without stiffness.
void check_damping(const ContactScene& scene);

}  // namespace cardan
