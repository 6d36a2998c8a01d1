#include "cardan/io/internal/scene_reader.hpp"

#include "cardan/constraints/coordinate_motion.hpp"
#include "cardan/integrate/internal/cvode.hpp"
#include "cardan/io/internal/scene_bearings.hpp"
#include "cardan/io/internal/scene_constraints.hpp"
#include "cardan/io/internal/scene_contact.hpp"
#include "cardan/io/internal/scene_controllers.hpp"
#include "cardan/io/internal/scene_forces.hpp"
#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_initial.hpp"
#include "cardan/io/internal/scene_joints.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_lines.hpp"
#include "cardan/io/internal/scene_motions.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_parameters.hpp"
#include "cardan/io/internal/scene_records.hpp"
#include "cardan/io/internal/scene_robots.hpp"
#include "cardan/io/internal/scene_rolling.hpp"
#include "cardan/io/internal/scene_shapes.hpp"
#include "cardan/io/internal/scene_strands.hpp"
#include "cardan/io/internal/scene_units.hpp"
#include "cardan/io/internal/scene_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace cardan {

namespace {

using io::in_quotes;
using io::TomlValue;

/// The velocity of a joint that depends on time which is the rate of time.
int time_of(const Model& model, int body) { return model.link(body).v + model.link(body).nv - 1; }

class SceneReader {
 public:
  /// `course`: of inputs, where it is given in advance; else null.
  SceneReader(const TomlValue& root, const std::string& file, const CsvTable* course)
      : root_(root), course_(course), folder_(std::filesystem::path(file).parent_path().string()) {}

  Scene read() {
    check_version();
    io::allow_keys(root_, "scene");
    ModelBuilder builder(root_.find("name") ? root_.find("name").name() : "scene");
    if (const TomlValue gravity = root_.find("gravity")) builder.gravity(gravity.vec3());
    for (const TomlValue& robot : tables("robot")) read_robot(robot, builder);
    for (const TomlValue& body : tables("body")) read_body(body, builder);
    const std::vector<io::CableStart> cables = io::add_cables(builder, tables("cable"), names_);
    io::add_strand_nodes(builder, tables("strand"), names_);
    check_parents();
    io::add_loops(builder, tables("loop"), names_);
    io::add_couplings(builder, tables("coupling"));
    Scene scene;
    scene.settings = read_simulation();
    // joints that are fixed carry reactions, too, and their bodies move on their own between the rounds
    if (scene.settings.contact_solver == ContactSolver::bilateral_staggered_projections) builder.keep_fixed_joints();
    scene.model = builder.build();
    const io::SceneInputs inputs(scene.model, tables("input"), course_);
    scene.inputs = inputs.inputs();
    scene.breaks = inputs.breaks();
    const io::SceneWords words(scene.model, tables("record"), inputs);
    scene.forces = io::read_forces(words, tables("force"));
    inputs.add_forces(scene.forces);
    if (const TomlValue simulation = root_.find("simulation"); simulation && simulation.find("independent"))
      for (const TomlValue& joint : simulation.find("independent").items()) io::read_moving_joint(scene.model, joint);
    io::Recordable named{io::read_motions(scene.model, tables("motion")),
                         io::read_controllers(words, tables("controller")),
                         io::read_drives(scene.model, tables("body"))};
    scene.forces.insert(scene.forces.end(), named.controllers.begin(), named.controllers.end());
    for (const io::NamedMotion& motion : named.motions) scene.constraints.push_back(motion.motion);
    for (const auto& rolling : io::read_rolling(scene.model, tables("rolling"))) scene.constraints.push_back(rolling);
    for (const Body& body : bodies_)
      if (const int index = body.follows_time ? scene.model.find_joint(body.joint) : -1; index >= 0)
        scene.constraints.push_back(std::make_shared<const CoordinateMotionConstraint>(
            scene.model, index, time_of(scene.model, index), TimeFunction({"t"}, 2)));
    scene.initial = initial_state(scene.model);
    for (const io::CableStart& start : cables) {
      const int q = scene.model.link(scene.model.find_joint(start.joint)).q;
      for (int i = 0; i < 4; ++i) scene.initial.q[static_cast<std::size_t>(q + i)] = start.q[i];
    }
    io::place_strands(scene, tables("strand"));
    scene.kept = kept_joints(scene.model);
    if (const TomlValue initial = root_.find("initial")) io::read_initial(initial, folder_, scene);
    if (root_.names()) scene.parameters = root_.names()->parameters;
    scene.contact = io::read_contact(scene.model, root_.find("ground"), tables("contact"), folder_);
    scene.contact.disabled = std::move(disabled_);
    scene.bearings = io::read_bearings(scene.model, tables("body"), tables("loop"));
    scene.settings.maximal_bodies = maximal_bodies(scene.model);
    scene.records = io::read_records(scene.model, scene.forces, named, inputs, tables("record"));
    scene.view = io::read_view(scene, root_.find("view"));
    scene.warnings.insert(scene.warnings.begin(), warnings_.begin(), warnings_.end());
    scene.where = root_.where();
    return scene;
  }

