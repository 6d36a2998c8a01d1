#include "apps/progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include <unistd.h>

namespace cardan::command {

Progress::Progress(double end, Of of)
    : on_terminal_(::isatty(STDERR_FILENO) == 1), end_(end), of_(of), begin_(Clock::now()), last_(begin_) {}

Progress::~Progress() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

void Progress::at(double time) {
  constexpr double every = 0.1;  // s
  ++calls_;
  const double step = time - std::exchange(time_, time);
  if (!on_terminal_) return;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < every) return;
  last_ = now;
  const double passed = std::chrono::duration<double>(now - begin_).count(), rate = time / passed;
  const double left = rate > 0.0 ? (end_ - time) / rate : 0.0;
  if (of_ == Of::runs)
    fmt::print(stderr, "\r\033[K{:3.0f} %  run {:.0f} of {:.0f}  {:.4g} runs/s  {:.{}f} s left", 100.0 * time / end_,
               time, end_, rate, left, left < 10.0 ? 1 : 0);
  else
    fmt::print(
        stderr,
        "\r\033[K{:3.0f} %  t = {:.3g} of {:g} s  step {:.2g} s  {:.0f} steps/s  {:.3g} x real time  {:.{}f} s left",
        100.0 * time / end_, time, end_, step, static_cast<double>(calls_) / passed, rate, left, left < 10.0 ? 1 : 0);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace cardan::command
