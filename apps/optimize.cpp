// cardan optimize: the numbers of a scene with which a run comes out best.
#include "apps/command.hpp"
#include "apps/interrupt.hpp"
#include "apps/optimize_report.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/symbolic/parse.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace cardan::command {

namespace {

constexpr const char* kOptimizeFooter = R"(Examples:
  cardan optimize examples/cart_pole.toml --minimize "tip.x.rms" --vary start=-0.2:0.2 --vary length=0.5:2 --duration 3
  cardan optimize examples/throw.toml --minimize "speed^2" --subject-to "0.01 - miss.final" --vary speed=5:15 --vary angle=0.2:1.3

TEXT is an expression of outcomes (COLUMN.final, .min, .max, .rms, .integral of a run), parameters and varied names.
A constraint holds where its TEXT is >= 0. NAME is a parameter, a path as --set takes it, input.NAME, initial.q.JOINT or
initial.v.JOINT, from LO to HI; the search begins at the scene's own value. Names that are no words of a text go through
--with, as in --with "toe=left toe.z.rms" --minimize toe.
What is found is a local optimum. Where the run has derivatives the search goes by these (SLSQP, then MMA), else by
values alone (BOBYQA; with constraints, or one number, COBYLA); docs/gradients.md says more.)";

struct OptimizeArguments {
  std::string file, minimize, out, report;
  std::vector<std::string> vary, subject_to, with, set;
  std::optional<double> duration;
  int most = SearchOptions{}.most_evaluations;
  bool json = false, values = false;
};

[[noreturn]] void refuse_option(const std::string& option, const std::string& text, const std::string& what) {
  throw std::runtime_error(fmt::format("optimize: {} {}: {}", option, io::in_quotes(text), what));
}

double bound(const std::string& option, const std::string& text) {
  try {
    return parse_expression(text, {}).value();
  } catch (const ParseError& problem) {
    refuse_option("--vary", option,
                  fmt::format("expected a number, found {}: {}", io::in_quotes(text), problem.what()));
  }
}

struct NamedRange {
  std::string name;
  std::pair<double, double> range;
};

NamedRange parse_range(const std::string& text) {
  const auto equals = text.find('='), colon = text.find(':', equals);
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos)
    refuse_option("--vary", text, "expected NAME=LO:HI");
  return {text.substr(0, equals),
          {bound(text, text.substr(equals + 1, colon - equals - 1)), bound(text, text.substr(colon + 1))}};
}

/// One line on a terminal about how far the search is; nothing where there is none.
class SearchLine {
 public:
  ~SearchLine() {
    if (is_shown_) fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
  }
  void show(const SearchProgress& progress) {
    if (!is_terminal_ || progress.evaluations == shown_) return;
    shown_ = progress.evaluations;
    is_shown_ = true;
    fmt::print(stderr, "\r\033[K{} runs  {}  best {}", progress.evaluations,
               std::isfinite(progress.value) ? fmt::format("{:.8g}", progress.value) : "failed",
               std::isfinite(progress.best) ? fmt::format("{:.8g}", progress.best) : "none yet");
    std::fflush(stderr);
  }

 private:
  bool is_terminal_ = ::isatty(STDERR_FILENO) == 1, is_shown_ = false;
  int shown_ = 0;
};

Search search_of(const OptimizeArguments& a, std::vector<std::string>& names) {
  Search out{a.minimize, a.subject_to};
  for (const std::string& text : a.vary) {
    NamedRange range = parse_range(text);
    names.push_back(std::move(range.name));
    out.ranges.push_back(range.range);
  }
  for (const std::string& text : a.with) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) refuse_option("--with", text, "expected WORD=NAME");
    if (const std::string problem = name_problem(text.substr(0, equals)); !problem.empty())
      refuse_option("--with", text, problem);
    out.words[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return out;
}

Optimum found_by(const OptimizeArguments& a, const SceneFamily& family, const Search& search) {
  const Interrupt interrupt;
  SearchLine line;
  SearchOptions options{.most_evaluations = a.most, .by_values = a.values};
  options.go_on = [&](const SearchProgress& progress) {
    line.show(progress);
    return !interrupt.asked();
  };
  try {
    return optimize(family, search, options);
  } catch (const std::exception& problem) {
    throw std::runtime_error(fmt::format("optimize: {}: {}", io::printable(a.file), io::printable(problem.what())));
  }
}

void optimize_scene(const OptimizeArguments& a) {
  if (!a.out.empty()) require_folder(a.out);
  if (!a.report.empty()) require_folder(a.report);
  std::vector<std::string> names;
  const Search search = search_of(a, names);
  SceneSpec spec = load_spec(a.file);
  for (const std::string& change : a.set) spec.set(change);
  if (a.duration) spec.set("simulation.duration", *a.duration);
  const SceneFamily family = scene_family(spec, names, {});
  const Optimum found = found_by(a, family, search);
  for (std::size_t i = 0; i < names.size(); ++i) set_number(spec, names[i], found.found.numbers[i]);
  if (!a.out.empty()) write_output(a.out, spec.to_toml(a.out));
  if (!a.report.empty()) write_output(a.report, optimum_page(a.file, found, search, family));
  std::string text = a.json ? optimum_json(found, family) : optimum_text(found, search, family);
  if (!a.json)
    for (const std::string& path : {a.out, a.report})
      if (!path.empty()) text += fmt::format("{:<26}{}\n", "wrote", io::printable(path));
  write_output("", text);
}

}  // namespace

void add_optimize(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("optimize", "Find the numbers of a scene with which a run comes out best");
  const auto arguments = std::make_shared<OptimizeArguments>();
  OptimizeArguments& a = *arguments;
  command->add_option("SCENE", a.file, "The scene (TOML)")->required()->option_text(" ");
  command->add_option("--minimize", a.minimize, "What is to be least")->required()->option_text("TEXT");
  command->add_option("--vary", a.vary, "What to vary; may be given several times")
      ->required()
      ->allow_extra_args(false)
      ->option_text("NAME=LO:HI");
  command->add_option("--subject-to", a.subject_to, "What is to be >= 0; may be given several times")
      ->allow_extra_args(false)
      ->option_text("TEXT");
  command->add_option("--with", a.with, "A word that stands for a name in texts; may be given several times")
      ->allow_extra_args(false)
      ->option_text("WORD=NAME");
  command->add_option("--evaluations", a.most, "At most so many runs")
      ->check(CLI::Range(1, 1000000))
      ->option_text("N")
      ->capture_default_str();
  command->add_flag("--without-gradients", a.values, "Search by values alone");
  command->add_option("--duration", a.duration, "How long each run is, in seconds")
      ->check(CLI::PositiveNumber)
      ->option_text("S");
  command->add_option("--out", a.out, "Write the scene with what was found")->option_text("SCENE.toml");
  command->add_option("--report", a.report, "Write a page that shows before and after")->option_text("PAGE.html");
  command->add_flag("--json", a.json, "Write JSON");
  add_set_option(*command, a.set);
  command->footer(kOptimizeFooter);
  command->callback([arguments, &action] { action = [arguments] { optimize_scene(*arguments); }; });
}

}  // namespace cardan::command
