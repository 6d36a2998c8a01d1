// Muscles: curves, rigid and elastic tendons, activation against closed forms and against OpenSim's numbers; limits.
#include "cardan/forces/muscle.hpp"

#include "cardan/forces/muscle_curves.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/model/model_builder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using nlohmann::json;

/// A body on a slide along x and a muscle from the world's origin to it: its length is the coordinate.
struct Slide {
  Slide()
      : model(ModelBuilder()
                  .body("load", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                  .joint("world", "load", Prismatic{{1.0, 0.0, 0.0}})
                  .build()),
        kinematics(model) {}
  Instant at(double length, double speed, double t = 0.0) {
    q = {length};
    v = {speed};
    return kinematics.at(t, q, v, z);
  }
  static Path path() { return Path(std::vector<PathPoint>{{0, {}}, {1, {}}}); }
  static Muscle::Drive activation(double a) {
    return {false, TimeFunction([a](Expr) { return std::vector<Expr>{Expr(a)}; }), {}};
  }
  static Muscle::Drive excitation(double e, double start) {
    return {true, TimeFunction([e](Expr) { return std::vector<Expr>{Expr(e)}; }), start};
  }

  Model model;
  StateKinematics kinematics;
  std::vector<double> q{0.0}, v{0.0}, z;
};

const json* closed_form(const json& file, const std::string& name) {
  for (const json& c : file.at("cases"))
    if (c.at("name") == name) return &c;
  return nullptr;
}

MuscleParameters parameters_of(const json& given) {
  MuscleParameters p;
  p.max_force = given.at("F");
  p.optimal_length = given.at("l_opt");
  p.slack_length = given.at("l_slack");
  p.pennation = given.at("alpha");
  return p;
}

TEST(Muscle, CurvesOfDeGrooteAndFregly) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  const json& e = closed_form(*file, "degroote_fregly_curves")->at("expected");
  using D1 = Dual<2>;
  Worst worst("curves of De Groote and Fregly and their slopes", 1e-13);
  const auto compare = [&](const char* at, const char* f, const char* df, const auto& curve) {
    for (std::size_t i = 0; i < e.at(at).size(); ++i) {
      const D1 y = curve(D1::variable(e.at(at)[i].get<double>(), 0));
      worst.add(relative_error(y.value, e.at(f)[i].get<double>(), 1.0), f);
      worst.add(relative_error(y.d[0], e.at(df)[i].get<double>(), 1.0), df);
    }
  };
  compare("l", "fL", "dfL", [](const D1& x) { return muscle::active_length(x, 1.0); });
  compare("l", "fP", "dfP", [](const D1& x) { return muscle::passive_length(x, 0.6); });
  compare("v", "fV", "dfV", [](const D1& x) { return muscle::speed_factor(x); });
  for (std::size_t i = 0; i < e.at("lT").size(); ++i)
    worst.add(std::abs(muscle::tendon_force(e.at("lT")[i], 0.049) - e.at("fT")[i].get<double>()), "fT");
  worst.add(relative_error(muscle::tendon_stiffness(0.049), e.at("k_T").get<double>()), "k_T");
  for (const double v : {-0.9, -0.2, 0.0, 0.3, 0.8})
    worst.add(std::abs(muscle::speed_of_factor(muscle::speed_factor(v)) - v), "inverse of fV");
  for (const double f : {0.0, 0.4, 2.0})
    worst.add(std::abs(muscle::tendon_force(muscle::tendon_length(f, 0.049), 0.049) - f), "inverse of fT");
}

