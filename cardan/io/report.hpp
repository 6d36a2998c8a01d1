// Figures as one HTML page that needs no network, no other file and no script, and can be printed. Runs have the
// viewer's page instead (cardan/view/page.hpp).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cardan {

struct ReportText {
  std::string title;
  std::vector<std::pair<std::string, std::string>> summary;  // what, how much
  std::vector<std::string> notes;                            // warnings, why a run ended early
};

/// A page of its own with these figures (cardan/io/svg_plot.hpp makes them).
std::string html_page(const ReportText& text, const std::string& figures);

}  // namespace cardan
