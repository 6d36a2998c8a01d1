// Simulations that are changed under way, and what pages may ask of them.
#include "cardan/view/internal/live_run.hpp"

#include "cardan/io/load.hpp"
#include "cardan/simulate/simulate.hpp"
#include "cardan/view/internal/live_session.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

namespace cardan::view_test {
namespace {

using view::LiveRun;
using view::LiveSession;
using Json = nlohmann::json;

const std::string kExamples = std::string(CARDAN_SOURCE_DIR) + "/examples/";

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

LiveRun live(const std::string& name) {
  const std::string path = kExamples + name;
  return {load(path),
          path.ends_with(".toml") ? scene_texts(SceneSpec::load(path)).formulas : std::vector<JointFormula>{}};
}

void run_until(LiveRun& run, double t) {
  while (run.time() < t - 1e-12) run.advance(std::min(1.0 / 60.0, t - run.time()), 10.0);
}

TEST(LiveRun, MovesAsTheSimulationDoes) {
  for (const char* name : {"pendulum.toml", "four_bar.toml", "heavy_top.toml", "forced_pendulum.toml"}) {
    LiveRun run = live(name);
    run.play(true);
    run_until(run, 0.5);
    Scene scene = load(kExamples + name);
    scene.settings.duration = 0.5;
    assemble(scene);
    const Trajectory expected = simulate(scene);
    const std::span<const double> q = expected.q(expected.size() - 1);
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(run.state().q[i], q[i], 1e-6) << name << " " << i;
  }
}

TEST(LiveRun, ASliderClosesTheLoopAroundIt) {
  LiveRun run = live("four_bar.toml");
  for (const double angle : {1.1, 0.6, 2.0, -0.4}) {
    ASSERT_EQ(run.set_coordinate(0, angle), std::nullopt);
    EXPECT_DOUBLE_EQ(run.state().q[0], angle);
    // the pin: crank 0.8, coupler 1.8 on it, rocker 1.5 about (2, 0)
    const double a = run.state().q[0], b = a + run.state().q[1], c = run.state().q[2];
    EXPECT_NEAR(0.8 * std::cos(a) + 1.8 * std::cos(b), 2.0 + 1.5 * std::cos(c), 1e-9);
    EXPECT_NEAR(0.8 * std::sin(a) + 1.8 * std::sin(b), 1.5 * std::sin(c), 1e-9);
  }
}

/// The rocker swings between the angles at which crank and coupler are in line, cos c = ((1.8 +- 0.8)^2 - 2^2 - 1.5^2)
/// / (2 * 2 * 1.5): a slider that asks for more goes there, says so, and the elbow stays on its side.
TEST(LiveRun, ASliderGoesAsFarAsItsBranch) {
  const double least = std::acos((2.6 * 2.6 - 6.25) / 6.0), most = std::acos((1.0 - 6.25) / 6.0);
  LiveRun run = live("four_bar.toml");
  const auto side = [&] {  // of the elbow, seen from the crank's pin towards the rocker's pivot
    const double a = run.state().q[0], b = a + run.state().q[1];
    return (2.0 - 0.8 * std::cos(a)) * std::sin(b) + 0.8 * std::sin(a) * std::cos(b) > 0.0;
  };
  const bool before = side();
  for (const double asked : {1.0, 2.0, 0.0, -1.0, 2.5, -2.0, 3.0, -3.0, 1.6}) {
    const double from = run.state().q[2];
    const auto told = run.set_coordinate(2, asked);
    const double expected = std::clamp(asked, least, most), reached = run.state().q[2];
    EXPECT_NEAR(reached, expected, 1e-4) << "asked " << asked << " from " << from;
    EXPECT_EQ(told.has_value(), expected != asked);
    if (told) EXPECT_NE(told->find("joint \"rocker\" goes to"), std::string::npos) << *told;
    EXPECT_EQ(side(), before);
    const double a = run.state().q[0], b = a + run.state().q[1];
    EXPECT_NEAR(0.8 * std::cos(a) + 1.8 * std::cos(b), 2.0 + 1.5 * std::cos(reached), 1e-9);
  }
}

/// A joint that follows time stays where its motion has it.
TEST(LiveRun, ASliderOfADrivenJointSaysSo) {
  LiveRun run = live("slider_crank.toml");
  const double before = run.state().q[0];
  const auto told = run.set_coordinate(0, before + 0.5);
  ASSERT_TRUE(told);
  EXPECT_NE(told->find("goes to"), std::string::npos) << *told;
  EXPECT_NEAR(run.state().q[0], before, 1e-9);
}

/// A weight on a spring of 158 N/kg m and gravity: at rest it hangs g / k below the hand.
TEST(LiveRun, APullDrawsTheBodyToTheHand) {
  LiveRun run = live("pendulum.toml");
  run.play(true);
  const std::vector<double> start = run.frame();
  const Vec3<double> hand{0.6, 0.0, -0.6};
  const auto distance = [&] {
    const std::vector<double> now = run.frame();  // the first body's end, 1 m below its joint
    const double w = now[4], y = now[6];
    const double x = now[1] - 2 * w * y * 1.0, z = now[3] - (1 - 2 * y * y) * 1.0;
    return std::hypot(x - hand[0], z - hand[2]);
  };
  run.grab(1, {0.0, 0.0, -1.0}, {start[1], start[2], start[3] - 1.0});
  const double before = distance();
  run.pull_to(hand);
  run_until(run, 6.0);
  EXPECT_LT(distance(), 0.5 * before);
  run.release();
  run_until(run, 6.5);
  EXPECT_GT(run.time(), 6.4);
}

TEST(LiveRun, AnotherFormulaIsTheJointOfThatFormula) {
  const std::string path = kExamples + "knee.toml", text = contents(path);
  LiveRun run = live("knee.toml");
  ASSERT_EQ(run.formulas().size(), 1u);
  auto [body, formula] = run.formulas()[0];
  EXPECT_EQ(formula.coordinates, std::vector<std::string>{"flexion"});
  formula.transform = "trans(0.1*sin(flexion), 0, z) * roty(2*flexion)";
  ASSERT_FALSE(run.set_formula(body, formula));
  run.play(true);
  run_until(run, 0.3);

  std::string changed = text;
  const std::string old = "trans(x, 0, z) * roty(flexion)";
  changed.replace(changed.find(old), old.size(), formula.transform);
  LiveRun expected(parse_scene(changed, path), {});
  expected.play(true);
  run_until(expected, 0.3);
  const std::vector<double> a = run.frame(), b = expected.frame();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i + 4 < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6) << i;
}

TEST(LiveRun, BrokenFormulasSayWhereAndChangeNothing) {
  LiveRun run = live("knee.toml");
  const auto [body, sound] = run.formulas()[0];
  const std::vector<double> before = run.frame();
  const auto problem = [&, body = body](JointFormula formula) { return run.set_formula(body, formula).value(); };
  JointFormula broken = sound;
  broken.transform = "trans(x, 0, z) * rotq(flexion)";
  EXPECT_EQ(problem(broken).field, "transform");
  EXPECT_EQ(problem(broken).column, 18);
  broken = sound;
  broken.let[0].text = "-back*tanh(quick*";
  EXPECT_EQ(problem(broken).field, "let x");
  EXPECT_GT(problem(broken).column, 10);
  broken = sound;
  broken.transform = "frame(2,0,0, 0,1,0, 0,0,1, flexion,0,0)";
  EXPECT_EQ(problem(broken).column, 0);
  EXPECT_NE(problem(broken).message, "");
  EXPECT_EQ(run.frame(), before);
  EXPECT_FALSE(run.set_formula(body, sound));
}

/// A formula may use the scene's parameters and tables, as the file's own may.
TEST(LiveRun, FormulasKnowParametersAndTablesOfTheScene) {
  const std::string text = R"toml(
cardan = 1
name = "table"
[parameters]
length = 0.4
[tables.rise]
x = [-1, 0, 1]
y = [0.1, 0, 0.1]
method = "linear"
[[body]]
name = "a"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "expression"
coordinates = ["s"]
transform = "trans(length*s, 0, rise(s))"
q = [0.5]
)toml";
  LiveRun run(parse_scene(text, "table.toml"), scene_texts(SceneSpec::parse(text, "table.toml")).formulas);
  ASSERT_EQ(run.formulas().size(), 1u);
  auto [body, formula] = run.formulas()[0];
  formula.transform = "trans(2*length*s, rise(s), 0)";
  ASSERT_FALSE(run.set_formula(body, formula));
  const std::vector<double> frame = run.frame();
  EXPECT_NEAR(frame[1], 2.0 * 0.4 * 0.5, 1e-12);
  EXPECT_NEAR(frame[2], 0.05, 1e-12);
  formula.transform = "trans(width*s, 0, 0)";
  EXPECT_EQ(run.set_formula(body, formula).value().column, 7);
}

