#include "cardan/io/scene.hpp"

#include "cardan/integrate/cvode.hpp"
#include "cardan/io/scene_constraints.hpp"
#include "cardan/io/scene_geometry.hpp"
#include "cardan/io/scene_joints.hpp"
#include "cardan/io/scene_loads.hpp"
#include "cardan/io/scene_records.hpp"
#include "cardan/io/scene_shapes.hpp"
#include "cardan/io/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace cardan {

namespace {

using io::in_quotes;
using io::TomlValue;

/// Tables of the format that this version does not read.
const std::vector<std::string> kLater{"strand", "ground", "contact"};

class SceneReader {
 public:
  SceneReader(const TomlValue& root, const std::string& file)
      : root_(root), folder_(std::filesystem::path(file).parent_path().string()) {}

  Scene read() {
    check_version();
    check_keys();
    ModelBuilder builder(root_.find("name") ? root_.find("name").name() : "scene");
    if (const TomlValue gravity = root_.find("gravity")) builder.gravity(gravity.vec3());
    for (const TomlValue& robot : tables("robot")) read_robot(robot, builder);
    for (const TomlValue& body : tables("body")) read_body(body, builder);
    check_parents();
    const auto loops = tables("loop"), couplings = tables("coupling"), motions = tables("motion");
    const std::vector<std::string> loop_names = io::add_loops(builder, loops, names_);
    io::add_couplings(builder, couplings);
    const SimulationSettings simulation = read_simulation();
    Model model = builder.build();
    Loads loads = io::read_loads(model, tables("force"), motions);
    State initial = initial_state(model);
    std::vector<std::string> assembled =
        io::close_loops(root_, model, loads, kept_joints(model), loops, loop_names, initial);
    Records records = io::read_records(model, tables("record"));
    return {std::move(model),     std::move(initial),   simulation,        std::move(loads),
            std::move(warnings_), std::move(assembled), std::move(records)};
  }

 private:
  struct Body {
    TomlValue table;
    std::string parent, joint;
    std::vector<double> q, v;
    bool gives_q = false;
  };

