#include "cardan/io/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace cardan::io {

namespace {

constexpr double kWidth = 720.0, kHeight = 300.0, kLeft = 84.0, kRight = 14.0, kTop = 10.0, kBottom = 48.0;
constexpr std::size_t kColumns = 600;  // of thinned runs: two points in each
// told apart by most eyes (Okabe and Ito); dashes tell them apart in grey print
constexpr const char* kColours[kMostPlotLines] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000", "#7f3c8d"};
constexpr const char* kDashes[kMostPlotLines] = {"", "", "", "", "7 3", "7 3", "2 3", "2 3"};

/// A stretch of an axis and where its ticks are.
struct Axis {
  double low, high, from, to;  // values, and where they are drawn
  double place(double x) const { return from + (x - low) / (high - low) * (to - from); }

  std::vector<double> ticks(double count) const {
    const double rough = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = power * (rough / power < 1.5   ? 1.0
                                 : rough / power < 3.5 ? 2.0
                                 : rough / power < 7.5 ? 5.0
                                                       : 10.0);
    std::vector<double> out;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1.0)
      out.push_back(k * step + 0.0);  // + 0.0: no -0
    return out;
  }
};

Axis time_axis(std::span<const double> times) {
  const double end = times.empty() ? 0.0 : times.back();
  return {times.empty() ? 0.0 : times.front(), end > 0.0 ? end : 1.0, kLeft, kWidth - kRight};
}

Axis value_axis(std::size_t rows, std::span<const PlotLine> lines) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PlotLine& line : lines)
    for (std::size_t i = 0; i < rows; ++i) {
      const double y = line.value(i);
      if (!std::isfinite(y)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  if (low > high) low = high = 0.0;
  // never so narrow that the ticks could not be told apart
  const double size = std::max(std::abs(low), std::abs(high)), middle = 0.5 * (low + high);
  const double half = std::max({0.54 * (high - low), 1e-3 * size, size > 0.0 ? 0.0 : 1.0});
  return {middle - half, middle + half, kHeight - kBottom, kTop};
}

std::string ticks_and_frame(const Axis& x, const Axis& y) {
  std::string out = R"(<g class="grid">)";
  auto into = std::back_inserter(out);
  for (const double t : x.ticks(7.0))
    fmt::format_to(into, R"(<path d="M{0:.1f} {1}V{2}"/><text x="{0:.1f}" y="{3}" text-anchor="middle">{4:g}</text>)",
                   x.place(t), kTop, kHeight - kBottom, kHeight - kBottom + 19.0, t);
  for (const double v : y.ticks(5.0))
    fmt::format_to(into, R"(<path d="M{0} {1:.1f}H{2}"/><text x="{3}" y="{4:.1f}" text-anchor="end">{5:g}</text>)",
                   kLeft, y.place(v), kWidth - kRight, kLeft - 7.0, y.place(v) + 4.0, v);
  fmt::format_to(into, R"(</g><rect class="frame" x="{}" y="{}" width="{}" height="{}"/>)", kLeft, kTop,
                 kWidth - kRight - kLeft, kHeight - kBottom - kTop);
  return out;
}

/// The rows to draw: all, or of every column the lowest and the highest.
std::vector<std::size_t> chosen_rows(std::size_t rows, const PlotLine& line) {
  std::vector<std::size_t> out;
  const bool all = rows <= 2 * kColumns;
  const std::size_t columns = all ? rows : kColumns;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t begin = c * rows / columns, end = (c + 1) * rows / columns;
    std::size_t low = begin, high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (line.value(i) < line.value(low)) low = i;
      if (line.value(i) > line.value(high)) high = i;
    }
    out.push_back(std::min(low, high));
    if (low != high) out.push_back(std::max(low, high));
  }
  if (rows > 0 && out.back() != rows - 1) out.push_back(rows - 1);
  return out;
}

std::string curve(std::span<const double> times, const PlotLine& line, std::size_t style, const Axis& x,
                  const Axis& y) {
  std::string out = fmt::format(R"(<polyline stroke="{}" stroke-dasharray="{}" points=")", kColours[style],
                                *kDashes[style] == '\0' ? "none" : kDashes[style]);
  for (const std::size_t i : chosen_rows(times.size(), line))
    if (std::isfinite(line.value(i)))
      fmt::format_to(std::back_inserter(out), "{:.1f},{:.1f} ", x.place(times[i]), y.place(line.value(i)));
  return out + "\"/>";
}

std::string legend(std::span<const PlotLine> lines) {
  std::string out = "<figcaption>";
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += fmt::format(
        R"(<span><svg class="key" viewBox="0 0 30 10"><path d="M1 5H29" stroke="{}" stroke-dasharray="{}"/></svg>{}</span> )",
        kColours[i], *kDashes[i] == '\0' ? "none" : kDashes[i], escape_html(lines[i].label));
  return out + "</figcaption>";
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

std::string plot(const std::string& title, const std::string& unit, std::span<const double> times,
                 std::span<const PlotLine> lines) {
  lines = lines.first(std::min(lines.size(), kMostPlotLines));
  const Axis x = time_axis(times), y = value_axis(times.size(), lines);
  std::string out = fmt::format(R"(<figure><h2>{0}</h2><svg viewBox="0 0 {1} {2}" role="img" aria-label="{0}">)",
                                escape_html(title), kWidth, kHeight);
  out += ticks_and_frame(x, y);
  for (std::size_t i = 0; i < lines.size(); ++i) out += curve(times, lines[i], i, x, y);
  out += fmt::format(R"(<text x="{}" y="{}" text-anchor="middle">time (s)</text>)", 0.5 * (kLeft + kWidth - kRight),
                     kHeight - 5.0);
  out += fmt::format(R"svg(<text transform="translate(14 {}) rotate(-90)" text-anchor="middle">{}</text></svg>)svg",
                     0.5 * (kTop + kHeight - kBottom), escape_html(unit));
  return out + legend(lines) + "</figure>\n";
}

}  // namespace cardan::io
