// `cardan simulate` from outside: the files it writes, its summary, refusals, and Ctrl-C.
#include "tests/apps/run_command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace cardan::simulate_test {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::says;
using test::TemporaryFolder;

const std::string kExamples = CARDAN_SOURCE_DIR "/examples/";

struct Csv {
  std::string header;
  std::vector<std::vector<double>> rows;
};

/// Every line must have as many numbers as the header names.
Csv parse_csv(const std::string& text) {
  Csv out;
  std::istringstream lines(text);
  std::getline(lines, out.header);
  const auto columns = 1 + std::count(out.header.begin(), out.header.end(), ',');
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::vector<double> row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(std::stod(field));
    EXPECT_EQ(static_cast<long>(row.size()), columns) << line;
    out.rows.push_back(row);
  }
  EXPECT_TRUE(text.ends_with('\n'));
  return out;
}

class Simulate : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "simulate");
    return test::run_command(arguments, folder);
  }
  std::string refused(const std::vector<std::string>& arguments, int code = 1) {
    return test::refusal(run(arguments), code);
  }
  TemporaryFolder folder;
};

constexpr const char* kBox =
    "[[body]]\nname = \"box\"\nmass = 1\n[[body.shape]]\nbox = [0.2, 0.2, 0.2]\n[body.joint]\ntype = \"free\"\n";

TEST_F(Simulate, ContactIsSummarized) {
  const std::string falls = std::string("cardan = 1\n[ground]\n") + kBox + "q = [1, 0, 0, 0, 0, 0, 0.3]\n";
  const std::string scene = folder.write("g.toml", falls + "[simulation]\ncontact = \"stepping\"\n");
  const Outcome text = run({scene, "--duration", "0.5"});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(says(text.out, "stepping: 4 at most at once")) << text.out;
  const Outcome outcome = run({scene, "--duration", "0.5", "--json"});
  const auto contact = nlohmann::json::parse(outcome.out)["contact"];
  EXPECT_LT(contact["residual"], 1e-8);
  EXPECT_EQ(contact["unsolved"], 0);
  EXPECT_LT(contact["penetration"], 1e-6);
  EXPECT_EQ(contact["contacts"], 4);
  EXPECT_EQ(contact["impacts"], 1);  // it lands once, at an instant within a step
  EXPECT_EQ(contact["mode"], "stepping");
  // few contacts: events, by default; it falls 0.2 m
  const Outcome by_events = run({folder.write("e.toml", falls), "--duration", "0.5", "--json"});
  const auto located = nlohmann::json::parse(by_events.out)["contact"];
  EXPECT_EQ(located["mode"], "events");
  EXPECT_EQ(located["contacts"], 4);
  ASSERT_FALSE(located["events"].empty());
  EXPECT_EQ(located["events"][0]["kind"], "impact");
  EXPECT_NEAR(located["events"][0]["t"].get<double>(), std::sqrt(2.0 * 0.2 / 9.81), 1e-12);
  EXPECT_EQ(contact["solver"], "exact");
}

TEST_F(Simulate, ContactSolversAreChosenByName) {
  for (const std::string solver : {"staggered_projections", "pyramid"}) {
    const std::string scene = folder.write(
        "g.toml", std::string("cardan = 1\n[ground]\n") + kBox +
                      "q = [1, 0, 0, 0, 0, 0, 0.1]\nv = [0, 0, 0, 1, 1, 0]\n[simulation]\nduration = 0.05\n" +
                      "contact_solver = \"" + solver + "\"\n");
    EXPECT_TRUE(says(run({scene}).out, "stepping by " + solver)) << solver;
    const auto contact = nlohmann::json::parse(run({scene, "--json"}).out)["contact"];
    EXPECT_EQ(contact["solver"], solver);
    EXPECT_GT(contact["residual"], 1e-5);  // of the exact laws, which these methods miss
    EXPECT_LT(contact["residual"], 10.0);
  }
}

