#include "cardan/io/internal/sdf_models.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

constexpr int kDeepestModel = 50;

}  // namespace

std::string SdfModels::refer(const std::string& name, const SdfScope& scope, const XmlElement& element) {
  std::string full = frames_.resolve(name, scope, element);
  references_.push_back({full, name, scope, element});
  return full;
}

void SdfModels::check_references() const {
  for (const Reference& r : references_) {
    // "world" may be a link of the model that was declared after the text
    if (r.full == "world" || r.full == r.scope.model) continue;
    frames_.require(r.full, r.name, r.scope, r.element);
  }
}

void SdfModels::read() {
  const SdfFile& file = files_.main();
  check_children(file.root, "world model", "actor light", left_out_);
  const std::vector<XmlElement> worlds = file.root.children("world");
  SdfScope scope{"", "world", file.folder, file.version, false};
  if (!worlds.empty()) {
    world_ = worlds.front();
    name_ = world_.has("name") ? world_.name("name") : "world";
    if (worlds.size() > 1) left_out_.add("world (all but the first)");
    read_contents(world_.owned_by("world " + in_quotes(name_)), scope);
  }
  for (const XmlElement& model : file.root.children("model")) read_model(model, scope, {});
  if (worlds.empty() && file.root.children("model").empty())
    file.root.fail("expected a <world> or a <model>, found none");
  check_references();
}

void SdfModels::declare(const SdfPart& part, const XmlElement& pose, const std::string& otherwise,
                        const SdfScope& scope, SdfFrames::Frame frame) {
  frame.element = part.element;
  frame.pose = sdf_pose(pose);
  frame.relative_to = otherwise;
  for (const char* attribute : {"relative_to", "frame"})  // `frame` up to version 1.6
    if (pose && pose.has(attribute) && !pose.text(attribute).empty())
      frame.relative_to = refer(pose.text(attribute), scope, pose);
  if (frame.relative_to == part.name) part.element.fail("expected a pose in another frame, found one in itself");
  frames_.add(part.name, std::move(frame));
}

void SdfModels::read_contents(const XmlElement& element, const SdfScope& scope) {
  if (element.tag() == "world") {
    check_children(element, "model include frame joint gravity physics pose",
                   "audio wind magnetic_field atmosphere gui scene light actor plugin road spherical_coordinates state "
                   "population",
                   left_out_);
  } else {
    check_children(element, "link joint model include frame pose static self_collide allow_auto_disable",
                   "plugin gripper enable_wind", left_out_);
    if (truth_in(element, "self_collide", false)) left_out_.add("self_collide");
  }
  for (const XmlElement& child : element.children()) {
    const std::string tag = child.tag();
    if (tag == "link") read_link(child, scope);
    if (tag == "joint") read_joint(child, scope);
    if (tag == "frame") read_frame(child, scope);
    if (tag == "model") read_model(child, scope, {});
    if (tag == "include") read_include(child, scope);
  }
}

void SdfModels::read_model(const XmlElement& element, const SdfScope& around, const Instead& instead) {
  if (++depth_ > kDeepestModel) element.fail("expected models that do not include one another, found a circle");
  const std::string own = instead.name.empty() ? element.name("name") : instead.name;
  const XmlElement model = element.owned_by("model " + in_quotes(own));
  if (name_.empty()) name_ = own;
  check_attributes(model, "name canonical_link placement_frame", left_out_);
  SdfScope scope = around;
  scope.prefix = around.prefix + own + "::";
  scope.model = around.prefix + own;
  scope.is_static = around.is_static || instead.is_static || truth_in(model, "static", false);
  SdfFrames::Frame frame;
  frame.is_model = true;
  std::string placement = instead.placement;
  if (placement.empty() && model.has("placement_frame")) placement = model.text("placement_frame");
  if (!placement.empty()) frame.placement = refer(placement, scope, model);
  // the pose of an included model is one of the file that includes it
  declare({model, scope.model, scope}, instead.pose ? instead.pose : model.child("pose"), around.model, around,
          std::move(frame));
  const std::size_t first = links_.size();
  read_contents(model, scope);
  if (model.has("canonical_link") && !model.text("canonical_link").empty())
    frames_.attach(scope.model, refer(model.text("canonical_link"), scope, model));
  else if (links_.size() > first)
    frames_.attach(scope.model, links_[first].name);
  --depth_;
}

