// Rolling, joints that depend on time, joints by table, more motions, and sweeps, as users get them from the command.
#include "tests/apps/scene_runs.hpp"

#include <csignal>
#include <filesystem>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>

namespace cardan::test {
namespace {

class MechanismScenes : public SceneRuns {};

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// A coin that runs in a circle at constant lean: with the axis at angle th from the vertical, turning about the
/// vertical at W, the spin about its axis is cos th (A W^2 sin th - m g r) / (W sin th (C + m r^2)).
TEST_F(MechanismScenes, ACoinRollsInACircle) {
  const double m = 0.3, r = 0.2, th = 1.1, W = 2.5, g = 9.81, A = 0.25 * m * r * r, C = 0.5 * m * r * r;
  const double spin = std::cos(th) * (A * W * W * std::sin(th) - m * g * r) / (W * std::sin(th) * (C + m * r * r));
  const std::string text =
      "cardan = 1\nname = \"coin\"\n[[body]]\nname = \"coin\"\nmass = " + number(m) + "\ninertia = [" + number(A) +
      ", " + number(A) + ", " + number(C) + ", 0, 0, 0]\n[body.joint]\ntype = \"free\"\nq = [" +
      number(std::cos(th / 2)) + ", " + number(std::sin(th / 2)) + ", 0, 0, 0, 0, " + number(r * std::sin(th)) +
      "]\nv = [0, " + number(W * std::sin(th)) + ", " + number(spin) + ", " + number(-r * spin) +
      ", 0, 0]\n[[rolling]]\na = \"world\"\nb = \"coin\"\nshape_a = { plane = true }\nshape_b = { disc = " + number(r) +
      " }\n";
  const CsvTable run = motion(text, {"--duration", "3", "--tolerance", "1e-12"});
  // the centre goes along -x at first, about a centre on y; radius r spin / W
  const double radius = r * spin / W;
  for (std::size_t row = 0; row < run.rows.size(); row += 20) {
    const double t = value(run, "t", row);
    EXPECT_NEAR(value(run, "q.coin.4", row), -radius * std::sin(W * t), 1e-8);
    EXPECT_NEAR(value(run, "q.coin.5", row), -radius * (1.0 - std::cos(W * t)), 1e-8);
    EXPECT_NEAR(value(run, "q.coin.6", row), r * std::sin(th), 1e-8);
  }
}

/// A ball on a turntable: its centre runs in a circle at 2/7 of the table's speed.
TEST_F(MechanismScenes, ABallOnATurntable) {
  const double W = 3.0, r = 0.1, v0 = 0.4;
  const std::string text = R"(cardan = 1
name = "turntable"
[[body]]
name = "table"
mass = 10
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
[[motion]]
joint = "table"
position = "3*t"
[[body]]
name = "ball"
mass = 1
inertia = [0.004, 0.004, 0.004, 0, 0, 0]
[body.joint]
type = "free"
q = [1, 0, 0, 0, 0.5, 0, 0.1]
v = [1, 4, 0, 0.4, 1.4, 0]
[[rolling]]
a = "table"
b = "ball"
shape_a = { plane = true }
shape_b = { sphere = 0.1 }
)";
  // no slip at the start: v + w x (-r z) = W z x x, so v_x = r w_y and v_y = -r w_x + W x
  ASSERT_DOUBLE_EQ(0.4, r * 4.0);
  ASSERT_DOUBLE_EQ(1.4, -r * 1.0 + W * 0.5);
  const CsvTable run = motion(text, {"--duration", "4", "--tolerance", "1e-12"});
  const double w = 2.0 / 7.0 * W;  // v turns at this rate
  for (std::size_t row = 0; row < run.rows.size(); row += 20) {
    const double t = value(run, "t", row), s = std::sin(w * t), c = std::cos(w * t);
    EXPECT_NEAR(value(run, "q.ball.4", row), 0.5 + (v0 * s - 1.4 * (1.0 - c)) / w, 1e-8);
    EXPECT_NEAR(value(run, "q.ball.5", row), (v0 * (1.0 - c) + 1.4 * s) / w, 1e-8);
  }
}

/// A pendulum whose pivot is shaken up and down: q'' = -(g + z'') sin q / l (Kapitza).
TEST_F(MechanismScenes, AShakenPivotIsTimeInAJoint) {
  const std::string text = R"toml(cardan = 1
name = "Kapitza"
[[body]]
name = "bob"
mass = 0.7
com = [0, 0, -0.8]
inertia = [0.02, 0.02, 0.01, 0, 0, 0]
[body.joint]
type = "expression"
coordinates = ["a"]
parameters = { h = 0.05, w = 40 }
transform = "trans(0, 0, h*cos(w*t)) * roty(a)"
q = [2.9]
v = [0.3]
)toml";
  const CsvTable run = motion(text, {"--duration", "1", "--tolerance", "1e-12"});
  const auto end = integrated<2>({2.9, 0.3}, 1.0, 40000, [](double t, const std::array<double, 2>& x) {
    const double lift = -0.05 * 1600.0 * std::cos(40.0 * t);
    return std::array<double, 2>{x[1], -0.7 * 0.8 * (9.81 + lift) * std::sin(x[0]) / (0.02 + 0.7 * 0.64)};
  });
  EXPECT_NEAR(value(run, "q.bob.0", run.rows.size() - 1), end[0], 1e-9);
}

