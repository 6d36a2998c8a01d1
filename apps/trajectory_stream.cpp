#include "apps/trajectory_stream.hpp"

#include "apps/command.hpp"

#include <cerrno>
#include <filesystem>
#include <utility>

namespace cardan::command {

namespace {

/// How much computing may be lost at most, and how much text is gathered before it is sent.
constexpr std::chrono::milliseconds kLongestWait{100};
constexpr std::size_t kMostText = std::size_t{1} << 20;

}  // namespace

TrajectoryStream::TrajectoryStream(std::string path)
    : path_(std::move(path)),
      format_(std::filesystem::path(path_).extension() == ".bin" ? TrajectoryFormat::binary : TrajectoryFormat::csv) {}

TrajectoryStream::~TrajectoryStream() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void TrajectoryStream::write(const Trajectory& so_far) {
  if (problem_ != 0) return;
  if (file_ == nullptr) {
    file_ = is_standard_output(path_) ? stdout : std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) {
      problem_ = errno;
      return;
    }
    text_ = trajectory_head(so_far, format_);
  }
  for (; rows_ < so_far.size(); ++rows_) append_row(so_far, rows_, format_, text_);
  if (text_.size() >= kMostText) send();
  send_if_due();
}

void TrajectoryStream::send_if_due() {
  if (problem_ == 0 && !text_.empty() && std::chrono::steady_clock::now() - sent_ >= kLongestWait) send();
}

void TrajectoryStream::send() {
  if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size() || std::fflush(file_) != 0) problem_ = errno;
  text_.clear();
  sent_ = std::chrono::steady_clock::now();
}

void TrajectoryStream::finish(const Trajectory& run) {
  write(run);
  if (problem_ == 0) send();
  if (file_ != nullptr && file_ != stdout && std::fclose(std::exchange(file_, nullptr)) != 0 && problem_ == 0)
    problem_ = errno;
  if (problem_ != 0) refuse_to_write(path_, problem_);
}

}  // namespace cardan::command
