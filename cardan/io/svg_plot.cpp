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
// told apart by most eyes (Okabe and Ito); dashes tell them apart in gray print
constexpr const char* kColors[kMostPlotLines] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#000000", "#7f3c8d"};
constexpr const char* kDashes[kMostPlotLines] = {"", "", "", "", "7 3", "7 3", "2 3", "2 3"};

/// A stretch of an axis and where its ticks are. Of a logarithmic one, low and high are exponents of ten.
struct Axis {
  double low, high, from, to;  // values, and where they are drawn
  bool logarithmic = false;

  double scaled(double x) const { return logarithmic ? std::log10(x) : x; }
  double place(double x) const { return from + (scaled(x) - low) / (high - low) * (to - from); }

  std::vector<double> ticks(double count) const {
    const double rough = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power * (rough / power < 1.5 ? 1.0 : rough / power < 3.5 ? 2.0 : rough / power < 7.5 ? 5.0 : 10.0);
    if (logarithmic) step = std::max(1.0, step);
    std::vector<double> out;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1.0)
      out.push_back(logarithmic ? std::pow(10.0, k * step) : k * step + 0.0);  // + 0.0: no -0
    return out;
  }
};

/// The smallest and the largest of the numbers that can be drawn.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  void widen(double low_share, double high_share) {
    if (low > high) low = high = 0.0;
    // never so narrow that the ticks could not be told apart
    const double size = std::max(std::abs(low), std::abs(high)), least = size > 0.0 ? 1e-3 * size : 1.0;
    const double length = high - low;
    low -= std::max(low_share * length, low_share > 0.0 ? least : 0.0);
    high += std::max(high_share * length, high_share > 0.0 || length == 0.0 ? least : 0.0);
  }
};

struct Axes {
  Axis x, y;
};

Axes axes_of(const PlotAxes& axes, std::span<const PlotCurve> curves) {
  Axis x{0.0, 0.0, kLeft, kWidth - kRight, axes.logarithmic}, y{0.0, 0.0, kHeight - kBottom, kTop, axes.logarithmic};
  Range of_x, of_y;
  for (const PlotCurve& curve : curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!std::isfinite(y.scaled(curve.y[i])) && axes.logarithmic) continue;
      of_x.take(x.scaled(curve.x[i]));
      of_y.take(y.scaled(curve.y[i]));
    }
  const double beside = axes.logarithmic || axes.equal ? 0.04 : 0.0;
  of_x.widen(beside, beside);
  of_y.widen(0.04, 0.04);
  if (axes.equal) {
    // the narrower one becomes as wide as the scale of the other asks
    const double width = x.to - x.from, height = y.from - y.to;
    const double scale = std::max((of_x.high - of_x.low) / width, (of_y.high - of_y.low) / height);
    const auto stretch = [scale](Range& range, double pixels) {
      const double middle = 0.5 * (range.low + range.high);
      range.low = middle - 0.5 * scale * pixels;
      range.high = middle + 0.5 * scale * pixels;
    };
    stretch(of_x, width);
    stretch(of_y, height);
  }
  x.low = of_x.low;
  x.high = of_x.high;
  y.low = of_y.low;
  y.high = of_y.high;
  return {x, y};
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

std::string lines_of(const PlotCurve& curve, std::size_t style, const Axes& axes) {
  std::string out, points, dots;
  const auto end_line = [&] {
    if (!points.empty())
      out += fmt::format(R"(<polyline stroke="{}" stroke-dasharray="{}" points="{}"/>)", kColors[style],
                         *kDashes[style] == '\0' ? "none" : kDashes[style], points);
    points.clear();
  };
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double x = axes.x.place(curve.x[i]), y = axes.y.place(curve.y[i]);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      end_line();
      continue;
    }
    fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", x, y);
    if (curve.marked)
      fmt::format_to(std::back_inserter(dots), R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}"/>)", x, y,
                     kColors[style]);
  }
  end_line();
  return out + dots;
}

