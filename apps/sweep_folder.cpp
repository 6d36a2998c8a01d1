#include "apps/sweep_folder.hpp"

#include "apps/command.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace cardan::command {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargest = std::size_t{1} << 34;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw std::runtime_error(fmt::format("sweep: {}: {}", io::printable(path), what));
}

/// A line of a part's file: the result, and a number by which it is known to be whole.
std::string sealed(const std::string& line) {
  const std::string bare = line.substr(0, line.size() - 1);
  return fmt::format("{},{:016x}\n", bare, fingerprint(bare));
}

/// The result of such a line; empty where it is not whole.
std::string unsealed(const std::string& line) {
  const std::size_t comma = line.rfind(',');
  if (comma == std::string::npos) return {};
  const std::string out = line.substr(0, comma) + "\n";
  return sealed(out) == line ? out : std::string();
}

/// Calls visit(run, line) for every complete line that is whole; returns the bytes up to the end of the last of them.
template <class Visit>
std::size_t each_line(const std::string& text, const Visit& visit) {
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    long run = 0;
    const std::string line = unsealed(text.substr(begin, end - begin + 1));
    begin = end + 1;
    if (line.empty()) continue;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), run);
    if (error == std::errc() && *rest == ',') visit(run, line);
  }
  return begin;
}

}  // namespace

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

SweepFolder::~SweepFolder() {
  if (file_ >= 0) ::close(file_);
}

void SweepFolder::begin(const std::string& manifest_text) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) fail(folder_, "cannot be made: " + error.message());
  const std::string path = (fs::path(folder_) / "manifest.json").string();
  if (!fs::exists(path)) {
    if (!fs::is_empty(folder_)) {
      for (const auto& entry : fs::directory_iterator(folder_))
        if (entry.path().filename().string().find("manifest.json") == std::string::npos)
          fail(folder_, "expected an empty folder or one of this sweep, found other files");
    }
    write_output(path, manifest_text);
    return;
  }
  if (manifest() != manifest_text)
    fail(path, "expected a folder of this sweep, found one of another scene or other variations: choose another --out");
}

std::string SweepFolder::manifest() const {
  const std::string path = (fs::path(folder_) / "manifest.json").string();
  if (!fs::exists(path)) fail(folder_, "expected the folder of a sweep, found no manifest.json");
  return io::read_text_file("sweep", path, kLargest);
}

std::string SweepFolder::part_file(const SweepPart& part) const {
  return (fs::path(folder_) / fmt::format("finished-{}-of-{}.csv", part.k, part.n)).string();
}

std::map<long, std::string> SweepFolder::finished(const SweepPart& part) {
  std::map<long, std::string> lines;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("finished-") || !name.ends_with(".csv")) continue;
    const std::string text = io::read_text_file("sweep", entry.path().string(), kLargest);
    const std::size_t whole = each_line(text, [&](long run, const std::string& line) { lines.emplace(run, line); });
    if (whole < text.size() && entry.path().string() == part_file(part)) fs::resize_file(entry.path(), whole);
  }
  return lines;
}

void SweepFolder::open(const SweepPart& part) {
  const std::string path = part_file(part);
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path, std::string("cannot be written: ") + std::strerror(errno));
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) fail(path, "another process is at this part of the sweep");
}

void SweepFolder::add(const std::string& result) {
  const std::string line = sealed(result);
  const std::lock_guard lock(writing_);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(file_, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(folder_, std::string("a result cannot be written: ") + std::strerror(errno));
    done += static_cast<std::size_t>(n);
  }
}

void SweepFolder::gather(const std::string& header, const std::map<long, std::string>& lines) const {
  std::string text = header;
  for (const auto& [run, line] : lines) text += line;
  write_output((fs::path(folder_) / "sweep.csv").string(), text);
}

std::string SweepFolder::trajectory(long run) const {
  fs::create_directories(fs::path(folder_) / "runs");
  return (fs::path(folder_) / "runs" / fmt::format("{}.csv", run)).string();
}

}  // namespace cardan::command
