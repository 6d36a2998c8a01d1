// MuJoCo models against values that MuJoCo computed (reference data beside the project): mass matrix, bias, passive
// forces, kinetic energy, poses, and the accelerations under actuators. MuJoCo's free joints have their position first
// and linear velocities in world axes: with P from its velocities to ours, H_mj = P' H P, and a = P a_mj + P_dot v_mj.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/shared_data.hpp"

#include <Eigen/Dense>
#include <filesystem>

namespace cardan::test {
namespace {

namespace fs = std::filesystem;

/// What is not read of some models, and told in a warning.
struct Known {
  const char *model, *what;
};
constexpr Known kFluid[] = {{"mujoco_tumbling_thin_object_ellipsoid", ""}};  // on ellipsoids
constexpr Known kNotRead[] = {{"mujoco_car", "mesh without file"}, {"mujoco_ten_armature_1", "armature of tendons"}};

template <std::size_t N>
const Known* find(const Known (&list)[N], const std::string& model) {
  for (const Known& known : list)
    if (model == known.model) return &known;
  return nullptr;
}

Eigen::VectorXd vector(const Json& list) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(list.size()));
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = list[static_cast<std::size_t>(i)].get<double>();
  return out;
}

/// One state in our coordinates.
struct Converted {
  std::vector<double> q, v;
  Eigen::MatrixXd P;
  Eigen::VectorXd P_dot_v;
};

Converted converted(const Json& file, const Json& state) {
  const Eigen::VectorXd qpos = vector(state["qpos"]), qvel = vector(state["qvel"]);
  Converted out{{qpos.data(), qpos.data() + qpos.size()},
                {},
                Eigen::MatrixXd::Identity(qvel.size(), qvel.size()),
                Eigen::VectorXd::Zero(qvel.size())};
  for (const Json& joint : file["joints"]) {
    if (joint["type"] != "free") continue;
    const auto q = joint["qposadr"].get<Eigen::Index>(), d = joint["dofadr"].get<Eigen::Index>();
    const Eigen::Quaterniond turn(qpos[q + 3], qpos[q + 4], qpos[q + 5], qpos[q + 6]);
    for (Eigen::Index i = 0; i < 7; ++i) out.q[static_cast<std::size_t>(q + i)] = qpos[q + (i < 4 ? i + 3 : i - 4)];
    out.P.block<6, 6>(d, d).setZero();
    out.P.block<3, 3>(d, d + 3).setIdentity();
    out.P.block<3, 3>(d + 3, d) = turn.toRotationMatrix().transpose();
    const Eigen::VectorXd own = out.P * qvel;
    out.P_dot_v.segment<3>(d + 3) = -own.segment<3>(d).cross(own.segment<3>(d + 3));
  }
  const Eigen::VectorXd v = out.P * qvel;
  out.v.assign(v.data(), v.data() + v.size());
  return out;
}

class Mjcf : public SceneRuns {
 protected:
  Json results(const std::string& model, const Json& file, bool with_actuators) const {
    Json states = Json::array();
    for (const Json& state : file["states"]) {
      const Converted own = converted(file, state);
      Json entry{{"q", own.q}, {"v", own.v}};
      for (std::size_t i = 0; with_actuators && i < file["actuators"].size(); ++i) {
        const auto name = file["actuators"][i].get<std::string>();
        entry["u"][name.empty() ? "actuator_" + std::to_string(i) : name] = state["ctrl"][i];
      }
      states.push_back(entry);
    }
    const Json quantities = with_actuators
                                ? Json{"forward_dynamics"}
                                : Json{"mass_matrix", "bias", "applied_forces", "energy", "inverse_dynamics"};
    const Json request{{"quantities", quantities}, {"forces", with_actuators}, {"states", states}};
    return eval(model, request.dump())["results"];
  }
};

void expect_near(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, double least, const std::string& what) {
  const double scale = std::max(least, expected.lpNorm<Eigen::Infinity>());
  EXPECT_LE((found - expected).lpNorm<Eigen::Infinity>(), 1e-10 * scale) << what;
}

