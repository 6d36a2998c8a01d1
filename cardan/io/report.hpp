// A run as one HTML page with plots: it needs no network, no other file and no script, and can be printed.
#pragma once

#include "cardan/simulate/trajectory.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cardan {

struct ReportText {
  std::string title;
  std::vector<std::pair<std::string, std::string>> summary;  // what, how much
  std::vector<std::string> notes;                            // warnings, why a run ended early
  bool conservative = false;                                 // then the drift of the energy is worth a plot
};

/// A page of its own with these figures (cardan/io/svg_plot.hpp makes them).
std::string html_page(const ReportText& text, const std::string& figures);

std::string html_report(const Trajectory& trajectory, const ReportText& text);

}  // namespace cardan
