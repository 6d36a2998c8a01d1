// Sueda's forces on two bodies against 60-digit reference values: wrenches, K and D; and his muscle curves.
#include "cardan/forces/applied_wrench.hpp"
#include "cardan/forces/muscle.hpp"
#include "cardan/forces/muscle_curves.hpp"
#include "cardan/forces/spring.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/model/model_builder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using nlohmann::json;

Eigen::VectorXd numbers(const json& x) {
  const auto values = x.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}
Eigen::MatrixXd matrix(const json& rows) {
  Eigen::MatrixXd out(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) out.row(static_cast<Eigen::Index>(i)) = numbers(rows[i]).transpose();
  return out;
}
Vec3<double> place(const json& x) { return {x[0].get<double>(), x[1].get<double>(), x[2].get<double>()}; }

/// Two free bodies whose poses and velocities are set from outside.
struct TwoBodies {
  TwoBodies()
      : model(ModelBuilder()
                  .body("a", {1.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
                  .body("b", {1.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
                  .joint("world", "a", Free{})
                  .joint("world", "b", Free{})
                  .build()),
        bodies(model),
        q(static_cast<std::size_t>(model.nq())),
        v(static_cast<std::size_t>(model.nv())) {}
  void set(int body, const json& E, const json& phi) {
    Mat3<double> R;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) R(i, j) = E[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    bodies.X_0[static_cast<std::size_t>(body)] = from_pose(R, {E[0][3], E[1][3], E[2][3]});
    for (int c = 0; c < 6; ++c) bodies.v[static_cast<std::size_t>(body)][c] = phi[static_cast<std::size_t>(c)];
  }
  Instant instant() const { return {model, 0.0, q, v, {nullptr, 0}, {nullptr, 0}, bodies}; }

  Model model;
  Kinematics<double> bodies;
  std::vector<double> q, v;
};

struct Found {
  Eigen::VectorXd f;
  Tangent tangent;
};
Found evaluate(const TwoBodies& two, const Force& force) {
  Found out;
  std::vector<ForceVector<double>> wrenches(3);
  std::vector<double> direct(12);
  Pushes pushes(wrenches, direct);
  force.add(two.instant(), pushes);
  const Touches touches = force.touches();
  out.tangent.resize(touches);
  force.add_tangent(two.instant(), out.tangent);
  out.f.resize(static_cast<Eigen::Index>(6 * touches.bodies.size()));
  Eigen::Index row = 0;
  for (const int body : touches.bodies)
    for (int c = 0; c < 6; ++c) out.f[row++] = wrenches[static_cast<std::size_t>(body)][c];
  return out;
}

TEST(GoldenForces, WrenchesStiffnessAndDamping) {
  const auto file = shared_json("golden/forces.json");
  if (!file) GTEST_SKIP() << missing_data("golden/forces.json");
  const json& p = file->at("parameters");
  const double k = p.at("k"), d = p.at("d"), rest = p.at("rest_length");
  Worst wrenches("wrenches of Sueda's forces", 1e-13), K("their K", 1e-11), D("their D", 1e-11);
  for (const json& c : file->at("cases")) {
    TwoBodies two;
    two.set(1, c.at("E1"), c.at("phi1"));
    two.set(2, c.at("E2"), c.at("phi2"));
    const BodyPoint a{1, place(c.at("x1_local"))}, b{2, place(c.at("x2_local"))};
    const auto compare = [&](const char* key, const Force& force) {
      const Found found = evaluate(two, force);
      const json& expected = c.at(key);
      wrenches.add(relative_error(found.f, numbers(expected.at("f"))), key);
      K.add(relative_error(found.tangent.K, matrix(expected.at("K"))), key);
      D.add(relative_error(found.tangent.D, matrix(expected.at("D")), 1.0), key);
    };
    compare("point_to_point", *make_force(Spring{"s", a, b, k, 0.0, 0.0}));
    // k and d of the notes are divided by the rest length
    compare("spring_damper", *make_force(Spring{"s", a, b, k / rest, d / rest, rest}));
    MuscleParameters m;
    m.max_force = p.at("f_opt");
    m.optimal_length = p.at("l_opt");
    m.slack_length = p.at("l_T");
    m.max_velocity = p.at("v_max");
    m.curves = MuscleParameters::Curves::sueda;
    compare("muscle", Muscle("m", Path(std::vector<PathPoint>{{1, a.at}, {2, b.at}}), m,
                             Muscle::Drive{false, TimeFunction(std::vector<std::string>{"0.6"}), {}}));
    const json& pull = c.at("directional");
    const Vec3<double> F = pull.at("k").get<double>() * place(pull.at("a_world"));
    AppliedWrench applied{two.model.body_frame(1), a.at, false, TimeFunction([&](Expr) {
                            return std::vector<Expr>{Expr(0.0),  Expr(0.0),  Expr(0.0),
                                                     Expr(F[0]), Expr(F[1]), Expr(F[2])};
                          })};
    compare("directional", *make_force(applied.on(two.model)));
  }
}

TEST(GoldenForces, MuscleCurves) {
  const auto file = shared_json("golden/forces.json");
  if (!file) GTEST_SKIP() << missing_data("golden/forces.json");
  using D1 = Dual<2>;
  Worst values("Sueda's muscle curves", 1e-13), slopes("their slopes", 1e-12);
  const auto compare = [&](const char* key, const auto& curve) {
    for (const json& point : file->at("muscle_curves").at(key).at("points")) {
      const D1 y = curve(D1::variable(point.at("x").get<double>(), 0));
      values.add(std::abs(y.value - point.at("f").get<double>()), key);
      slopes.add(std::abs(y.d[0] - point.at("df").get<double>()), key);
    }
  };
  compare("passive_force_length", [](const D1& x) { return muscle::sueda_passive_length(x); });
  compare("active_force_length", [](const D1& x) { return muscle::sueda_active_length(x); });
  compare("force_velocity", [](const D1& x) { return muscle::sueda_speed_factor(x); });
}

}  // namespace
}  // namespace cardan::test
