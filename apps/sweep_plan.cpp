#include "apps/sweep_plan.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/symbolic/parse.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace cardan::command {

namespace {

constexpr long kMostRuns = 1'000'000'000;

[[noreturn]] void refuse(const std::string& option, const std::string& text, const std::string& what) {
  throw std::runtime_error(fmt::format("sweep: {} {}: {}", option, io::in_quotes(text), what));
}

bool whole_number(std::string_view text, long& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

double number(const std::string& option, std::string_view text) {
  try {
    return parse_expression(text, {}).value();
  } catch (const ParseError& problem) {
    refuse("--vary", option, fmt::format("expected a number, found {}: {}", io::in_quotes(text), problem.what()));
  }
}

/// Random bits of a counter (Steele, Lea and Flood 2014, SplitMix64): any one without those before it.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace

Variation parse_variation(const std::string& text, bool random) {
  const char* const form = random ? "expected NAME=LO:HI" : "expected NAME=LO:HI:N";
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse("--vary", text, form);
  std::vector<std::string> parts(1);
  for (const char c : text.substr(equals + 1))
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  Variation out{text.substr(0, equals)};
  if (parts.size() != (random ? 2u : 3u) && !(random && parts.size() == 3)) refuse("--vary", text, form);
  out.low = number(text, parts[0]);
  out.high = number(text, parts[1]);
  if (random) return out;
  if (!whole_number(parts[2], out.count) || out.count < 1 || out.count > kMostRuns)
    refuse("--vary", text, fmt::format("expected a number of values, found {}", io::in_quotes(parts[2])));
  return out;
}

SweepPlan::SweepPlan(std::vector<Variation> variations) : variations_(std::move(variations)) {
  for (const Variation& variation : variations_) {
    if (runs_ > kMostRuns / variation.count)
      throw std::runtime_error(fmt::format("sweep: expected at most {} runs, found more", kMostRuns));
    runs_ *= variation.count;
  }
}

SweepPlan::SweepPlan(std::vector<Variation> variations, long runs, std::uint64_t seed)
    : variations_(std::move(variations)), runs_(runs), random_(true), seed_(seed) {}

std::vector<double> SweepPlan::values(long run) const {
  std::vector<double> out(variations_.size());
  for (std::size_t i = variations_.size(); i-- > 0;) {
    const Variation& v = variations_[i];
    double share = 0.0;
    if (random_) {
      const std::uint64_t bits = mixed(mixed(mixed(seed_) + static_cast<std::uint64_t>(run)) + i);
      share = static_cast<double>(bits >> 11) * 0x1p-53;
    } else {
      share = v.count == 1 ? 0.0 : static_cast<double>(run % v.count) / static_cast<double>(v.count - 1);
      run /= v.count;
    }
    out[i] = share == 1.0 ? v.high : v.low + share * (v.high - v.low);
  }
  return out;
}

SweepPart parse_part(const std::string& text) {
  SweepPart out;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos || !whole_number(std::string_view(text).substr(0, slash), out.k) ||
      !whole_number(std::string_view(text).substr(slash + 1), out.n) || out.k < 1 || out.k > out.n)
    refuse("--part", text, "expected K/N with K from 1 to N");
  return out;
}

SweepPart part_from_environment() {
  const auto read = [](const char* name, long& out) {
    const char* const text = std::getenv(name);
    return text != nullptr && whole_number(text, out);
  };
  long rank = 0, size = 0, first = 0;
  if (read("SLURM_ARRAY_TASK_ID", rank) && read("SLURM_ARRAY_TASK_COUNT", size) && size > 0) {
    read("SLURM_ARRAY_TASK_MIN", first);
    return {rank - first + 1, size};
  }
  for (const auto& [of_rank, of_size] : {std::pair("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
                                         std::pair("PMI_RANK", "PMI_SIZE"), std::pair("SLURM_PROCID", "SLURM_NTASKS")})
    if (read(of_rank, rank) && read(of_size, size) && size > 0 && rank >= 0 && rank < size) return {rank + 1, size};
  return {};
}

}  // namespace cardan::command
