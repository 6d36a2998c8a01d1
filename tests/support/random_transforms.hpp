// Random joints as a user would write them: a text in the language of parse_transform, and beside it the same pose
// computed in extended precision without the library.
#pragma once

#include "tests/support/random_models.hpp"

#include <Eigen/Dense>
#include <functional>
#include <string>
#include <vector>

namespace cardan::test {

using Real = long double;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using RealPose = Eigen::Matrix<Real, 4, 4>;
using Real6 = Eigen::Matrix<Real, 6, 6>;
using RealMotion = Eigen::Matrix<Real, 6, 1>;

struct RandomTransform {
  std::vector<std::string> coordinates;
  std::vector<std::pair<std::string, double>> parameters;
  std::string text;
  std::function<RealPose(const RealVector& q)> pose;
};

/// A product of trans, rotx, roty, rotz, rot and twist in which each coordinate moves along a direction of its own, and
/// all of them, mixed by smooth functions, in others.
RandomTransform random_transform(Random& random, int coordinates);

/// S and S_dot v from differences of the pose (eighth order; the errors are near 1e-15 and 1e-13).
RealMatrix subspace_by_differences(const RandomTransform& t, const RealVector& q);
RealMotion velocity_product_by_differences(const RandomTransform& t, const RealVector& q, const RealVector& v);

}  // namespace cardan::test