 private:
  struct Body {
    TomlValue table;
    std::string parent, joint;
    std::vector<double> q, v;
    bool gives_q = false, follows_time = false;
  };

  void check_version() const {
    const TomlValue version = root_.required("cardan");
    if (!version.is_number() || version.number() != 1.0)
      version.fail("expected the format version 1, found " + version.kind());
  }

  /// The entries of an array of tables; none if there is no such array.
  std::vector<TomlValue> tables(const char* key) const {
    const TomlValue list = root_.find(key);
    if (!list) return {};
    if (!list.is_list()) list.fail(fmt::format("expected [[{}]], an array of tables, found {}", key, list.kind()));
    return list.items();
  }

  void read_robot(const TomlValue& table, ModelBuilder& builder);
  void read_body(const TomlValue& table, ModelBuilder& builder);
  void check_parents() const;
  Settings read_simulation() const;
  State initial_state(const Model& model) const;
  std::vector<int> maximal_bodies(const Model& model) const;
  KeptJoints kept_joints(const Model& model) const;

  TomlValue root_;
  const CsvTable* course_;
  std::string folder_;
  std::vector<Body> bodies_;
  std::set<std::string> names_{"world"};                       // of everything that can be a parent
  std::vector<std::pair<std::string, std::string>> disabled_;  // pairs of bodies that never touch
  std::vector<std::string> warnings_;
};

void SceneReader::read_robot(const TomlValue& table, ModelBuilder& builder) {
  const io::SceneRobot robot = io::add_robot(builder, table, folder_, warnings_);
  for (const std::string& body : robot.bodies)
    if (!names_.insert(body).second)
      table.fail(fmt::format("expected a name that keeps robots apart, found body {} twice", in_quotes(body)));
  disabled_.insert(disabled_.end(), robot.untouched.begin(), robot.untouched.end());
}

void SceneReader::read_body(const TomlValue& table, ModelBuilder& builder) {
  const std::string& name = table.required("name").name();
  const TomlValue body = table.named("body " + in_quotes(name));
  io::allow_keys(body, "body");
  if (!names_.insert(name).second)
    body.find("name").fail(name == "world" ? "expected another name: \"world\" is the fixed frame of reference"
                                           : "expected names that differ, found this one twice");
  const TomlValue parent = body.find("parent"), inertia = body.find("inertia"), joint_table = body.required("joint");

  io::SceneShapes shapes = io::read_shapes(body, folder_);
  builder.body({name, io::read_mass(body, shapes), std::move(shapes.shapes), (inertia ? inertia : body).where()});

  io::SceneJoint joint = io::read_joint(joint_table);
  const std::string joint_name = joint.name.empty() ? name : joint.name;
  bodies_.push_back({body, parent ? parent.name() : "world", joint_name, joint.q, joint.v,
                     static_cast<bool>(joint_table.find("q")), joint.follows_time});
  builder.joint(JointSpec{joint_name,
                          bodies_.back().parent,
                          name,
                          joint.type,
                          joint.at,
                          {},
                          joint.dofs,
                          {},
                          joint_table.where(),
                          false,
                          joint.coordinates});
}

/// Bodies with a pose of their own; one on a fixed joint is a part of the body that carries it.
std::vector<int> SceneReader::maximal_bodies(const Model& model) const {
  std::vector<int> out;
  for (const Body& body : bodies_) {
    const TomlValue maximal = body.table.find("maximal");
    if (!maximal || !maximal.truth()) continue;
    const int index = model.find_joint(body.joint);
    if (index < 0) maximal.fail("expected a body that moves on its joint, found one that is fixed to another");
    out.push_back(index);
  }
  return out;
}

void SceneReader::check_parents() const {
  for (const Body& body : bodies_)
    if (names_.count(body.parent) == 0)
      body.table.find("parent").fail(fmt::format("expected a body of this scene, found {}{}", in_quotes(body.parent),
                                                 io::did_you_mean(body.parent, {names_.begin(), names_.end()})));
}

Settings SceneReader::read_simulation() const {
  Settings out;
  const TomlValue table = root_.find("simulation");
  if (!table) return out;
  io::allow_keys(table, "simulation");
  const auto number = [&](const char* key, double& setting) {
    if (const TomlValue value = table.find(key)) setting = value.positive();
  };
  number("duration", out.duration);
  number("output_every", out.output_every);
  number("tolerance", out.steps.tolerance);
  out.tolerance_is_chosen = static_cast<bool>(table.find("tolerance"));
  number("max_step", out.steps.largest_step);
  number("newton_residual", out.steps.newton_residual);
  io::read_contact_settings(table, out);
  if (const TomlValue integrator = table.find("integrator")) {
    if (integrator.is_text() && integrator.text() == "cvode" && !has_cvode()) integrator.fail(kNoCvode);
    const bool known = integrator.is_text() && integrator_name(integrator.text()) != integrator.text();
    out.choose_integrator(known ? integrator_name(integrator.text()) : integrator.one_of(integrator_names()));
  }
  if (const TomlValue step = table.find("step")) {
    out.step_is_automatic = step.is_text() && step.text() == "auto";
    if (!out.step_is_automatic) out.choose_step(step.positive());
  }
  if (const TomlValue formulation = table.find("formulation")) {
    const std::string& name = formulation.one_of(formulation_names());
    try {
      out.formulation = cardan::formulation(name);
    } catch (const std::invalid_argument& problem) {
      formulation.fail(problem.what());
    }
  }
  if (const TomlValue independent = table.find("independent")) {
    if (table.find("formulation") && out.formulation != Formulation::reduced)
      independent.fail("expected formulation = \"reduced\" beside it, found another");
    out.formulation = Formulation::reduced;  // what it is for, unless the command line says another
    for (const TomlValue& joint : independent.items()) out.independent.push_back(joint.name());
    if (out.independent.empty()) independent.fail("expected names of joints, found none");
  }
  if (const TomlValue method = table.find("constraint_method"))
    out.constraint_method = constraint_method(method.one_of(constraint_method_names()));
  if (const TomlValue implicit = table.find("implicit_forces"))
    out.implicit_forces = implicit_forces(implicit.one_of(implicit_forces_names()));
  if (const TomlValue stabilization = table.find("stabilization"))
    out.stabilization = stabilization.one_of(stabilization_names()) == "baumgarte" ? Stabilization::baumgarte
                                                                                   : Stabilization::projection;
  if (const TomlValue baumgarte = table.find("baumgarte")) {
    if (out.stabilization != Stabilization::baumgarte)
      baumgarte.fail("expected stabilization = \"baumgarte\" beside it, found none");
    const std::vector<double> values = baumgarte.numbers(3);
    for (const double value : values)
      if (value < 0.0) baumgarte.fail("expected 3 numbers not below 0, found a negative one");
    out.baumgarte = {values[0], values[1], values[2]};
  }
  return out;
}

State SceneReader::initial_state(const Model& model) const {
  State state(model);
  for (const Body& body : bodies_) {
    const int index = model.find_joint(body.joint);
    if (index < 0) continue;  // fixed: merged into its parent
    std::copy(body.q.begin(), body.q.end(), state.q.begin() + model.link(index).q);
    std::copy(body.v.begin(), body.v.end(), state.v.begin() + model.link(index).v);
    if (body.follows_time) state.v[static_cast<std::size_t>(time_of(model, index))] = 1.0;
  }
  return state;
}

/// Where the file says how a joint stands or moves, that is meant.
KeptJoints SceneReader::kept_joints(const Model& model) const {
  KeptJoints kept;
  for (const Body& body : bodies_) {
    const int index = model.find_joint(body.joint);
    if (index < 0) continue;
    if (body.gives_q) kept.positions.push_back(index);
    if (!body.v.empty()) kept.velocities.push_back(index);
  }
  return kept;
}

}  // namespace

namespace io {

Scene read_scene(const TomlNode& root, const Source& source, const std::string& file, const CsvTable* course) {
  const SceneNames names = read_names(root, source);
  const Source with_names{source.format, source.file, &names};
  const TomlValue scene(root, with_names, "");
  check_units(scene, "scene");
  return SceneReader(scene, file, course).read();
}

}  // namespace io

}  // namespace cardan
