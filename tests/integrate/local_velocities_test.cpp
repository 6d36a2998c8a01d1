#include "cardan/integrate/local_velocities.hpp"

#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using Vector6 = LocalVelocities::Vector6;
using Matrix6 = LocalVelocities::Matrix6;

/// The paper has the linear part first, the library the angular one.
Matrix6 swap_halves() {
  Matrix6 P = Matrix6::Zero();
  P.topRightCorner<3, 3>().setIdentity();
  P.bottomLeftCorner<3, 3>().setIdentity();
  return P;
}
Matrix6 dense(const Matrix<double, 6, 6>& A) {
  Matrix6 out;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) out(i, j) = A(i, j);
  return out;
}
Eigen::MatrixXd dense(const nlohmann::json& rows) {
  Eigen::MatrixXd out(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j].get<double>();
  return out;
}

TEST(LocalVelocities, TangentOperatorsOfTheReference) {
  constexpr const char* kFile = "golden/free_rigid_body.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const auto& vectors = file->at("tangent_operator_test_vectors");
  const Matrix6 P = swap_halves(), D = LocalVelocities::hexahedral().D() * P;
  EXPECT_TRUE(near(D, dense(vectors.at("D")), 1e-15));
  Worst pose("exp", 1e-13), tangent("T", 1e-13), inverse("T^-1", 1e-13), combined("T^-1 D'", 1e-13);
  for (const auto& test : vectors.at("cases")) {
    const auto& n = test.at("n");
    const Vec3<double> linear{n[0], n[1], n[2]}, angular{n[3], n[4], n[5]};
    const Pose<double> e = exp_se3(angular, linear);
    Eigen::Matrix4d H = Eigen::Matrix4d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) H(i, j) = e.R(i, j);
      H(i, 3) = e.p[i];
    }
    const Matrix6 T_inverse = P * dense(tangent_se3_inverse(angular, linear)) * P;
    pose.add(relative_error(H, dense(test.at("exp_SE3"))));
    tangent.add(relative_error(Matrix6(P * dense(tangent_se3(angular, linear)) * P), dense(test.at("T"))));
    inverse.add(relative_error(T_inverse, dense(test.at("T_inv"))));
    combined.add(relative_error(Matrix6(T_inverse * D.transpose()), dense(test.at("T_inv_DT"))));
  }
}

TEST(LocalVelocities, HexahedronIsOrthogonalAndTheTetrahedronRegular) {
  const auto hexahedron = LocalVelocities::hexahedral();
  EXPECT_NEAR(hexahedron.condition(), 1.0, 1e-14);
  EXPECT_TRUE(near(Matrix6(hexahedron.D() * hexahedron.D().transpose()), Matrix6(Matrix6::Identity()), 1e-15));
  EXPECT_NEAR((hexahedron.D() * swap_halves()).determinant(), -1.0, 1e-14);  // with the columns of Eq. 54
  EXPECT_GT(LocalVelocities::hexahedral(0.01, 1.0, 1.0).condition(), 50.0);
  EXPECT_LT(LocalVelocities::tetrahedral().condition(), 3.0);
}

TEST(LocalVelocities, RefusesPointsThatDoNotDetermineTheMotion) {
  // six directions through one point say nothing of the rotation about it
  std::array<LocalVelocities::Projection, 6> projections;
  Random random(3);
  for (auto& [point, direction] : projections) direction = random.direction();
  try {
    LocalVelocities refused(projections);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("rank 3 instead of 6"), std::string::npos) << error.what();
  }
}

/// Six random points and directions.
LocalVelocities random_coordinates(Random& random) {
  std::array<LocalVelocities::Projection, 6> projections;
  for (auto& [point, direction] : projections) {
    point = random.vector();
    direction = random.direction();
  }
  return LocalVelocities(projections);
}

TEST(LocalVelocities, PointVelocitiesPowerAndEnergyAreThoseOfTheMotion) {
  Random random(5);
  Worst velocity("velocity of a point", 1e-11), power("power", 1e-11), energy("kinetic energy", 1e-11);
  for (int i = 0; i < 50; ++i) {
    const auto coordinates = i == 0   ? LocalVelocities::hexahedral(0.3, 0.7, 1.9)
                             : i == 1 ? LocalVelocities::tetrahedral(0.4)
                                      : random_coordinates(random);
    if (coordinates.condition() > 1e3) continue;
    const MotionVector<double> v = random.motion();
    const Vector6 w = coordinates.from_motion(v);
    const Vec3<double> y = random.vector(), f = random.vector();
    const Vec3<double> direct = v.linear + cross(v.angular, y);
    const Eigen::Vector3d by_w = coordinates.interpolation(y) * w;
    for (int k = 0; k < 3; ++k) velocity.add(std::abs(direct[k] - by_w[k]));
    power.add(std::abs(dot(f, direct) - coordinates.generalized_force(y, f).dot(w)));
    const MassProperties body = random.mass();
    const auto inertia = rigid_body_inertia(body.mass, body.com, body.inertia);
    energy.add(relative_error(0.5 * w.dot(coordinates.mass_matrix(inertia) * w), kinetic_energy(inertia, v)));
  }
}

