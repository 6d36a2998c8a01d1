#include "cardan/model/model.hpp"

#include <atomic>

namespace cardan {

namespace {
int find_in(const std::map<std::string, int>& index, const std::string& name) {
  const auto it = index.find(name);
  return it == index.end() ? -1 : it->second;
}
}  // namespace

int Model::find_frame(const std::string& frame_name) const {
  const int frame = find_in(frame_index_, frame_name);
  return frame >= 0 ? frame : find_in(joint_frame_, frame_name);
}

int Model::find_joint(const std::string& joint) const { return find_in(joint_index_, joint); }

std::uint64_t Model::next_identity() {
  static std::atomic<std::uint64_t> next{0};
  return ++next;
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
