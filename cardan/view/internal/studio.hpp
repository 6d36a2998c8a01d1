// Draws pictures and films without a user: a browser without a window opens the page of a run, draws what is ordered
// and hands it back over the page's WebSocket.
#pragma once

#include <functional>
#include <string>

namespace cardan::view {

struct StudioOrder {
  std::string kind = "png";        // or "mp4", "webm"
  double from = 0.0, to = 0.0;     // s of the run; a picture shows `from`
  double speed = 1.0;              // seconds of the run in a second of the film
  double fps = 60.0;               // frames of a film in a second
  int width = 1280, height = 720;  // pixels
  bool dark = false;               // the theme
  bool transparent = false;        // of a picture: without sky and floor
  std::string browser{};           // the program; see find_browser
};

/// Finds a Chromium in the folders of PATH; empty where there is none.
std::string find_browser();

/// Draws; `page` gives the page of the run for a content-security policy and the order as JSON. `go_on` is asked often,
/// with the share that is done, and ends all of it where it says no. Returns the bytes of the file. Throws
/// std::runtime_error, one line, where the browser cannot.
std::string draw_in_browser(const StudioOrder& order,
                            const std::function<std::string(const std::string& policy, const std::string& order)>& page,
                            const std::function<bool(double share)>& go_on);

}  // namespace cardan::view
