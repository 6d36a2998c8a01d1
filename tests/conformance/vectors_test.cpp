// `cardan eval` against reference values computed by Pinocchio for real and generated robots, 20 states each.
// Its conventions, stated in each file: joints in an order of its own, linear part first, free flyer as position and
// (x, y, z, w). Everything is compared relative to the largest entry of the quantity.
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/io/urdf.hpp"
#include "tests/apps/run_command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

namespace cardan {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr double kTolerance = 1e-10;
const fs::path kData = CARDAN_SHARED_DATA;

std::vector<std::string> vector_files() {
  std::vector<std::string> out;
  if (fs::exists(kData / "vectors"))
    for (const auto& entry : fs::directory_iterator(kData / "vectors"))
      if (entry.path().extension() == ".json") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out.empty() ? std::vector<std::string>{"absent"} : out;
}

Eigen::MatrixXd matrix(const Json& rows) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()),
                      static_cast<Eigen::Index>(rows.empty() ? 0 : rows[0].size()));
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = 0; j < out.cols(); ++j)
      out(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
  return out;
}
Eigen::MatrixXd column(const Json& entries) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(entries.size()), 1);
  for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, 0) = entries[static_cast<std::size_t>(i)].get<double>();
  return out;
}
Eigen::MatrixXd number(const Json& value) { return Eigen::MatrixXd::Constant(1, 1, value.get<double>()); }

/// Where each of our coordinates and velocities is in theirs.
struct Order {
  std::vector<Eigen::Index> q, v;
  std::vector<Eigen::Index> spatial{3, 4, 5, 0, 1, 2};  // angular first
};

Order order(const Json& file, const Json& layout) {
  const std::vector<Eigen::Index> free_q{6, 3, 4, 5, 0, 1, 2}, free_v{3, 4, 5, 0, 1, 2};
  std::map<std::string, std::size_t> theirs;
  for (std::size_t i = 0; i < file["joint_names"].size(); ++i) theirs[file["joint_names"][i]] = i;
  Order out;
  for (const Json& joint : layout) {
    const auto found = theirs.find(joint["joint"]);
    if (found == theirs.end()) throw std::runtime_error("joint " + joint["joint"].dump() + " is not in the reference");
    const auto first_q = file["joint_idx_q"][found->second].get<Eigen::Index>();
    const auto first_v = file["joint_idx_v"][found->second].get<Eigen::Index>();
    const bool free = joint["type"] == "free";
    EXPECT_EQ(static_cast<std::size_t>(joint["q"]), out.q.size());
    EXPECT_EQ(static_cast<std::size_t>(joint["v"]), out.v.size());
    for (std::size_t k = 0; k < joint["nq"]; ++k) out.q.push_back(first_q + (free ? free_q[k] : Eigen::Index(k)));
    for (std::size_t k = 0; k < joint["nv"]; ++k) out.v.push_back(first_v + (free ? free_v[k] : Eigen::Index(k)));
  }
  return out;
}

Json reordered(const Json& list, const std::vector<Eigen::Index>& order) {
  Json out = Json::array();
  for (const Eigen::Index i : order) out.push_back(list[static_cast<std::size_t>(i)]);
  return out;
}

class Vectors : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "absent") GTEST_SKIP() << "no reference vectors in " << kData / "vectors";
    file = Json::parse(test::file_contents((kData / "vectors" / (GetParam() + ".json")).string()));
    urdf = (kData / "robots" / file["urdf"].get<std::string>()).string();
    free_flyer = file["free_flyer"].get<bool>();
  }

  Json eval(const Json& quantities, const Json& states) {
    const Json request{{"quantities", quantities}, {"frame", file["last_joint"]}, {"states", states}};
    const std::string path = folder.write("states.json", request.dump()), out = folder.path("out.json");
    const auto outcome =
        test::run_command({"eval", urdf, path, "--out", out, "--base", free_flyer ? "free" : "fixed"}, folder);
    if (outcome.code != 0) throw std::runtime_error(outcome.err);
    return Json::parse(test::file_contents(out));
  }

  Json states_in(const Order& order) const {
    Json out = Json::array();
    for (const Json& state : file["states"])
      out.push_back({{"q", reordered(state["q"], order.q)},
                     {"v", reordered(state["v"], order.v)},
                     {"a", reordered(state["a"], order.v)},
                     {"tau", reordered(state["tau"], order.v)}});
    return out;
  }

  void compare(const std::string& what, const Eigen::MatrixXd& ours, const Eigen::MatrixXd& theirs) {
    ASSERT_EQ(ours.rows(), theirs.rows()) << what;
    ASSERT_EQ(ours.cols(), theirs.cols()) << what;
    const double size = theirs.cwiseAbs().maxCoeff();
    const double error = (ours - theirs).cwiseAbs().maxCoeff() / (size > 0.0 ? size : 1.0);
    EXPECT_LE(error, kTolerance) << what;
    worst[what] = std::max(worst[what], error);
  }

  void print_worst() const {
    std::string line;
    for (const auto& [what, error] : worst) {
      char text[100];
      std::snprintf(text, sizeof text, "  %s %.1e", what.c_str(), error);
      line += text;
    }
    std::printf("%s: largest relative errors%s\n", GetParam().c_str(), line.c_str());
  }

  Json file;
  std::string urdf;
  bool free_flyer = false;
  std::map<std::string, double> worst;
  test::TemporaryFolder folder;
};

