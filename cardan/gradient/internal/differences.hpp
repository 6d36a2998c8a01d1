// Slopes of a smooth function from its values at six places around one, h apart: right to h^6, so that h may be large
// and rounding stays small. By how much the slope of order four differs tells a function that is not smooth.
#pragma once

#include <Eigen/Dense>

#include <array>
#include <cstdlib>

namespace cardan {

class SixPoints {
 public:
  static constexpr std::array<int, 6> kPlaces{-3, -2, -1, 1, 2, 3};  // in steps
  static constexpr double kStep = 1e-3;                              // of the size of what is varied

  explicit SixPoints(Eigen::Index n) : slope_(Eigen::VectorXd::Zero(n)), of_order_four_(slope_) {}

  /// Takes the value at a place. Opposite places are subtracted first: what does not change has no slope, to the bit.
  void add(int place, const Eigen::VectorXd& value) {
    constexpr std::array<double, 3> six{45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0}, four{8.0 / 12.0, -1.0 / 12.0, 0.0};
    const auto k = static_cast<std::size_t>(std::abs(place)) - 1;
    if (opposite_[k].size() != value.size()) {
      opposite_[k] = value;
      return;
    }
    const Eigen::VectorXd change = place < 0 ? opposite_[k] - value : value - opposite_[k];
    slope_ += six[k] * change;
    of_order_four_ += four[k] * change;
  }
  /// The slope a step.
  const Eigen::VectorXd& slope() const { return slope_; }
  /// Whether the function is smooth here: slopes agree, but for rounding of values of this size.
  bool is_smooth(double size) const {
    const double largest = slope_.size() == 0 ? 0.0 : slope_.cwiseAbs().maxCoeff();
    const double difference = slope_.size() == 0 ? 0.0 : (slope_ - of_order_four_).cwiseAbs().maxCoeff();
    return difference <= 1e-3 * largest + 1e-9 * size;
  }

 private:
  std::array<Eigen::VectorXd, 3> opposite_;  // what came first of each pair
  Eigen::VectorXd slope_, of_order_four_;
};

/// The slope of a function of one number, a step.
template <class F>
Eigen::VectorXd six_point_slope(Eigen::Index n, const F& value_at) {
  SixPoints points(n);
  for (const int place : SixPoints::kPlaces) points.add(place, value_at(place));
  return points.slope();
}

}  // namespace cardan
