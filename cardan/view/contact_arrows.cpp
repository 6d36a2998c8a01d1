#include "cardan/view/contact_arrows.hpp"

#include <algorithm>

namespace cardan::view {

void ContactArrows::add(const ContactLog& log) {
  struct Arrow {
    Vec3<double> at, force;
    int body;
  };
  std::vector<Arrow> arrows;
  for (const ContactForce& contact : log.forces) {
    if (!(norm(contact.force) > 0.0)) continue;
    if (contact.body_b != 0) arrows.push_back({contact.point, contact.force, contact.body_b});
    if (contact.body_a != 0) arrows.push_back({contact.point, -contact.force, contact.body_a});
  }
  if (arrows.size() > kMostArrows) {
    left_out_ = true;
    std::partial_sort(arrows.begin(), arrows.begin() + kMostArrows, arrows.end(),
                      [](const Arrow& x, const Arrow& y) { return norm(x.force) > norm(y.force); });
    arrows.resize(kMostArrows);
  }
  for (const Arrow& arrow : arrows) {
    for (const Vec3<double>* x : {&arrow.at, &arrow.force})
      for (int k = 0; k < 3; ++k) numbers_.push_back(static_cast<float>((*x)[k]));
    numbers_.push_back(static_cast<float>(arrow.body));
  }
  ends_.push_back(numbers_.size());
}

std::span<const float> ContactArrows::frame(std::size_t i) const {
  const std::size_t first = i == 0 ? 0 : ends_[i - 1];
  return std::span(numbers_).subspan(first, ends_[i] - first);
}

}  // namespace cardan::view
