#include "apps/describe.hpp"

#include "apps/joint_properties.hpp"
#include "apps/table.hpp"
#include "apps/unheeded.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace cardan::command {

namespace {

using Json = nlohmann::ordered_json;

std::string plural(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// "3", or "3-8" where there are several; "-" where there is none.
std::string range(int first, int count) {
  if (count == 0) return "-";
  return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + count - 1);
}

std::string number(double x) { return fmt::format("{:.6g}", x); }

const char* unit(const Joint& joint) {
  if (std::holds_alternative<Revolute>(joint.type)) return " rad";
  return std::holds_alternative<Prismatic>(joint.type) ? " m" : "";
}

std::string limits(const Model& model, int body) {
  std::string out;
  const Link& link = model.link(body);
  for (int k = 0; k < link.nv; ++k) {
    const DofProperties& dof = model.dof(link.v + k);
    if (std::isinf(dof.lower) && std::isinf(dof.upper)) continue;
    out += fmt::format("{}{} to {}{}", out.empty() ? "" : ", ", number(dof.lower), number(dof.upper),
                       unit(model.joint(body)));
  }
  return out.empty() ? "-" : out;
}

/// Center of mass of a moving body in its own (the user's) frame.
Vec3<double> center_of_mass(const Model& model, int body) {
  const auto& I = model.link(body).I;
  if (I.m == 0.0) return {};
  const Transform<double>& X = model.frame(model.body_frame(body)).X;
  return X.E * ((1.0 / I.m) * I.h - X.r);
}

std::string body_table(const Model& model) {
  Table table({"body", "parent", "joint", "type", "q", "v", "limits"});
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    table.add({model.body_name(i), model.body_name(link.parent), model.joint_name(i), model.joint(i).type_name(),
               range(link.q, link.nq), range(link.v, link.nv), limits(model, i)});
  }
  return table.text(2);
}

/// Moments about the center of mass, in the axes of the user's frame: xx yy zz xy xz yz.
Sym3<double> central_inertia(const Model& model, int body) {
  const auto& link = model.link(body).I;
  const Transform<double>& X = model.frame(model.body_frame(body)).X;
  const Vec3<double> c = link.m == 0.0 ? Vec3<double>{} : (1.0 / link.m) * link.h;
  Mat3<double> about_com;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) about_com(i, j) = link.I(i, j) - link.m * ((i == j ? dot(c, c) : 0.0) - c[i] * c[j]);
  const Mat3<double> I = X.E * about_com * transpose(X.E);
  return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
}

std::string mass_table(const Model& model) {
  const auto tidy = [](double x, double size) { return number(std::abs(x) < 1e-12 * size ? 0.0 : x); };
  Table table({"body", "mass [kg]", "center of mass [m]", "inertia about it [kg m2]: xx yy zz", "xy xz yz"});
  for (int i = 1; i <= model.bodies(); ++i) {
    const Vec3<double> c = center_of_mass(model, i);
    const Sym3<double> I = central_inertia(model, i);
    const double size = std::abs(I(0, 0)) + std::abs(I(1, 1)) + std::abs(I(2, 2)), length = norm(c);
    table.add({model.body_name(i), number(model.link(i).I.m),
               fmt::format("{} {} {}", tidy(c[0], length), tidy(c[1], length), tidy(c[2], length)),
               fmt::format("{} {} {}", tidy(I(0, 0), size), tidy(I(1, 1), size), tidy(I(2, 2), size)),
               fmt::format("{} {} {}", tidy(I(0, 1), size), tidy(I(0, 2), size), tidy(I(1, 2), size))});
  }
  return "\n" + table.text(2);
}

/// Frames other than those of the bodies themselves.
std::string frame_table(const Model& model) {
  Table table({"frame", "on"});
  for (int i = 1; i < model.frames(); ++i)
    if (const int body = model.frame(i).body; model.body_frame(body) != i)
      table.add({model.frame(i).name, model.body_name(body)});
  return table.rows() > 1 ? "\n" + table.text(2) : "";
}

Json vector(const Vec3<double>& v) { return {v[0], v[1], v[2]}; }

