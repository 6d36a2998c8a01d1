// Lines over time, and any other curves, as SVG that stands inside an HTML page.
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

/// Points joined by a line, which breaks where a number is not finite.
struct PlotCurve {
  std::string label;
  std::vector<double> x, y;
  bool marked = false;  // with a dot at every point
};

struct PlotAxes {
  std::string x, y;          // what, and its unit
  bool logarithmic = false;  // both; what is not positive is left out
  bool equal = false;        // the same scale on both
};

/// As many lines as one plot can keep apart.
constexpr std::size_t kMostPlotLines = 8;

/// A figure with axes, ticks and a legend.
std::string plot(const std::string& title, const PlotAxes& axes, std::span<const PlotCurve> curves);

/// Draws curves over time. Long runs are thinned so that every peak still shows.
std::string plot(const std::string& title, const std::string& unit, std::span<const double> times,
                 std::span<const PlotLine> lines);

/// Thins a line over time so that every peak still shows.
PlotCurve thinned(std::span<const double> times, const PlotLine& line);

/// The same figure as a file of its own: an SVG with title, axes and legend, on white.
std::string svg_file(const std::string& title, const PlotAxes& axes, std::span<const PlotCurve> curves);

/// For text between tags and in attributes.
std::string escape_html(std::string_view text);

}  // namespace cardan::io
