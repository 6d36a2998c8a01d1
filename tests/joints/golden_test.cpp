// Pose, S and S_dot of every joint in the reference data (60-digit values), to 1e-12.
#include "cardan/joints/spline.hpp"
#include "tests/support/joint_tester.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

#include <map>

namespace cardan::test {
namespace {

constexpr const char* kFile = "golden/joints.json";
using nlohmann::json;

Eigen::MatrixXd matrix(const json& rows) {
  Eigen::MatrixXd out(static_cast<int>(rows.size()), static_cast<int>(rows.at(0).size()));
  for (int i = 0; i < out.rows(); ++i)
    for (int j = 0; j < out.cols(); ++j) out(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return out;
}

Eigen::MatrixXd homogeneous(const Pose<double>& pose) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(4, 4);
  for (int i = 0; i < 3; ++i) {
    out(i, 3) = pose.p[i];
    for (int j = 0; j < 3; ++j) out(i, j) = pose.R(i, j);
  }
  return out;
}

Joint golden_spline_curve(const json& data) {
  std::vector<Pose<double>> frames;
  for (const json& frame : data.at("control_frames")) {
    const Eigen::MatrixXd m = matrix(frame);
    Pose<double>& pose = frames.emplace_back();
    for (int i = 0; i < 3; ++i) {
      pose.p[i] = m(i, 3);
      for (int j = 0; j < 3; ++j) pose.R(i, j) = m(i, j);
    }
  }
  return spline_curve(frames);
}

Joint golden_spline_surface(const json& data) {
  SplineControls controls(4, std::vector<std::array<double, 6>>(4));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 6; ++k) controls[i][j][k] = data.at("C")[k][i][j];
  return spline_surface(controls);
}

std::map<std::string, Joint> joints() {
  const Joint slide = Prismatic(Vec3<double>{0.48, -0.6, 0.64}), xzx = SphericalEuler({0, 2, 0});
  const Joint exponential = SphericalExponential{}, shift = Translational{};
  return {{"fixed", Fixed{}},
          {"prismatic", slide},
          {"planar", Planar{}},
          {"translational", shift},
          {"spherical_XZX", xzx},
          {"universal_XY", Universal{}},
          {"revolute_z", Revolute{}},
          {"spherical_exponential", exponential},
          {"composite_universal_prismatic", Composite({Universal{}, slide})},
          {"composite_prismatic_spherical_XZX", Composite({slide, xzx})},
          {"composite_revolute_planar_universal", Composite({Revolute{}, Composite({Planar{}, Universal{}})})},
          {"free2D", FreePlanar{}},
          {"free3D_XZX", Composite({xzx, shift})},
          {"free3D_trans_first_XZX", Composite({shift, xzx})},
          {"free3D_exponential", Composite({exponential, shift})},
          {"free3D_trans_first_exponential", Composite({shift, exponential})}};
}

TEST(GoldenJoints, PoseSubspaceAndItsRate) {
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  std::map<std::string, Joint> known = joints();
  known["spline_curve"] = golden_spline_curve(file->at("joints").at("spline_curve"));
  known["spline_surface"] = golden_spline_surface(file->at("joints").at("spline_surface"));
  Worst pose("golden joints: pose", 1e-12), S("golden joints: S", 1e-12), S_rate("golden joints: S_dot", 1e-12);
  std::size_t found = 0;
  for (const auto& [name, data] : file->at("joints").items()) {
    const auto it = known.find(name);
    ASSERT_NE(it, known.end()) << "no joint for " << name;
    ++found;
    for (const json& c : data.at("cases")) {
      const DoubleJoint k = evaluate(it->second, c.at("q").get<std::vector<double>>(), c.at("qdot"));
      pose.add(relative_error(homogeneous(k.pose), matrix(c.at("Q"))), name);
      if (it->second.nv() == 0) continue;
      S.add(relative_error(k.S, matrix(c.at("S"))), name);
      S_rate.add(relative_error(k.S_rate, matrix(c.at("Sdot")), 1.0), name);
    }
  }
  EXPECT_EQ(found, known.size());
}

TEST(GoldenJoints, ExponentialAtZeroAndReparameterized) {
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const json& data = file->at("joints").at("spherical_exponential");
  const json& zero = data.at("q_zero_limit");
  const DoubleJoint k = evaluate(SphericalExponential{}, zero.at("q").get<std::vector<double>>(), zero.at("qdot"));
  EXPECT_TRUE(near(k.S, matrix(zero.at("S")), 1e-15));
  EXPECT_TRUE(near(k.S_rate, matrix(zero.at("Sdot")), 1e-15));

  const json& r = data.at("reparameterisation");
  std::vector<double> q = r.at("q_before"), v = r.at("qdot_before");
  SphericalExponential::reparameterize(q.data(), v.data());
  const auto expect = [](const std::vector<double>& ours, const json& theirs) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(ours[i], theirs[i].get<double>(), 1e-12);
  };
  expect(q, r.at("q_after"));
  expect(v, r.at("qdot_after"));
  const DoubleJoint after = evaluate(SphericalExponential{}, q, v);
  EXPECT_TRUE(near(homogeneous(after.pose).topLeftCorner<3, 3>(), matrix(r.at("R")), 1e-13));
  const Eigen::Vector3d omega = after.S.topRows<3>() * Eigen::Map<Eigen::Vector3d>(v.data());
  expect({omega.begin(), omega.end()}, r.at("omega_body"));
}

}  // namespace
}  // namespace cardan::test