TEST_F(Simulate, ContactsAreRecorded) {
  const std::string scene = folder.write(
      "g.toml", std::string("cardan = 1\n[ground]\n") + kBox +
                    "q = [1, 0, 0, 0, 0, 0, 0.1]\n[[record]]\nname = \"push\"\ncontact = \"ground|box\"\n"
                    "quantity = \"force\"\n[[record]]\nname = \"n\"\ncontact = \"all\"\nquantity = \"count\"\n"
                    "[[record]]\nname = \"gap\"\ncontact = \"box|ground\"\nquantity = \"gap\"\n");
  const std::string out = folder.path("run.csv");
  ASSERT_EQ(run({scene, "--duration", "0.1", "--out", out}).code, 0);
  const Csv csv = parse_csv(test::file_contents(out));
  EXPECT_TRUE(says(csv.header, "push.x,push.y,push.z,n,gap")) << csv.header;
  const auto& last = csv.rows.back();
  EXPECT_NEAR(last[last.size() - 3], 9.81, 1e-9);
  EXPECT_EQ(last[last.size() - 2], 4.0);
  EXPECT_NEAR(last[last.size() - 1], 0.0, 1e-12);
}

TEST_F(Simulate, BodiesThatStartInEachOtherAreNamedWithTheirDepth) {
  const std::string scene =
      folder.write("g.toml", std::string("cardan = 1\n[ground]\n") + kBox + "q = [1, 0, 0, 0, 0, 0, 0.05]\n");
  EXPECT_TRUE(says(refused({scene}),
                   "bodies \"box\" and \"ground\": expected bodies that start apart, found an overlap 0.05 m"));
}

TEST_F(Simulate, ContactNeedsTheRecursiveFormulation) {
  const std::string scene = folder.write("g.toml", std::string("cardan = 1\n[ground]\n") + kBox);
  EXPECT_TRUE(says(refused({scene, "--formulation", "reduced"}), "expected formulation \"recursive\""));
}

