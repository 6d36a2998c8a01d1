#include "cardan/view/page.hpp"

#include "cardan/io/svg_plot.hpp"
#include "cardan/view/internal/built_page.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cardan::view {

namespace {

using io::escape_html;

/// Nothing is loaded and nothing is sent.
constexpr const char* kStaticPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:; "
    "base-uri 'none'; form-action 'none'";

/// Replaces the mark, which must be there.
void put(std::string& page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error(fmt::format("the built page lacks {}", mark));
  page.replace(at, mark.size(), text);
}

/// JSON inside a script element must not be able to end it.
std::string inside_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::string table(const char* caption, const std::vector<std::pair<std::string, std::string>>& rows) {
  if (rows.empty()) return {};
  std::string out = fmt::format("<h2>{}</h2>\n<table class=\"pairs\">\n", caption);
  for (const auto& [what, value] : rows)
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape_html(what), escape_html(value));
  return out + "</table>\n";
}

std::string warning_list(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return {};
  std::string out =
      fmt::format("<h2>{}</h2>\n<ul class=\"warnings\">\n", warnings.size() == 1 ? "Warning" : "Warnings");
  for (const std::string& warning : warnings) out += fmt::format("<li>{}</li>\n", escape_html(warning));
  return out + "</ul>\n";
}

std::string model_table(const Model& model) {
  std::string out =
      "<h2>Model</h2>\n<div class=\"wide\"><table class=\"model\">\n<thead><tr><th scope=\"col\">body</th>"
      "<th scope=\"col\">parent</th><th scope=\"col\">joint</th><th scope=\"col\">type</th>"
      "<th scope=\"col\">q</th><th scope=\"col\">mass [kg]</th></tr></thead>\n<tbody>\n";
  for (int body = 1; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.6g}</td></tr>\n",
                       escape_html(model.body_name(body)), escape_html(model.body_name(link.parent)),
                       escape_html(model.joint_name(body)), model.joint(body).type_name(), link.nq, link.I.m);
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string fill_page(const std::string& title, const std::string& policy, const std::string& data,
                      const std::string& report) {
  std::string page(kBuiltPage);
  put(page, "<!--cardan:policy-->",
      fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">", escape_html(policy)));
  put(page, "<!--cardan:title-->", escape_html(title));
  put(page, "<!--cardan:report-->", report);
  put(page, "<!--cardan:data-->", inside_script(data));  // last, because it may hold anything
  return page;
}

std::vector<std::pair<std::string, std::string>> setting_lines(const std::string& file, const Settings& settings) {
  const bool adaptive = !settings.step_is_chosen;
  return {{"file", file},
          {"duration", fmt::format("{:g} s, an output every {:g} s", settings.duration, settings.output_every)},
          {"integrator", settings.integrator},
          {adaptive ? "tolerance" : "step",
           adaptive ? fmt::format("{:g}", settings.steps.tolerance) : fmt::format("{:g} s", settings.steps.step)},
          {"formulation", formulation_names()[static_cast<std::size_t>(settings.formulation)]},
          {"constraints", stabilization_names()[static_cast<std::size_t>(settings.stabilization)]}};
}

std::string report_html(const Model& model, const PageText& text) {
  return warning_list(text.warnings) + table("Summary", text.summary) + table("Settings", text.settings) +
         model_table(model);
}

std::string run_page(const Scene& scene, const System& system, const Trajectory& run, const PageText& text,
                     const std::string& policy, const ContactArrows* contacts) {
  Snapshots snapshots(system, run.layout());
  const std::string mechanism = mechanism_json(scene, snapshots);
  const RunData data = run_json(run, snapshots, contacts);
  PageText shown = text;
  if (data.every > 1)
    shown.warnings.push_back(
        fmt::format("the page shows one of {} outputs ({} in all; --out has them)", data.every, run.size()));
  if (contacts != nullptr && contacts->left_out())
    shown.warnings.push_back(
        fmt::format("the page shows the {} strongest contact forces of an instant", ContactArrows::kMostArrows));
  return fill_page(text.title, policy.empty() ? kStaticPolicy : policy,
                   fmt::format("{{\"format\":1,\"mechanism\":{},\"run\":{},\"health\":{}{}}}", mechanism, data.json,
                               health_json(shown.health, shown.is_healthy),
                               shown.studio.empty() ? "" : ",\"studio\":" + shown.studio),
                   report_html(scene.model, shown));
}

}  // namespace cardan::view
