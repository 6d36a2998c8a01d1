#include "apps/json_numbers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace cardan::command {

namespace {

thread_local bool written_finite = true;

}  // namespace

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json(double x) {
  written_finite = written_finite && std::isfinite(x);
  return fmt::format("{:.17g}", x);
}
std::string json(std::span<const double> v) {
  std::string out = "[";
  for (std::size_t i = 0; i < v.size(); ++i) out += (i == 0 ? "" : ", ") + json(v[i]);
  return out + "]";
}
std::string json(const Vec3<double>& v) { return json(std::span(v.e)); }
std::string json(const MotionVector<double>& m) { return json(std::array{m[0], m[1], m[2], m[3], m[4], m[5]}); }
std::string json(const ForceVector<double>& f) { return json(std::array{f[0], f[1], f[2], f[3], f[4], f[5]}); }
std::string json(const Eigen::MatrixXd& M) {
  std::string out = "[";
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    const Eigen::VectorXd row = M.row(i);
    out += (i == 0 ? "" : ", ") + json(std::span(row.data(), static_cast<std::size_t>(row.size())));
  }
  return out + "]";
}

bool all_written_finite() { return std::exchange(written_finite, true); }

}  // namespace cardan::command