TEST(Muscle, RigidAndElasticTendonInClosedForm) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  Slide slide;
  {
    const json* c = closed_form(*file, "muscle_rigid_tendon");
    const json &g = c->at("given"), &e = c->at("expected");
    const Muscle muscle("m", Slide::path(), parameters_of(g), Slide::activation(g.at("a")));
    const Instant at = slide.at(g.at("l_MT"), g.at("v_MT"));
    EXPECT_NEAR(muscle.tension(at), e.at("force").get<double>(), 1e-12 * 1000.0);
    EXPECT_NEAR(muscle.fiber(at).length, e.at("fiber_length").get<double>(), 1e-12);
    EXPECT_NEAR(std::cos(muscle.fiber(at).pennation), e.at("cos_alpha").get<double>(), 1e-12);
    EXPECT_NEAR(muscle.fiber(at).speed, e.at("norm_velocity").get<double>() * 0.1 * 10.0, 1e-12);
  }
  {
    const json* c = closed_form(*file, "muscle_equilibrium");
    const json &g = c->at("given"), &e = c->at("expected");
    MuscleParameters p = parameters_of(g);
    p.elastic_tendon = true;
    const Muscle muscle("m", Slide::path(), p, Slide::activation(g.at("a")));
    const auto started = muscle.started_at(slide.at(g.at("l_MT"), 0.0));
    const Muscle& there = dynamic_cast<const Muscle&>(*started);
    const Instant at = slide.at(g.at("l_MT"), 0.0);
    EXPECT_NEAR(there.tension(at), e.at("tendon_force").get<double>(), 1e-11 * 1000.0);
    EXPECT_NEAR(there.fiber(at).length, e.at("fiber_length").get<double>(), 1e-11);
    double z_dot = 1.0;
    slide.z = {there.tension(at) / p.max_force};
    there.rate(slide.at(g.at("l_MT"), 0.0), std::span(&z_dot, 1));
    EXPECT_NEAR(z_dot, 0.0, 1e-10);  // in balance
    slide.z.clear();
  }
}

/// da/dt integrated with many small steps of Runge and Kutta.
TEST(Muscle, ActivationFollowsItsExcitation) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  const json& e = closed_form(*file, "activation_step")->at("expected");
  Slide slide;
  for (const auto& [key, excitation, start, smoothing] : {std::tuple("1_0.1", 1.0, 0.05, 0.1),
                                                          {"1_10", 1.0, 0.05, 10.0},
                                                          {"0_0.1", 0.0, 0.9, 0.1},
                                                          {"0_10", 0.0, 0.9, 10.0}}) {
    MuscleParameters p;
    p.max_force = 1.0;
    p.optimal_length = 1.0;
    p.activation_smoothing = smoothing;
    const Muscle muscle("m", Slide::path(), p, Slide::excitation(excitation, start));
    double a = start;
    const int steps = 2000;
    const double h = 0.02 / steps;
    const auto slope = [&](double value) {
      slide.z = {value};
      double out = 0.0;
      muscle.rate(slide.at(1.0, 0.0), std::span(&out, 1));
      return out;
    };
    for (int i = 0; i < steps; ++i) {
      const double k1 = slope(a), k2 = slope(a + 0.5 * h * k1), k3 = slope(a + 0.5 * h * k2), k4 = slope(a + h * k3);
      a += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    EXPECT_NEAR(a, e.at(key).get<double>(), 1e-10) << key;
  }
}