/// A joint by table of many points moves as the expression that the table was made of.
TEST_F(MechanismScenes, ATableIsAsGoodAsItsFunction) {
  std::string xs, ys;
  for (int i = 0; i <= 4000; ++i) {
    const double x = -2.0 + i / 1000.0;
    xs += (i == 0 ? "" : ", ") + number(x);
    ys += (i == 0 ? "" : ", ") + number(0.2 * std::sin(2.0 * x));
  }
  const auto scene = [&](const std::string& height) {
    return "cardan = 1\nname = \"cam\"\n[tables.lift]\nx = [" + xs + "]\ny = [" + ys +
           "]\n[[body]]\nname = \"f\"\nmass = 1\n"
           "com = [0.3, 0, 0.1]\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\n[body.joint]\ntype = \"expression\"\ncoordinates "
           "= [\"u\"]\n"
           "transform = \"rotz(u) * trans(0.1*u, 0, " +
           height + ")\"\nv = [0.5]\n";
  };
  const CsvTable table = motion(scene("lift(u)"), {"--duration", "2", "--tolerance", "1e-10"});
  const CsvTable plain = motion(scene("0.2*sin(2*u)"), {"--duration", "2", "--tolerance", "1e-10"});
  ASSERT_EQ(table.rows.size(), plain.rows.size());
  for (std::size_t row = 0; row < table.rows.size(); row += 10)
    EXPECT_NEAR(value(table, "q.f", row), value(plain, "q.f", row), 2e-6);
}

/// A prescribed velocity is the position that it integrates to.
TEST_F(MechanismScenes, VelocitiesAndTwistsCanBePrescribed) {
  const CsvTable by_rate = motion(kRod + kLowerRod + "[[motion]]\njoint = \"rod\"\nvelocity = \"0.5*cos(t)\"\n",
                                  {"--duration", "2", "--tolerance", "1e-11"});
  const CsvTable by_place = motion(kRod + kLowerRod + "[[motion]]\njoint = \"rod\"\nposition = \"0.4 + 0.5*sin(t)\"\n",
                                   {"--duration", "2", "--tolerance", "1e-11"});
  const std::size_t last = by_rate.rows.size() - 1;
  for (const char* column : {"q.rod", "q.lower", "v.lower"})
    EXPECT_NEAR(value(by_rate, column, last), value(by_place, column, last), 1e-8) << column;
  // a twist of the upper rod about y is that velocity, too
  const CsvTable by_twist =
      motion(kRod + kLowerRod + "[[motion]]\nframe = \"rod\"\ntwist = [\"\", \"0.5*cos(t)\", \"\", \"\", \"\", \"\"]\n",
             {"--duration", "2", "--tolerance", "1e-11"});
  for (const char* column : {"q.rod", "q.lower"})
    EXPECT_NEAR(value(by_twist, column, last), value(by_place, column, last), 1e-8) << column;
}

