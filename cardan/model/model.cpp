#include "cardan/model/model.hpp"

#include "cardan/joints/internal/coordinate_names.hpp"
#include "cardan/text/internal/nearest_name.hpp"

#include <atomic>

namespace cardan {

namespace {

int find_in(const std::map<std::string, int>& index, const std::string& name) {
  const auto it = index.find(name);
  return it == index.end() ? -1 : it->second;
}

[[noreturn]] void refuse_name(const char* what, const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  throw std::out_of_range(std::string("model: unknown ") + what + " \"" + name + "\"" +
                          (near.empty() ? "" : ": did you mean \"" + near + "\"?"));
}

}  // namespace

std::vector<std::string> Model::coordinate_names(int body, bool of_velocities) const {
  const std::vector<std::string>& given = data_->coordinate_names[body];
  return given.empty() ? cardan::coordinate_names(joint(body), of_velocities) : given;
}

int ModelData::find_joint(const std::string& joint) const { return find_in(joint_index, joint); }

std::uint64_t ModelData::next_identity() {
  static std::atomic<std::uint64_t> next{0};
  return ++next;
}

Model::Model() {
  static const auto empty = std::make_shared<const ModelData>();
  data_ = empty;
}

Model::Model(ModelData data) : data_(std::make_shared<const ModelData>(std::move(data))) {}

int Model::find_frame(const std::string& frame_name) const {
  const int frame = find_in(data_->frame_index, frame_name);
  return frame >= 0 ? frame : find_in(data_->joint_frame, frame_name);
}

int Model::frame_named(const std::string& frame_name) const {
  if (const int frame = find_frame(frame_name); frame >= 0) return frame;
  std::vector<std::string> known;
  for (const Frame& frame : data_->frames) known.push_back(frame.name);
  refuse_name("frame", frame_name, known);
}

int Model::joint_named(const std::string& joint) const {
  if (const int body = find_joint(joint); body >= 0) return body;
  refuse_name("joint", joint, {data_->joint_names.begin() + 1, data_->joint_names.end()});
}

int Model::common_ancestor(int a, int b) const {
  const auto carries_b = [&](int i) { return i == 0 || (i <= b && b < subtree_end(i)); };
  while (!carries_b(a)) a = carries_b(data_->far_above[a]) ? link(a).parent : data_->far_above[a];
  return a;
}

double Model::total_mass() const {
  double mass = 0.0;
  for (int i = 1; i <= bodies(); ++i) mass += link(i).I.m;
  return mass;
}

std::vector<double> Model::neutral() const {
  std::vector<double> q(static_cast<std::size_t>(nq()));
  for (int i = 1; i <= bodies(); ++i) joint(i).neutral(q.data() + link(i).q);
  return q;
}

}  // namespace cardan