/// Parameters that are changed under way give the scene of those parameters, from the present state on.
TEST(LiveSession, AParameterChangesTheSceneAndTheMotionGoesOn) {
  const std::string path = kExamples + "cart_pole.toml";
  LiveSession session(path, false);
  const Json scene = Json::parse(session.welcome()[0].payload);
  const Json& parameters = scene.at("mechanism").at("parameters");
  ASSERT_FALSE(parameters.empty());
  EXPECT_EQ(parameters[0].at("name"), "length");
  const double length = parameters[0].at("value");
  session.handle(R"({"do":"play"})");
  for (int i = 0; i < 20; ++i) session.advance(1.0 / 60.0);
  const auto answer = session.handle(Json{{"do", "parameter"}, {"name", "length"}, {"value", 1.5 * length}}.dump());
  ASSERT_EQ(answer.size(), 4u);
  const Json changed = Json::parse(answer[0].payload);
  EXPECT_EQ(changed.at("is"), "changed");
  EXPECT_EQ(changed.at("mechanism").at("parameters")[0].at("value"), 1.5 * length);
  EXPECT_EQ(changed.at("mechanism").at("parameters")[0].at("set"), true);
  EXPECT_EQ(Json::parse(answer[1].payload).at("playing"), true);
  double t = 0.0;
  std::memcpy(&t, answer[2].payload.data(), sizeof t);
  EXPECT_GT(t, 0.2);
  EXPECT_EQ(Json::parse(answer[3].payload), (Json{{"is", "parameter"}, {"name", "length"}, {"error", ""}}));
  // the center of mass of the pole is in its middle
  EXPECT_NEAR(changed.at("mechanism").at("bodies")[1].at("com")[2].get<double>(), 0.75 * length, 1e-12);

  const Json refused =
      Json::parse(session.handle(Json{{"do", "parameter"}, {"name", "length"}, {"value", -1.0}}.dump())[0].payload);
  EXPECT_EQ(refused.at("is"), "parameter");
  EXPECT_NE(refused.at("error").get<std::string>().find("cart_pole.toml:"), std::string::npos) << refused;
  EXPECT_EQ(Json::parse(session.welcome()[0].payload).at("mechanism").at("parameters")[0].at("value"), 1.5 * length);
  session.handle(R"({"do":"parameter","name":"length","value":null})");
  EXPECT_EQ(Json::parse(session.welcome()[0].payload).at("mechanism").at("parameters")[0].at("value"), length);
  EXPECT_EQ(Json::parse(session.handle(R"({"do":"parameter","name":"lenght","value":1})")[0].payload).at("is"),
            "problem");
}