/// A ball joint that turns about z as told, by quaternion and by the frame's angles.
TEST_F(MechanismScenes, OrientationsCanBePrescribed) {
  const std::string ball =
      "cardan = 1\nname = \"b\"\n[[body]]\nname = \"base\"\nmass = 1\ncom = [0.1, 0, 0]\ninertia = [1, 1, 1, 0, 0, 0]\n"
      "[body.joint]\ntype = \"spherical\"\n[[body]]\nname = \"rod\"\nparent = \"base\"\nmass = 1\ncom = [0.3, 0, "
      "-0.5]\n"
      "inertia = [0.1, 0.1, 0.1, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\naxis = [1, 0, 0]\n";
  const std::string by_joint = "[[motion]]\njoint = \"base\"\nposition = [\"cos(t)\", 0, 0, \"sin(t)\"]\n";
  const std::string by_frame = "[[motion]]\nframe = \"base\"\norientation = [\"2*cos(t)\", 0, 0, \"2*sin(t)\"]\n";
  const std::string by_angles = "[[motion]]\nframe = \"base\"\nrpy = [0, 0, \"2*t\"]\n";
  const CsvTable first = motion(ball + by_joint, {"--duration", "1", "--tolerance", "1e-11"});
  const std::size_t last = first.rows.size() - 1;
  for (const std::string& other : {by_frame, by_angles}) {
    const CsvTable second = motion(ball + other, {"--duration", "1", "--tolerance", "1e-11"});
    EXPECT_NEAR(value(first, "q.rod", last), value(second, "q.rod", last), 1e-8);
  }
  EXPECT_NEAR(value(first, "q.base.0", last), std::cos(1.0), 1e-12);
  EXPECT_NEAR(value(first, "v.base.2", last), 2.0, 1e-12);
}