std::string legend(std::span<const PlotCurve> lines) {
  std::string out = "<figcaption>";
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += fmt::format(
        R"(<span><svg class="key" viewBox="0 0 30 10"><path d="M1 5H29" stroke="{}" stroke-dasharray="{}"/></svg>{}</span> )",
        kColors[i], *kDashes[i] == '\0' ? "none" : kDashes[i], escape_html(lines[i].label));
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

namespace {

/// Axes with their titles, and the lines.
std::string inside_of(const PlotAxes& axes, std::span<const PlotCurve> curves) {
  const Axes drawn = axes_of(axes, curves);
  std::string out = ticks_and_frame(drawn.x, drawn.y);
  for (std::size_t i = 0; i < curves.size(); ++i) out += lines_of(curves[i], i, drawn);
  out += fmt::format(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)", 0.5 * (kLeft + kWidth - kRight),
                     kHeight - 5.0, escape_html(axes.x));
  return out + fmt::format(R"svg(<text transform="translate(14 {}) rotate(-90)" text-anchor="middle">{}</text>)svg",
                           0.5 * (kTop + kHeight - kBottom), escape_html(axes.y));
}

}  // namespace

std::string plot(const std::string& title, const PlotAxes& axes, std::span<const PlotCurve> curves) {
  curves = curves.first(std::min(curves.size(), kMostPlotLines));
  return fmt::format(R"(<figure><h2>{0}</h2><svg viewBox="0 0 {1} {2}" role="img" aria-label="{0}">)",
                     escape_html(title), kWidth, kHeight) +
         inside_of(axes, curves) + "</svg>" + legend(curves) + "</figure>\n";
}

PlotCurve thinned(std::span<const double> times, const PlotLine& line) {
  PlotCurve out{line.label, {}, {}};
  for (const std::size_t i : chosen_rows(times.size(), line)) {
    out.x.push_back(times[i]);
    out.y.push_back(line.value(i));
  }
  return out;
}

std::string svg_file(const std::string& title, const PlotAxes& axes, std::span<const PlotCurve> curves) {
  curves = curves.first(std::min(curves.size(), kMostPlotLines));
  constexpr double kTitle = 34.0, kRow = 20.0, kColumn = 170.0;
  constexpr std::size_t kInRow = 4;
  const double height = kTitle + kHeight + kRow * static_cast<double>((curves.size() + kInRow - 1) / kInRow) + 8.0;
  std::string out = fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2}">
<style>text {{ font: 13px sans-serif; fill: #222; }} .title {{ font-size: 16px; font-weight: bold; }} .grid path {{ stroke: #ddd; }} .frame {{ fill: none; stroke: #999; }} polyline {{ fill: none; stroke-width: 1.6; stroke-linejoin: round; }} .key {{ stroke-width: 2; }}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text class="title" x="{3}" y="22">{2}</text>
<g transform="translate(0 {4})">)svg",
      kWidth, height, escape_html(title), kLeft, kTitle);
  out += inside_of(axes, curves) + "</g>\n";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const double x = kLeft + kColumn * static_cast<double>(i % kInRow);
    const double y = kTitle + kHeight + kRow * static_cast<double>(i / kInRow) + 8.0;
    out += fmt::format(
        R"(<path class="key" d="M{0} {1}h22" stroke="{2}" stroke-dasharray="{3}"/><text x="{4}" y="{5}">{6}</text>)", x,
        y, kColors[i], *kDashes[i] == '\0' ? "none" : kDashes[i], x + 28.0, y + 4.0, escape_html(curves[i].label));
    out += '\n';
  }
  return out + "</svg>\n";
}

std::string plot(const std::string& title, const std::string& unit, std::span<const double> times,
                 std::span<const PlotLine> lines) {
  std::vector<PlotCurve> curves;
  for (const PlotLine& line : lines.first(std::min(lines.size(), kMostPlotLines)))
    curves.push_back(thinned(times, line));
  return plot(title, PlotAxes{"time (s)", unit}, curves);
}

}  // namespace cardan::io
