// The folder of a sweep. Every process appends the lines of its finished runs to a file of its own, each in one write,
// so that a process that is killed loses nothing and repeats nothing: an unfinished last line is cut off. When all runs
// are there, their lines in order become sweep.csv.
#pragma once

#include "apps/sweep_plan.hpp"

#include <map>
#include <mutex>

namespace cardan::command {

/// A number that almost no other text has (Fowler, Noll and Vo, 64 bits).
std::uint64_t fingerprint(std::string_view text);

class SweepFolder {
 public:
  explicit SweepFolder(std::string folder) : folder_(std::move(folder)) {}

  const std::string& path() const { return folder_; }
  /// Makes the folder and its manifest. Throws std::runtime_error, one line, where it holds another sweep.
  void begin(const std::string& manifest);
  /// The manifest of a sweep that has begun; throws where there is none.
  std::string manifest() const;

  /// Lines of finished runs, by run, of all processes; unfinished lines of this part's file are removed, and lines that
  /// something has changed since do not count.
  std::map<long, std::string> finished(const SweepPart& part);
  /// Opens this part's file for add(). The file is locked: throws where another process is at the same part.
  void open(const SweepPart& part);
  void add(const std::string& result);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  /// Writes sweep.csv of the lines; the same bytes whoever does it.
  void gather(const std::string& header, const std::map<long, std::string>& lines) const;
  std::string trajectory(long run) const;

 private:
  std::string part_file(const SweepPart& part) const;

  std::string folder_;
  int file_ = -1;
  std::mutex writing_;
};

}  // namespace cardan::command
