#include "cardan/io/internal/scene_forces.hpp"

#include "cardan/constraints/internal/loop_force.hpp"
#include "cardan/forces/applied_wrench.hpp"
#include "cardan/forces/joint_force.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_lines.hpp"
#include "cardan/io/internal/scene_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace cardan::io {

namespace {

using ReadForce = std::shared_ptr<const Force> (*)(const SceneWords& words, const TomlValue& table);

std::shared_ptr<const Force> read_applied_wrench(const SceneWords& words, const TomlValue& table) {
  const bool is_point = table.find("type").text() == "point";
  allow_keys(table, "force", table.find("type").text());
  const Model& model = words.model();
  const TomlValue at = table.find("at"), axes = table.find("frame"), moment = table.find("moment"),
                  force = table.find("force");
  const int frame = read_moving_frame(model, table.required("body"));
  if (!force && is_point) table.fail("expected the key \"force\", found none");
  if (!force && !moment) table.fail("expected the key \"moment\" or \"force\", found neither");
  std::vector<TomlValue> texts;
  static const TomlNode kZero = [] {
    TomlNode zero;
    zero.kind = TomlNode::Kind::number;
    return zero;
  }();
  static const Source kNowhere{};
  for (const TomlValue& part : {moment, force})
    for (int c = 0; c < 3; ++c)
      texts.push_back(part ? part.items(3, "expressions")[static_cast<std::size_t>(c)]
                           : TomlValue(kZero, kNowhere, ""));
  SignalFunction wrench = words.function(table, texts);
  AppliedWrench out{frame, at ? at.vec3() : Vec3<double>{},
                    axes && axes.one_of(choices("force", "frame", "point")) == "body", std::move(wrench)};
  return make_force(out.on(model));
}

std::shared_ptr<const Force> read_joint_force(const SceneWords& words, const TomlValue& table) {
  allow_keys(table, "force", "joint");
  const TomlValue joint = table.required("joint"), force = table.required("force");
  const JointOrLoop at = read_joint_or_loop(words.model(), joint);
  SignalFunction function = words.function(table, one_each(force, static_cast<std::size_t>(at.velocities)));
  if (at.loop != nullptr) return std::make_shared<const LoopForce>(*at.loop, 0, std::move(function));
  return make_force(JointForce{joint.text(), words.model().link(at.body).v, std::move(function)});
}

struct ForceType {
  const char* name;
  ReadForce read;
};
constexpr ForceType kForceTypes[] = {
    {"point", read_applied_wrench},
    {"wrench", read_applied_wrench},
    {"joint", read_joint_force},
};

/// Gives every force its name, or its type with a number where several have none.
class ForceLabels {
 public:
  std::string of(const TomlValue& table, const std::string& type) {
    std::string label = type;
    if (const TomlValue name = table.find("name")) {
      label = name.name();
      if (taken_.count(label) > 0) name.fail("expected names that differ, found " + in_quotes(label) + " twice");
    }
    for (int& k = last_.try_emplace(type, 1).first->second; taken_.count(label) > 0;)
      label = fmt::format("{}_{}", type, ++k);
    taken_.insert(label);
    return label;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> last_;  // number given, by type
};

}  // namespace

Forces read_forces(const SceneWords& words, const std::vector<TomlValue>& forces) {
  ForceLabels labels;
  Forces out;
  for (const TomlValue& table : forces) {
    const std::string& word = table.required("type").one_of(variant_names("force"));
    const auto known = std::find_if(std::begin(kForceTypes), std::end(kForceTypes),
                                    [&](const auto& type) { return word == type.name; });
    out.push_back(known != std::end(kForceTypes) ? known->read(words, table)
                                                 : read_line_force(words, table, word, labels.of(table, word)));
  }
  return out;
}

}  // namespace cardan::io
