// The public REDMAX scenes with loops, coupled angles and a driven joint: accelerations at given states, which do not
// satisfy the constraints, with the reference's stabilization. Its stepper is in tests/apps/redmax_test.cpp.
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/constraints/coupling_constraint.hpp"
#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "tests/integrate/redmax_dynamics.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

Vec3<double> vector(const nlohmann::json& x) { return {x[0], x[1], x[2]}; }

/// Two points meet in the plane across a hinge's axis. Where they do not, the reference measures the gap, its rate and
/// its acceleration along directions that stand still, unlike the library's loop joints: hence rows of its own.
class PointsMeet : public Constraint {
 public:
  PointsMeet(const RedmaxScene& scene, const nlohmann::json& data) : axis_(vector(data.at("axis_bodyA_joint"))) {
    for (const auto& [body, point] : {std::pair{"bodyA", "xA"}, std::pair{"bodyB", "xB"}}) {
      const auto& E = scene.data.at("bodies")[data.at(body).get<std::size_t>()].at("E_joint_body");
      const Vec3<double> x = vector(data.at(point));
      Vec3<double> at;  // in the joint's frame, which is the body's here
      for (std::size_t i = 0; i < 3; ++i)
        at[static_cast<int>(i)] = E[i][0].get<double>() * x[0] + E[i][1].get<double>() * x[1] +
                                  E[i][2].get<double>() * x[2] + E[i][3].get<double>();
      const Frame& frame = scene.model.frame(scene.model.find_frame("body" + std::to_string(data.at(body).get<int>())));
      end_.push_back({frame.body, frame.X.r + rotate_back(frame.X.E, at), frame.X.E});
    }
  }
  std::string name() const override { return "points meet"; }

  Touches touches() const override {
    Touches out;
    for (const End& end : end_)
      if (end.body != 0) out.bodies.push_back(end.body);
    return out;
  }
  int rows() const override { return 2; }

  void evaluate(const Instant& at, ConstraintMemory*, ConstraintRows& rows) const override {
    const Vec3<double> a = rotate_back(at.X_0(end_[0].body).E, rotate_back(end_[0].E, axis_));
    int least = 0;
    for (int i = 1; i < 3; ++i)
      if (std::abs(a[i]) < std::abs(a[least])) least = i;
    Vec3<double> e;
    e[least] = 1.0;
    Vec3<double> across[2];
    across[1] = cross(a, e);
    across[1] = (1.0 / norm(across[1])) * across[1];
    across[0] = cross(across[1], a);
    for (int row = 0; row < 2; ++row) {
      rows.gap[row] = rows.drift[row] = rows.k[row] = 0.0;
      std::size_t term = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        const auto& [body, x, E] = end_[i];
        const double sign = i == 0 ? 1.0 : -1.0;
        const Transform<double>& X = at.X_0(body);
        const MotionVector<double>&v = at.velocity(body), &acc = at.bias_acceleration(body);
        const Vec3<double> f = sign * rotate(X.E, across[row]), velocity = v.linear + cross(v.angular, x);
        rows.gap[row] += sign * dot(across[row], X.r + rotate_back(X.E, x));
        rows.drift[row] += dot(f, velocity);
        rows.k[row] -= dot(f, acc.linear + cross(acc.angular, x) + cross(v.angular, velocity));
        if (body != 0) rows.on_bodies[term++].row[static_cast<std::size_t>(row)] = {cross(x, f), f};
      }
    }
  }

 private:
  struct End {
    int body;
    Vec3<double> x;  // in the body's internal frame
    Mat3<double> E;  // from there to the user's frame
  };
  Vec3<double> axis_;
  std::vector<End> end_;
};

