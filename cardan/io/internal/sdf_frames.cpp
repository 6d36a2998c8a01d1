#include "cardan/io/internal/sdf_frames.hpp"

#include "cardan/math/so3.hpp"
#include "cardan/model/model_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

constexpr int kDeepest = 2000;

}  // namespace

Pose<double> sdf_pose(const XmlElement& pose) {
  if (!pose || pose.content().empty()) return {};
  const bool is_quaternion = pose.has("rotation_format") && pose.text("rotation_format") == "quat_xyzw";
  if (pose.has("rotation_format") && !is_quaternion && pose.text("rotation_format") != "euler_rpy")
    pose.fail("rotation_format", "expected euler_rpy or quat_xyzw, found " + in_quotes(pose.text("rotation_format")));
  const std::vector<double> x = pose.content_numbers(is_quaternion ? 7 : 6);
  const Vec3<double> p{x[0], x[1], x[2]};
  if (is_quaternion) {
    const Quaternion<double> q{x[6], x[3], x[4], x[5]};
    if (!(dot(q, q) > 1e-28)) pose.fail("expected a quaternion, found one of zero length");
    return {quaternion_to_matrix(quaternion_normalize(q)), p};
  }
  const bool degrees = pose.has("degrees") && (pose.text("degrees") == "true" || pose.text("degrees") == "1");
  const double unit = degrees ? 0.017453292519943295 : 1.0;
  if (x[3] == 0.0 && x[4] == 0.0 && x[5] == 0.0) return {Mat3<double>::identity(), p};
  return {rotation_rpy(unit * x[3], unit * x[4], unit * x[5]), p};
}

SdfFrames::SdfFrames() { frames_["world"] = {}; }

void SdfFrames::add(const std::string& name, Frame frame) {
  if (frames_.contains(name)) frame.element.fail("expected names that differ, found " + in_quotes(name) + " twice");
  frames_[name] = std::move(frame);
}

std::string SdfFrames::resolve(const std::string& name, const SdfScope& scope, const XmlElement& element) const {
  if (name == "__model__" || name.empty()) return scope.model;
  constexpr std::string_view inner = "::__model__";
  const bool is_inner = name.size() > inner.size() && name.ends_with(inner);
  const std::string plain = is_inner ? name.substr(0, name.size() - inner.size()) : name;
  const std::string full = scope.prefix + plain;
  if (name == "world" && !frames_.contains(full)) return "world";
  if (printable(full) != full) element.fail("expected a name without control characters, found " + in_quotes(name));
  return full;
}

void SdfFrames::require(const std::string& full_name, const std::string& name, const SdfScope& scope,
                        const XmlElement& element) const {
  if (has(full_name)) return;
  std::vector<std::string> known;
  for (const auto& [other, frame] : frames_)
    if (other.starts_with(scope.prefix)) known.push_back(other.substr(scope.prefix.size()));
  element.fail(fmt::format("expected a link, joint, frame or model in this scope, found {}{}", in_quotes(name),
                           did_you_mean(name, known)));
}

const SdfFrames::Frame& SdfFrames::at(const std::string& name) const { return frames_.at(name); }

Pose<double> SdfFrames::raw(const std::string& name, int depth) const {
  const Frame& frame = at(name);
  if (frame.placement.empty()) return frame.pose;
  return frame.pose * inverse(in(frame.placement, name, depth + 1));
}

Pose<double> SdfFrames::in(const std::string& name, const std::string& ancestor, int depth) const {
  std::vector<std::string> chain;
  for (std::string one = name; one != ancestor; one = at(one).relative_to) {
    if (one == "world" || static_cast<int>(chain.size()) > kDeepest || depth > 50)
      (at(name).element ? at(name) : at(ancestor))
          .element.fail("expected poses that depend on one another without a circle, found one");
    chain.push_back(one);
  }
  Pose<double> out;
  for (auto one = chain.rbegin(); one != chain.rend(); ++one)
    out = one == chain.rbegin() ? raw(*one, depth) : out * raw(*one, depth);
  return out;
}

std::vector<std::string> SdfFrames::ancestors(const std::string& name) const {
  std::vector<std::string> out{name};
  while (out.back() != "world") {
    if (static_cast<int>(out.size()) > kDeepest)
      at(name).element.fail("expected poses that depend on one another without a circle, found one");
    out.push_back(at(out.back()).relative_to);
  }
  return out;
}

Pose<double> SdfFrames::between(const std::string& a, const std::string& b) const {
  if (a == b) return {};
  const std::vector<std::string> of_a = ancestors(a), of_b = ancestors(b);
  const auto common = std::find_first_of(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
  if (*common == a) return in(b, a, 0);
  if (*common == b) return inverse(in(a, b, 0));
  return inverse(in(a, *common, 0)) * in(b, *common, 0);
}

std::string SdfFrames::body_of(const std::string& name) const {
  std::string one = name;
  for (int depth = 0; !at(one).attached_to.empty(); ++depth) {
    if (depth > kDeepest) at(name).element.fail("expected frames attached to a link, found a circle");
    one = at(one).attached_to;
  }
  return at(one).is_model ? "world" : one;  // a model without links
}

}  // namespace cardan::io
