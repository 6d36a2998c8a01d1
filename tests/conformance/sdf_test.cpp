// SDF models against values that Drake computed (reference data beside the project): mass matrix, Coriolis and gravity
// forces, inverse dynamics with springs and dampers, poses. Drake's floating joints have velocities in world axes and
// its ball joints in the parent's: with P from its velocities to ours, M = P' H P, and a = P a_drake + P_dot v_drake.
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/io/load.hpp"
#include "tests/apps/scene_runs.hpp"
#include "tests/support/shared_data.hpp"

#include <Eigen/Dense>
#include <filesystem>

namespace cardan::test {
namespace {

namespace fs = std::filesystem;
using Eigen::Index;

Eigen::VectorXd list_of(const Json& list) {
  Eigen::VectorXd out(static_cast<Index>(list.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = list[static_cast<std::size_t>(i)].get<double>();
  return out;
}

/// A state of Drake's in our coordinates and order.
struct Ours {
  std::vector<double> q, v, a;
  Eigen::MatrixXd P;
  Eigen::VectorXd P_dot_v;
};

Ours ours(const Model& model, const Json& file, const Json& state) {
  const Eigen::VectorXd q = list_of(state["q"]), v = list_of(state["v"]);
  const Index n = v.size();
  Ours out{std::vector<double>(static_cast<std::size_t>(model.nq())),
           {},
           {},
           Eigen::MatrixXd::Zero(n, n),
           Eigen::VectorXd::Zero(n)};
  for (const Json& joint : file["joints"]) {
    if (joint["nv"] == 0) continue;
    const auto child = joint["child"].get<std::string>(), name = joint["name"].get<std::string>();
    const bool floats = joint["type"] == "quaternion_floating";
    const std::string wanted = floats ? child : child.substr(0, child.rfind("::") + 2) + name;
    const int index = model.find_joint(wanted);
    if (index < 0) {
      ADD_FAILURE() << "no joint " << wanted;
      return out;
    }
    const auto from_q = joint["q_start"].get<Index>(), from_v = joint["v_start"].get<Index>();
    const auto to_q = static_cast<std::size_t>(model.link(index).q);
    const Index to_v = model.link(index).v, width = joint["nv"].get<Index>();
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    if (floats) {
      R = Eigen::Quaterniond(q[from_q], q[from_q + 1], q[from_q + 2], q[from_q + 3]).toRotationMatrix();
      for (Index i = 0; i < 7; ++i) out.q[to_q + static_cast<std::size_t>(i)] = q[from_q + i];
      out.P.block<3, 3>(to_v, from_v) = out.P.block<3, 3>(to_v + 3, from_v + 3) = R.transpose();
    } else if (joint["type"] == "ball_rpy") {
      R = (Eigen::AngleAxisd(q[from_q + 2], Eigen::Vector3d::UnitZ()) *
           Eigen::AngleAxisd(q[from_q + 1], Eigen::Vector3d::UnitY()) *
           Eigen::AngleAxisd(q[from_q], Eigen::Vector3d::UnitX()))
              .toRotationMatrix();
      const Eigen::Quaterniond turn(R);
      const double parts[] = {turn.w(), turn.x(), turn.y(), turn.z()};
      for (std::size_t i = 0; i < 4; ++i) out.q[to_q + i] = parts[i];
      out.P.block<3, 3>(to_v, from_v) = R.transpose();
    } else {
      for (Index i = 0; i < width; ++i) out.q[to_q + static_cast<std::size_t>(i)] = q[from_q + i];
      out.P.block(to_v, from_v, width, width).setIdentity();
      continue;
    }
    // d/dt R' = -(omega in body axes) x R'; of the angular part itself that is zero
    const Eigen::Vector3d omega = R.transpose() * v.segment<3>(from_v);
    if (floats) out.P_dot_v.segment<3>(to_v + 3) = -omega.cross(R.transpose() * v.segment<3>(from_v + 3));
  }
  const Eigen::VectorXd own = out.P * v, a = out.P * list_of(state["id_vdot"]) + out.P_dot_v;
  out.v.assign(own.data(), own.data() + n);
  out.a.assign(a.data(), a.data() + n);
  return out;
}

class Sdf : public SceneRuns {};

void expect_close(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, const std::string& what,
                  double& worst) {
  const double scale = std::max(1.0, expected.lpNorm<Eigen::Infinity>());
  const double difference = (found - expected).lpNorm<Eigen::Infinity>() / scale;
  EXPECT_LE(difference, 1e-9) << what;
  worst = std::max(worst, difference);
}

void compare_poses(const Model& model, const std::vector<double>& q, const Json& poses, const std::string& where,
                   double& worst) {
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics<double>(model, w, q, k);
  for (const auto& [body, expected] : poses.items()) {
    const int frame = model.find_frame(body);
    ASSERT_GE(frame, 0) << where << ": " << body;
    const Pose<double> pose = frame_pose(model, k, frame);
    Eigen::MatrixXd own(3, 4), other(3, 4);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) {
        const auto r = static_cast<std::size_t>(i), c = static_cast<std::size_t>(j);
        own(i, j) = j < 3 ? pose.R(i, j) : pose.p[i];
        other(i, j) = (j < 3 ? expected["R"][r][c] : expected["p"][r]).get<double>();
      }
    expect_close(own, other, where + ": pose of " + body, worst);
  }
}

TEST_F(Sdf, ModelsHaveDrakesNumbers) {
  const fs::path folder = fs::path(CARDAN_SHARED_DATA) / "sdf";
  if (!fs::exists(folder)) GTEST_SKIP() << missing_data("sdf");
  int models = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const Json file = *shared_json("sdf/" + name + "/vectors.json");
    const std::string path = (entry.path() / file["model_file"].get<std::string>()).string();
    const Scene scene = load(path);
    ASSERT_EQ(scene.model.nv(), file["nv"].get<int>()) << name;
    Json states = Json::array();
    for (const Json& state : file["states"]) {
      const Ours own = ours(scene.model, file, state);
      states.push_back({{"q", own.q}, {"v", own.v}, {"a", own.a}});
    }
    const Json request{{"quantities", {"mass_matrix", "bias", "gravity", "inverse_dynamics", "applied_forces"}},
                       {"states", states}};
    const Json found = eval(path, request.dump())["results"];
    double worst = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Json& state = file["states"][i];
      const std::string where = name + ", state " + std::to_string(i);
      const Ours own = ours(scene.model, file, state);
      const Index n = own.P.rows();
      Eigen::MatrixXd H(n, n), M(n, n);
      for (Index r = 0; r < n; ++r)
        for (Index c = 0; c < n; ++c) {
          H(r, c) = found[i]["mass_matrix"][static_cast<std::size_t>(r)][static_cast<std::size_t>(c)].get<double>();
          M(r, c) = state["M_lower"][static_cast<std::size_t>(std::max(r, c))][static_cast<std::size_t>(std::min(r, c))]
                        .get<double>();
        }
      expect_close(own.P.transpose() * H * own.P, M, where + ": mass matrix", worst);
      const Eigen::VectorXd bias = list_of(found[i]["bias"]), gravity = list_of(found[i]["gravity"]);
      expect_close(own.P.transpose() * (H * own.P_dot_v + bias), list_of(state["bias"]), where + ": bias", worst);
      expect_close(own.P.transpose() * (H * own.P_dot_v + bias - gravity), list_of(state["coriolis"]),
                   where + ": Coriolis forces", worst);
      expect_close(own.P.transpose() * gravity, -list_of(state["gravity_forces"]), where + ": gravity", worst);
      expect_close(own.P.transpose() * (list_of(found[i]["inverse_dynamics"]) - list_of(found[i]["applied_forces"])),
                   list_of(state["id_tau_with_force_elements"]), where + ": inverse dynamics", worst);
      compare_poses(scene.model, own.q, state["poses"], where, worst);
    }
    std::cout << name << ": largest difference " << worst << "\n";
    ++models;
  }
  EXPECT_EQ(models, 12);
}

}  // namespace
}  // namespace cardan::test
