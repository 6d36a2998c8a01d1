#include "cardan/text/internal/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace cardan {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Letters to insert, remove, replace or swap with a neighbor to make b of a; case does not count.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> older(b.size() + 1), old(b.size() + 1), now(b.size() + 1);
  std::iota(old.begin(), old.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = old[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      now[j] = std::min({replace, old[j] + 1, now[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) now[j] = std::min(now[j], older[j - 2] + 1);
    }
    older.swap(old);
    old.swap(now);
  }
  return old[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t too_long = 200;  // the comparison takes time in proportion to both lengths
  std::string best;
  std::size_t least = std::max<std::size_t>(name.size() / 3, 1) + 1;
  for (const std::string& candidate : candidates) {
    if (name.size() > too_long || candidate.size() > too_long) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace cardan
