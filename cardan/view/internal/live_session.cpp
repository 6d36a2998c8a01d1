#include "cardan/view/internal/live_session.hpp"

#include "cardan/io/internal/json.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/io/urdf.hpp"
#include "cardan/view/page.hpp"
#include "cardan/view/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace cardan::view {

namespace {

using io::Json;

constexpr double kLongestAdvance = 0.1;  // s of the clock at once: a page that was asleep does not fast-forward
constexpr double kBudget = 0.03;         // s of work before the pages are served again

/// A request that makes no sense.
struct BadRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const Json& member(const Json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end()) throw BadRequest(fmt::format("request: expected the key \"{}\", found none", key));
  return *found;
}

double number(const Json& value, const char* key) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    throw BadRequest(fmt::format("request: {}: expected a finite number, found {}", key, io::kind(value)));
  return value.get<double>();
}

int integer(const Json& request, const char* key, int low, int high) {
  const double x = number(member(request, key), key);
  if (x != std::floor(x) || x < low || x > high)
    throw BadRequest(fmt::format("request: {}: expected a whole number from {} to {}, found {:g}", key, low, high, x));
  return static_cast<int>(x);
}

const std::string& text(const Json& value, const char* key) {
  if (!value.is_string()) throw BadRequest(fmt::format("request: {}: expected a text, found {}", key, io::kind(value)));
  return value.get_ref<const std::string&>();
}

Vec3<double> point(const Json& request, const char* key) {
  const Json& value = member(request, key);
  if (!value.is_array() || value.size() != 3)
    throw BadRequest(fmt::format("request: {}: expected 3 numbers, found {}", key, io::kind(value)));
  return {number(value[0], key), number(value[1], key), number(value[2], key)};
}

LiveMessage message(const Json& json) { return {false, json.dump(-1, ' ', false, Json::error_handler_t::replace)}; }

LiveMessage problem(const std::string& what) { return message({{"is", "problem"}, {"text", io::printable(what)}}); }

/// The formula of a body with the texts and numbers that a request gives.
JointFormula changed_formula(const LiveRun& run, int body, const Json& request) {
  for (const auto& [owner, known] : run.formulas()) {
    if (owner != body) continue;
    JointFormula out = known;
    out.transform = text(member(request, "transform"), "transform");
    for (Definition& helper : out.let)
      helper.text = text(member(member(request, "let"), helper.name.c_str()), helper.name.c_str());
    for (auto& [name, value] : out.parameters)
      value = number(member(member(request, "parameters"), name.c_str()), name.c_str());
    return out;
  }
  throw BadRequest("request: body: expected one whose joint has a formula, found another");
}

Json formulas_json(const LiveRun& run) {
  Json out = Json::array();
  for (const auto& [body, formula] : run.formulas()) {
    Json parameters = Json::array(), let = Json::array();
    for (const auto& [name, value] : formula.parameters) parameters.push_back({name, value});
    for (const Definition& helper : formula.let) let.push_back({helper.name, helper.text});
    out.push_back({{"body", body},
                   {"coordinates", formula.coordinates},
                   {"parameters", parameters},
                   {"let", let},
                   {"transform", formula.transform}});
  }
  return out;
}

LiveMessage state_message(const LiveRun& run) { return message({{"is", "state"}, {"playing", run.is_playing()}}); }

LiveMessage frame_message(LiveRun& run) {
  const std::vector<double> numbers = run.frame();
  return {true, {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)}};
}

// --- what pages may ask of a run, one function for each word ---

