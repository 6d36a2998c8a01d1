// Where a mechanism stays at rest: loads, springs, controllers and the forces of loops and limits in balance,
// f + J' lambda = 0 with all constraints closed, and the states of controllers and muscles at rest, z' = 0.
#pragma once

#include "cardan/dynamics/joint_limits.hpp"
#include "cardan/simulate/system_workspace.hpp"

#include <complex>
#include <vector>

namespace cardan {

/// A coordinate that rests on a limit.
struct RestingLimit {
  int velocity = 0;    // of the model
  double limit = 0.0;  // its value
  double force = 0.0;  // N or N m, that the limit exerts along the coordinate
};

struct Equilibrium {
  State state;  // of the problem (SystemWorkspace::model_state gives that of the model)
  Eigen::VectorXd multipliers;
  double residual = 0.0;  // N or N m that are left
  bool found = false;
  std::vector<RestingLimit> limits{};
  double state_rate = 0.0;  // that is left of the states of forces, 1/s
};

/// Follows heavily damped motion, H dx/dtau = f, from the state of the model to where it ends, with steps that become
/// Newton's as the forces come into balance (pseudo-transient continuation): so the equilibrium is the one that the
/// mechanism would sink to, and an unstable one only where it starts there. States of forces (integrals, activations)
/// follow their own equations beside it. Joints stop at their limits, in formulations of joint coordinates. Prescribed
/// motions stand still at their values at the start. Throws std::runtime_error where loops cannot be closed.
Equilibrium find_equilibrium(SystemWorkspace& workspace, const State& start);

/// One way in which a mechanism moves about its equilibrium, like exp(eigenvalue t).
struct Mode {
  double frequency = 0.0;  // Hz, as it is seen
  double undamped = 0.0;   // Hz, |eigenvalue| / (2 pi)
  double damping = 0.0;    // ratio to critical damping; negative: it grows
  std::complex<double> eigenvalue;
  Eigen::VectorXd shape;  // velocities of the model, largest entry 1; zero where only states of forces change

  /// Neither returns nor grows nor swings.
  bool is_neutral() const { return eigenvalue == 0.0; }
};

/// By rising frequency; a pair of conjugate eigenvalues is one mode, a real eigenvalue another. Coordinates that rest
/// on limits stand still. Of controllers that sample and hold, all with one period, the motion from sample to sample is
/// meant; throws std::runtime_error where there are several periods.
std::vector<Mode> find_modes(SystemWorkspace& workspace, const Equilibrium& at);
/// True if no mode grows.
bool is_stable(const std::vector<Mode>& modes);

}  // namespace cardan