TEST(LocalVelocities, MassMatrixAndQuadraticTermsOfThePrintedEquations) {
  // 60, and 61 with the signs of rows 1 and 6 corrected
  const double m = 1.7, J1 = 0.9, J2 = 1.4, J3 = 0.6;
  const Vector6 w{0.3, -0.8, 1.1, 0.4, -0.5, 0.9};
  const double a = w[0] + w[1], b = w[2] + w[3], c = w[4] + w[5], d = w[0] - w[1], e = w[2] - w[3], g = w[4] - w[5];
  Vector6 printed;
  printed << -m * a * e + ((-J1 + J2) * b + m * g) * c, m * a * e - ((J1 - J2) * b + m * g) * c,
      m * (a * d - b * g) - (J2 - J3) * a * c, -m * (a * d - b * g) - (J2 - J3) * a * c,
      m * (b * e - d * c) + (J1 - J3) * a * b, m * (-b * e + d * c) + (J1 - J3) * a * b;
  printed /= 2.0 * std::sqrt(2.0);
  const auto inertia = rigid_body_inertia(m, Vec3<double>{}, Sym3<double>{J1, J2, J3, 0.0, 0.0, 0.0});
  EXPECT_TRUE(near(LocalVelocities::hexahedral().quadratic_terms(inertia, w), printed, 1e-14));
  Matrix6 M = Matrix6::Zero();
  const double J[3] = {J3, J1, J2};
  for (int i = 0; i < 3; ++i) {
    M(2 * i, 2 * i) = M(2 * i + 1, 2 * i + 1) = 0.5 * (m + J[i]);
    M(2 * i, 2 * i + 1) = M(2 * i + 1, 2 * i) = 0.5 * (J[i] - m);
  }
  EXPECT_TRUE(near(LocalVelocities::hexahedral().mass_matrix(inertia), M, 1e-14));
}

TEST(LocalVelocities, TheSameMotionAsAngularAndLinearVelocity) {
  // a body with an excentric center of mass, under gravity, in four sets of coordinates and as a free joint
  Random random(11);
  const MassProperties mass = random.mass();
  const MotionVector<double> v0 = random.motion();
  const Model model = ModelBuilder().body("body", mass).joint("world", "body", Free{}).build();
  TreeProblem dynamics(model);
  State start(model);
  for (int i = 0; i < 6; ++i) start.v[static_cast<std::size_t>(i)] = v0[i];
  const State end = run("munthe_kaas_4", dynamics, start, 1.0, with_step(0.01));
  const auto R = quaternion_to_matrix(Quaternion<double>{end.q[0], end.q[1], end.q[2], end.q[3]});

  Worst pose("pose after 100 steps", 1e-12), velocity("velocity after 100 steps", 1e-11);
  for (const auto& coordinates : {LocalVelocities::hexahedral(), LocalVelocities::hexahedral(0.2, 0.5, 0.8),
                                  LocalVelocities::tetrahedral(), random_coordinates(random)}) {
    LocalVelocityBody body(coordinates, rigid_body_inertia(mass.mass, mass.com, mass.inertia),
                           [&](double, const Pose<double>& at, const Vector6&) {
                             const Vec3<double> weight{0.0, 0.0, -9.81 * mass.mass};
                             return coordinates.generalized_force(mass.com, transpose_apply(at.R, weight));
                           });
    body.w = coordinates.from_motion(v0);
    for (int i = 0; i < 100; ++i) body.step(0.01);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) pose.add(std::abs(body.pose.R(i, j) - R(i, j)));
      pose.add(std::abs(body.pose.p[i] - end.q[static_cast<std::size_t>(4 + i)]));
    }
    const MotionVector<double> v = coordinates.motion(body.w);
    for (int i = 0; i < 6; ++i) velocity.add(std::abs(v[i] - end.v[static_cast<std::size_t>(i)]));
  }
}

}  // namespace
}  // namespace cardan::test