Json inertia_json(const Model& model, int body) {
  const Sym3<double> I = central_inertia(model, body);
  return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
}

Json joint_json(const Model& model, int body) {
  const Link& link = model.link(body);
  Json dofs = Json::array();
  for (int k = 0; k < link.nv; ++k) {
    const DofProperties& d = model.dof(link.v + k);  // JSON has no infinity: null means no limit
    dofs.push_back({{"lower", d.lower},
                    {"upper", d.upper},
                    {"velocity_limit", d.velocity_limit},
                    {"effort_limit", d.effort_limit},
                    {"damping", d.damping},
                    {"friction", d.friction},
                    {"stiffness", d.stiffness},
                    {"armature", d.armature}});
  }
  return {{"joint", model.joint_name(body)},
          {"type", model.joint(body).type_name()},
          {"parent", model.body_name(link.parent)},
          {"child", model.body_name(body)},
          {"q", link.q},
          {"nq", link.nq},
          {"v", link.v},
          {"nv", link.nv},
          {"dofs", dofs}};
}

/// Constraints are counted as loops, couplings and prescribed motions in turn.
std::string name_of_constraint(const Model& model, const Scene& scene, std::size_t i) {
  const std::size_t loops = model.loops().size(), couplings = model.couplings().size();
  if (i < loops) return "loop " + model.loops()[i].name;
  if (i < loops + couplings) return "coupling " + model.couplings()[i - loops].text;
  return scene.constraints[i - loops - couplings]->name();
}

template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> out;
  for (const auto& element : elements) out.push_back(element->name());
  return out;
}

std::vector<std::string> names_of(const Records& records) {
  std::vector<std::string> out;
  for (const RecordedColumns& record : records.layout()) out.push_back(record.name);
  return out;
}

int driven_rows(const Scene& scene) {
  int rows = 0;
  for (const auto& constraint : scene.constraints) rows += constraint->rows();
  return rows;
}

std::vector<std::string> mobility_lines(const Model& model, const Scene& scene, const Mobility& m) {
  std::vector<std::string> out{
      fmt::format("{} of freedom: {} less {}", plural(static_cast<std::size_t>(m.freedoms()), "degree", "degrees"),
                  plural(static_cast<std::size_t>(m.velocities), "velocity", "velocities"),
                  plural(static_cast<std::size_t>(m.rank), "independent constraint", "independent constraints"))};
  if (const int driven = driven_rows(scene); driven > 0)
    out.push_back(fmt::format("{} of the constraints {} prescribed by motions", driven, driven == 1 ? "is" : "are"));
  if (m.redundant_rows() > 0) {
    out.push_back(
        fmt::format("{} of {} constraints are redundant: they repeat others, which may share forces in many ways",
                    m.redundant_rows(), m.rows));
    for (std::size_t i = 0; i < m.redundant.size(); ++i)
      if (m.redundant[i] > 0)
        out.push_back(fmt::format("  {} of {}", m.redundant[i], name_of_constraint(model, scene, i)));
  }
  if (m.is_singular())
    out.push_back(fmt::format("singular here: only {} constraints are independent, {} nearby", m.rank_here, m.rank));
  return out;
}

}  // namespace

