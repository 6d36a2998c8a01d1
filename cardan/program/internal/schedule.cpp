#include "cardan/program/internal/schedule.hpp"

#include "cardan/program/internal/latency.hpp"

#include <algorithm>

namespace cardan::program {

namespace {

constexpr int kPerCycle = 2;  // floating-point instructions that start together

/// ready_at, pending: zero for every value, before and after.
void schedule(std::span<Instruction> code, int window, std::vector<int>& ready_at, std::vector<char>& pending) {
  const std::size_t n = code.size();
  std::vector<Instruction> order;
  order.reserve(n);
  std::vector<std::size_t> waiting;  // positions in the window, in the given order
  for (const Instruction& x : code) pending[static_cast<std::size_t>(x.to)] = 1;
  std::size_t next = 0;
  int cycle = 0, started = 0;
  while (order.size() < n) {
    while (next < n && waiting.size() < static_cast<std::size_t>(window)) waiting.push_back(next++);
    // the first that is ready now, else the one that is ready soonest
    std::size_t best = 0;
    int soonest = 1 << 30;
    for (std::size_t k = 0; k < waiting.size() && soonest > cycle; ++k) {
      const Instruction& x = code[waiting[k]];
      int when = 0;
      for (int i = 0; i < operands(x.code); ++i) {
        const auto a = static_cast<std::size_t>(x.arg[i]);
        when = std::max(when, pending[a] ? 1 << 29 : ready_at[a]);
      }
      if (when < soonest) {
        soonest = when;
        best = k;
      }
    }
    if (soonest > cycle) {
      cycle = soonest;
      started = 0;
    }
    const Instruction x = code[waiting[best]];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(best));
    ready_at[static_cast<std::size_t>(x.to)] = cycle + latency(x.code);
    pending[static_cast<std::size_t>(x.to)] = 0;
    order.push_back(x);
    if (++started == kPerCycle) {
      ++cycle;
      started = 0;
    }
  }
  std::copy(order.begin(), order.end(), code.begin());
  for (const Instruction& x : code) ready_at[static_cast<std::size_t>(x.to)] = 0;
}

}  // namespace

void schedule(Program& program, int window) {
  auto& code = program.code;
  const auto is_call = [](const Instruction& x) { return x.code == Code::call; };
  std::vector<int> ready_at(static_cast<std::size_t>(program.values), 0);
  std::vector<char> pending(ready_at.size(), 0);
  for (auto first = code.begin(); first != code.end();) {
    const auto last = std::find_if(first, code.end(), is_call);
    schedule(std::span<Instruction>(first, last), window, ready_at, pending);
    first = last == code.end() ? last : last + 1;
  }
}

}  // namespace cardan::program
