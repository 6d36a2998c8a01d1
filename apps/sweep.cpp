// cardan sweep: many runs of one scene.
#include "apps/branch_note.hpp"
#include "apps/command.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/sweep_files.hpp"
#include "apps/sweep_folder.hpp"
#include "apps/sweep_page.hpp"
#include "cardan/io/internal/csv.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/trajectory_file.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

namespace cardan::command {

namespace {

constexpr const char* kSweepFooter = R"(Example:
  cardan sweep examples/cart_pole.toml --vary stiffness=10:100:10 --vary 'simulation.duration=1:2:2' --out build/sweep

Varies parameters, or values by their path as --set does, over a grid or, with --random, between their bounds. A run is
its number: the results are the same bytes whatever number of jobs, parts or processes does them.
DIR/sweep.csv has for every run its number, the varied values, its status (ok, or what went wrong) and of every column
that the scene records the final, least and largest value and the root mean square over the outputs; its note says
where loops are closed on another branch than in the scene as given. With
--trajectories DIR/runs/N.csv is the whole motion of run N.

Started again with the same DIR, finished runs are not repeated. --part K/N does every N-th run; tasks of a SLURM job
array and processes of mpirun or srun do their parts by themselves. Whoever finishes last writes sweep.csv; --gather
only does that, and names the runs that are missing.)";

struct SweepArguments {
  std::string file, out, part;
  std::vector<std::string> vary, set;
  std::optional<long> random;
  std::optional<double> duration;
  std::optional<std::string> report;
  std::uint64_t seed = 0;
  int jobs = 0;
  bool gather = false, trajectories = false, json = false;
};

/// What runs are made of, and what is made of them.
class Sweep {
 public:
  Sweep(const SweepArguments& a, SweepPlan plan) : a_(a), spec_(load_spec(a.file)), plan_(std::move(plan)) {
    const Scene scene = scene_of_run(0);  // complains now of what is wrong with every run
    try {
      const Scene as_given = scene_with(a_.set);
      as_given_ = as_given.initial.q;
      parameters_ = as_given.parameters;
    } catch (const ModelError&) {  // a scene may need what is varied
    }
    for (const RecordedColumns& record : scene.records.layout())
      columns_.insert(columns_.end(), record.columns.begin(), record.columns.end());
  }

  const SweepPlan& plan() const { return plan_; }
  std::string header() const {
    std::string out = "run";
    for (const Variation& v : plan_.variations()) out += "," + csv_field(v.name);
    out += ",status";
    for (const std::string& column : columns_)
      for (const char* kind : {"final", "min", "max", "rms"}) out += "," + csv_field(column + "." + kind);
    return out + ",note\n";
  }

  /// Everything that decides what the runs are.
  std::string manifest() const {
    nlohmann::ordered_json out;
    out["cardan"] = CARDAN_VERSION;
    out["table"] = 2;  // of these columns
    out["scene"] = std::filesystem::path(a_.file).filename().string();
    for (const auto& [file, number] : files_of(a_.file)) out["files"][file] = fmt::format("{:016x}", number);
    out["set"] = a_.set;
    if (a_.duration) out["duration"] = *a_.duration;
    out["runs"] = plan_.runs();
    if (plan_.is_random()) out["seed"] = plan_.seed();
    for (const Variation& v : plan_.variations())
      out["vary"].push_back({{"name", v.name}, {"low", v.low}, {"high", v.high}, {"count", v.count}});
    out["trajectories"] = a_.trajectories;
    return out.dump(2) + "\n";
  }

  /// Runs one and returns its line; writes the motion where that is asked for.
  std::string line(long run, const SweepFolder& folder) const {
    std::string out = fmt::format("{}", run), status = "ok";
    for (const double value : plan_.values(run)) out += fmt::format(",{:.17g}", value);
    std::string numbers, note;
    try {
      const Scene scene = scene_of_run(run);
      note = branch_note(scene, as_given_, [&](double share) { return scene_on_the_way(run, share); });
      const Trajectory motion = simulate(scene);
      if (motion.summary.end != RunSummary::End::done) status = motion.summary.failure;
      if (a_.trajectories) write_output(folder.trajectory(run), trajectory_csv(motion));
      numbers = summary(motion);
    } catch (const ModelError& problem) {
      status = problem.what();
      numbers = std::string(4 * columns_.size(), ',');
    } catch (const std::runtime_error& problem) {
      status = problem.what();
      numbers = std::string(4 * columns_.size(), ',');
    }
    return out + "," + csv_field(io::printable(status)) + numbers + "," + csv_field(note) + "\n";
  }