  void check_version() const {
    const TomlValue version = root_.required("cardan");
    if (!version.is_number() || version.number() != 1.0)
      version.fail("expected the format version 1, found " + version.kind());
  }
  void check_keys() const {
    for (const std::string& later : kLater)
      if (root_.find(later))
        root_.fail_key(later,
                       fmt::format("expected a table that this version reads, found \"{}\": not available yet", later));
    root_.allow(
        {"cardan", "name", "gravity", "robot", "body", "loop", "coupling", "force", "motion", "record", "simulation"});
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
  SimulationSettings read_simulation() const;
  State initial_state(const Model& model) const;
  KeptJoints kept_joints(const Model& model) const;

  TomlValue root_;
  std::string folder_;
  std::vector<Body> bodies_;
  std::set<std::string> names_{"world"};  // of everything that can be a parent
  std::vector<std::string> warnings_;
};

void SceneReader::read_robot(const TomlValue& table, ModelBuilder& builder) {
  table.allow({"file", "name", "base", "at"});
  const TomlValue file = table.required("file"), name = table.find("name"), base = table.find("base");
  const std::filesystem::path path = std::filesystem::path(folder_) / file.name();
  if (path.extension() != ".urdf")
    file.fail("expected a URDF file, found " + in_quotes(file.text()) + ": other formats are not available yet");
  UrdfOptions options;
  options.warnings = &warnings_;
  if (base && base.one_of({"fixed", "free"}) == "free") options.base = UrdfOptions::Base::free;
  const std::string prefix = name ? name.name() + "/" : "";
  const Pose<double> at = io::read_place(table);
  std::vector<std::string> added;
  try {
    added = add_urdf(builder, path.string(), prefix, at, options);
  } catch (const ModelError& problem) {
    file.fail(problem.what());
  }
  for (const std::string& body : added)
    if (!names_.insert(body).second)
      table.fail(fmt::format("expected a name that keeps robots apart, found body {} twice", in_quotes(body)));
}

void SceneReader::read_body(const TomlValue& table, ModelBuilder& builder) {
  const std::string& name = table.required("name").name();
  const TomlValue body = table.named("body " + in_quotes(name));
  body.allow({"name", "parent", "mass", "com", "inertia", "joint", "shape"});
  if (!names_.insert(name).second)
    body.find("name").fail(name == "world" ? "expected another name: \"world\" is the fixed frame of reference"
                                           : "expected names that differ, found this one twice");
  const TomlValue parent = body.find("parent"), inertia = body.find("inertia"), joint_table = body.required("joint");

  io::SceneShapes shapes = io::read_shapes(body, folder_);
  builder.body({name, io::read_mass(body, shapes.mass), std::move(shapes.shapes), (inertia ? inertia : body).where()});

  io::SceneJoint joint = io::read_joint(joint_table);
  const std::string joint_name = joint.name.empty() ? name : joint.name;
  bodies_.push_back(
      {body, parent ? parent.name() : "world", joint_name, joint.q, joint.v, static_cast<bool>(joint_table.find("q"))});
  builder.joint(JointSpec{
      joint_name, bodies_.back().parent, name, joint.type, joint.at, {}, joint.dofs, {}, joint_table.where()});
}

void SceneReader::check_parents() const {
  for (const Body& body : bodies_)
    if (names_.count(body.parent) == 0)
      body.table.find("parent").fail(fmt::format("expected a body of this scene, found {}{}", in_quotes(body.parent),
                                                 io::did_you_mean(body.parent, {names_.begin(), names_.end()})));
}

SimulationSettings SceneReader::read_simulation() const {
  SimulationSettings out;
  const TomlValue table = root_.find("simulation");
  if (!table) return out;
  table.allow({"duration", "step", "integrator", "formulation", "output_every", "tolerance", "constraint_method"});
  const auto number = [&](const char* key) -> std::optional<double> {
    if (const TomlValue value = table.find(key)) return value.positive();
    return std::nullopt;
  };
  out.duration = number("duration");
  out.step = number("step");
  out.output_every = number("output_every");
  out.tolerance = number("tolerance");
  if (const TomlValue integrator = table.find("integrator")) {
    if (integrator.is_text() && integrator.text() == "cvode" && !has_cvode()) integrator.fail(kNoCvode);
    out.integrator = integrator.one_of(integrator_names());
  }
  if (const TomlValue formulation = table.find("formulation"))
    out.formulation = formulation.one_of({"recursive", "redmax", "maximal"});
  if (const TomlValue method = table.find("constraint_method"))
    out.constraint_method = method.one_of(constraint_method_names());
  return out;
}

State SceneReader::initial_state(const Model& model) const {
  State state(model);
  for (const Body& body : bodies_) {
    const int index = model.find_joint(body.joint);
    if (index < 0) continue;  // fixed: merged into its parent
    std::copy(body.q.begin(), body.q.end(), state.q.begin() + model.link(index).q);
    std::copy(body.v.begin(), body.v.end(), state.v.begin() + model.link(index).v);
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

SimulationOptions simulation_options(const SimulationSettings& settings) {
  SimulationOptions out;
  out.duration = settings.duration.value_or(out.duration);
  out.output_every = settings.output_every.value_or(out.output_every);
  out.steps.step = settings.step.value_or(out.steps.step);
  out.steps.tolerance = settings.tolerance.value_or(out.steps.tolerance);
  if (!settings.integrator.empty()) out.integrator = settings.integrator;
  return out;
}

SystemOptions system_options(const SimulationSettings& settings) {
  SystemOptions out;
  if (!settings.constraint_method.empty()) out.method = constraint_method(settings.constraint_method);
  return out;
}

Scene parse_scene(std::string_view text, const std::string& name) {
  const io::Source source{"scene", io::printable(name)};
  const io::TomlNode root = io::parse_toml(text, source);
  return SceneReader(TomlValue(root, source, ""), name).read();
}

Scene load_scene(const std::string& path) {
  constexpr std::size_t max_bytes = std::size_t{8} << 20;
  return parse_scene(io::read_text_file("scene", path, max_bytes), path);
}

}  // namespace cardan
