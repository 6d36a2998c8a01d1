#include "cardan/math/number_table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace cardan {

namespace {

constexpr std::size_t kMostTables = std::size_t{1} << 18;

struct Tables {
  std::mutex writing;
  std::map<std::vector<double>, std::size_t> numbers;                     // the lists themselves, which stay in place
  std::array<std::atomic<const std::vector<double>*>, kMostTables> list;  // for readers
};

Tables& tables() {
  static const std::unique_ptr<Tables> all = std::make_unique<Tables>();
  return *all;
}

}  // namespace

double keep_table(std::vector<double> numbers) {
  if (numbers.empty()) throw std::invalid_argument("a table needs at least one number");
  Tables& all = tables();
  const std::lock_guard lock(all.writing);
  const std::size_t next = all.numbers.size();
  if (const auto known = all.numbers.find(numbers); known != all.numbers.end())
    return static_cast<double>(known->second);
  if (next == kMostTables) throw std::length_error("expected at most 262144 different tables, found more");
  const auto [place, added] = all.numbers.emplace(std::move(numbers), next);
  all.list[next].store(&place->first, std::memory_order_release);
  return static_cast<double>(next);
}

std::span<const double> kept_table(double number) {
  return *tables().list[static_cast<std::size_t>(number)].load(std::memory_order_acquire);
}

double table_entry(double i, double table) {
  const std::span<const double> list = kept_table(table);
  const double last = static_cast<double>(list.size() - 1);
  return list[static_cast<std::size_t>(i > 0.0 ? std::min(i, last) : 0.0)];
}

double table_piece(double x, double table) {
  const std::span<const double> list = kept_table(table);
  const auto after = std::upper_bound(list.begin(), list.end(), x);
  // a comparison with NaN finds nothing
  return after == list.begin() || x != x ? 0.0 : static_cast<double>(after - list.begin() - 1);
}

}  // namespace cardan
