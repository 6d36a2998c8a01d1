// Generated C, compiled by the system's C compiler and loaded into this process.
#pragma once

#include <string>
#include <vector>

namespace cardan::command {

class CompiledC {
 public:
  /// NAME.c in the folder; CC or cc compiles it, all warnings being errors. Throws std::runtime_error, one line.
  CompiledC(const std::string& folder, const std::string& name);
  ~CompiledC();
  CompiledC(const CompiledC&) = delete;
  CompiledC& operator=(const CompiledC&) = delete;

  /// Calls NAME_function with one output.
  void call(const std::string& function, const std::vector<const double*>& in, double* out) const;
  /// Finds NAME_function.
  void* find(const std::string& function) const;

 private:
  std::string name_;
  void* handle_;
};

/// How far results are apart, relative to the largest entry; infinite where one side is no number.
double relative_difference(const std::vector<double>& ours, const std::vector<double>& theirs);

}  // namespace cardan::command