/// All rigid-tendon forces of four models that OpenSim has evaluated.
TEST(Muscle, ForcesOfOpenSim) {
  Worst rigid("rigid tendon against OpenSim, of the maximal force", 1e-8),
      elastic("elastic tendon in balance against OpenSim", 1e-6);
  int compared = 0;
  for (const char* model : {"arm26", "gait10dof18musc", "leg6dof9musc", "tug_of_war_millard"}) {
    const std::string name = std::string("forces/") + model + ".json";
    const auto file = shared_json(name);
    if (!file) GTEST_SKIP() << missing_data(name);
    Slide slide;
    for (const json& pose : file->at("poses")) {
      const json& forces = pose.at("forces");
      for (const auto& [muscle_name, g] : file->at("degroote_fregly_parameters").items()) {
        MuscleParameters p;
        p.max_force = g.at("max_isometric_force");
        p.optimal_length = g.at("optimal_fiber_length");
        p.slack_length = g.at("tendon_slack_length");
        p.pennation = g.at("pennation_angle_at_optimal");
        p.max_velocity = g.at("max_contraction_velocity");
        p.fiber_damping = g.at("fiber_damping");
        p.passive_strain = g.at("passive_fiber_strain_at_one_norm_force");
        p.tendon_strain = g.at("tendon_strain_at_one_norm_force");
        p.width_scale = g.at("active_force_width_scale");
        const json& path = pose.at("muscles").at(muscle_name);
        const Instant at = slide.at(path.at("length"), path.at("lengthening_speed"));
        const std::string where = std::string(model) + ", " + muscle_name;
        if (path.at("length").get<double>() <= p.slack_length) continue;  // slack: zero here, negative there
        const json& r = forces.at("degroote_fregly_rigid_tendon_activation_0.5");
        if (!r.is_null() && r.contains(muscle_name) && r.at(muscle_name).contains("tendon_force")) {
          const Muscle muscle("m", Slide::path(), p, Slide::activation(0.5));
          rigid.add(std::abs(muscle.tension(at) - r.at(muscle_name).at("tendon_force").get<double>()) / p.max_force,
                    where);
          ++compared;
        }
        const json& q = forces.at("degroote_fregly_equilibrium_activation_0.5");
        if (q.is_null() || !q.contains(muscle_name) || !q.at(muscle_name).contains("tendon_force")) continue;
        const double x = q.at(muscle_name).at("fiber_length").get<double>() / p.optimal_length;
        if (x < 0.2 || x > 1.8) continue;  // beyond the bounds
        p.elastic_tendon = true;
        const Muscle muscle("m", Slide::path(), p, Slide::activation(0.5));
        const auto started = muscle.started_at(at);
        const double force = dynamic_cast<const Muscle&>(*started).tension(at);
        elastic.add(std::abs(force - q.at(muscle_name).at("tendon_force").get<double>()) / p.max_force, where);
      }
    }
  }
  EXPECT_GT(compared, 180);
}

TEST(Muscle, StiffnessAndDampingAreExact) {
  Slide slide;
  MuscleParameters p;
  p.max_force = 1000.0;
  p.optimal_length = 0.1;
  p.slack_length = 0.2;
  p.pennation = 0.3;
  p.fiber_damping = 0.1;
  const Muscle muscle("m", Slide::path(), p, Slide::activation(0.5));
  const Instant at = slide.at(0.31, -0.2);
  Tangent exact, differences;
  exact.resize(muscle.touches());
  differences.resize(muscle.touches());
  muscle.add_tangent(at, exact);
  muscle.Force::add_tangent(at, differences);
  EXPECT_TRUE(near(exact.K, differences.K, 1e-6));
  EXPECT_TRUE(near(exact.D, differences.D, 1e-6));
}

TEST(Muscle, LimitsAreFinite) {
  Slide slide;
  for (const bool elastic : {false, true})
    for (const double length : {0.0, 0.1, 0.2, 0.2000001, 0.5, 5.0, 100.0})
      for (const double speed : {-1e3, 0.0, 1e3})
        for (const double a : {0.0, 1.0})
          for (const double force : {-1.0, 0.0, 1.0, 9.0}) {
            MuscleParameters p;
            p.max_force = 1000.0;
            p.optimal_length = 0.1;
            p.slack_length = 0.2;
            p.pennation = 0.2;
            p.elastic_tendon = elastic;
            p.fiber_damping = force > 0.0 ? 0.1 : 0.0;
            const Muscle muscle("m", Slide::path(), p, Slide::activation(a));
            slide.z = elastic ? std::vector<double>{force} : std::vector<double>{};
            const Instant at = slide.at(length, speed);
            EXPECT_TRUE(std::isfinite(muscle.tension(at)));
            EXPECT_TRUE(std::isfinite(muscle.fiber(at).length) && std::isfinite(muscle.fiber(at).speed));
            double z_dot = 0.0;
            muscle.rate(at, std::span(&z_dot, elastic ? 1 : 0));
            EXPECT_TRUE(std::isfinite(z_dot)) << length << " " << speed << " " << a << " " << force;
            if (!elastic && length <= 0.2) {
              EXPECT_EQ(muscle.tension(at), 0.0);  // slack
            }
          }
}

}  // namespace
}  // namespace cardan::test
