// cardan eval: dynamics quantities at given states.
#include "apps/command.hpp"
#include "apps/evaluate.hpp"
#include "cardan/io/internal/eval_request.hpp"
#include "cardan/io/load.hpp"
#include "cardan/program/machine_code.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <initializer_list>
#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kEvalFooter = R"(Example:
  cardan eval examples/double_pendulum.urdf examples/double_pendulum_states.json

STATES.json:
  { "quantities": ["inverse_dynamics", "mass_matrix", "pose"],
    "frame": "lower",
    "states": [ { "q": [0.1, 0.2], "v": [0, 0], "a": [0, 0], "tau": [0, 0] } ] }

quantity          needs           result
inverse_dynamics  q, v, a         joint forces tau of the tree: loops and couplings exert nothing here, and a is
                                  taken as it is
forward_dynamics  q, v, tau       joint accelerations a
mass_matrix       q               nv x nv, by rows
bias              q, v            inverse dynamics with zero acceleration
gravity           q               that with zero velocity too
energy            q, v            kinetic, potential
center_of_mass    q               in the world
momentum          q, v            angular about the center of mass, then linear; world axes
pose              q, frame        R (rows) and p of the frame in the world
velocity          q, v, frame     angular, linear; in the frame's own axes
acceleration      q, v, a, frame  spatial acceleration, likewise, without gravity
jacobian          q, frame        6 x nv, by rows, likewise
constraint_forces q, v, tau       of loops: moment and force on b, in its loop frame; of couplings and
                                  prescribed motions: what they take (N or N m)
constraint_error  q               how far loops, couplings and motions are from holding (m or rad)
applied_forces    q, v            joint springs, dampers and force elements as forces at the joints
records           q, v            what the scene's [[record]] tables say, by column, with all forces acting
equilibrium       q               q, residual and stable of the equilibrium that the mechanism sinks to from q
distances         q               for each pair of bodies that may touch: a, b, shape_a, shape_b, gap, normal
                                  (from a to b), point_a, point_b; in the world, penetration is a negative gap
collisions        q               those of them that touch
contact_forces    q, v, tau       of all points that touch: a, b, point, normal (from a to b), force on b; world axes
impulse_response  q, tau          dv: jump of v under impulses tau at the joints (N s, N m s) and, where a state has
                                  one, a "wrench" on "frame" (moment, force; its own axes and origin);
                                  constraint_impulses: of loops and couplings, as constraint_forces
paths             q               length and speed of springs, cables and muscles, by name
inverse_dynamics_derivatives  q, v, a    dq, dv, da of inverse_dynamics: entry i, j is d(result i)/d(direction j)
forward_dynamics_derivatives  q, v, tau  dq, dv, dtau of forward_dynamics, exact; with loops along directions
                                  that keep them closed
linearization     q, v, tau       A, B, states, inputs: dx/dt = A x + B u of x = (tangent of q, v, states of forces
                                  and controllers), with all forces
drive_forces      q, v, a         forces at the joints of "drives": ["NAME", ...], and only there, that give the
                                  accelerations a in a mechanism with loops; more drives than freedoms share by least
                                  norm ("redundant")

Direction j of a quaternion is q * exp(h e_j / 2), of a free joint's position p + h R e_j.
"frame" is the name of a link, a frame or a joint (the frame that it moves). For a scene, a state
without q or v means the initial ones; for a robot v is zero, and a and tau are zero where they are not
given. A scene's loops, couplings, prescribed motions and contacts hold: forward_dynamics is the constrained
one, at the state's time "t" (default 0). Contacts act where the gap is at most `penetration` of the scene and
its rate is zero within 1e-7 m/s; one that approaches needs an impulse and is refused, and so is a state in
which no forces obey the laws of all contacts. Limits, dry friction and bearings of joints do not enter. Springs, dampers, [[force]] and
[[input]] enter only with "forces": true; a state's "u": {"NAME": value} gives the inputs that are not at their default. The mimic joints of a URDF file are on their own here; a scene that has it as a [[robot]] couples them.
"backend": "generic" runs the algorithms as they are (default), "compiled" code made for the model, "batch"
such code for several states at once. The numbers agree. "constraint_method" is as in a scene,
and so is "formulation", by which forward_dynamics is computed.
Quaternions are (w, x, y, z); free joints have q = (quaternion, position), v = (angular, linear) in body axes.
The output is JSON: nq, nv, the layout of q and v by joint, and one result for each state.)";

struct EvalArguments : ModelArguments {
  std::string states, out;
};

}  // namespace

void add_eval(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("eval", "Compute dynamics quantities at given states");
  const auto arguments = std::make_shared<EvalArguments>();
  command
      ->add_option("FILE", arguments->file,
                   "The scene (TOML), robot (URDF), MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model")
      ->required()
      ->option_text(" ");
  command->add_option("STATES", arguments->states, "The quantities and states (JSON)")->required()->option_text(" ");
  command->add_option("--out", arguments->out, "Write the results to this file instead of the standard output")
      ->option_text("FILE");
  add_model_options(*command, *arguments);
  command->footer(kEvalFooter);
  command->callback([arguments, &action] {
    action = [arguments] {
      Scene scene = load(arguments->file, arguments->how_to_load(false));
      if (is_scene(arguments->file)) assemble(scene);
      const EvalRequest request = load_eval_request(arguments->states, scene.model,
                                                    is_scene(arguments->file) ? &scene.initial : nullptr, scene.inputs);
      const auto asks_for = [&](std::initializer_list<Quantity> wanted) {
        return std::any_of(wanted.begin(), wanted.end(), [&](Quantity quantity) {
          return std::find(request.quantities.begin(), request.quantities.end(), quantity) != request.quantities.end();
        });
      };
      // a robot's meshes are opened only where its distances are asked for
      if (asks_for({Quantity::distances, Quantity::collisions}) && !is_scene(arguments->file))
        scene = load(arguments->file, arguments->how_to_load(true));
      if (request.backend == EvalBackend::compiled && !machine_code_is_possible())
        fmt::print(stderr, "eval: note: no machine code on this machine, the generic algorithms run instead\n");
      // a robot file's mimics are data: its quantities are those of the tree, as in other tools
      const Couplings couplings = is_scene(arguments->file) ? Couplings::hold : Couplings::are_data;
      write_output(arguments->out, evaluate(scene, request, couplings));
    };
  });
}

}  // namespace cardan::command
