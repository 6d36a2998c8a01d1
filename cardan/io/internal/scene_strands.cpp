#include "cardan/io/internal/scene_strands.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/forces/spring.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/model/model_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

constexpr double kMostNodes = 2000.0;

/// An end of a strand: held by a body, or free where it starts.
struct StrandEnd {
  std::string body{};  // empty: free
  Vec3<double> at;     // in the body, or in the world
  bool is_given = false;
};

struct StrandTable {
  std::string name;
  int nodes = 0;
  double mass = 0.0, stiffness = 0.0, damping = 0.0;
  std::optional<double> rest_length;  // of each segment
  bool tension_only = false;
  StrandEnd from, to;

  std::string node(int k) const { return fmt::format("{}.{}", name, k); }
  bool is_held(int k) const { return (k == 0 && !from.body.empty()) || (k == nodes - 1 && !to.body.empty()); }
};

StrandEnd read_strand_end(const TomlValue& table, const char* key) {
  StrandEnd out;
  const TomlValue end = table.find(key);
  if (!end) return out;
  allow_keys(end, "strand.end");
  out.is_given = true;
  if (const TomlValue body = end.find("body")) out.body = body.name();
  const TomlValue at = end.find("at");
  if (!at && out.body.empty()) end.fail("expected the key \"body\" or \"at\", found neither");
  if (at) out.at = at.vec3();
  return out;
}

int read_count(const TomlValue& value, double least) {
  const double n = value.number();
  if (n != std::floor(n) || n < least || n > kMostNodes)
    value.fail(fmt::format("expected a whole number from {} to {}, found {}", least, kMostNodes, value.kind()));
  return static_cast<int>(n);
}

StrandTable read_strand(const TomlValue& table, std::size_t index) {
  allow_keys(table, "strand");
  StrandTable out;
  const TomlValue name = table.find("name"), rest = table.find("rest_length"), damping = table.find("damping"),
                  tension_only = table.find("tension_only");
  out.name = name ? name.name() : (index == 0 ? "strand" : fmt::format("strand_{}", index + 1));
  out.nodes = read_count(table.required("nodes"), 2);
  out.mass = table.required("mass").positive();
  out.stiffness = table.required("stiffness").positive();
  if (rest) out.rest_length = rest.positive();
  if (damping) {
    out.damping = damping.number();
    if (out.damping < 0.0) damping.fail(fmt::format("expected a number not below 0, found {}", damping.kind()));
  }
  out.tension_only = tension_only && tension_only.truth();
  table.required("from");
  out.from = read_strand_end(table, "from");
  out.to = read_strand_end(table, "to");
  if (!out.to.is_given && !rest)
    table.fail("expected the key \"to\", or \"rest_length\" of a strand that hangs from one end, found neither");
  return out;
}

void require_body(const TomlValue& table, const char* key, const std::string& body,
                  const std::set<std::string>& names) {
  if (!body.empty() && names.count(body) == 0)
    table.find(key).find("body").fail(fmt::format("expected a body of this scene, found {}{}", in_quotes(body),
                                                  did_you_mean(body, {names.begin(), names.end()})));
}

}  // namespace

void add_strand_nodes(ModelBuilder& builder, const std::vector<TomlValue>& strands, std::set<std::string>& names) {
  for (std::size_t i = 0; i < strands.size(); ++i) {
    const StrandTable strand = read_strand(strands[i], i);
    require_body(strands[i], "from", strand.from.body, names);
    require_body(strands[i], "to", strand.to.body, names);
    for (int k = 0; k < strand.nodes; ++k) {
      const std::string name = strand.node(k);
      if (!names.insert(name).second)
        strands[i].fail(fmt::format("expected names that differ, found {} twice", in_quotes(name)));
      builder.body(BodySpec{name, {strand.mass / strand.nodes, {}, {}}, {}, strands[i].where()});
      const StrandEnd& end = k == 0 ? strand.from : strand.to;
      JointSpec joint;
      joint.name = name;
      joint.successor = name;
      joint.type = Translational{};
      joint.where = strands[i].where();
      if (strand.is_held(k)) {
        joint.predecessor = end.body;
        joint.type = Fixed{};
        joint.at.p = end.at;
      }
      builder.joint(std::move(joint));
    }
  }
}

void place_strands(Scene& scene, const std::vector<TomlValue>& strands) {
  if (strands.empty()) return;
  const Model& model = scene.model;
  StateKinematics kinematics(model);
  for (std::size_t i = 0; i < strands.size(); ++i) {
    const StrandTable strand = read_strand(strands[i], i);
    const Instant at = kinematics.at(0.0, scene.initial.q, scene.initial.v);
    const auto place = [&](int k, const StrandEnd& end) {
      if (end.body.empty()) return end.at;
      return frame_pose(model, at.bodies, model.find_frame(strand.node(k))).p;
    };
    const Vec3<double> first = place(0, strand.from);
    Vec3<double> last = place(strand.nodes - 1, strand.to);
    if (!strand.to.is_given) {  // hangs along gravity
      const double g = norm(model.gravity());
      const Vec3<double> down = g > 0.0 ? (1.0 / g) * model.gravity() : Vec3<double>{0.0, 0.0, -1.0};
      last = first + (strand.nodes - 1) * *strand.rest_length * down;
    }
    const double initial = norm(last - first) / (strand.nodes - 1), rest = strand.rest_length.value_or(initial);
    if (!(rest > 0.0)) strands[i].fail("expected a rest length, or ends that are apart, found ends that coincide");
    for (int k = 0; k < strand.nodes; ++k) {
      if (strand.is_held(k)) continue;
      const Vec3<double> x = first + (k / (strand.nodes - 1.0)) * (last - first);
      const int q = model.link(model.find_joint(strand.node(k))).q;
      for (int c = 0; c < 3; ++c) scene.initial.q[static_cast<std::size_t>(q + c)] = x[c];
    }
    // energy K/2 ((l - L)/L)^2 of a segment (2.85)
    const ElasticLine::Parameters spring{strand.stiffness / (rest * rest), strand.damping, rest, 0.0};
    for (int k = 1; k < strand.nodes; ++k) {
      const auto point = [&](int node) {
        const Frame& frame = model.frame(model.find_frame(strand.node(node)));
        return PathPoint{frame.body, frame.X.r};
      };
      const std::string label = strand.node(k);
      if (find_line(scene.forces, label))
        strands[i].fail(fmt::format("expected names that differ, found {} twice", in_quotes(label)));
      scene.forces.push_back(std::make_shared<const ElasticLine>(
          strand.tension_only ? ElasticLine::Kind::cable : ElasticLine::Kind::spring, label,
          Path(std::vector<PathPoint>{point(k - 1), point(k)}), spring));
    }
  }
}

}  // namespace cardan::io
