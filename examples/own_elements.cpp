// A force and a constraint that the library does not have, written outside of it: a magnet that pulls a pendulum, and a
// string of fixed length between two bodies. Each is one small struct or class; K and D of the force come by
// themselves.
#include "cardan/cardan.hpp"

#include <cmath>
#include <iostream>

using cardan::Vec3;

/// Pulls the origin of a body towards a point of the world: f = strength d / (d.d + core^2)^(3/2), d the way there.
struct Magnet {
  int body;
  Vec3<double> place;  // in the world
  double strength, core;

  std::string name() const { return "magnet"; }
  cardan::Touches touches() const { return {.bodies = {body}}; }
  bool is_conservative() const { return true; }

  /// Written once for any scalar: on double it is the force, on dual numbers its stiffness.
  template <class T>
  void add(const cardan::InstantOf<T>& at, cardan::PushesOf<T>& pushes) const {
    const Vec3<T> d = Vec3<T>(place) - at.position(body, {});
    const T square = dot(d, d) + T(core * core);
    const Vec3<T> f = (T(strength) / (square * sqrt(square))) * d;
    pushes.body(body) += cardan::ForceVector<T>{{}, rotate(at.X_0(body).E, f)};
  }
  double energy(const cardan::Instant& at) const {
    const Vec3<double> d = place - at.position(body, {});
    return -strength / std::sqrt(dot(d, d) + core * core);
  }
};

/// Keeps the origins of two bodies at a distance: gap = |d| - length, row n'(x_b_dot - x_a_dot) with n = d / |d|.
class String : public cardan::Constraint {
 public:
  String(int a, int b, double length) : a_(a), b_(b), length_(length) {}

  std::string name() const override { return "string"; }
  cardan::Touches touches() const override { return {.bodies = {a_, b_}, .relative = true}; }
  int rows() const override { return 1; }
  void evaluate(const cardan::Instant& at, cardan::ConstraintMemory*, cardan::ConstraintRows& rows) const override {
    const Vec3<double> d = at.position(b_, {}) - at.position(a_, {});
    const Vec3<double> d_dot = at.point_velocity(b_, {}) - at.point_velocity(a_, {});
    const double l = norm(d), l_dot = dot(d, d_dot) / l;
    const Vec3<double> n = (1.0 / l) * d;
    rows.gap[0] = l - length_;
    rows.drift[0] = l_dot;
    // d2l/dt2 = n.d_ddot + (d_dot.d_dot - l_dot^2)/l, of which the first holds the accelerations to be found
    rows.k[0] = -dot(n, acceleration(at, b_) - acceleration(at, a_)) - (dot(d_dot, d_dot) - l_dot * l_dot) / l;
    rows.on_bodies[0].row[0] = {{}, -rotate(at.X_0(a_).E, n)};
    rows.on_bodies[1].row[0] = {{}, rotate(at.X_0(b_).E, n)};
  }

 private:
  /// What the origin of a body accelerates while no joint does, in world axes.
  static Vec3<double> acceleration(const cardan::Instant& at, int body) {
    const auto &a = at.bias_acceleration(body), &v = at.velocity(body);
    return rotate_back(at.X_0(body).E, a.linear + cross(v.angular, v.linear));
  }

  int a_, b_;
  double length_;
};

int main() {
  const cardan::MassProperties ball{1.0, {}, {0.01, 0.01, 0.01, 0.0, 0.0, 0.0}};
  cardan::Scene scene = cardan::scene_of(cardan::ModelBuilder("two balls on a string")
                                             .body("left", ball)
                                             .body("right", ball)
                                             .joint("world", "left", cardan::Translational{})
                                             .joint("world", "right", cardan::Translational{})
                                             .build());
  const int left = scene.model.joint_named("left"), right = scene.model.joint_named("right");
  scene.initial.q = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  scene.initial.v = {0.0, 0.0, 3.0, 0.0, 0.5, 0.0};
  scene.forces = {cardan::make_force(Magnet{left, {0.0, 0.0, -1.0}, 2.0, 0.3})};
  scene.constraints = {std::make_shared<const String>(left, right, 1.0)};
  scene.settings.duration = 1.0;

  for (const char* integrator : {"munthe_kaas_54", "bdf2"}) {
    scene.settings.choose_integrator(integrator);
    scene.settings.steps.step = 1e-3;
    const cardan::Trajectory run = cardan::simulate(scene);
    std::cout << integrator << ": " << run.summary.steps << " steps, string longer by at most "
              << run.summary.largest_constraint_error << " m, energy off by " << cardan::energy_drift(run).relative
              << " at most\n";
    if (run.summary.end != cardan::RunSummary::End::done || run.summary.largest_constraint_error > 1e-9 ||
        cardan::energy_drift(run).relative > 1e-4)
      return 1;
  }
}
