// cardan picture and cardan film: what the page of a run shows, as a file, without a user.
#include "apps/command.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/view/internal/studio.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kPictureFooter = R"(Examples:
  cardan picture examples/walking_linkage.toml --at 0.9 --out walker.png
  cardan picture examples/arch.toml --size 2400x1600 --transparent --out arch.png

The scene is simulated, for its duration or up to --at, and drawn as the viewer draws it: [view] of the scene says from
where. A browser without a window does it: Chromium or Chrome, looked for in PATH (apt-get install chromium).

)";
constexpr const char* kFilmFooter = R"(Examples:
  cardan film examples/four_bar.toml --out four_bar.mp4
  cardan film examples/bow.toml --from 0.9 --to 1.2 --speed 0.1 --size 1920x1080 --dark --out bow.webm

Every frame is drawn, however long that takes, and encoded by the browser: H.264 for names that end in .mp4, VP9 for
.webm. It is Chromium or Chrome without a window, looked for in PATH (apt-get install chromium).

)";

struct PictureArguments : ModelArguments {
  std::string out, size = "1280x720";
  std::optional<double> at, from, to;
  double fps = 30.0, speed = 1.0;
  bool dark = false, transparent = false;
};

[[noreturn]] void refuse(const char* command, const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", command, what));
}

/// Reads "1280x720". Films have an even number of pixels, because their colors are halved.
void read_size(const char* command, const PictureArguments& a, bool is_film, view::StudioOrder& order) {
  constexpr int kLeast = 16, kMost = 4096;
  const char* const end = a.size.data() + a.size.size();
  const auto [x, error] = std::from_chars(a.size.data(), end, order.width);
  bool good = error == std::errc{} && x != end && *x == 'x';
  if (good) {
    const auto [last, other] = std::from_chars(x + 1, end, order.height);
    good = other == std::errc{} && last == end;
  }
  for (const int pixels : {order.width, order.height}) good = good && pixels >= kLeast && pixels <= kMost;
  if (!good)
    refuse(command, fmt::format("--size: expected WIDTHxHEIGHT, each from {} to {} pixels, found {}", kLeast, kMost,
                                io::in_quotes(a.size)));
  if (is_film && (order.width % 2 != 0 || order.height % 2 != 0))
    refuse(command, fmt::format("--size: expected even numbers of pixels, found {}", io::in_quotes(a.size)));
}

void read_kind(const char* command, const PictureArguments& a, bool is_film, view::StudioOrder& order) {
  const std::string ending = std::filesystem::path(a.out).extension().string();
  if (is_film ? ending != ".mp4" && ending != ".webm" : ending != ".png")
    refuse(command, fmt::format("--out: expected a name that ends in {}, found {}", is_film ? ".mp4 or .webm" : ".png",
                                io::in_quotes(a.out)));
  order.kind = ending.substr(1);
  require_folder(a.out);
}

void require_number(const char* command, const char* option, double value, bool positive) {
  if (std::isfinite(value) && (positive ? value > 0.0 : true)) return;
  refuse(command,
         fmt::format("{}: expected a {}number, found {:g}", option, positive ? "positive " : "finite ", value));
}

/// The instants that are shown; the run goes as far.
void read_times(const char* command, const PictureArguments& a, bool is_film, Settings& settings,
                view::StudioOrder& order) {
  const double start = settings.start;
  const auto instant = [&](const char* option, const std::optional<double>& given, double otherwise) {
    require_number(command, option, given.value_or(otherwise), false);
    if (given.value_or(otherwise) < start)
      refuse(command, fmt::format("{}: expected an instant from {:g} s on, where the run starts, found {:g}", option,
                                  start, *given));
    return given.value_or(otherwise);
  };
  order.from = is_film ? instant("--from", a.from, start) : instant("--at", a.at, start);
  order.to = is_film ? instant("--to", a.to, start + settings.duration) : order.from;
  if (is_film && order.to <= order.from)
    refuse(command, fmt::format("--to: expected an instant after {:g} s, found {:g}", order.from, order.to));
  settings.duration = std::max(settings.duration, order.to - start);
}

void draw(const char* command, const PictureArguments& a, bool is_film) {
  view::StudioOrder order;
  read_kind(command, a, is_film, order);
  read_size(command, a, is_film, order);
  require_number(command, "--fps", a.fps, true);
  require_number(command, "--speed", a.speed, true);
  order.fps = a.fps;
  order.speed = a.speed;
  order.dark = a.dark;
  order.transparent = a.transparent;
  Scene scene = load(a.file, a.how_to_load(true));
  read_times(command, a, is_film, scene.settings, order);
  order.browser = view::find_browser();
  if (order.browser.empty())
    refuse(command,
           "no browser to draw with: looked for chromium, chromium-browser and google-chrome in PATH "
           "(apt-get install chromium)");
  const RunOfScene done = run_scene(std::move(scene), true);
  if (done.run.summary.end != RunSummary::End::done) refuse(command, early_end(command, done.run));
  const Interrupt interrupt;
  std::string bytes;
  try {
    Progress progress(1.0);
    bytes = view::draw_in_browser(
        order,
        [&](const std::string& policy, const std::string& studio) { return page_of(done, a.file, policy, studio); },
        [&](double share) {
          progress.at(share);
          return !interrupt.asked();
        });
  } catch (const std::exception& failure) {
    refuse(command, failure.what());
  }
  write_output(a.out, bytes);
  write_output("", fmt::format("wrote {}\n", io::printable(a.out)));
}

/// The options of both commands.
CLI::App* add_common(CLI::App& program, const char* name, const char* what, PictureArguments& a, const char* endings) {
  auto* command = program.add_subcommand(name, what);
  command->add_option("SCENE", a.file, "The scene (TOML), robot (URDF) or model (XML, SDF, OSIM)")
      ->required()
      ->option_text(" ");
  command->add_option("--out", a.out, "The file that is written")->required()->option_text(endings);
  command->add_option("--size", a.size, "In pixels")->option_text("WxH")->default_str("1280x720");
  command->add_flag("--dark", a.dark, "In the dark theme");
  add_model_options(*command, a);
  return command;
}

}  // namespace

void add_picture(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<PictureArguments>();
  PictureArguments& a = *arguments;
  auto* command = add_common(program, "picture", "Draw an instant of a run as a picture", a, "X.png");
  command->add_option("--at", a.at, "The instant, in seconds; the start if not given")->option_text("T");
  command->add_flag("--transparent", a.transparent, "Without sky and floor, for slides and papers");
  command->footer(std::string(kPictureFooter) + kPackageHelp);
  command->callback([arguments, &action] { action = [arguments] { draw("picture", *arguments, false); }; });
}

void add_film(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<PictureArguments>();
  PictureArguments& a = *arguments;
  auto* command = add_common(program, "film", "Film a run, frame by frame", a, "X.mp4|X.webm");
  command->add_option("--from", a.from, "The first instant, in seconds; the start if not given")->option_text("T");
  command->add_option("--to", a.to, "The last instant, in seconds; the end if not given")->option_text("T");
  command->add_option("--fps", a.fps, "Frames in a second")->option_text("N")->default_str("30");
  command->add_option("--speed", a.speed, "Seconds of the run in a second of the film")
      ->option_text("X")
      ->default_str("1");
  command->footer(std::string(kFilmFooter) + kPackageHelp);
  command->callback([arguments, &action] { action = [arguments] { draw("film", *arguments, true); }; });
}

}  // namespace cardan::command
