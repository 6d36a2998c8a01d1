// Lines over time as SVG that stands inside an HTML page.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cardan::io {

struct PlotLine {
  std::string label;
  std::function<double(std::size_t row)> value;
};

/// As many lines as one plot can keep apart.
constexpr std::size_t kMostPlotLines = 8;

/// A figure with axes, ticks and a legend. Long runs are thinned so that every peak still shows.
std::string plot(const std::string& title, const std::string& unit, std::span<const double> times,
                 std::span<const PlotLine> lines);

/// For text between tags and in attributes.
std::string escape_html(std::string_view text);

}  // namespace cardan::io
