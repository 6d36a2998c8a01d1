// The viewer as one HTML page: what web/ was built into, filled with a mechanism and its run. It needs no network and
// no other file.
#pragma once

#include "cardan/view/page_data.hpp"

#include <string>

namespace cardan::view {

/// Fills the page. `policy` is its content-security policy, `data` a JSON text, `report` HTML for its panel "Run".
std::string fill_page(const std::string& title, const std::string& policy, const std::string& data,
                      const std::string& report);

/// What a page shows beside the motion: tables of pairs, and warnings in one list.
struct PageText {
  std::string title;
  std::vector<std::pair<std::string, std::string>> summary, settings;
  std::vector<std::string> warnings;
  std::vector<std::string> health{};  // how well the laws were met, in a few words each; none: nothing is said
  bool is_healthy = true;
  std::string studio{};  // what is to be drawn where there is no user (studio.hpp), as JSON; empty: there is one
};

/// Describes with which settings a file is run.
std::vector<std::pair<std::string, std::string>> setting_lines(const std::string& file, const Settings& settings);

/// The panel "Run" of a page as HTML: warnings, summary, settings, the model.
std::string report_html(const Model& model, const PageText& text);

/// A page of a finished run: what one would mail. Scene and system are those that gave the trajectory. `policy`: its
/// content-security policy where a server shows it; none: that of a file. `contacts`: forces at every row.
std::string run_page(const Scene& scene, const System& system, const Trajectory& run, const PageText& text,
                     const std::string& policy = {}, const ContactArrows* contacts = nullptr);

}  // namespace cardan::view
