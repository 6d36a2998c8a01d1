// A force and a constraint that the library does not have, written outside of it: a magnet that pulls a pendulum, and a
// string of fixed length between two bodies. Each is one small struct; K and D of the force and the rows of the
// constraint come by themselves.
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

/// Keeps the origins of two bodies at a distance: the gap is all that is written, for any scalar; the row, its rate and
/// their derivatives come by themselves.
struct String {
  int a, b;
  double length;

  std::string name() const { return "string"; }
  cardan::Touches touches() const { return {.bodies = {a, b}, .relative = true}; }
  int rows() const { return 1; }

  template <class T>
  void gap(const cardan::InstantOf<T>& at, T* r) const {
    const Vec3<T> d = at.position(b, {}) - at.position(a, {});
    r[0] = sqrt(dot(d, d)) - T(length);
  }
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
  scene.constraints = {cardan::make_constraint(String{left, right, 1.0})};
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
