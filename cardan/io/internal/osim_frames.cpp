#include "cardan/io/internal/osim_frames.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

constexpr int kMostOffsets = 100;  // frames on one another
constexpr std::size_t kMostBodies = 100'000;

/// Resolves "..", "." and relative parts of a path against the component it is written in.
std::string absolute(const std::string& path, const std::string& owner) {
  std::vector<std::string> parts;
  const std::string whole = path.starts_with('/') ? path : owner + "/" + path;
  for (std::size_t begin = 0; begin <= whole.size();) {
    const std::size_t end = std::min(whole.find('/', begin), whole.size());
    const std::string part = whole.substr(begin, end - begin);
    if (part == ".." && !parts.empty())
      parts.pop_back();
    else if (!part.empty() && part != "." && part != "..")
      parts.push_back(part);
    begin = end + 1;
  }
  return parts.empty() ? "/" : fmt::format("/{}", fmt::join(parts, "/"));
}

}  // namespace

OsimFrames::OsimFrames(const XmlElement& model) {
  frames_["/ground"] = {model, "world", "", {}};
  std::vector<XmlElement> listed = osim_objects(model, "BodySet");
  for (const XmlElement& part : osim_objects(model, "components"))
    if (part.tag() == "Body") listed.push_back(part);
  for (const XmlElement& own : listed) {
    const XmlElement body = own.owned_by("Body " + in_quotes(osim_name(own)));
    if (body.tag() != "Body") own.fail("expected a <Body>, found <" + printable(own.tag()) + ">");
    const std::string name = body.name("name");
    if (name == "ground") continue;
    if (name == "world") body.fail("name", "expected another name: \"world\" is the fixed frame of reference");
    if (bodies_.size() >= kMostBodies) body.fail("expected fewer bodies, found too many");
    add("/bodyset/" + name, {body, name, "", {}});
    bodies_.push_back(body);
  }
  if (const XmlElement ground = model.child("Ground")) add_offsets(ground, "/ground");
  for (const XmlElement& body : bodies_) add_offsets(body, "/bodyset/" + body.name("name"));
  const std::pair<const char*, const char*> sets[]{{"JointSet", "/jointset/"},
                                                   {"ConstraintSet", "/constraintset/"},
                                                   {"ForceSet", "/forceset/"},
                                                   {"ComponentSet", "/componentset/"},
                                                   {"components", "/"}};
  for (const auto& [set, path] : sets)
    for (const XmlElement& part : osim_objects(model, set)) {
      if (part.tag() == "PhysicalOffsetFrame") continue;
      add_offsets(part, path + osim_name(part));
    }
  if (const XmlElement set = model.child("ComponentSet")) add_offsets(set, "/componentset");
  add_offsets(model, "");
}

void OsimFrames::add(const std::string& path, Frame frame) {
  const XmlElement element = frame.element;
  if (!frames_.emplace(path, std::move(frame)).second)
    element.fail("expected names that differ, found " + in_quotes(osim_last_part(path)) + " twice");
}

void OsimFrames::add_offsets(const XmlElement& owner, const std::string& path) {
  for (const char* list : {"frames", "components", "FrameSet", "objects"})
    for (const XmlElement& frame : osim_objects(owner, list)) {
      if (frame.tag() != "PhysicalOffsetFrame") continue;
      const std::string own = path + "/" + frame.name("name");
      if (frames_.contains(own)) continue;
      const std::string parent = osim_socket(frame, "parent");
      if (parent.empty()) frame.fail("expected a <socket_parent> element, found none");
      add(own, {frame, "", parent, osim_pose(vec3_in(frame, "translation", {}), vec3_in(frame, "orientation", {}))});
      add_offsets(frame, own);
    }
}

/// Looks for the whole path, then for its last part among what the owner has, the bodies and all frames.
const OsimFrames::Frame* OsimFrames::look_up(const std::string& path, const std::string& owner,
                                             std::string& found) const {
  const std::string last = osim_last_part(path);
  for (const std::string& candidate : {absolute(path, owner), owner + "/" + last, "/bodyset/" + last, "/" + last})
    if (const auto it = frames_.find(candidate); it != frames_.end()) {
      found = candidate;
      return &it->second;
    }
  const Frame* out = nullptr;
  for (const auto& [known, frame] : frames_)
    if (osim_last_part(known) == last) {
      if (out != nullptr) return nullptr;  // which of them is not said
      out = &frame;
      found = known;
    }
  return out;
}

OsimPlace OsimFrames::find(const std::string& path, const std::string& owner, const XmlElement& where) const {
  std::string at = path, in = owner, found;
  Pose<double> pose;
  for (int depth = 0; depth < kMostOffsets; ++depth) {
    const Frame* frame = look_up(at, in, found);
    if (frame == nullptr) {
      std::vector<std::string> known{"ground"};
      for (const XmlElement& body : bodies_) known.push_back(body.name("name"));
      for (const auto& [name, other] : frames_) known.push_back(osim_last_part(name));
      const std::string last = osim_last_part(at);
      where.fail(
          fmt::format("expected a body or frame of this model, found {}{}", in_quotes(at), did_you_mean(last, known)));
    }
    if (!frame->body.empty()) return {frame->body, pose};
    pose = frame->pose * pose;
    at = frame->parent;
    in = found;
  }
  where.fail("expected a frame that stands on a body in the end, found a circle of frames at " + in_quotes(path));
}

}  // namespace cardan::io
