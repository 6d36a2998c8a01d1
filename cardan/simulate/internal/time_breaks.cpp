#include "cardan/simulate/internal/time_breaks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace cardan {

namespace {

constexpr double kSearched = 1.0 / 16.0;  // of the run, searched at once

}  // namespace

TimeBreaks::TimeBreaks(const System& system, double start, double duration, double longest_step)
    : given_(system.breaks()),
      duration_(duration),
      end_(start + duration),
      longest_step_(longest_step),
      searched_(start) {
  for (const auto& force : system.forces()) force->add_time_texts(texts_);
  for (const auto& constraint : system.constraints()) constraint->add_time_texts(texts_);
  for (const auto& text : texts_) {
    Pace pace;
    text->add_stretches(start, end_, pace.stretches);
    if (pace.stretches.size() > 1) paces_.push_back(std::move(pace));
  }
}

double TimeBreaks::guard(double t) const {
  return 16.0 * std::numeric_limits<double>::epsilon() * std::max(t, 1e-6 * duration_);
}

void TimeBreaks::search(double t) {
  while (jumps_.empty() && searched_ < end_ && searched_ <= t + kSearched * duration_) {
    const double end = std::min(end_, searched_ + kSearched * duration_);
    std::vector<double> found;
    for (const auto& text : texts_) text->add_jumps(searched_, end, found);
    std::copy_if(given_.begin(), given_.end(), std::back_inserter(found),
                 [&](double t) { return t > searched_ && t <= end; });
    std::sort(found.begin(), found.end());
    for (const double jump : found)
      if (jump + guard(jump) < end_ && (jumps_.empty() || jump > jumps_.back() + 4.0 * guard(jump)))
        jumps_.push_back(jump);
    searched_ = end;
  }
}

double TimeBreaks::Pace::limit(double t) {
  while (now + 1 < stretches.size() && stretches[now].end <= t) ++now;
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t i = now; i < stretches.size() && stretches[i].begin < out; ++i)
    out = std::min(out, std::max(stretches[i].begin, t + (stretches[i].end - stretches[i].begin)));
  return out;
}

double TimeBreaks::limit(double t) {
  double out = t + longest_step_;
  for (Pace& pace : paces_) out = std::min(out, pace.limit(t));
  search(t);
  return jumps_.empty() ? out : std::min(out, jumps_.front() - guard(jumps_.front()));
}

bool TimeBreaks::is_at(double t) {
  search(t);
  return !jumps_.empty() && t >= jumps_.front() - 1.5 * guard(jumps_.front());
}

bool TimeBreaks::has_jumps() const {
  std::vector<double> found;
  for (const auto& text : texts_) text->add_jumps(end_ - duration_, end_, found);
  return !found.empty();
}

double TimeBreaks::after() {
  const double jump = jumps_.front();
  jumps_.pop_front();
  return jump + guard(jump);
}

}  // namespace cardan
