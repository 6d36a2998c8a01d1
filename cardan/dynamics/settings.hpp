// How a scene is to be simulated: all that [simulation] of a scene file can say.
#pragma once

#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/dynamics/integrator_options.hpp"
#include "cardan/dynamics/run_profile.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cardan {

/// In which coordinates the equations of motion are made.
enum class Formulation {
  recursive,  // joint coordinates; loops, couplings and motions by multipliers
  reduced,    // couplings, gears and mimic joints by q = gamma(y), without multipliers
  redmax,     // joint coordinates by products with the Jacobian of all bodies: J'MJ, never formed where large
  maximal     // a pose for every body, joints as constraints
};
const std::vector<std::string>& formulation_names();
/// Throws std::invalid_argument on an unknown name, with the nearest one.
Formulation formulation(const std::string& name);

enum class Stabilization {
  projection,  // states are brought back to the constraints after every step
  baumgarte    // errors are fed back into the equations, as Settings::baumgarte says
};
const std::vector<std::string>& stabilization_names();

/// With which derivatives of the forces implicit integrators work; the forces themselves are always exact.
enum class ImplicitForces {
  automatic,  // definite for linearly_implicit_euler, exact elsewhere
  exact,      // K and D as they are
  definite,   // their negative semidefinite parts between bodies: stable at any step length
  none        // forces are treated explicitly
};
/// As users write them; `automatic` is what holds where nothing is written.
const std::vector<std::string>& implicit_forces_names();
ImplicitForces implicit_forces(const std::string& name);
/// How contacts, limits and dry friction are followed through time.
enum class ContactMode {
  automatic,  // events where they fit, else stepping; from where a joint reaches its limit, where nothing else acts
  stepping,   // steps of fixed length
  events      // smooth integrators between located events
};

/// By which method laws of contact and friction are solved.
enum class ContactSolver {
  exact,                           // Coulomb's disc, certified
  staggered_projections,           // contact and friction in turn, friction in a box
  pyramid,                         // one quadratic program with a pyramid of four sides
  bilateral_staggered_projections  // an integrator of its own, with contact points inside joints
};
/// As users write them.
const std::vector<std::string>& contact_solver_names();

/// Numbers of bilateral staggered projections.
struct StaggeringSettings {
  double convergence = 1e-3;      // of the square of the change of joint reactions, relative
  bool velocity_products = true;  // false: joint reactions without M J_dot v, as published
  int rounds = 100;               // at most, in a step
  double regularization = 1e-6;   // 1/kg, added to N W N'
  double least_impulse = 1e-10;   // N s: contact points with less have no friction
};

struct Settings {
  double start = 0.0;          // s: the time at which it begins
  double duration = 10.0;      // s
  double output_every = 0.01;  // s
  std::string integrator = "munthe_kaas_54";
  IntegratorOptions steps{};

  Formulation formulation = Formulation::recursive;
  /// Bodies with a pose of their own in a system of joint coordinates (mixed); all of them in "maximal".
  std::vector<int> maximal_bodies{};
  /// Joints whose coordinates are the independent ones of the reduced formulation; it then takes loops, too.
  std::vector<std::string> independent{};
  ConstraintMethod constraint_method = ConstraintMethod::automatic;
  Stabilization stabilization = Stabilization::projection;
  Baumgarte baumgarte{5.0, 5.0, 5.0};  // 1/s

  ImplicitForces implicit_forces = ImplicitForces::automatic;
  ContactMode contact = ContactMode::automatic;
  bool laws_act = false;      // contacts, dry friction or bearings, or the user asks for contact: set by System(scene)
  double penetration = 1e-6;  // m, that contacts may overlap
  double residual = 1e-8;     // m/s, by which laws may be missed
  bool repeat_rest = true;    // contact steps in which nothing moves keep the rows of the step before
  ContactSolver contact_solver = ContactSolver::exact;
  StaggeringSettings staggering{};

  /// Counts where the time of a run goes, of one run at a time; null: nobody asks.
  std::shared_ptr<RunProfile> profile{};

  enum class Code { compiled_where_possible, generic };
  Code code = Code::compiled_where_possible;
  /// Couplings of the model (mimic joints) hold; else their joints move on their own.
  bool couplings = true;

  /// Whether the user has chosen integrator and step; where only a step is chosen, the method is munthe_kaas_4.
  bool integrator_is_chosen = false, step_is_chosen = false, tolerance_is_chosen = false;
  /// Contact stepping chooses its steps by doubling (step = "auto").
  bool step_is_automatic = false;
  void choose_step(double step) {
    steps.step = step;
    step_is_chosen = true;
    if (!integrator_is_chosen) integrator = "munthe_kaas_4";
  }
  void choose_integrator(const std::string& name) {
    integrator = name;
    integrator_is_chosen = true;
  }
};

}  // namespace cardan