/// The constraints of a scene; some of them need data that lives here.
struct Constraints {
  explicit Constraints(const RedmaxScene& scene) : set(scene.model, ConstraintSet::Include::nothing) {
    const auto body = [&](const nlohmann::json& index) {
      return scene.model.find_joint("body" + std::to_string(index.get<int>()));
    };
    couplings.reserve(4);
    for (const auto& data : scene.data.at("constraints")) {
      const std::string type = data.at("type");
      if (type == "loop_closure_point_2rows") {
        add(std::make_shared<const PointsMeet>(scene, data));
      } else if (type == "angle_ratio") {
        const double factor = data.at("factor");
        couplings.push_back({{body(data.at("jointB")), 0},
                             {{body(data.at("jointA")), 0}},
                             CouplingFunction(1, [&](std::span<const Expr> x) { return Expr(factor) * x[0]; }),
                             "ratio"});
        add(std::make_shared<const CouplingConstraint>(scene.model, couplings.back()));
      } else {
        const std::string s = "2*(t/7 - 0.5)", b = "4.71238898038469";
        driven = true;
        add(std::make_shared<const JointMotionConstraint>(
            scene.model,
            PrescribedMotion{body(data.at("joint")), PrescribedMotion::Kind::position,
                             TimeFunction({"if(t < 7, " + b + "/(1 + exp(-7*" + s + ")), " + b + ")"}, 2)}));
      }
    }
  }
  void add(std::shared_ptr<const Constraint> constraint) {
    set.add(constraint);
    all.push_back(std::move(constraint));
  }
  ConstraintSet set;
  cardan::Constraints all;
  std::vector<Coupling> couplings;
  bool driven = false;
};

class RedmaxConstraints : public ::testing::TestWithParam<int> {};

TEST_P(RedmaxConstraints, AccelerationsAtGivenStates) {
  constexpr const char* kFile = "redmax/scenes.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const RedmaxScene scene(*find_scene(*file, GetParam()));
  Worst error("accelerations, scene " + std::to_string(GetParam()), 1e-10);
  for (const auto method : {ConstraintMethod::direct, ConstraintMethod::dual, ConstraintMethod::elimination,
                            ConstraintMethod::articulated, ConstraintMethod::sparse}) {
    Constraints constraints(scene);
    ConstrainedDynamics dynamics(std::move(constraints.set), method);
    // a driven joint gets no feedback of its velocity there
    dynamics.stabilization = {constraints.driven ? 0.0 : 5.0, 5.0};
    for (const auto& sample : scene.data.at("rhs_samples")) {
      const std::vector<double> q = scene.in_model_order(sample.at("q")), v = scene.in_model_order(sample.at("qdot"));
      std::vector<double> tau(v.size()), a(v.size());
      dynamics.forward_dynamics(sample.at("t"), q, v, tau, a);
      error.add(error_of(scene, sample.at("qddot"), a), constraint_method_names()[static_cast<std::size_t>(method)]);
    }
  }
}

/// The same states as a System, by every formulation that takes constraints.
TEST_P(RedmaxConstraints, AccelerationsByEveryFormulation) {
  constexpr const char* kFile = "redmax/scenes.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const RedmaxScene scene(*find_scene(*file, GetParam()));
  Worst error("accelerations by formulation, scene " + std::to_string(GetParam()), 1e-10);
  for (const Formulation formulation : {Formulation::recursive, Formulation::redmax, Formulation::maximal}) {
    const Constraints constraints(scene);
    Settings settings;
    settings.formulation = formulation;
    settings.stabilization = Stabilization::baumgarte;
    settings.baumgarte = {constraints.driven ? 0.0 : 5.0, 5.0, 5.0};
    SystemWorkspace workspace{System(scene.model, {}, constraints.all, settings)};
    for (const auto& sample : scene.data.at("rhs_samples")) {
      State state(scene.model);
      state.q = scene.in_model_order(sample.at("q"));
      state.v = scene.in_model_order(sample.at("qdot"));
      std::vector<double> a(state.v.size());
      workspace.acceleration(sample.at("t").get<double>(), state, a);
      error.add(error_of(scene, sample.at("qddot"), a), formulation_names()[static_cast<std::size_t>(formulation)]);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxConstraints, ::testing::Values(4, 7, 9, 15, 30, 34),
                         [](const auto& info) { return "Scene" + std::to_string(info.param); });

}  // namespace
}  // namespace cardan::test
