// What `cardan view` and its page say to each other. The page sends JSON objects with a key "do"; the session answers
// with JSON objects with a key "is", and with frames of doubles (LiveRun::frame). docs/viewer.md has the list.
#pragma once

#include "cardan/view/live_run.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cardan::view {

/// What goes to the pages: JSON text, or a frame.
struct LiveMessage {
  bool is_frame = false;
  std::string payload;
};
using LiveMessages = std::vector<LiveMessage>;

class LiveSession {
 public:
  /// Opens a scene or robot file; `free_base` as in `load`. Throws ModelError.
  LiveSession(const std::string& path, bool free_base, const std::vector<std::string>& changes = {});

  /// The page that talks to this session, for a server with this content-security policy.
  std::string page(const std::string& policy) const;
  /// What a page needs when it comes.
  LiveMessages welcome();
  /// Does what a page asks for. Requests that make no sense are answered with a problem, one line, and change nothing.
  LiveMessages handle(std::string_view request);
  /// Runs on by `seconds` of the clock; gives a frame while it plays.
  LiveMessages advance(double seconds);

 private:
  void open(const std::string& name, std::string_view text, const std::vector<std::string>& changes = {});
  LiveMessage scene_message() const;

  std::string folder_, file_;
  bool free_base_ = false;
  std::unique_ptr<LiveRun> run_;
};

}  // namespace cardan::view