LiveMessages play(LiveRun& run, const Json&) {
  run.play(true);
  return {state_message(run)};
}
LiveMessages pause(LiveRun& run, const Json&) {
  run.play(false);
  return {state_message(run)};
}
LiveMessages step(LiveRun& run, const Json&) {
  run.play(true);
  run.advance(1.0 / 60.0, kLongestAdvance);
  run.play(false);
  return {state_message(run), frame_message(run)};
}
LiveMessages reset(LiveRun& run, const Json&) {
  run.play(false);
  run.reset();
  return {state_message(run), frame_message(run)};
}
LiveMessages speed(LiveRun& run, const Json& request) {
  const double value = number(member(request, "value"), "value");
  if (value < 1e-3 || value > 100.0) throw BadRequest("request: value: expected a speed from 0.001 to 100");
  run.set_speed(value);
  return {};
}
LiveMessages coordinate(LiveRun& run, const Json& request) {
  const int index = integer(request, "index", 0, run.scene().model.nq() - 1);
  const auto complaint = run.set_coordinate(index, number(member(request, "value"), "value"));
  LiveMessages out{state_message(run), frame_message(run)};
  if (complaint) out.push_back(problem(*complaint));
  return out;
}
LiveMessages grab(LiveRun& run, const Json& request) {
  run.grab(integer(request, "body", 1, run.scene().model.bodies()), point(request, "at"), point(request, "target"));
  run.play(true);
  return {state_message(run)};
}
LiveMessages pull(LiveRun& run, const Json& request) {
  run.pull_to(point(request, "target"));
  return {};
}
LiveMessages release(LiveRun& run, const Json&) {
  run.release();
  return {};
}
LiveMessages formula(LiveRun& run, const Json& request) {
  const int body = integer(request, "body", 1, run.scene().model.bodies());
  const auto wrong = run.set_formula(body, changed_formula(run, body, request));
  return {frame_message(run),  // before the answer, so that who has it sees the new pose
          message({{"is", "formula"},
                   {"body", body},
                   {"field", wrong ? wrong->field : ""},
                   {"column", wrong ? wrong->column : 0},
                   {"error", wrong ? io::printable(wrong->message) : ""}})};
}

constexpr std::pair<const char*, LiveMessages (*)(LiveRun&, const Json&)> kRequests[] = {
    {"play", play}, {"pause", pause},           {"step", step}, {"reset", reset},     {"speed", speed},
    {"grab", grab}, {"coordinate", coordinate}, {"pull", pull}, {"release", release}, {"formula", formula}};

}  // namespace

LiveSession::LiveSession(const std::string& path, bool free_base, const std::vector<std::string>& changes)
    : folder_(std::filesystem::path(path).parent_path().string()), free_base_(free_base) {
  constexpr std::size_t kLargestFile = std::size_t{64} << 20;
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".toml" && free_base)
    throw ModelError(io::printable(path) + ": expected a robot file for a free base, found a scene");
  open(std::filesystem::path(path).filename().string(),
       io::read_text_file(ending == ".urdf" ? "urdf" : "scene", path, kLargestFile), changes);
}

void LiveSession::begin(Opened& file) const {
  Scene scene;
  SceneTexts texts;
  const std::filesystem::path path(file.path);
  if (file.spec) {
    SceneSpec spec = *file.spec;
    for (const auto& [name, value] : file.values) spec.set(name, value);
    scene = spec.bind();
    texts = scene_texts(spec);
  } else if (path.extension() == ".urdf") {
    UrdfOptions options;
    std::vector<std::string> warnings;
    options.warnings = &warnings;
    options.base = free_base_ ? UrdfOptions::Base::free : UrdfOptions::Base::fixed;
    scene = scene_of(parse_urdf(file.text, file.path, options));
    scene.warnings = std::move(warnings);
  } else {
    throw ModelError(fmt::format(
        "{}: expected a file that ends in .toml (scene), .urdf (robot), .xml (MuJoCo), .sdf (Gazebo) or .osim "
        "(OpenSim)",
        io::in_quotes(path.filename().string())));
  }
  file.parameters = std::move(texts.parameters);
  file.run = std::make_unique<LiveRun>(std::move(scene), std::move(texts.formulas));
}

void LiveSession::open(const std::string& name, std::string text, const std::vector<std::string>& changes) {
  const std::filesystem::path file = std::filesystem::path(name).filename();  // never outside of the folder
  Opened next;
  next.path = (std::filesystem::path(folder_) / file).string();
  if (is_scene(next.path)) {
    next.spec = parse_spec(text, next.path);
    for (const std::string& change : changes) next.spec->set(change);
  } else {
    next.text = std::move(text);
  }
  begin(next);
  file_ = std::move(next);
}