TEST_P(Vectors, CommandAgrees) {
  const Json empty = eval({"gravity"}, Json::array());
  EXPECT_EQ(empty["nq"], file["nq"]);
  EXPECT_EQ(empty["nv"], file["nv"]);
  const Order ours = order(file, empty["layout"]);
  ASSERT_EQ(ours.v.size(), file["nv"].get<std::size_t>());
  const Json out = eval(
      {"inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity", "energy", "center_of_mass", "pose",
       "velocity", "acceleration", "jacobian", "inverse_dynamics_derivatives", "forward_dynamics_derivatives"},
      states_in(ours));
  ASSERT_EQ(out["results"].size(), file["states"].size());
  for (std::size_t i = 0; i < out["results"].size(); ++i) {
    SCOPED_TRACE("state " + std::to_string(i));
    const Json &o = out["results"][i], &t = file["states"][i];
    const auto forces = [&](const Json& theirs) { return column(reordered(theirs, ours.v)); };
    const auto spatial = [&](const Json& theirs) { return column(reordered(theirs, ours.spatial)); };
    compare("inverse_dynamics", column(o["inverse_dynamics"]), forces(t["rnea_tau"]));
    compare("bias", column(o["bias"]), forces(t["nle"]));
    compare("gravity", column(o["gravity"]), forces(t["gravity_torque"]));
    compare("mass_matrix", matrix(o["mass_matrix"]), matrix(t["crba_M"])(ours.v, ours.v));
    compare("forward_dynamics", column(o["forward_dynamics"]), forces(t["aba_ddq"]));
    compare("pose R", matrix(o["pose"]["R"]), matrix(t["frame_R"]));
    compare("pose p", column(o["pose"]["p"]), column(t["frame_p"]));
    compare("jacobian", matrix(o["jacobian"]), matrix(t["J_local"])(ours.spatial, ours.v));
    compare("velocity", column(o["velocity"]), spatial(t["v_last_local"]));
    compare("acceleration", column(o["acceleration"]), spatial(t["a_last_local"]));
    const Json &inverse = o["inverse_dynamics_derivatives"], &forward = o["forward_dynamics_derivatives"];
    const auto in_order = [&](const Json& theirs) -> Eigen::MatrixXd { return matrix(theirs)(ours.v, ours.v); };
    compare("inverse_dynamics by q", matrix(inverse["dq"]), in_order(t["drnea_dq"]));
    compare("inverse_dynamics by v", matrix(inverse["dv"]), in_order(t["drnea_dv"]));
    compare("inverse_dynamics by a", matrix(inverse["da"]), in_order(t["crba_M"]));
    compare("forward_dynamics by q", matrix(forward["dq"]), in_order(t["dddq_dq"]));
    compare("forward_dynamics by v", matrix(forward["dv"]), in_order(t["dddq_dv"]));
    compare("center_of_mass", column(o["center_of_mass"]), column(t["com"]));
    compare("kinetic", number(o["energy"]["kinetic"]), number(t["kinetic_energy"]));
    compare("potential", number(o["energy"]["potential"]), number(t["potential_energy"]));
  }
  print_worst();
}

/// The Jacobian in world coordinates about the world's origin is no quantity of the command.
TEST_P(Vectors, WorldJacobianAgrees) {
  const Order ours = order(file, eval({"gravity"}, Json::array())["layout"]);
  UrdfOptions options;
  options.base = free_flyer ? UrdfOptions::Base::free : UrdfOptions::Base::fixed;
  const Model model = load_urdf(urdf, options);
  const int frame = model.find_frame(file["last_joint"].get<std::string>());
  Workspace<double> w(model);
  Kinematics<double> k(model);
  Eigen::MatrixXd all(6, model.nv());
  for (const Json& state : file["states"]) {
    const std::vector<double> q = reordered(state["q"], ours.q);
    forward_kinematics<double>(model, w, q, k);
    world_jacobian<double>(model, k, all);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, model.nv());
    for (int body = model.frame(frame).body; body > 0; body = model.link(body).parent)
      J.middleCols(model.link(body).v, model.link(body).nv) = all.middleCols(model.link(body).v, model.link(body).nv);
    compare("world jacobian", J, matrix(state["J_world"])(ours.spatial, ours.v));
  }
  print_worst();
}

INSTANTIATE_TEST_SUITE_P(Shared, Vectors, testing::ValuesIn(vector_files()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace cardan