class Sweeps : public SceneRuns {
 protected:
  std::string scene() const {
    return file(kRod + kLowerRod +
                "[parameters]\nstart = 0.1\n[initial]\nq = { rod = \"start\" }\n[[record]]\nname = \"tip\"\n"
                "frame = \"lower\"\nquantity = \"position\"\nat = [0, 0, -1]\n[simulation]\nduration = 1\n");
  }
  std::string table(const std::string& name) const { return file_contents(folder_.path(name + "/sweep.csv")); }
  Outcome sweep(const std::string& name, std::vector<std::string> more) const {
    std::vector<std::string> arguments{
        "sweep", scene(), "--vary", "start=0:2:12", "--vary", "body.lower.mass=0.5:1.5:5", "--out", folder_.path(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(Sweeps, AreTheSameBytesWhoeverDoesThem) {
  ASSERT_EQ(sweep("one", {"--jobs", "1"}).code, 0);
  ASSERT_EQ(sweep("two", {"--jobs", "2", "--report", folder_.path("page.html"), "--trajectories"}).code, 0);
  ASSERT_EQ(sweep("parts", {"--part", "2/3"}).code, 0);
  EXPECT_NE(refusal(sweep("parts", {"--gather"})).find("40 of 60 runs are missing: 0, 2, 3"), std::string::npos);
  ASSERT_EQ(sweep("parts", {"--part", "1/3"}).code, 0);
  ASSERT_EQ(sweep("parts", {"--part", "3/3"}).code, 0);
  ASSERT_EQ(sweep("parts", {"--gather"}).code, 0);
  EXPECT_EQ(table("one"), table("two"));
  EXPECT_EQ(table("one"), table("parts"));
  EXPECT_TRUE(table("one").starts_with("run,start,body.lower.mass,status,tip.x.final,tip.x.min,tip.x.max,tip.x.rms,"));
  EXPECT_NE(file_contents(folder_.path("page.html")).find("<svg"), std::string::npos);
  // run 7 alone is the same motion
  const CsvTable seventh = load_csv(folder_.path("two/runs/7.csv"));
  const CsvTable alone =
      motion(file_contents(scene()), {"--set", "start=" + number(2.0 / 11.0), "--set", "body.lower.mass=1"});
  EXPECT_NEAR(value(seventh, "tip.x", seventh.rows.size() - 1), value(alone, "tip.x", alone.rows.size() - 1), 1e-9);
}

TEST_F(Sweeps, GoOnAfterAKillAndRefuseOtherSweeps) {
  ASSERT_EQ(sweep("whole", {"--jobs", "1"}).code, 0);
  // killed while it runs, as often as it takes; an unfinished line at the end is what a kill can leave
  const std::string folder = folder_.path("killed"), scene_file = scene();
  std::vector<std::string> words{
      CARDAN_COMMAND, "sweep", scene_file, "--vary", "start=0:2:12", "--vary", "body.lower.mass=0.5:1.5:5",
      "--out",        folder,  "--jobs",   "1"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  ASSERT_EQ(::posix_spawn(&process, words[0].c_str(), nullptr, nullptr, arguments.data(), environ), 0);
  const std::string finished = folder + "/finished-1-of-1.csv";
  for (int i = 0; i < 2000 && file_contents(finished).size() < 400; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  const std::string before = file_contents(finished);
  ASSERT_GE(before.size(), 400u);
  std::ofstream(finished, std::ios::app) << "59,0.12";
  const Outcome rest = sweep("killed", {"--jobs", "1"});
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(table("killed"), table("whole"));
  EXPECT_TRUE(file_contents(finished).starts_with(before.substr(0, before.rfind('\n') + 1)));  // nothing was repeated
  const std::string all = table("killed");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 61);
  EXPECT_NE(refusal(sweep("killed", {"--set", "start=3"})).find("found one of another scene or other variations"),
            std::string::npos);
}

TEST_F(Sweeps, RandomRunsDependOnSeedAndNumberOnly) {
  const auto random = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> arguments{"sweep",    scene(), "--vary", "start=0:2",
                                       "--random", "20",    "--out",  folder_.path(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).code;
  };
  ASSERT_EQ(random("a", {"--seed", "5"}), 0);
  ASSERT_EQ(random("b", {"--seed", "5", "--jobs", "2"}), 0);
  ASSERT_EQ(random("c", {"--seed", "6"}), 0);
  EXPECT_EQ(table("a"), table("b"));
  EXPECT_NE(table("a"), table("c"));
}

TEST_F(Sweeps, SayWhatIsWrong) {
  const auto complaint = [&](const std::string& vary) {
    return refusal(run({"sweep", scene(), "--vary", vary, "--out", folder_.path("x")}));
  };
  EXPECT_NE(complaint("start").find("expected NAME=LO:HI:N"), std::string::npos);
  EXPECT_NE(complaint("start=0:1").find("expected NAME=LO:HI:N"), std::string::npos);
  EXPECT_NE(complaint("start=0:1:x").find("expected a number of values"), std::string::npos);
  EXPECT_NE(complaint("stat=0:1:2").find("did you mean \"start\"?"), std::string::npos);
  EXPECT_NE(refusal(sweep("x", {"--part", "3/2"})).find("expected K/N"), std::string::npos);
}

TEST_F(SceneRuns, CompareShowsRunsOnOnePage) {
  motion(kRod, {"--duration", "1"});
  const std::string a = folder_.write("a.csv", file_contents(folder_.path("run.csv")));
  motion(kRod, {"--duration", "1", "--integrator", "euler", "--step", "0.01"});
  const std::string b = folder_.write("b.csv", file_contents(folder_.path("run.csv")));
  const Outcome outcome = run({"compare", a, b, "--out", folder_.path("c.html"), "--phase", "rod"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("q.rod"), std::string::npos);
  const std::string page = file_contents(folder_.path("c.html"));
  EXPECT_NE(page.find("phase of rod"), std::string::npos);
  EXPECT_NE(refusal(run({"compare", a, file("x,y\n1,2\n", "d.csv")})).find("expected a column \"t\""),
            std::string::npos);
  EXPECT_NE(refusal(run({"compare", a, file("t,y\n1,abc\n", "e.csv")}))
                .find("e.csv:2: column 2: expected a number, found \"abc\""),
            std::string::npos);
}

}  // namespace
}  // namespace cardan::test
