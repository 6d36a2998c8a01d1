#include "cardan/io/internal/scene_names.hpp"

#include "cardan/constraints/joint_subspace.hpp"

#include <fmt/format.h>

namespace cardan::io {

std::vector<std::string> joint_names(const Model& model) {
  std::vector<std::string> out;
  for (int i = 1; i <= model.bodies(); ++i) out.push_back(model.joint_name(i));
  return out;
}

int read_frame(const Model& model, const TomlValue& name, const char* what) {
  const int frame = model.find_frame(name.name());
  if (frame >= 0) return frame;
  std::vector<std::string> known;
  for (int i = 0; i < model.frames(); ++i) known.push_back(model.frame(i).name);
  name.fail(fmt::format("expected {} of this scene, found {}{}", what, in_quotes(name.text()),
                        did_you_mean(name.text(), known)));
}

int read_moving_frame(const Model& model, const TomlValue& body) {
  const int frame = read_frame(model, body, "a body");
  if (model.frame(frame).body == 0)
    body.fail(fmt::format("expected a body that moves, found {}, which is fixed", in_quotes(body.text())));
  return frame;
}

JointOrLoop read_joint_or_loop(const Model& model, const TomlValue& joint) {
  if (const int body = model.find_joint(joint.name()); body >= 0) return {body, nullptr, model.link(body).nv};
  for (const LoopJoint& loop : model.loops()) {
    if (loop.name != joint.text()) continue;
    if (loop.type.nv() == 0)
      joint.fail(fmt::format("expected a joint that moves, found {}, a fixed loop", in_quotes(loop.name)));
    if (subspace_dimension(loop.type) < loop.type.nv())
      joint.fail(fmt::format("expected a joint whose coordinates differ, found loop {}, in which several do the same",
                             in_quotes(loop.name)));
    return {-1, &loop, loop.type.nv()};
  }
  std::vector<std::string> names = joint_names(model);
  for (const LoopJoint& loop : model.loops()) names.push_back(loop.name);
  joint.fail(fmt::format("expected a joint that moves{}, found {}{}", model.loops().empty() ? "" : ", or a loop",
                         in_quotes(joint.text()), did_you_mean(joint.text(), names)));
}

int read_moving_joint(const Model& model, const TomlValue& joint) {
  const int body = model.find_joint(joint.name());
  if (body >= 0) return body;
  joint.fail(fmt::format("expected a joint that moves, found {}{}", in_quotes(joint.text()),
                         did_you_mean(joint.text(), joint_names(model))));
}

}  // namespace cardan::io