Json first(const view::LiveMessages& messages) { return messages.empty() ? Json() : Json::parse(messages[0].payload); }

TEST(LiveSession, WelcomesWithMechanismStateAndFrame) {
  LiveSession session(kExamples + "knee.toml", false);
  const view::LiveMessages messages = session.welcome();
  ASSERT_EQ(messages.size(), 3u);
  const Json scene = Json::parse(messages[0].payload);
  EXPECT_EQ(scene.at("is"), "scene");
  EXPECT_EQ(scene.at("mechanism").at("formulas").at(0).at("let").at(0).at(0), "x");
  ASSERT_TRUE(messages[2].is_frame);
  const std::size_t numbers = messages[2].payload.size() / sizeof(double);
  EXPECT_EQ(numbers, 1 + 7 * 3 + scene.at("mechanism").at("columns").size());
}

TEST(LiveSession, OpensWhatIsDropped) {
  LiveSession session(kExamples + "knee.toml", false);
  const std::string urdf = contents(kExamples + "double_pendulum.urdf");
  const Json opened =
      first(session.handle(Json{{"do", "open"}, {"name", "double_pendulum.urdf"}, {"text", urdf}}.dump()));
  EXPECT_EQ(opened.at("is"), "scene");
  EXPECT_EQ(opened.at("mechanism").at("bodies").size(), 2u);
  const Json refused = first(session.handle(
      Json{{"do", "open"}, {"name", "../../x.urdf"}, {"text", "<robot name='a'><link/></robot>"}}.dump()));
  EXPECT_EQ(refused.at("is"), "problem");
  EXPECT_NE(refused.at("text").get<std::string>().find("x.urdf:1"), std::string::npos) << refused;
  EXPECT_EQ(refused.at("text").get<std::string>().find(".."), std::string::npos) << refused;
  // the file did not come from the folder of the examples
  EXPECT_EQ(refused.at("text").get<std::string>().find("examples"), std::string::npos) << refused;
}

