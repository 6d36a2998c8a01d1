// What a mechanism must obey besides its joints: K a = k on the accelerations, and the same on velocities and
// positions. A row may pull at bodies (loops) and at velocities directly (couplings).
#pragma once

#include "cardan/constraints/moving_bodies.hpp"

#include <Eigen/Dense>

#include <string>
#include <vector>

namespace cardan {

/// The rows of one constraint at one time and state.
struct ConstraintRows {
  /// Of each row, the force on the body (in its own coordinates) that belongs to a unit multiplier.
  struct OnBody {
    int body = 0;
    std::vector<ForceVector<double>> row;
  };
  std::vector<OnBody> on_bodies;

  std::vector<int> velocities;    // that the next matrix speaks of
  Eigen::MatrixXd on_velocities;  // rows x velocities

  Eigen::VectorXd k;      // K a = k
  Eigen::VectorXd gap;    // how far positions are from obeying
  Eigen::VectorXd drift;  // K v less what it should be

  int size() const { return static_cast<int>(k.size()); }
};

class Constraint {
 public:
  virtual ~Constraint() = default;

  /// For messages: "loop "b4"".
  virtual std::string name() const = 0;
  /// Tells which bodies must be followed, and sizes the rows; what does not change with the state is set here.
  virtual void prepare(MovingBodies& bodies, ConstraintRows& rows) = 0;
  /// At time t; q and v are those that the bodies have.
  virtual void evaluate(double t, const MovingBodies& bodies, const double* q, const double* v,
                        ConstraintRows& rows) = 0;
};

}  // namespace cardan