 private:
  Scene scene_of_run(long run) const { return scene_on_the_way(run, 1.0); }
  /// Parameters that are varied go from the scene's own value to the run's; what else is varied is the run's.
  Scene scene_on_the_way(long run, double share) const {
    std::vector<std::string> changes = a_.set;
    const std::vector<double> values = plan_.values(run);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string& name = plan_.variations()[i].name;
      double value = values[i];
      for (const auto& [parameter, own] : parameters_)
        if (parameter == name && share != 1.0) value = own + share * (value - own);
      changes.push_back(fmt::format("{}={:.17g}", name, value));
    }
    return scene_with(changes);
  }
  Scene scene_with(const std::vector<std::string>& changes) const {
    SceneSpec spec = spec_;  // parsed once for all runs
    for (const std::string& change : changes) spec.set(change);
    Scene scene = spec.bind();
    if (a_.duration) scene.settings.duration = *a_.duration;
    scene.settings.code = Settings::Code::generic;  // compiling takes longer than most runs of a sweep
    assemble(scene);
    return scene;
  }

  /// Final value, least, largest and root mean square of every recorded column.
  std::string summary(const Trajectory& motion) const {
    std::string out;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      double last = 0.0, least = INFINITY, largest = -INFINITY, squares = 0.0;
      for (std::size_t row = 0; row < motion.size(); ++row) {
        last = motion.recorded(row)[c];
        least = std::min(least, last);
        largest = std::max(largest, last);
        squares += last * last;
      }
      out += fmt::format(",{:.17g},{:.17g},{:.17g},{:.17g}", last, least, largest,
                         std::sqrt(squares / static_cast<double>(motion.size())));
    }
    return out;
  }

  const SweepArguments& a_;
  SceneSpec spec_;
  SweepPlan plan_;
  std::vector<std::string> columns_;
  std::vector<std::pair<std::string, double>> parameters_;  // of the scene as given
  std::vector<double> as_given_;  // where the scene starts if nothing is varied; empty where it makes no sense so
};

SweepPlan plan_of(const SweepArguments& a) {
  std::vector<Variation> variations;
  for (const std::string& text : a.vary) variations.push_back(parse_variation(text, a.random.has_value()));
  for (std::size_t i = 0; i < variations.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (variations[i].name == variations[k].name)
        throw std::runtime_error(fmt::format("sweep: --vary: expected names that differ, found {} twice",
                                             io::in_quotes(variations[i].name)));
  if (!a.random) return SweepPlan(std::move(variations));
  if (*a.random < 1) throw std::runtime_error("sweep: --random: expected a number of runs, found less than 1");
  return {std::move(variations), *a.random, a.seed};
}

/// Throws where a thread did; the first of several.
void run_all(const std::vector<long>& runs, int jobs, const std::function<void(long)>& run) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr problem;
  std::mutex noting;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < runs.size(); i = next++) run(runs[i]);
    } catch (...) {
      next = runs.size();
      const std::lock_guard lock(noting);
      if (!problem) problem = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (problem) std::rethrow_exception(problem);
}

std::vector<long> missing(const SweepPlan& plan, const std::map<long, std::string>& finished, const SweepPart& part) {
  std::vector<long> out;
  for (long run = 0; run < plan.runs(); ++run)
    if (part.has(run) && finished.count(run) == 0) out.push_back(run);
  return out;
}

std::string listed(const std::vector<long>& runs) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(runs.size(), 10); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", runs[i]);
  return runs.size() > 10 ? out + ", ..." : out;
}

