// What follows from a finished tree: who carries whom, where values wait at branches, which joints move nothing.
#include "cardan/model/internal/model_assembly.hpp"
#include "cardan/spatial/newton_euler_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

void ModelAssembly::finish_connectivity() {
  const int n = out_.bodies();
  const auto size = static_cast<std::size_t>(n) + 1;
  out_.subtree_end.assign(size, n + 1);
  out_.dofs_end.assign(size, 0);
  out_.depth.assign(size, 0);
  std::vector<int> slot(size, -1);
  for (int i = n; i >= 1; --i) {
    Link& link = out_.links[i];
    link.chained = link.parent == i - 1 && i > 1;
    if (link.chained || link.parent == 0) continue;
    int& parent_slot = slot[static_cast<std::size_t>(link.parent)];
    link.first_into_branch = parent_slot < 0;
    if (parent_slot < 0) parent_slot = out_.branches++;
    link.branch = parent_slot;
  }
  for (int i = 1; i <= n; ++i) {
    out_.links[i].store = slot[static_cast<std::size_t>(i)];
    out_.depth[i] = out_.depth[out_.links[i].parent] + 1;
    out_.mean_depth += static_cast<double>(out_.depth[i]) / n;
  }
  // jumps whose lengths are the digits of skew-binary numbers: where two are equal, one of both lengths follows
  out_.far_above.assign(size, 0);
  const auto jump = [this](int i) { return out_.depth[i] - out_.depth[out_.far_above[i]]; };
  for (int i = 1; i <= n; ++i) {
    const int p = out_.links[i].parent, above = out_.far_above[p];
    out_.far_above[i] = jump(p) == jump(above) ? out_.far_above[above] : p;
  }
  // numbers are depth first: a subtree ends where the next body hangs on something before its root
  std::vector<int> last(size);
  for (int i = n; i >= 0; --i) {
    auto& mine = last[static_cast<std::size_t>(i)];
    mine = std::max(mine, i);
    out_.subtree_end[i] = mine + 1;
    out_.dofs_end[i] = out_.links[mine].v + out_.links[mine].nv;
    if (i > 0) {
      auto& parents = last[static_cast<std::size_t>(out_.links[i].parent)];
      parents = std::max(parents, mine);
    }
  }
  for (Link& link : out_.links) link.P = moments(link.I).P;
  double entries = 0.0;
  for (int v = 0; v < out_.nv; ++v) entries += out_.dofs_end[out_.body_of_dof[v]] - v;
  if (out_.nv > 0) out_.density = entries / (0.5 * out_.nv * (out_.nv + 1.0));
}

void ModelAssembly::warn_of_massless_bodies() {
  std::vector<RigidBodyInertia<double>> carried(static_cast<std::size_t>(out_.bodies()) + 1);
  for (int i = out_.bodies(); i >= 1; --i) {
    const Link& link = out_.links[i];
    auto& mine = carried[static_cast<std::size_t>(i)];
    mine += link.I;
    auto& parents = carried[static_cast<std::size_t>(link.parent)];
    parents.m += mine.m;
    parents.I += mine.I;
    bool armature = link.nv > 0;
    for (int k = 0; k < link.nv; ++k) armature = armature && out_.armature[link.v + k] > 0.0;
    const bool massless = mine.m == 0.0 && mine.I(0, 0) + mine.I(1, 1) + mine.I(2, 2) == 0.0;
    if (massless && !armature && link.nv > 0)
      out_.warnings.push_back(
          fmt::format("joint \"{}\" moves no mass: the mass matrix is singular", out_.joint_names[i]));
  }
}

}  // namespace cardan
