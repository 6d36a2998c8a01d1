// Writes a run while it goes on, so that a full disk, Ctrl-C or the end of the process leave what was computed.
#pragma once

#include "cardan/io/trajectory_file.hpp"

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

namespace cardan::command {

class TrajectoryStream {
 public:
  /// The file is opened with the first row; a name that ends in .bin gets doubles, "-" is the standard output.
  explicit TrajectoryStream(std::string path);
  ~TrajectoryStream();
  TrajectoryStream(const TrajectoryStream&) = delete;
  TrajectoryStream& operator=(const TrajectoryStream&) = delete;

  /// Writes the rows that are new. What cannot be written is kept in mind for finish(): the run goes on.
  void write(const Trajectory& so_far);
  /// Sends rows that have waited for some time: call it while no new ones come.
  void send_if_due();
  /// Writes what is left. Throws where the file does not hold the whole run.
  void finish(const Trajectory& run);

 private:
  void send();

  std::string path_;
  TrajectoryFormat format_;
  std::FILE* file_ = nullptr;
  std::string text_;  // not yet sent
  std::size_t rows_ = 0;
  int problem_ = 0;  // errno of the first failure
  std::chrono::steady_clock::time_point sent_{};
};

}  // namespace cardan::command
