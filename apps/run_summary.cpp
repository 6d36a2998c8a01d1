#include "apps/run_summary.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace cardan::command {

namespace {

constexpr double kDeep = 1000.0;  // times `penetration`: overlaps that are told
constexpr double kMuchDrift = 0.01;

double simulated(const Trajectory& run) { return run.summary.end_time - run.settings.start; }
double speed(const Trajectory& run) {
  return run.summary.wall_time > 0.0 ? simulated(run) / run.summary.wall_time : 0.0;
}

/// True if nothing may take or give energy: limits that were reached may, as contacts do.
bool is_conservative(const Trajectory& run, const SystemWorkspace& workspace) {
  return workspace.is_conservative() && !run.summary.contact;
}

const std::string& formulation_of(const Trajectory& run) {
  return formulation_names()[static_cast<std::size_t>(run.settings.formulation)];
}

const char* word_of(ContactEvent::Kind kind) {
  switch (kind) {
    case ContactEvent::Kind::impact: return "impact";
    case ContactEvent::Kind::sticks: return "sticks";
    case ContactEvent::Kind::slips: return "slips";
    case ContactEvent::Kind::releases: return "releases";
    case ContactEvent::Kind::rests: return "rests";
  }
  return "";
}

/// Says what happened: "contact of "ball" and "ground": impact".
std::string describe(const ContactEvent& event) { return fmt::format("{}: {}", event.what, word_of(event.kind)); }

/// Says how contact was followed: "events, stepping from t = 1.2 s".
std::string mode_of(const ContactSummary& contact) {
  if (contact.switches.size() < 2) return contact.mode;
  std::string out = contact.switches.front().mode;
  constexpr std::size_t kMostTold = 4;
  for (std::size_t i = 1; i < std::min(contact.switches.size(), kMostTold); ++i)
    out += fmt::format(", {} from t = {:g} s", contact.switches[i].mode, contact.switches[i].t);
  if (contact.switches.size() > kMostTold) out += fmt::format(" and {} more", contact.switches.size() - kMostTold);
  return out;
}

nlohmann::ordered_json contact_events(const ContactSummary& contact) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const ContactEvent& event : contact.events)
    out.push_back({{"t", event.t}, {"kind", word_of(event.kind)}, {"what", event.what}});
  return out;
}

const char* end_name(RunSummary::End end) {
  switch (end) {
    case RunSummary::End::done: return "done";
    case RunSummary::End::stopped: return "stopped";
    case RunSummary::End::failed: return "failed";
  }
  return "";
}

/// Says how far constraints were from holding.
std::string constraint_error_text(const Trajectory& run, const SystemWorkspace& workspace) {
  if (run.settings.formulation == Formulation::reduced)
    return run.model().loops().empty() ? "0 (independent coordinates: no constraints to violate)"
                                       : "below 1e-11 (loops are closed around the independent coordinates)";
  if (workspace.is_projected() || workspace.rows() > 0)
    return fmt::format("{:.3e} (m or rad, after any step)", run.summary.largest_constraint_error);
  return "0 (a tree: no constraints to violate)";
}

/// Whether the variational integrator can be expected to keep the energy at any step that resolves the motion: on
/// trees of joints without singular poses. Contacts of surfaces and other invented joints may run into their
/// singularities, which no step of it passes (examples/windmill.toml).
bool suits_variational(const Trajectory& run, const SystemWorkspace& workspace) {
  if (run.settings.integrator == "variational" || workspace.is_projected() || workspace.rows() > 0) return false;
  constexpr std::string_view kSmooth[] = {"fixed",  "revolute",      "prismatic", "helical", "cylindrical",
                                          "planar", "translational", "spherical", "free",    "free_planar"};
  for (int body = 1; body <= run.model().bodies(); ++body)
    if (std::find(std::begin(kSmooth), std::end(kSmooth), run.model().joint(body).type_name()) == std::end(kSmooth))
      return false;
  return true;
}

