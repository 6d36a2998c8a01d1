#include "cardan/io/report.hpp"

#include "cardan/io/svg_plot.hpp"

#include <fmt/format.h>

namespace cardan {

namespace {

constexpr const char* kStyle = R"(
body { font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 1180px; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.8em; margin: 0 0 .9rem; overflow-wrap: anywhere; }
h2 { font-size: 1.08em; margin: 0 0 .3rem; }
table { border-collapse: collapse; margin-bottom: 1.2rem; }
th, td { text-align: left; padding: .22rem 1.6rem .22rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
th { font-weight: 600; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.notes { border-left: 4px solid #d55e00; padding: .3rem .9rem; margin: 0 0 1.2rem; background: #fdf4ec; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 1.4rem 2rem; }
figure { margin: 0; break-inside: avoid; }
figure > svg { width: 100%; height: auto; display: block; }
svg text { font-size: 15px; fill: #333; }
polyline, .key path { fill: none; stroke-width: 1.7; stroke-linejoin: round; }
.key path { stroke-width: 2.2; }
.grid path { stroke: #e4e4e4; }
.frame { fill: none; stroke: #888; }
figcaption { padding-left: 11%; font-size: .9em; }
figcaption span { display: inline-block; margin-right: 1.1rem; }
.key { width: 30px; height: 10px; margin-right: .35rem; vertical-align: middle; }
@page { margin: 14mm; }
@media print {
  body { margin: 0; max-width: none; font-size: 9pt; }
  .plots { grid-template-columns: 1fr 1fr; gap: 1rem 1.2rem; }
  svg text { font-size: 18px; }
}
)";

}  // namespace

std::string html_page(const ReportText& text, const std::string& figures) {
  const std::string title = io::escape_html(text.title);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri "
      "'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<table>\n",
      title, kStyle);
  for (const auto& [what, value] : text.summary)
    out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", io::escape_html(what), io::escape_html(value));
  out += "</table>\n";
  for (const std::string& note : text.notes) out += fmt::format("<p class=\"notes\">{}</p>\n", io::escape_html(note));
  return out + "<div class=\"plots\">\n" + figures + "</div>\n</body>\n</html>\n";
}

}  // namespace cardan