TEST_F(Mjcf, ModelsHaveMuJoCosNumbers) {
  const fs::path folder = fs::path(CARDAN_SHARED_DATA) / "mjcf";
  if (!fs::exists(folder)) GTEST_SKIP() << missing_data("mjcf");
  int models = 0, accelerated = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const Json file = *shared_json("mjcf/" + name + "/vectors.json");
    const std::string model = (entry.path() / file["model_file"].get<std::string>()).string();
    if (const Known* known = find(kNotRead, name)) {
      const Outcome told = run({"info", model});
      EXPECT_TRUE(says(told.out + told.err, known->what)) << name << told.out << told.err;
      continue;
    }
    const bool has_fluid = find(kFluid, name) != nullptr;
    if (has_fluid) EXPECT_TRUE(says(run({"info", model}).out, "fluid")) << name;
    const Json found = results(model, file, false);
    ASSERT_EQ(found.size(), file["states"].size()) << name;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Json& state = file["states"][i];
      const std::string where = name + ", state " + std::to_string(i);
      const Converted own = converted(file, state);
      const Eigen::Index n = own.P.rows();
      if (state.contains("M_lower") && !state["M_lower"].empty()) {
        Eigen::MatrixXd H(n, n), M(n, n);
        for (Eigen::Index r = 0; r < n; ++r)
          for (Eigen::Index c = 0; c < n; ++c) {
            H(r, c) = found[i]["mass_matrix"][static_cast<std::size_t>(r)][static_cast<std::size_t>(c)].get<double>();
            M(r, c) =
                state["M_lower"][static_cast<std::size_t>(std::max(r, c))][static_cast<std::size_t>(std::min(r, c))]
                    .get<double>();
          }
        expect_near(own.P.transpose() * H * own.P, M, 0.0, where + ": mass matrix");
        expect_near(own.P.transpose() * (H * own.P_dot_v + vector(found[i]["bias"])), vector(state["qfrc_bias"]), 1e-6,
                    where + ": bias");
      }
      if (!has_fluid)
        expect_near(own.P.transpose() * vector(found[i]["applied_forces"]), vector(state["qfrc_passive"]), 1.0,
                    where + ": passive forces");
      EXPECT_NEAR(found[i]["energy"]["kinetic"].get<double>(), state["energy_kinetic"].get<double>(),
                  1e-10 * std::max(1e-6, state["energy_kinetic"].get<double>()))
          << where;
    }
    ++models;
    const bool reads_actuators = !says(run({"info", model}).out, "actuators of");
    if (has_fluid || file["neq"] != 0 || !reads_actuators) continue;
    const Json moved = results(model, file, true);
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const Converted own = converted(file, file["states"][i]);
      const Eigen::VectorXd a = own.P.fullPivLu().solve(vector(moved[i]["forward_dynamics"]) - own.P_dot_v);
      expect_near(a, vector(file["states"][i]["qacc_smooth"]), 1e-6, name + ": accelerations");
    }
    ++accelerated;
  }
  EXPECT_EQ(models, 35);
  EXPECT_EQ(accelerated, 20);
}

TEST_F(Mjcf, EqualitiesAreExactLoops) {
  const fs::path folder = fs::path(CARDAN_SHARED_DATA) / "mjcf";
  if (!fs::exists(folder)) GTEST_SKIP() << missing_data("mjcf");
  int states = 0;
  for (const char* name : {"mujoco_jdotv_connect_3d", "mujoco_weld", "agility_cassie", "franka_emika_panda",
                           "mujoco_tendon_dampratio", "robotiq_2f85"}) {
    const Json file = *shared_json(std::string("mjcf/") + name + "/vectors.json");
    const std::string model = (folder / name / file["model_file"].get<std::string>()).string();
    const Outcome info = run({"info", model});
    if (says(info.out, "actuators of") || says(info.out, "equality is not read")) continue;
    const Json found = results(model, file, true);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Json& state = file["states"][i];
      if (!state.contains("hard_qacc_derived")) continue;
      const Converted own = converted(file, state);
      const Eigen::VectorXd a = own.P.fullPivLu().solve(vector(found[i]["forward_dynamics"]) - own.P_dot_v),
                            expected = vector(state["hard_qacc_derived"]);  // J_dot v there is of central differences
      EXPECT_LE((a - expected).lpNorm<Eigen::Infinity>(), 1e-5 * std::max(1.0, expected.lpNorm<Eigen::Infinity>()))
          << name << " " << i;
      ++states;
    }
  }
  EXPECT_GE(states, 10);
}

}  // namespace
}  // namespace cardan::test
