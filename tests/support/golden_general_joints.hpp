// The reference solutions of general joints (50-digit Lagrangian mechanics, no recursive algorithm): their surfaces as
// text, and comparison of a joint or a model with a case of the file.
#pragma once

#include "cardan/model/model_builder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <string>

namespace cardan::test {

inline constexpr const char* kGeneralJoints = "golden/general_joints.json";

/// The frame of a sphere or torus at (u, v) as a transform: z outward, x along the derivative by u.
std::string surface_frame_text(const nlohmann::json& surface, const std::string& u, const std::string& v);
/// The joint of two such surfaces, with coordinates u1, v1, u2, v2 and the spin psi.
std::string contact_text(const nlohmann::json& joint, const std::string& psi);

MassProperties golden_body(const nlohmann::json& body);

/// Collects the largest errors of what it is shown and prints them at its end.
class GoldenErrors {
 public:
  explicit GoldenErrors(const std::string& what);
  void check_kinematics(const Joint& joint, const nlohmann::json& golden_case, const std::string& name);
  /// By the generic algorithms and by both methods of compiling.
  void check_dynamics(const Model& model, const nlohmann::json& golden_case, const std::string& name);

 private:
  Worst pose_, S_, S_rate_, c_J_, mass_matrix_, bias_, acceleration_;
};

}  // namespace cardan::test