/// Writes sweep.csv and says how it went.
void finish(const SweepArguments& a, const Sweep& sweep, const SweepFolder& folder,
            const std::map<long, std::string>& lines, double seconds, std::size_t done) {
  folder.gather(sweep.header(), lines);
  const std::string table = (std::filesystem::path(folder.path()) / "sweep.csv").string();
  if (a.report) write_output(*a.report, sweep_page(sweep.plan(), sweep.header(), lines, a.file));
  const long failed = failed_runs(sweep.plan(), lines);
  write_output(
      "", fmt::format("{:<26}{}\n{:<26}{} now in {:.3g} s{}\n{:<26}{}\n", "runs", lines.size(), "finished", done,
                      seconds, done > 0 ? fmt::format(", {:.4g} a second", static_cast<double>(done) / seconds) : "",
                      "wrote", io::printable(table)));
  if (const long noted = noted_runs(lines); noted > 0)
    write_output("", fmt::format("{:<26}{} of {} runs start on another branch of their loops than the scene as given, "
                                 "or may: the column note says which\n",
                                 "warning", noted, lines.size()));
  if (failed > 0)
    throw std::runtime_error(fmt::format("sweep: {} of {} runs failed: the column status of {} says why", failed,
                                         lines.size(), io::printable(table)));
}

void sweep(const SweepArguments& a) {
  const SweepPart part = a.part.empty() ? part_from_environment() : parse_part(a.part);
  const Sweep work(a, plan_of(a));
  SweepFolder folder(a.out);
  if (a.gather) {
    if (folder.manifest() != work.manifest())
      throw std::runtime_error(fmt::format("sweep: {}: expected the folder of this sweep, found another's", a.out));
    const auto lines = folder.finished(part);
    if (const auto left = missing(work.plan(), lines, {}); !left.empty())
      throw std::runtime_error(
          fmt::format("sweep: {} of {} runs are missing: {}", left.size(), work.plan().runs(), listed(left)));
    return finish(a, work, folder, lines, 0.0, 0);
  }
  folder.begin(work.manifest());
  folder.open(part);
  const std::vector<long> runs = missing(work.plan(), folder.finished(part), part);
  const int jobs = a.jobs > 0 ? a.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto begin = std::chrono::steady_clock::now();
  const Interrupt interrupt;
  Progress progress(static_cast<double>(runs.size()), Progress::Of::runs);
  std::atomic<long> done{0};
  std::mutex showing;
  run_all(runs, std::min<int>(jobs, static_cast<int>(std::max<std::size_t>(1, runs.size()))), [&](long run) {
    if (interrupt.asked()) return;
    folder.add(work.line(run, folder));
    const std::lock_guard lock(showing);
    progress.at(static_cast<double>(++done));
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (interrupt.asked())
    throw std::runtime_error(fmt::format("sweep: interrupted with {} of {} runs to go: the same command goes on",
                                         static_cast<long>(runs.size()) - done, runs.size()));
  const auto lines = folder.finished(part);
  if (missing(work.plan(), lines, {}).empty())
    return finish(a, work, folder, lines, seconds, static_cast<std::size_t>(done));
  write_output("", fmt::format("{:<26}{} of {} finished: runs {} now in {:.3g} s\n", "part", part.k, part.n,
                               done.load(), seconds));
}

}  // namespace

void add_sweep(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("sweep", "Run a scene many times with varied parameters");
  const auto arguments = std::make_shared<SweepArguments>();
  SweepArguments& a = *arguments;
  command->add_option("SCENE", a.file, "The scene (TOML)")->required()->option_text(" ");
  command->add_option("--vary", a.vary, "What to vary; may be given several times")
      ->required()
      ->allow_extra_args(false)
      ->option_text("NAME=LO:HI:N");
  command->add_option("--random", a.random, "So many runs with random values instead of a grid")->option_text("N");
  command->add_option("--seed", a.seed, "Of the random values")->option_text("S");
  command->add_option("--jobs", a.jobs, "Runs at a time; one for each processor if not given")
      ->check(CLI::Range(1, 4096))
      ->option_text("N");
  command->add_option("--part", a.part, "Do only every N-th run, beginning with the K-th")->option_text("K/N");
  command->add_flag("--gather", a.gather, "Only put the results of finished parts together");
  command->add_flag("--trajectories", a.trajectories, "Keep the motion of every run");
  command->add_option("--duration", a.duration, "How long each run is, in seconds")
      ->check(CLI::PositiveNumber)
      ->option_text("S");
  command->add_option("--out", a.out, "The folder of the results")->required()->option_text("DIR");
  command->add_option("--report", a.report, "Write a page with plots of the results")->option_text("PAGE.html");
  add_set_option(*command, a.set);
  command->footer(kSweepFooter);
  command->callback([arguments, &action] { action = [arguments] { sweep(*arguments); }; });
}

}  // namespace cardan::command