std::string describe(const Description& description) {
  const Model& model = description.scene.model;
  const auto& g = model.gravity();
  std::string out = fmt::format("{}: {}, nq = {}, nv = {}, moving mass {} kg, gravity ({}, {}, {})\n", model.name(),
                                plural(static_cast<std::size_t>(model.bodies()), "moving body", "moving bodies"),
                                model.nq(), model.nv(), number(model.total_mass()), g[0], g[1], g[2]);
  if (model.bodies() > 0) out += "\n" + body_table(model);
  out += joint_properties(model);
  if (const std::string limits = data_alone(model); !limits.empty()) out += fmt::format("  ({})\n", limits);
  if (model.bodies() > 0) out += mass_table(model);
  out += frame_table(model);
  const auto list = [&out](const char* heading, const std::vector<std::string>& lines) {
    if (!lines.empty()) out += fmt::format("\n{}\n", heading);
    for (const std::string& line : lines) out += fmt::format("  {}\n", line);
  };
  std::vector<std::string> couplings, loops;
  for (const Coupling& c : model.couplings()) couplings.push_back(c.text);
  for (const LoopJoint& loop : model.loops())
    loops.push_back(fmt::format("{} ({}) between {} and {}", loop.name, loop.type.type_name(),
                                model.body_name(loop.predecessor.body), model.body_name(loop.successor.body)));
  list("couplings:", couplings);
  list("loops:", loops);
  list("prescribed motions:", names_of(description.scene.constraints));
  list("forces:", names_of(description.scene.forces));
  std::vector<std::string> inputs;
  for (const Input& input : description.scene.inputs)
    inputs.push_back(fmt::format("{}: {:g} where nobody writes it{}", input.name, input.value,
                                 std::isfinite(input.limit) ? fmt::format(", within +-{:g}", input.limit) : ""));
  list("inputs:", inputs);
  list("records:", names_of(description.scene.records));
  if (description.mobility) list("mobility:", mobility_lines(model, description.scene, *description.mobility));
  if (const auto& c = description.collision)
    list("collision:", {fmt::format("{} on {}, {} that may touch", plural(c->shapes, "shape", "shapes"),
                                    plural(c->bodies, "body", "bodies"),
                                    plural(static_cast<std::size_t>(c->pairs), "pair of shapes", "pairs of shapes"))});
  if (description.accuracy) list("accuracy at the start:", accuracy_lines(model, *description.accuracy));
  list("assembled (joints moved to close the loops):", description.assembled);
  list("warnings:", description.warnings);
  return out;
}

std::string describe_as_json(const Description& description) {
  const Model& model = description.scene.model;
  Json bodies = Json::array(), joints = Json::array(), frames = Json::array(), couplings = Json::array(),
       loops = Json::array();
  for (int i = 1; i <= model.bodies(); ++i) {
    bodies.push_back({{"name", model.body_name(i)},
                      {"parent", model.body_name(model.link(i).parent)},
                      {"joint", model.joint_name(i)},
                      {"mass", model.link(i).I.m},
                      {"center_of_mass", vector(center_of_mass(model, i))},
                      {"inertia", inertia_json(model, i)}});
    joints.push_back(joint_json(model, i));
  }
  for (int i = 0; i < model.frames(); ++i)
    frames.push_back({{"name", model.frame(i).name}, {"body", model.body_name(model.frame(i).body)}});
  for (const Coupling& c : model.couplings())
    couplings.push_back({{"joint", model.joint_name(c.dependent.body)}, {"text", c.text}});
  for (const LoopJoint& loop : model.loops())
    loops.push_back({{"joint", loop.name},
                     {"type", loop.type.type_name()},
                     {"a", model.body_name(loop.predecessor.body)},
                     {"b", model.body_name(loop.successor.body)}});
  Json inputs = Json::array();
  for (const Input& input : description.scene.inputs) {
    inputs.push_back({{"name", input.name}, {"default", input.value}});
    if (std::isfinite(input.limit)) inputs.back()["limit"] = input.limit;
  }
  Json out{{"name", model.name()},
           {"nq", model.nq()},
           {"nv", model.nv()},
           {"mass", model.total_mass()},
           {"gravity", vector(model.gravity())},
           {"bodies", bodies},
           {"joints", joints},
           {"frames", frames},
           {"couplings", couplings},
           {"loops", loops},
           {"motions", names_of(description.scene.constraints)},
           {"forces", names_of(description.scene.forces)},
           {"records", names_of(description.scene.records)},
           {"inputs", inputs},
           {"shapes", model.shapes().size()},
           {"warnings", description.warnings}};
  if (const auto& c = description.collision)
    out["collision"] = {{"shapes", c->shapes}, {"bodies", c->bodies}, {"pairs", c->pairs}};
  if (description.mobility) {
    const Mobility& m = *description.mobility;
    out["mobility"] = {{"freedoms", m.freedoms()},
                       {"constraints", m.rows},
                       {"independent", m.rank},
                       {"redundant", m.redundant_rows()},
                       {"singular", m.is_singular()}};
    out["assembled"] = description.assembled;
  }
  if (description.accuracy) out["accuracy"] = accuracy_json(model, *description.accuracy);
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cardan::command
