#include "cardan/view/page_data.hpp"

#include "cardan/math/so3.hpp"
#include "cardan/view/internal/base64.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace cardan::view {

namespace {

using PageJson = nlohmann::ordered_json;

PageJson three(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }

/// Position, then quaternion (w, x, y, z).
PageJson place(const Pose<double>& pose) {
  const Quaternion<double> turn = quaternion_from_matrix(pose.R);
  return {pose.p[0], pose.p[1], pose.p[2], turn[0], turn[1], turn[2], turn[3]};
}

Pose<double> pose_of(const Transform<double>& X) { return {transpose(X.E), X.r}; }

/// Converts a pose in a body's internal frame to one in the frame that its user sees.
Pose<double> in_body(const Model& model, int body, const Pose<double>& internal) {
  return inverse(pose_of(model.frame(model.body_frame(body)).X)) * internal;
}

PageJson point(const Model& model, int body, const Vec3<double>& internal) {
  return {{"body", body}, {"at", three(in_body(model, body, {Mat3<double>::identity(), internal}).p)}};
}

Vec3<double> center_of_mass(const Model& model, int body) {
  const auto& I = model.link(body).I;
  if (I.m == 0.0) return {};
  return in_body(model, body, {Mat3<double>::identity(), (1.0 / I.m) * I.h}).p;
}

/// Lines about which or along which the joint moves, in the frame of the body that it moves, where they stay there.
PageJson joint_axes(const Model& model, const Kinematics<double>& kinematics, int body) {
  const Joint& joint = model.joint(body);
  const bool stays = std::holds_alternative<Revolute>(joint.type) || std::holds_alternative<Prismatic>(joint.type) ||
                     std::holds_alternative<Helical>(joint.type) || std::holds_alternative<Cylindrical>(joint.type);
  PageJson out = PageJson::array();
  if (!stays) return out;
  const Link& link = model.link(body);
  const MotionVector<double> S = model.frame(model.body_frame(body)).X * kinematics.S[static_cast<std::size_t>(link.v)];
  const double turns = dot(S.angular, S.angular);
  const Vec3<double> direction = turns > 0.0 ? S.angular : S.linear;
  const Vec3<double> through = turns > 0.0 ? (1.0 / turns) * cross(S.angular, S.linear) : Vec3<double>{};
  out.push_back({{"kind", turns > 0.0 ? "turn" : "slide"},
                 {"at", three(through)},
                 {"direction", three((1.0 / norm(direction)) * direction)}});
  return out;
}

PageJson number_or_null(double x) { return std::isfinite(x) ? PageJson(x) : PageJson(nullptr); }

PageJson joint_json(const Model& model, const Kinematics<double>& kinematics, int body) {
  const Link& link = model.link(body);
  const Joint& joint = model.joint(body);
  PageJson limits = PageJson::array();
  for (int k = 0; k < link.nv; ++k) {
    const DofProperties& dof = model.dof(link.v + k);
    limits.push_back({number_or_null(dof.lower), number_or_null(dof.upper)});
  }
  return {{"name", model.joint_name(body)},
          {"type", joint.type_name()},
          {"q", link.q},
          {"nq", link.nq},
          {"v", link.v},
          {"nv", link.nv},
          {"units", coordinate_units(joint, false)},
          {"limits", limits},
          {"flat", joint.is_flat()},
          {"axes", joint_axes(model, kinematics, body)}};
}

PageJson bodies_json(const Model& model, const Kinematics<double>& kinematics) {
  PageJson out = PageJson::array();
  for (int body = 1; body <= model.bodies(); ++body)
    out.push_back({{"name", model.body_name(body)},
                   {"parent", model.link(body).parent},
                   {"mass", model.link(body).I.m},
                   {"com", three(center_of_mass(model, body))},
                   {"joint", joint_json(model, kinematics, body)}});
  return out;
}

/// Frames that carry a name of their own beside the bodies'.
PageJson frames_json(const Model& model) {
  PageJson out = PageJson::array();
  for (int i = 1; i < model.frames(); ++i) {
    const Frame& frame = model.frame(i);
    if (model.body_frame(frame.body) == i) continue;
    out.push_back(
        {{"name", frame.name}, {"body", frame.body}, {"at", place(in_body(model, frame.body, pose_of(frame.X)))}});
  }
  return out;
}

PageJson mesh_json(const Mesh& mesh) {
  std::vector<double> vertices;
  for (const Vec3<double>& vertex : mesh.vertices) vertices.insert(vertices.end(), {vertex[0], vertex[1], vertex[2]});
  std::string triangles;
  for (const auto& triangle : mesh.triangles)
    for (const std::int32_t index : triangle) {
      char bytes[sizeof index];
      std::memcpy(bytes, &index, sizeof index);
      triangles.append(bytes, sizeof index);
    }
  return {{"vertices", base64(vertices, true)}, {"triangles", base64(triangles)}};
}

struct ShapeSize {
  const char* kind;
  std::vector<double> size;
};
ShapeSize size_of(const Box& s) { return {"box", {s.x, s.y, s.z}}; }
ShapeSize size_of(const Sphere& s) { return {"sphere", {s.radius}}; }
ShapeSize size_of(const Cylinder& s) { return {"cylinder", {s.radius, s.length}}; }
ShapeSize size_of(const Capsule& s) { return {"capsule", {s.radius, s.length}}; }
ShapeSize size_of(const Ellipsoid& s) { return {"ellipsoid", {s.x, s.y, s.z}}; }
ShapeSize size_of(const Torus& s) { return {"torus", {s.major, s.minor}}; }
ShapeSize size_of(const Mesh&) { return {"mesh", {}}; }

/// Shapes, and beside them the meshes that they refer to by number; surfaces that lines are wrapped over are shapes,
/// too.
class ShapeList {
 public:
  explicit ShapeList(const Model& model) : model_(model) {}

