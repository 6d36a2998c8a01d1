// Contact forces as arrows, instant after instant.
#pragma once

#include "cardan/contact/contact_log.hpp"

#include <span>
#include <vector>

namespace cardan::view {

class ContactArrows {
 public:
  /// More arrows than this at once are left out, the weakest first.
  static constexpr std::size_t kMostArrows = 600;
  /// Numbers of an arrow: the point where it acts and the force (N), both in the world, and the body that it acts on.
  static constexpr std::size_t kNumbers = 7;

  /// Adds an instant with the forces of the last step: what acts on bodies that move, so that a contact of two of them
  /// gives two opposite arrows. Contacts without force give none.
  void add(const ContactLog& log);

  std::size_t frames() const { return ends_.size(); }
  /// kNumbers numbers for each arrow of an instant.
  std::span<const float> frame(std::size_t i) const;
  bool left_out() const { return left_out_; }

 private:
  std::vector<float> numbers_;
  std::vector<std::size_t> ends_;
  bool left_out_ = false;
};

}  // namespace cardan::view
