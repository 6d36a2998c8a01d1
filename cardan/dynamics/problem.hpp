// What an integrator moves: H(q) a = f(t, q, v, z) + J' lambda with J a = k(t, q, v) where there are constraints, and
// z_dot = g(t, q, v, z). All that integrators see of a mechanism.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/dynamics/state_space.hpp"
#include "cardan/dynamics/state_tangent.hpp"

#include <Eigen/Dense>

#include <string>

namespace cardan {

/// A time and a state.
struct Point {
  double t;
  In<double> q, v, z;

  Point(double at, const State& state) : t(at), q(state.q), v(state.v), z(state.z) {}
  Point(double at, In<double> coordinates, In<double> velocities, In<double> states = {nullptr, 0})
      : t(at), q(coordinates), v(velocities), z(states) {}
};

/// What became of a state that was to be brought back to its constraints.
struct Projection {
  static constexpr double kClosed = 1e-12;  // m or rad: what projection aims at
  static constexpr double kOpen = 1e-9;     // what it must not leave: the mechanism locks
  enum class Result { unchanged, changed, failed };
  Result result = Result::unchanged;
  std::string worst{};       // where it failed: the constraint that stays violated most, such as "loop "pin""
  double gap = 0.0;          // by how much: m or rad
  bool of_velocity = false;  // positions hold, and the gap is one of velocities: m/s or rad/s
  double kick = 0.0;         // where it changed: by how much velocities had to, of the largest
  double clearance = 1.0;    // and how far the constraints were from repeating one another (a change point)

  /// Says what failed; `when` such as " 0.01 s later" goes where positions cannot be kept.
  std::string complaint(const std::string& when = {}) const;
};

class Mechanism;

/// A problem may keep scratch memory and warm starts, so it belongs to one thread; methods are not const.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual const StateSpace& space() const = 0;
  /// Computes the acceleration, with all constraints, and the rates of z.
  virtual void acceleration(const Point& at, Out<double> a, Out<double> z_dot) = 0;

  /// Computes the rates of z alone. By default beside the acceleration.
  virtual void rates(const Point& at, Out<double> z_dot);

  /// How many rows J has.
  virtual int rows() const { return 0; }

  /// Computes r = H a - f - J' lambda and, for the rows, J a - k. By default H = 1 and f is the acceleration.
  virtual void residual(const Point& at, In<double> a, In<double> lambda, Out<double> r, Out<double> row_error);

  /// Which forces the derivatives K and D speak of.
  enum class Implicit {
    all,     // every force, inertial ones and gravity too: K = d(f - H a)/dq, D = df/dv
    forces,  // elements only (springs, dampers): everything else is treated explicitly
    bodies,  // inertial ones and gravity only
    exact    // every force, whatever the settings say of implicit ones
  };
  /// What is wanted of a linearization; null: not wanted.
  struct Want {
    Eigen::MatrixXd *H = nullptr, *K = nullptr, *D = nullptr, *J = nullptr;
    Eigen::VectorXd* f = nullptr;
    Eigen::VectorXd* velocity = nullptr;  // what J v is to be, stabilization included
    /// d(J' lambda)/dq, and d(J a - k) by q and v.
    Eigen::MatrixXd *pull_by_q = nullptr, *rows_by_q = nullptr, *rows_by_v = nullptr;
    Implicit implicit = Implicit::all;
  };
  /// Computes what is wanted at constant a and lambda, in the tangent space: H da = K dq + D dv + J' dlambda. By
  /// default from central differences of the acceleration, good to about nine digits.
  virtual void linearize(const Point& at, In<double> a, In<double> lambda, const Want& want);

  /// Solves one linearly implicit step without a matrix of the whole problem, (H - h D - h^2 K) dv = h (f + h K v) with
  /// the K and D of Implicit::forces, such that v + dv satisfies the constraints. False where there is no such way:
  /// then linearize() has to do. dv is not a number where the matrix is singular.
  virtual bool step_implicitly(const Point&, double /*h*/, Out<double> /*dv*/) { return false; }

  /// Computes how forces and rates depend on states of elements, at constant a and lambda. By default from central
  /// differences of residual() and rates(), good to about nine digits: enough for Newton's method, whose residual
  /// decides; inputs are not varied.
  virtual void linearize_states(const Point& at, In<double> a, In<double> lambda, StateTangent& out);

  /// What variational integrators ask for; null where the problem is no mechanism in joint coordinates.
  virtual Mechanism* mechanism() { return nullptr; }

  /// Brings a state that a step has led to back to its constraints at that time.
  [[nodiscard]] virtual Projection project(double, State&) { return {}; }

  /// Rewrites a state in better coordinates where the present ones come near a singularity (rotation vectors, orders of
  /// Euler angles). True if it did; what is remembered of earlier states is then void.
  virtual bool reparameterize(State&) { return false; }
  /// Returns a velocity whose inertia vanishes, or -1: explains an acceleration that is not finite.
  virtual int singular_velocity(const Point&) { return -1; }
  /// Says that constraints cannot be kept closed a little later along the motion: the mechanism locks here. Empty where
  /// nothing is known.
  virtual std::string lock(double /*t*/, const State&) { return {}; }
  /// Explains where the state cannot be continued, such as "joint "a": gimbal lock"; empty where nothing is known.
  virtual std::string explain(const Point&) { return {}; }
};

}  // namespace cardan