  void add(const Frame& frame, const ShapeInstance& shape, bool is_wrap) {
    const ShapeSize size = std::visit([](const auto& s) { return size_of(s); }, shape.shape);
    PageJson entry{{"body", frame.body},      {"kind", size.kind},
                   {"size", size.size},       {"at", place(in_body(model_, frame.body, pose_of(frame.X)) * shape.at)},
                   {"color", shape.color},    {"visual", shape.visual},
                   {"collide", shape.collide}};
    if (is_wrap) entry["wrap"] = true;
    if (const Mesh* mesh = std::get_if<Mesh>(&shape.shape)) {
      if (mesh->triangles.empty()) return;  // a file that could not be read; a warning says so
      entry["mesh"] = meshes_.size();
      meshes_.push_back(mesh_json(*mesh));
    }
    shapes_.push_back(std::move(entry));
  }
  void write(PageJson& out) {
    out["shapes"] = std::move(shapes_);
    out["meshes"] = std::move(meshes_);
  }

 private:
  const Model& model_;
  PageJson shapes_ = PageJson::array(), meshes_ = PageJson::array();
};

void add_shapes(const Model& model, const Snapshots& snapshots, PageJson& out) {
  ShapeList list(model);
  for (const FrameShape& carried : model.shapes()) list.add(model.frame(carried.frame), carried.shape, false);
  std::vector<const WrapSurface*> drawn;  // several lines may share one
  for (const LineElement& line : snapshots.lines()) {
    if (!line.path) continue;
    for (const PathWrap& wrap : line.path->wraps()) {
      if (std::find(drawn.begin(), drawn.end(), wrap.surface.get()) != drawn.end()) continue;
      drawn.push_back(wrap.surface.get());
      ShapeInstance shape;
      shape.shape = wrap.surface->shape();
      shape.color = "#8899aa";
      shape.visual = true;
      shape.collide = false;
      list.add({"", wrap.body, wrap.X}, shape, true);
    }
  }
  list.write(out);
}

PageJson lines_json(const Model& model, const Snapshots& snapshots) {
  PageJson out = PageJson::array();
  std::size_t column = snapshots.columns().size() - snapshots.lines().size();  // tensions are the last columns
  std::size_t traced = 0;                                                      // points of the lines before
  for (const LineElement& line : snapshots.lines()) {
    PageJson points = PageJson::array();
    for (const LinePoint& p : line.points) points.push_back(point(model, p.body, p.at));
    PageJson entry{{"name", line.name}, {"kind", line.kind}, {"points", points}, {"tension", column++}};
    if (line.path) {
      entry["traced"] = {traced, line.path->traced_points()};
      traced += line.path->traced_points();
    }
    out.push_back(std::move(entry));
  }
  return out;
}

/// The axis of a pin in the frame of body a, where the loop is closed by one.
std::optional<Vec3<double>> pin_axis(const Model& model, const LoopJoint& loop) {
  const auto* hinge = std::get_if<Revolute>(&loop.type.type);
  if (hinge == nullptr) return std::nullopt;
  const Pose<double> at = in_body(model, loop.predecessor.body, pose_of(loop.predecessor.X));
  return at.R * hinge->axis;
}

PageJson loops_json(const Model& model) {
  PageJson out = PageJson::array();
  for (const LoopJoint& loop : model.loops()) {
    out.push_back({{"name", loop.name},
                   {"type", loop.type.type_name()},
                   {"a", point(model, loop.predecessor.body, loop.predecessor.X.r)},
                   {"b", point(model, loop.successor.body, loop.successor.X.r)}});
    if (const auto axis = pin_axis(model, loop)) out.back()["axis"] = three(*axis);
  }
  return out;
}

PageJson view_json(const SceneView& view) {
  PageJson out = PageJson::object();
  if (view.from) out["from"] = three(*view.from);
  if (view.follow != 0) out["follow"] = view.follow;
  if (!view.plots.empty()) out["plots"] = view.plots;
  if (!view.hide.empty()) out["hide"] = view.hide;
  if (!view.description.empty()) out["description"] = view.description;
  return out;
}

PageJson columns_json(const Snapshots& snapshots) {
  PageJson out = PageJson::array();
  for (const Column& column : snapshots.columns())
    out.push_back({{"name", column.name},
                   {"unit", column.unit},
                   {"kind", column.kind},
                   {"plot", column.plot},
                   {"label", column.label},
                   {"body", column.body}});
  return out;
}

std::string text_of(const PageJson& json) { return json.dump(-1, ' ', false, PageJson::error_handler_t::replace); }

/// {"type": "f4" | "f8", "data": base64}.
PageJson array(std::span<const double> numbers, bool single) {
  return {{"type", single ? "f4" : "f8"}, {"data", base64(numbers, single)}};
}

}  // namespace

