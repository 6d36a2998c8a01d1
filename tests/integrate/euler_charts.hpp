// The public REDMAX code keeps ball joints in one of twelve orders of Euler angles and changes the order when the
// present one comes near its singularity (shared data, redmax/semantics.md section 9). The library's joints have one
// order for good, so here the model is built again and the state is written in the new angles.
#pragma once

#include "cardan/joints/spherical_euler.hpp"
#include "cardan/model/state.hpp"

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <string>

namespace cardan::test {

/// In the reference's order, which decides between equals.
constexpr std::array<const char*, 12> kEulerCharts{"XYX", "XZX", "YZY", "YXY", "ZXZ", "ZYZ",
                                                   "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"};

class EulerChart {
 public:
  explicit EulerChart(const std::string& letters)
      : axis_{letters[0] - 'X', letters[1] - 'X', letters[2] - 'X'},
        third_(3 - axis_[0] - axis_[1]),
        sign_((axis_[0] + 1) % 3 == axis_[1] ? 1.0 : -1.0) {}

  SphericalEuler joint() const { return SphericalEuler(axis_); }

  /// |det S| at this rotation.
  double regularity(const Eigen::Matrix3d& R) const {
    const auto [i, j, k] = axis_;
    const double x = repeats() ? R(i, i) : R(i, k);
    return std::sqrt(std::max(0.0, 1.0 - x * x));
  }

  Eigen::Vector3d angles(const Eigen::Matrix3d& R) const {
    const int i = axis_[0], j = axis_[1], k = third_;
    if (repeats())
      return {std::atan2(R(j, i), -sign_ * R(k, i)), std::acos(R(i, i)), std::atan2(R(i, j), sign_ * R(i, k))};
    return {std::atan2(-sign_ * R(j, k), R(k, k)), std::asin(sign_ * R(i, k)), std::atan2(-sign_ * R(i, j), R(i, i))};
  }

  /// The orientation in the predecessor, and S.
  void kinematics(const double* q, Eigen::Matrix3d& R, Eigen::Matrix3d& S) const {
    const double s[3]{std::sin(q[0]), std::sin(q[1]), std::sin(q[2])};
    const double c[3]{std::cos(q[0]), std::cos(q[1]), std::cos(q[2])};
    const auto k = joint()(Coordinates<double>{q, s, c}, Vector<double, 3>{});
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) {
        R(row, column) = k.E(column, row);
        S(row, column) = k.S.column[column].angular[row];
      }
  }

 private:
  bool repeats() const { return axis_[0] == axis_[2]; }

  std::array<int, 3> axis_;
  int third_;    // the axis that is neither the first nor the second
  double sign_;  // 1 where first, second, third are right-handed
};

/// Three angles and their rates, from one chart to another.
inline void change_chart(const EulerChart& from, const EulerChart& to, double* q, double* v) {
  Eigen::Matrix3d R, S, new_R, new_S;
  from.kinematics(q, R, S);
  const Eigen::Vector3d omega = S * Eigen::Map<Eigen::Vector3d>(v);
  Eigen::Map<Eigen::Vector3d>(q, 3) = to.angles(R);
  to.kinematics(q, new_R, new_S);
  if ((new_R - R).norm() > 1e-12) throw std::logic_error("change_chart: another rotation");
  Eigen::Map<Eigen::Vector3d>(v, 3) = new_S.inverse() * omega;
}

/// The chart farthest from its singularity at both of the rotations.
inline std::string best_chart(const Eigen::Matrix3d& now, const Eigen::Matrix3d& before) {
  std::string best;
  double most = -1.0;
  for (const char* name : kEulerCharts) {
    const EulerChart chart(name);
    const double least = std::min(chart.regularity(now), chart.regularity(before));
    if (least <= most) continue;
    most = least;
    best = name;
  }
  return best;
}

}  // namespace cardan::test