TEST_F(Simulate, WritesTheMotionAsCsv) {
  const std::string out = folder.path("run.csv");
  const Outcome outcome = run({kExamples + "pendulum.toml", "--duration", "0.5", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // no progress where there is no terminal
  const Csv csv = parse_csv(test::file_contents(out));
  EXPECT_EQ(csv.header, "t,q.upper,q.lower,v.upper,v.lower,energy,kinetic,potential");
  ASSERT_EQ(csv.rows.size(), 51u);
  EXPECT_EQ(csv.rows[0][1], 0.3);
  EXPECT_EQ(csv.rows[0][4], 0.5);
  EXPECT_EQ(csv.rows.back()[0], 0.5);
  for (const auto& row : csv.rows) EXPECT_NEAR(row[5], row[6] + row[7], 1e-12);
}

TEST_F(Simulate, JointsOfSeveralCoordinatesAreNumbered) {
  const std::string out = folder.path("run.csv");
  ASSERT_EQ(run({kExamples + "unstable_rotation.toml", "--duration", "0.01", "--out", out}).code, 0);
  EXPECT_EQ(parse_csv(test::file_contents(out)).header,
            "t,q.brick.0,q.brick.1,q.brick.2,q.brick.3,q.brick.4,q.brick.5,q.brick.6,v.brick.0,v.brick.1,v.brick.2,"
            "v.brick.3,v.brick.4,v.brick.5,energy,kinetic,potential");
}

TEST_F(Simulate, SameSceneSameBytes) {
  std::string seen[2];
  for (int i = 0; i < 2; ++i) {
    const std::string out = folder.path("run" + std::to_string(i) + ".csv");
    ASSERT_EQ(run({kExamples + "flying_chain.toml", "--duration", "0.5", "--out", out}).code, 0);
    seen[i] = test::file_contents(out);
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_F(Simulate, SummaryForPeopleAndMachines) {
  const Outcome people = run({kExamples + "heavy_top.toml", "--duration", "1"});
  ASSERT_EQ(people.code, 0) << people.err;
  for (const char* part : {"steps ", "evaluations ", "wall time ", "x real time", "energy drift ", "relative",
                           "largest constraint error  0"})
    EXPECT_TRUE(says(people.out, part)) << part << "\n" << people.out;
  const Outcome machines = run({kExamples + "heavy_top.toml", "--duration", "1", "--json"});
  ASSERT_EQ(machines.code, 0) << machines.err;
  const Json summary = Json::parse(machines.out);
  EXPECT_EQ(summary["end"], "done");
  EXPECT_EQ(summary["steps"], 2000);
  EXPECT_EQ(summary["simulated_time"], 1.0);
  EXPECT_LT(summary["energy_drift"]["relative"].get<double>(), 1e-8);
  EXPECT_EQ(summary["largest_constraint_error"], 0.0);
}

TEST_F(Simulate, OptionsGoBeforeTheScene) {
  const Outcome outcome = run({kExamples + "heavy_top.toml", "--duration", "0.1", "--step", "0.01", "--integrator",
                               "rk4", "--formulation", "recursive", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json summary = Json::parse(outcome.out);
  EXPECT_EQ(summary["steps"], 10);
  EXPECT_EQ(summary["integrator"], "rk4");
}

TEST_F(Simulate, RobotsToo) {
  const std::string out = folder.path("run.csv");
  const Outcome outcome = run({kExamples + "double_pendulum.urdf", "--duration", "0.1", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(parse_csv(test::file_contents(out)).rows.size(), 11u);
}

TEST_F(Simulate, ReportIsOneFileThatNeedsNothingElse) {
  const std::string report = folder.path("run.html");
  const Outcome outcome = run({kExamples + "forced_pendulum.toml", "--report", report});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, report));
  const std::string page = test::file_contents(report);
  for (const char* foreign : {" src=", "href=\"http", "@import", "url(http"})
    EXPECT_FALSE(says(page, foreign)) << foreign;
  for (const char* part :
       {"<!doctype html>", "<title>forced pendulum</title>", "default-src 'none'", "<h2>Summary</h2>",
        "<h2>Settings</h2>", "<h2>Model</h2>", "evaluations", "munthe_kaas_4", "\"q.rod.1\"", "\"Coordinates\"",
        "\"Velocities\"", "\"Energies\"", "\"plot\":\"tip\"", "\"plot\":\"reach\"", "</html>"})
    EXPECT_TRUE(says(page, part)) << part;
}

TEST_F(Simulate, RecordedColumnsFollowTheOthers) {
  const std::string out = folder.path("run.csv");
  const Outcome outcome = run({kExamples + "forced_pendulum.toml", "--duration", "1", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Csv csv = parse_csv(test::file_contents(out));
  EXPECT_TRUE(csv.header.ends_with(",energy,kinetic,potential,tip.x,tip.y,tip.z,reach")) << csv.header;
  for (const auto& row : csv.rows) {
    const std::size_t n = row.size();
    const double x = row[1], a = row[2], b = row[3];  // of the slider, then about x, then about y
    EXPECT_NEAR(row[n - 4], x - std::sin(b), 1e-12);
    EXPECT_NEAR(row[n - 3], std::sin(a) * std::cos(b), 1e-12);
    EXPECT_NEAR(row[n - 2], -std::cos(a) * std::cos(b), 1e-12);
    EXPECT_NEAR(row[n - 1], std::hypot(row[n - 4] - x, row[n - 3]), 1e-12);
  }
}

TEST_F(Simulate, LimitsHold) {
  const std::string rod = R"toml(cardan = 1
[[body]]
name = "rod"
mass = 1
com = [0, 0, -1]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
q = [1.0]
limits = [[-0.5, 2]]
)toml";
  for (const char* more :
       {"", "friction = 0.1\n[simulation]\ncontact = \"stepping\"\n", "[simulation]\ncontact = \"stepping\"\n"}) {
    const std::string out = folder.path("run.csv");
    const Outcome outcome = run({folder.write("swing.toml", rod + more), "--duration", "3", "--out", out, "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    double lowest = 0.0;
    for (const auto& row : parse_csv(test::file_contents(out)).rows) lowest = std::min(lowest, row[1]);
    EXPECT_NEAR(lowest, -0.5, 1e-5) << more;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["contact"]["mode"], "stepping");
  }
}

TEST_F(Simulate, WrongWishesAreOneLine) {
  const std::string scene = kExamples + "pendulum.toml";
  EXPECT_TRUE(says(refused({scene, "--integrator", "rk5"}), "did you mean \"rk4\"?"));
  EXPECT_TRUE(says(refused({scene, "--formulation", "recursiv"}), "did you mean \"recursive\"?"));
  EXPECT_TRUE(says(refused({scene, "--out", folder.path("none/run.csv")}), "no folder"));
  EXPECT_TRUE(says(refused({folder.path("none.toml")}), "expected a file, found none"));
  EXPECT_TRUE(says(refused({scene, "--output-every", "1e-12"}), "20 million"));
  const std::string broken = folder.write("broken.toml", "cardan = 1\n[[force]]\ntype = \"pont\"\n");
  EXPECT_TRUE(says(refused({broken}), "broken.toml:3:8: force entry 0: type: expected point, wrench, joint"));
  EXPECT_TRUE(says(refused({scene, "--duration", "-1"}, 2), "--duration"));
  EXPECT_TRUE(says(refused({scene, "--step", "soon"}, 2), "--step"));
  EXPECT_TRUE(says(refused({}, 2), "SCENE"));
}

TEST_F(Simulate, AFailedRunKeepsWhatWasComputed) {
  const std::string scene = folder.write("wall.toml", R"toml(cardan = 1
[[body]]
name = "block"
mass = 1
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[force]]
type = "point"
body = "block"
force = ["log(0.5 - t)", 0, 0]
)toml");
  const std::string out = folder.path("run.csv"), report = folder.path("run.html");
  const Outcome outcome = run({scene, "--out", out, "--report", report});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.err, "simulate: t = 0.5: joint \"block\"")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  EXPECT_GE(parse_csv(test::file_contents(out)).rows.size(), 50u);
  EXPECT_TRUE(says(test::file_contents(report), "joint &quot;block&quot;"));
}

/// Whether the process has a handler for Ctrl-C yet.
bool catches_interrupt(pid_t process) {
  std::istringstream status(test::file_contents("/proc/" + std::to_string(process) + "/status"));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  return false;
}

TEST_F(Simulate, InterruptedRunsLeaveValidFiles) {
  const std::string out = folder.path("run.csv"), report = folder.path("run.html"), err = folder.path("stderr");
  const std::string scene = kExamples + "pendulum.toml";
  const pid_t process = ::fork();
  ASSERT_GE(process, 0);
  if (process == 0) {
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::execl(CARDAN_COMMAND, CARDAN_COMMAND, "simulate", scene.c_str(), "--duration", "100000", "--out", out.c_str(),
            "--report", report.c_str(), static_cast<char*>(nullptr));
    ::_exit(99);
  }
  for (int i = 0; i < 1000 && !catches_interrupt(process); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::kill(process, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::string message = test::file_contents(err);
  EXPECT_TRUE(message.starts_with("simulate: interrupted at t = ")) << message;
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
  const Csv csv = parse_csv(test::file_contents(out));
  EXPECT_GT(csv.rows.size(), 1u);
  EXPECT_LT(csv.rows.back()[0], 100000.0);
  EXPECT_TRUE(says(test::file_contents(report), "interrupted at t = "));
}

TEST_F(Simulate, HelpHasAnExample) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.out, "cardan simulate examples/"));
}

}  // namespace
}  // namespace cardan::simulate_test