std::string mechanism_json(const Scene& scene, const Snapshots& snapshots) {
  const Model& model = scene.model;
  StateKinematics kinematics(model);
  kinematics.at(0.0, scene.initial.q, scene.initial.v);
  PageJson out;
  out["name"] = model.name();
  out["gravity"] = three(model.gravity());
  out["duration"] = scene.settings.duration;
  if (const auto& ground = scene.contact.ground; ground && !ground->height_field)
    out["ground"] = {{"normal", three(ground->normal)}, {"height", ground->height}};
  out["bodies"] = bodies_json(model, kinematics.kinematics());
  out["frames"] = frames_json(model);
  add_shapes(model, snapshots, out);
  out["lines"] = lines_json(model, snapshots);
  out["loops"] = loops_json(model);
  out["columns"] = columns_json(snapshots);
  out["view"] = view_json(scene.view);
  return text_of(out);
}

std::string health_json(const std::vector<std::string>& said, bool good) {
  return text_of({{"said", said}, {"good", good}});
}

RunData run_json(const Trajectory& run, Snapshots& snapshots, const ContactArrows* contacts) {
  RunData out;
  if (run.size() > kMostFrames) out.every = (run.size() + kMostFrames - 1) / kMostFrames;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < run.size(); row += out.every) rows.push_back(row);
  if (!rows.empty() && rows.back() + 1 != run.size()) rows.push_back(run.size() - 1);

  const std::size_t columns = snapshots.columns().size();
  std::vector<double> times, positions, rotations, values(columns * rows.size()), traced, counts, arrows;
  double farthest = 0.0;
  State state(run.model());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t row = rows[i];
    state.q.assign(run.q(row).begin(), run.q(row).end());
    state.v.assign(run.v(row).begin(), run.v(row).end());
    state.z.assign(run.z(row).begin(), run.z(row).end());
    snapshots.evaluate(run.times()[row], state, run.energies()[row], run.recorded(row));
    times.push_back(run.times()[row]);
    positions.insert(positions.end(), snapshots.positions().begin(), snapshots.positions().end());
    rotations.insert(rotations.end(), snapshots.rotations().begin(), snapshots.rotations().end());
    for (std::size_t k = 0; k < columns; ++k) values[k * rows.size() + i] = snapshots.values()[k];
    for (const Vec3<double>& x : snapshots.traced()) traced.insert(traced.end(), {x[0], x[1], x[2]});
    if (contacts == nullptr || row >= contacts->frames()) continue;
    const std::span<const float> numbers = contacts->frame(row);
    counts.push_back(static_cast<double>(numbers.size() / ContactArrows::kNumbers));
    arrows.insert(arrows.end(), numbers.begin(), numbers.end());
  }
  for (const double x : positions) farthest = std::max(farthest, std::abs(x));
  constexpr double kSingleReach = 8.0;  // m: up to here floats keep positions to 0.25 micrometers
  PageJson json{{"frames", rows.size()},
                {"times", array(times, false)},
                {"positions", array(positions, farthest < kSingleReach)},
                {"rotations", array(rotations, true)},
                {"values", array(values, true)}};
  if (!traced.empty()) json["traced"] = array(traced, true);
  if (!arrows.empty()) json["contacts"] = {{"counts", array(counts, true)}, {"arrows", array(arrows, true)}};
  out.json = text_of(json);
  return out;
}

}  // namespace cardan::view