TEST(LiveSession, RefusesRequestsThatMakeNoSense) {
  LiveSession session(kExamples + "four_bar.toml", false);
  for (const char* request :
       {"", "null", "[]", "{", "{\"do\":1}", "{\"do\":\"fly\"}", "{\"do\":\"coordinate\"}",
        "{\"do\":\"coordinate\",\"index\":3,\"value\":0}", "{\"do\":\"coordinate\",\"index\":0.5,\"value\":0}",
        "{\"do\":\"coordinate\",\"index\":0,\"value\":1e999}",
        "{\"do\":\"grab\",\"body\":0,\"at\":[0,0,0],\"target\":[0,0,0]}",
        "{\"do\":\"grab\",\"body\":1,\"at\":[0,0],\"target\":[0,0,0]}", "{\"do\":\"speed\",\"value\":-1}",
        "{\"do\":\"formula\",\"body\":1,\"transform\":\"rotx(1)\"}",
        "{\"do\":\"open\",\"name\":\"a.xyz\",\"text\":\"\"}"}) {
    const Json answer = first(session.handle(request));
    EXPECT_EQ(answer.at("is"), "problem") << request;
    EXPECT_EQ(answer.at("text").get<std::string>().find('\n'), std::string::npos);
  }
  EXPECT_EQ(session.welcome().size(), 3u);
}

/// Any bytes and any mixture of sound requests leave a session that still answers.
TEST(LiveSession, StandsTenThousandDamagedRequests) {
  LiveSession session(kExamples + "knee.toml", false);
  const std::vector<std::string> sound{
      R"json({"do":"play"})json",
      R"json({"do":"pause"})json",
      R"json({"do":"reset"})json",
      R"json({"do":"release"})json",
      R"json({"do":"speed","value":0.5})json",
      R"json({"do":"coordinate","index":3,"value":0.4})json",
      R"json({"do":"pull","target":[0.1,0,0]})json",
      R"json({"do":"grab","body":2,"at":[0,0,-0.1],"target":[0.1,0,-0.5]})json",
      R"json({"do":"parameter","name":"length","value":1})json",
      R"json({"do":"formula","body":2,"transform":"trans(x,0,z)*roty(flexion)","let":{"x":"0.1*flexion","z":"0"},)json"
      R"json("parameters":{"back":0.1,"up":0.1,"quick":1}})json"};
  std::mt19937 random(3);
  int problems = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string request = sound[random() % sound.size()];
    for (unsigned k = 0; k < 1 + random() % 3; ++k) {
      const std::size_t at = random() % request.size();
      if (random() % 3 == 0)
        request.erase(at, 1 + random() % 4);
      else
        request[at] = static_cast<char>(random() % 2 ? random() : 32 + random() % 95);
      if (request.empty()) request = "{";
    }
    for (const view::LiveMessage& message : session.handle(request))
      problems += !message.is_frame && message.payload.find("\"problem\"") != std::string::npos;
  }
  EXPECT_GT(problems, 5000);
  session.handle(R"({"do":"reset"})");
  const std::string frame = session.welcome().at(2).payload;
  for (std::size_t i = 0; i < frame.size(); i += sizeof(double)) {
    double number = 0.0;
    std::memcpy(&number, frame.data() + i, sizeof number);
    EXPECT_TRUE(std::isfinite(number));
  }
}

}  // namespace
}  // namespace cardan::view_test