/// Whether the residual of the exact laws is known: bilateral staggered projections solve others.
bool is_certified(const ContactSummary& contact) {
  return contact.solver !=
         contact_solver_names()[static_cast<std::size_t>(ContactSolver::bilateral_staggered_projections)];
}

std::string named_solver(const ContactSummary& contact) {
  return contact.solver == "exact" ? "" : " by " + contact.solver;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> summary_lines(const Trajectory& run,
                                                               const SystemWorkspace& workspace) {
  const RunSummary& s = run.summary;
  const Model& model = run.model();
  const EnergyDrift drift = energy_drift(run);
  const bool conservative = is_conservative(run, workspace);
  std::vector<std::pair<std::string, std::string>> out{
      {"model", fmt::format("{}: {} moving {}, nq = {}, nv = {}", model.name(), model.bodies(),
                            model.bodies() == 1 ? "body" : "bodies", model.nq(), model.nv())},
      {"simulated time",
       fmt::format("{:g} s of {:g} s{}, {} outputs", simulated(run), run.settings.duration,
                   run.settings.start != 0.0 ? fmt::format(" from t = {:g} s", run.settings.start) : "", run.size())},
      {"integrator", fmt::format("{}, {} formulation, {} code", run.settings.integrator, formulation_of(run),
                                 workspace.is_compiled() ? "compiled" : "generic")},
      {"steps",
       s.rejected_steps > 0 ? fmt::format("{} ({} rejected)", s.steps, s.rejected_steps) : fmt::format("{}", s.steps)},
      {"evaluations", fmt::format("{}", s.evaluations)},
      {"wall time", fmt::format("{:.3g} s", s.wall_time)},
      {"speed", fmt::format("{:.3g} x real time", speed(run))},
      {conservative ? "energy drift" : "energy change",
       fmt::format("{:.3e} J at most, {:.3e} relative, {:.3e} J at the end{}", drift.largest, drift.relative,
                   drift.last,
                   conservative ? ""
                   : s.contact  ? " (contacts, limits, friction, forces or motions do work)"
                                : " (forces, motions or dampers do work)")},
      {"largest constraint error", constraint_error_text(run, workspace)},
  };
  if (!s.events.empty())
    out.emplace_back("events", fmt::format("{}{}; the first: t = {:.6g} s, {}", s.events.size(),
                                           s.events.size() == RunSummary::kMostEvents ? " or more" : "",
                                           s.events.front().t, describe(s.events.front())));
  if (s.contact) {
    const ContactSummary& c = *s.contact;
    out.emplace_back(
        "contact",
        fmt::format("{}{}{}: {} at most at once, {} impacts{}", mode_of(c), named_solver(c),
                    c.since > run.settings.start ? fmt::format(" from t = {:g} s", c.since) : "", c.contacts, c.impacts,
                    c.scaled_impacts > 0
                        ? fmt::format(" ({} with less restitution, to gain no energy)", c.scaled_impacts)
                        : ""));
    if (!c.events.empty())
      out.emplace_back("contact events", fmt::format("{}{}; the last: t = {:.9g} s, {}", c.events.size(),
                                                     c.events.size() == ContactSummary::kMostEvents ? " or more" : "",
                                                     c.events.back().t, describe(c.events.back())));
    if (c.rested_steps > 0)
      out.emplace_back("steps at rest", fmt::format("{}, with the rows of the step before", c.rested_steps));
    if (c.short_steps > 0)
      out.emplace_back("without accelerations",
                       fmt::format("{} steps of 1e-6 s where no accelerations obey all laws", c.short_steps));
    if (!is_certified(c))
      out.emplace_back("contact rounds", fmt::format("{}, {} steps did not converge", c.rounds, c.unsolved));
    else if (c.solver == "exact")
      out.emplace_back("contact residual", fmt::format("{:.3e} m/s at most, {} steps above {:g}", c.residual,
                                                       c.unsolved, run.settings.residual));
    else
      out.emplace_back(
          "contact residual",
          fmt::format("{:.3e} m/s at most, of the exact laws; {} steps did not converge", c.residual, c.unsolved));
    if (workspace.system().contacts_act())
      out.emplace_back("largest penetration", fmt::format("{:.3e} m", c.penetration));
    if (c.limit_excess > 0.0) out.emplace_back("beyond limits", fmt::format("{:.3e} rad or m at most", c.limit_excess));
  }
  return out;
}

std::vector<std::string> health_lines(const Trajectory& run, const SystemWorkspace& workspace) {
  const RunSummary& s = run.summary;
  const EnergyDrift drift = energy_drift(run);
  const auto short_number = [](double x) {
    std::string text = fmt::format("{:.1g}", x);
    if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
    return text;
  };
  std::vector<std::string> out;
  if (s.contact && is_certified(*s.contact) && s.contact->contacts > 0)
    out.push_back(fmt::format("contact laws met to {} m/s", short_number(s.contact->residual)));
  if (run.settings.formulation != Formulation::reduced && (workspace.is_projected() || workspace.rows() > 0) &&
      s.largest_constraint_error > 0.0)
    out.push_back(fmt::format("constraints hold to {} m or rad", short_number(s.largest_constraint_error)));
  if (is_conservative(run, workspace))
    out.push_back(fmt::format("energy kept to {} of it", short_number(drift.relative)));
  else if (s.contact && drift.last < 0.0)
    out.push_back(fmt::format("{:.3g} J lost by the end", -drift.last));
  return out;
}

namespace {

/// Parts that took any time, the longest first.
std::vector<RunProfile::Part> parts_of(const RunProfile& profile) {
  std::vector<RunProfile::Part> out;
  for (std::size_t i = 0; i < RunProfile::kParts; ++i)
    if (const auto part = static_cast<RunProfile::Part>(i); profile.of(part).times > 0) out.push_back(part);
  std::stable_sort(out.begin(), out.end(),
                   [&](auto a, auto b) { return profile.of(a).seconds > profile.of(b).seconds; });
  return out;
}

}  // namespace

std::string profile_table(const RunProfile& profile) {
  std::string out = fmt::format("{:<42}{:>10}{:>8}{:>12}\n", "where the time went", "s", "share", "times");
  for (const RunProfile::Part part : parts_of(profile)) {
    const RunProfile::Entry& entry = profile.of(part);
    out += fmt::format("  {:<40}{:>10.3g}{:>6.1f} %{:>12}\n", RunProfile::meaning(part), entry.seconds,
                       100.0 * entry.seconds / profile.total(), entry.times);
  }
  return out;
}

std::string summary_json(const Trajectory& run, const SystemWorkspace& workspace,
                         const std::vector<std::string>& warnings) {
  const RunSummary& s = run.summary;
  const EnergyDrift drift = energy_drift(run);
  nlohmann::ordered_json out;
  out["model"] = run.model().name();
  out["end"] = end_name(s.end);
  if (!s.failure.empty()) out["failure"] = s.failure;
  out["simulated_time"] = simulated(run);
  out["duration"] = run.settings.duration;
  out["outputs"] = run.size();
  out["integrator"] = run.settings.integrator;
  out["formulation"] = formulation_of(run);
  out["compiled"] = workspace.is_compiled();
  out["steps"] = s.steps;
  out["rejected_steps"] = s.rejected_steps;
  out["evaluations"] = s.evaluations;
  out["wall_time"] = s.wall_time;
  out["speed"] = speed(run);
  out["conservative"] = is_conservative(run, workspace);
  out["energy_drift"] = {
      {"absolute", drift.largest}, {"largest", drift.largest}, {"relative", drift.relative}, {"last", drift.last}};
  out["largest_constraint_error"] = s.largest_constraint_error;
  if (s.contact)
    out["contact"] = {{"residual", is_certified(*s.contact) ? nlohmann::ordered_json(s.contact->residual) : nullptr},
                      {"unsolved", s.contact->unsolved},
                      {"penetration", s.contact->penetration},
                      {"limit_excess", s.contact->limit_excess},
                      {"contacts", s.contact->contacts},
                      {"impacts", s.contact->impacts},
                      {"mode", s.contact->mode},
                      {"solver", s.contact->solver},
                      {"rounds", s.contact->rounds},
                      {"rested_steps", s.contact->rested_steps},
                      {"short_steps", s.contact->short_steps},
                      {"events", contact_events(*s.contact)}};
  if (s.contact && !s.contact->switches.empty()) {
    out["contact"]["switches"] = nlohmann::ordered_json::array();
    for (const ContactSummary::Switch& one : s.contact->switches)
      out["contact"]["switches"].push_back({{"t", one.t}, {"mode", one.mode}});
  }
  if (const RunProfile* profile = workspace.profile())
    for (const RunProfile::Part part : parts_of(*profile))
      out["profile"][RunProfile::name(part)] = {{"seconds", profile->of(part).seconds},
                                                {"times", profile->of(part).times}};
  if (!s.events.empty()) {
    const auto word = [](PathEvent::Kind kind) {
      return kind == PathEvent::Kind::jumps ? "jumps" : kind == PathEvent::Kind::touches ? "touches" : "lifts_off";
    };
    out["events"] = nlohmann::ordered_json::array();
    for (const PathEvent& event : s.events)
      out["events"].push_back(
          {{"t", event.t}, {"line", event.line}, {"kind", word(event.kind)}, {"from", event.from}, {"to", event.to}});
  }
  out["warnings"] = warnings;
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::vector<std::string> doubts(const Trajectory& run, const SystemWorkspace& workspace) {
  std::vector<std::string> out;
  const EnergyDrift drift = energy_drift(run);
  if (is_conservative(run, workspace) && drift.relative > kMuchDrift)
    out.push_back(fmt::format("the energy drifts by {:.2g} % though nothing does work: take a smaller step{}",
                              100.0 * drift.relative,
                              suits_variational(run, workspace)
                                  ? ", a tolerance with munthe_kaas_54, or variational, which keeps it in a band"
                                  : " or a tolerance with munthe_kaas_54"));
  if (const auto& contact = run.summary.contact; contact && contact->unsolved > 0 && contact->solver != "exact")
    out.push_back(fmt::format("contact_solver \"{}\" did not converge in {} of {} steps: \"exact\" may",
                              contact->solver, contact->unsolved, run.summary.steps));
  else if (contact && contact->unsolved > 0)
    out.push_back(fmt::format(
        "the laws of contact were not solved to {:g} m/s in {} of {} steps{}; a smaller step may help",
        run.settings.residual, contact->unsolved, run.summary.steps,
        contact->residual > run.settings.residual ? fmt::format(": {:.2g} m/s at most", contact->residual) : ""));
  if (const auto& contact = run.summary.contact; contact && contact->penetration > kDeep * run.settings.penetration)
    if (const ContactSummary::Deepest& at = contact->deepest; !at.a.empty())
      out.push_back(fmt::format(
          "t = {:.6g} s: \"{}\" and \"{}\" are {:.3g} m inside each other, where penetration = {:g} m is asked for: a "
          "smaller step may keep them apart",
          at.t, at.a, at.b, contact->penetration, run.settings.penetration));
  std::vector<std::string> jumped;  // the first jump of each line is told
  for (const PathEvent& event : run.summary.events) {
    if (event.kind != PathEvent::Kind::jumps || std::find(jumped.begin(), jumped.end(), event.line) != jumped.end())
      continue;
    jumped.push_back(event.line);
    out.push_back(fmt::format("t = {:.6g} s: {}", event.t, describe(event)));
  }
  return out;
}

}  // namespace cardan::command
