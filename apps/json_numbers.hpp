// Numbers and names as JSON text.
#pragma once

#include "cardan/spatial/vectors.hpp"

#include <Eigen/Core>

#include <span>
#include <string>

namespace cardan::command {

/// Writes a text in quotes; bytes that are no UTF-8 are replaced.
std::string json_text(const std::string& text);

// numbers with 17 digits, so that reading them gives the same bits
std::string json(double x);
std::string json(std::span<const double> v);
std::string json(const Vec3<double>& v);
std::string json(const MotionVector<double>& m);
std::string json(const ForceVector<double>& f);
/// Writes a matrix by rows.
std::string json(const Eigen::MatrixXd& M);

/// True if every number that this thread has written since the last call is finite: infinity and NaN are no JSON.
[[nodiscard]] bool all_written_finite();

}  // namespace cardan::command