void SdfModels::read_include(const XmlElement& include, const SdfScope& around) {
  check_children(include, "uri name pose static placement_frame", "plugin model_state namespace", left_out_);
  const XmlElement uri = include.required_child("uri");
  const std::optional<SdfFile> file = files_.included(uri, around.folder);
  if (!file) {
    if (uri.content() == "model://sun") return left_out_.add("sun");
    uri.fail("expected a model in the folders above this file or of GZ_SIM_RESOURCE_PATH, found none: " +
             in_quotes(uri.content()));
  }
  const XmlElement model = file->root.child("model");
  if (!model) {
    if (file->root.child("light")) return left_out_.add("light");
    uri.fail("expected a file with a <model>, found none in it");
  }
  SdfScope scope = around;
  scope.folder = file->folder;
  scope.version = file->version;
  Instead instead{text_in(include, "name"), include.child("pose"), text_in(include, "placement_frame"),
                  truth_in(include, "static", false)};
  if (include.has("merge") && (include.text("merge") == "true" || include.text("merge") == "1")) {
    // its contents become those of this model, in a frame that stands for the other's
    if (++depth_ > kDeepestModel) include.fail("expected models that do not include one another, found a circle");
    const std::string own = instead.name.empty() ? model.name("name") : instead.name;
    scope.model = fmt::format("{}_merged__{}__model__", around.prefix, own);
    SdfFrames::Frame frame;
    frame.attached_to = around.model;
    if (instead.placement.empty() && model.has("placement_frame")) instead.placement = model.text("placement_frame");
    if (!instead.placement.empty()) frame.placement = refer(instead.placement, scope, include);
    declare({include, scope.model, scope}, instead.pose ? instead.pose : model.child("pose"), around.model, around,
            std::move(frame));
    scope.is_static = around.is_static || instead.is_static || truth_in(model, "static", false);
    read_contents(model, scope);
    --depth_;
    return;
  }
  read_model(model, scope, instead);
}

void SdfModels::read_link(const XmlElement& element, const SdfScope& scope) {
  const std::string own = element.name("name");
  const XmlElement link = element.owned_by("link " + in_quotes(own));
  check_attributes(link, "name", left_out_);
  check_children(link, "pose inertial visual collision gravity kinematic must_be_base_link self_collide",
                 "sensor projector audio_sink audio_source battery light particle_emitter velocity_decay enable_wind "
                 "plugin",
                 left_out_);
  links_.push_back({link, scope.prefix + own, scope});
  declare(links_.back(), link.child("pose"), scope.model, scope, {});
}

void SdfModels::read_joint(const XmlElement& element, const SdfScope& scope) {
  const std::string own = element.name("name");
  const XmlElement joint = element.owned_by("joint " + in_quotes(own));
  check_attributes(joint, "name type", left_out_);
  check_children(joint,
                 "parent child pose axis axis2 gearbox_ratio gearbox_reference_body thread_pitch screw_thread_pitch "
                 "drake:rotor_inertia drake:gear_ratio",
                 "sensor physics plugin", left_out_);
  joints_.push_back({joint, scope.prefix + own, scope});
  const XmlElement child = joint.required_child("child"), parent = joint.required_child("parent");
  refer(parent.content_name(), scope, parent);
  SdfFrames::Frame frame;
  frame.attached_to = refer(child.content_name(), scope, child);
  // old files may call a link and a joint by one name: nothing can mean the joint's frame then
  SdfPart& part = joints_.back();
  while (scope.version < 1.07 && frames_.has(part.name)) part.name += "_joint";
  const std::string otherwise = frame.attached_to;
  declare(part, joint.child("pose"), otherwise, scope, std::move(frame));
}

void SdfModels::read_frame(const XmlElement& element, const SdfScope& scope) {
  const std::string own = element.name("name");
  const XmlElement frame = element.owned_by("frame " + in_quotes(own));
  check_attributes(frame, "name attached_to", left_out_);
  check_children(frame, "pose", "", left_out_);
  SdfFrames::Frame out;
  out.attached_to = frame.has("attached_to") ? refer(frame.text("attached_to"), scope, frame) : scope.model;
  own_frames_.push_back({frame, scope.prefix + own, scope});
  const std::string otherwise = out.attached_to;
  declare(own_frames_.back(), frame.child("pose"), otherwise, scope, std::move(out));
}

}  // namespace cardan::io
