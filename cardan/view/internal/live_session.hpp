// What `cardan view` and its page say to each other. The page sends JSON objects with a key "do"; the session answers
// with JSON objects with a key "is", and with frames of doubles (LiveRun::frame). docs/viewer.md has the list.
#pragma once

#include "cardan/io/internal/json.hpp"
#include "cardan/view/internal/live_run.hpp"

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

/// What a server shows: a page, and what it and the page say to each other.
class Session {
 public:
  virtual ~Session() = default;
  /// The page that talks to this session, for a server with this content-security policy.
  virtual std::string page(const std::string& policy) const = 0;
  /// What a page needs when it comes.
  virtual LiveMessages welcome() { return {}; }
  /// Does what a page asks for. Requests that make no sense are answered with a problem, one line, and change nothing.
  virtual LiveMessages handle(std::string_view) { return {}; }
  /// Runs on by `seconds` of the clock; gives a frame while it plays.
  virtual LiveMessages advance(double) { return {}; }
};

/// A scene or robot that is simulated while one looks.
class LiveSession final : public Session {
 public:
  /// Opens a scene or robot file; `free_base` as in `load`. Throws ModelError.
  LiveSession(const std::string& path, bool free_base, const std::vector<std::string>& changes = {});

  std::string page(const std::string& policy) const override;
  LiveMessages welcome() override;
  LiveMessages handle(std::string_view request) override;
  LiveMessages advance(double seconds) override;

 private:
  /// A file that was read and begun to run.
  struct Opened {
    std::string path;
    std::string text;                                    // of a robot
    std::optional<SceneSpec> spec;                       // of a scene, with the changes that the user gave with it
    std::vector<std::pair<std::string, double>> values;  // parameters that pages have set
    std::vector<SceneParameter> parameters;
    std::unique_ptr<LiveRun> run;
  };
  /// Reads the text that it holds and begins to run. Throws ModelError and what LiveRun does.
  void begin(Opened& file) const;
  void open(const std::string& name, std::string text, const std::vector<std::string>& changes = {});
  /// Gives a parameter another value, or that of its file, and goes on with the motion.
  void set_parameter(const std::string& name, std::optional<double> value);
  LiveMessages change_parameter(const io::Json& request);
  /// Opens a file that was dropped on the page.
  LiveMessages open_dropped(const std::string& name, const std::string& text);
  LiveMessage scene_message(const char* is) const;

  std::string folder_;
  bool free_base_ = false;
  Opened file_;
};

}  // namespace cardan::view
