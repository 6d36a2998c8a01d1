#include "cardan/model/internal/characteristic_length.hpp"

#include "cardan/math/indexed.hpp"

#include <algorithm>

namespace cardan {

double characteristic_length(const Model& model) {
  Indexed<double> reach(static_cast<std::size_t>(model.bodies()) + 1, 0.0);
  const auto add = [&](int body, const Vec3<double>& place) { reach[body] = std::max(reach[body], norm(place)); };
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    if (link.I.m > 0.0) add(i, (1.0 / link.I.m) * link.I.h);
    add(link.parent, link.r);
  }
  for (const LoopJoint& loop : model.loops())
    for (const Frame* end : {&loop.predecessor, &loop.successor}) add(end->body, end->X.r);
  double sum = 0.0;
  int count = 0;
  for (int i = 1; i <= model.bodies(); ++i) {
    sum += reach[i];
    count += reach[i] > 0.0 ? 1 : 0;
  }
  return count > 0 ? sum / count : 1.0;
}

}  // namespace cardan