void LiveSession::set_parameter(const std::string& name, std::optional<double> value) {
  Opened next{file_.path, file_.text, file_.spec, file_.values, {}, {}};
  std::erase_if(next.values, [&](const auto& known) { return known.first == name; });
  if (value) next.values.emplace_back(name, *value);
  begin(next);
  next.run->go_on_from(*file_.run);
  file_ = std::move(next);
}

std::string LiveSession::page(const std::string& policy) const {
  return fill_page(file_.run->scene().model.name(), policy, R"({"format":1,"live":true})", "");
}

LiveMessage LiveSession::scene_message(const char* is) const {
  const Scene& scene = file_.run->scene();
  PageText shown{scene.model.name(), {}, setting_lines(file_.path, scene.settings), scene.warnings};
  for (const std::string& warning : scene.model.warnings()) shown.warnings.push_back(warning);
  Json mechanism = Json::parse(mechanism_json(scene, file_.run->snapshots()));
  mechanism["formulas"] = formulas_json(*file_.run);
  Json parameters = Json::array();
  for (const SceneParameter& parameter : file_.parameters) {
    const bool is_set = std::any_of(file_.values.begin(), file_.values.end(),
                                    [&](const auto& known) { return known.first == parameter.name; });
    parameters.push_back(
        {{"name", parameter.name}, {"value", parameter.value}, {"text", parameter.text}, {"set", is_set}});
  }
  mechanism["parameters"] = parameters;
  return message({{"is", is}, {"mechanism", mechanism}, {"report", report_html(scene.model, shown)}});
}

LiveMessages LiveSession::welcome() {
  return {scene_message("scene"), state_message(*file_.run), frame_message(*file_.run)};
}

LiveMessages LiveSession::advance(double seconds) {
  if (!file_.run->is_playing()) return {};
  try {
    file_.run->advance(std::min(seconds, kLongestAdvance), kBudget);
    return {frame_message(*file_.run)};
  } catch (const std::exception& failure) {
    file_.run->play(false);
    return {problem(failure.what()), state_message(*file_.run)};
  }
}

LiveMessages LiveSession::change_parameter(const io::Json& request) {
  const std::string name = text(member(request, "name"), "name");
  const Json& value = member(request, "value");
  if (std::none_of(file_.parameters.begin(), file_.parameters.end(),
                   [&](const SceneParameter& known) { return known.name == name; }))
    throw BadRequest("request: name: expected a parameter of the scene, found " + io::in_quotes(name));
  const std::optional<double> wanted = value.is_null() ? std::nullopt : std::optional(number(value, "value"));
  const auto answer = [&](const std::string& error) {
    return message({{"is", "parameter"}, {"name", name}, {"error", io::printable(error)}});
  };
  try {
    set_parameter(name, wanted);
  } catch (const std::exception& failure) {
    return {answer(failure.what())};
  }
  return {scene_message("changed"), state_message(*file_.run), frame_message(*file_.run), answer("")};
}

LiveMessages LiveSession::open_dropped(const std::string& name, const std::string& text) {
  try {
    open(name, text);
  } catch (const std::exception& failure) {
    // the file lies where the browser found it, which is not the folder where its references are looked for
    std::string told = failure.what();
    const std::string folder = (std::filesystem::path(folder_) / "").string();
    for (std::size_t at = told.find(folder); !folder.empty() && at != std::string::npos; at = told.find(folder, at))
      told.erase(at, folder.size());
    return {problem(told), state_message(*file_.run)};
  }
  return welcome();
}

LiveMessages LiveSession::handle(std::string_view request_text) {
  const Json request = Json::parse(request_text, nullptr, false);
  if (!request.is_object()) return {problem("request: expected a JSON object, found something else")};
  try {
    const std::string& what = text(member(request, "do"), "do");
    for (const auto& [word, act] : kRequests)
      if (what == word) return act(*file_.run, request);
    if (what == "parameter") return change_parameter(request);
    if (what != "open") throw BadRequest("request: do: unknown word " + io::in_quotes(what));
    return open_dropped(text(member(request, "name"), "name"), text(member(request, "text"), "text"));
  } catch (const std::exception& failure) {
    return {problem(failure.what()), state_message(*file_.run)};
  }
}

}  // namespace cardan::view
