// Rolling, joints that depend on time, joints by table, more motions, and sweeps, as users get them from the command.
#include "tests/apps/scene_runs.hpp"

#include <Eigen/Geometry>
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

std::string ellipsoid_scene(const std::string& shape, const std::string& plane) {
  return "cardan = 1\nname = \"egg\"\n[[body]]\nname = \"egg\"\nmass = 1.5\ninertia = [0.02, 0.025, 0.03, 0, 0, 0]\n"
         "[body.joint]\ntype = \"free\"\nq = [1, 0, 0, 0, 0, 0, 0.15]\nv = [1.2, 0.7, 0.5, 0.105, -0.18, 0]\n"
         "[[rolling]]\na = \"world\"\nb = \"egg\"\nshape_a = " +
         plane + "\nshape_b = " + shape + "\n";
}

/// An ellipsoid on a plane: with n the normal in body axes its lowest point is r = -A n / sqrt(n' A n), A the squares
/// of the semi-axes, and v = -w x r. Newton's and Euler's laws with the force eliminated,
///   (I + m [r]'[r]) w' = -w x I w - m r x ( w x r' ... ),
/// integrated here in body axes with quaternion and position.
TEST_F(MechanismScenes, AnEllipsoidRollsOnAPlane) {
  using Vector = Eigen::Vector3d;
  const Vector squares(0.2 * 0.2, 0.25 * 0.25, 0.15 * 0.15), inertia(0.02, 0.025, 0.03);
  const double m = 1.5, g = 9.81;
  // state: quaternion, position, body angular velocity
  const std::function<std::array<double, 10>(double, const std::array<double, 10>&)> f =
      [&](double, const std::array<double, 10>& x) {
        const Eigen::Quaterniond q = Eigen::Quaterniond(x[0], x[1], x[2], x[3]).normalized();
        const Eigen::Matrix3d R = q.toRotationMatrix();
        const Vector w(x[7], x[8], x[9]), n = R.transpose() * Vector::UnitZ();
        const Vector An = squares.cwiseProduct(n);
        const double s = std::sqrt(n.dot(An));
        const Vector r = -An / s;
        const Vector n_dot = -w.cross(n), An_dot = squares.cwiseProduct(n_dot);
        const Vector r_dot = -An_dot / s + An * (n.dot(An_dot)) / (s * s * s);  // in body axes
        // v = -w x r; a = -w' x r - w x r_dot + w x v;  m a = F - m g n;  I w' + w x I w = r x F
        const Vector v = -w.cross(r);
        const Vector a0 = -w.cross(r_dot) + w.cross(v);
        Eigen::Matrix3d cross_r;
        cross_r << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
        const Eigen::Matrix3d left = Eigen::Matrix3d(inertia.asDiagonal()) - m * cross_r * cross_r;
        const Vector right = -w.cross(Vector(inertia.cwiseProduct(w))) + r.cross(Vector(m * (a0 + g * n)));
        const Vector w_dot = left.ldlt().solve(right), v_world = R * v;
        const Eigen::Quaterniond dq = q * Eigen::Quaterniond(0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]);
        return std::array<double, 10>{dq.w(),     dq.x(),     dq.y(),   dq.z(),   v_world[0],
                                      v_world[1], v_world[2], w_dot[0], w_dot[1], w_dot[2]};
      };
  const auto end = integrated<10>({1, 0, 0, 0, 0, 0, 0.15, 1.2, 0.7, 0.5}, 1.0, 20000, f);
  const std::string text_shape =
      "{ coordinates = [\"u\", \"v\"], point = [\"0.2*sin(v)\", \"0.25*cos(v)*cos(u)\", \"0.15*cos(v)*sin(u)\"] }";
  for (const std::string& shape : {std::string("{ ellipsoid = [0.2, 0.25, 0.15] }"), text_shape}) {
    const CsvTable run =
        motion(ellipsoid_scene(shape, "{ plane = true }"), {"--duration", "1", "--tolerance", "1e-12"});
    const std::size_t last = run.rows.size() - 1;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(value(run, "q.egg." + std::to_string(4 + k), last), end[static_cast<std::size_t>(4 + k)], 1e-8)
          << shape;
      EXPECT_NEAR(value(run, "v.egg." + std::to_string(k), last), end[static_cast<std::size_t>(7 + k)], 1e-8) << shape;
    }
  }
}

/// A torus that stands on a plane runs as a wheel of its outer radius would if that were round at the rim: upright and
/// straight, at a constant speed; leaning it keeps its energy and does not leave the ground.
TEST_F(MechanismScenes, ATorusRollsOnAPlane) {
  const auto text = [](double lean) {
    return "cardan = 1\n[[body]]\nname = \"ring\"\nmass = 1\ninertia = [0.03, 0.03, 0.05, 0, 0, 0]\n[body.joint]\n"
           "type = \"free\"\nq = [" +
           number(std::cos(0.5 * lean)) + ", " + number(std::sin(0.5 * lean)) + ", 0, 0, 0, 0, " +
           number(0.2 * std::sin(lean) + 0.05) +
           "]\nv = [0, 0, 3, 0, 0, 0]\n[[rolling]]\na = \"world\"\nb = \"ring\"\n"
           "shape_a = { plane = true }\nshape_b = { torus = { major = 0.2, minor = 0.05 } }\n";
  };
  const CsvTable upright = motion(text(0.5 * std::numbers::pi), {"--duration", "1", "--tolerance", "1e-11"});
  const std::size_t last = upright.rows.size() - 1;
  EXPECT_NEAR(std::abs(value(upright, "q.ring.4", last)), 3.0 * 0.25, 0.2);  // the velocity is made to fit the rolling
  EXPECT_NEAR(value(upright, "q.ring.4", last), 2.0 * value(upright, "q.ring.4", last / 2), 1e-8);
  const CsvTable leaning = motion(text(1.2), {"--duration", "1", "--tolerance", "1e-11"});
  for (std::size_t row = 0; row < leaning.rows.size(); row += 10) {
    EXPECT_NEAR(value(leaning, "energy", row), value(leaning, "energy", 0), 1e-8);
    const double w = value(leaning, "q.ring.0", row), x = value(leaning, "q.ring.1", row),
                 y = value(leaning, "q.ring.2", row), z = value(leaning, "q.ring.3", row);
    const double axis_z = 1.0 - 2.0 * (x * x + y * y);  // of the ring's axis
    EXPECT_NEAR(w * w + x * x + y * y + z * z, 1.0, 1e-12);
    EXPECT_NEAR(value(leaning, "q.ring.6", row), 0.2 * std::sqrt(1.0 - axis_z * axis_z) + 0.05, 1e-9);
  }
}

/// Example 3.2: a wheel on a hinge along z, driven by a pinion at (-r, 0, 0) that pushes along y. The motor's torque
/// gives the bearing a force -tau/(-r) = tau/r along y beside the weight, wherever the wheel has turned to; a motor
/// about the axis gives none.
TEST_F(MechanismScenes, ActiveForcesLoadTheBearings) {
  const auto text = [](const std::string& drive) {
    return "cardan = 1\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"wheel\"\nmass = 2\ninertia = [0.1, 0.1, 0.2, 0, 0, "
           "0]\n"
           "[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\nat = { xyz = [0.3, 0, 0] }\nq = [0.7]\n" +
           drive +
           "[[force]]\ntype = \"joint\"\njoint = \"wheel\"\nforce = \"5\"\n[[record]]\nname = \"b\"\njoint = "
           "\"wheel\"\n"
           "quantity = \"bearing\"\n[[record]]\nname = \"all\"\njoint = \"wheel\"\nquantity = \"wrench\"\n";
  };
  const CsvTable geared = motion(text("drive = { at = [-0.25, 0, 0], along = [0, 1, 0] }\n"), {"--duration", "1"});
  const CsvTable direct = motion(text(""), {"--duration", "1"});
  for (const std::size_t row : {std::size_t{0}, geared.rows.size() - 1}) {
    EXPECT_NEAR(value(geared, "b.fy", row), 5.0 / 0.25, 1e-10);
    EXPECT_NEAR(value(geared, "b.fx", row), 0.0, 1e-10);
    EXPECT_NEAR(value(geared, "b.fz", row), 2.0 * 9.81, 1e-10);
    EXPECT_NEAR(value(geared, "b.mz", row), 0.0, 1e-10);
    EXPECT_NEAR(value(direct, "b.fy", row), 0.0, 1e-10);
    EXPECT_NEAR(value(direct, "b.mz", row), 0.0, 1e-10);
    EXPECT_NEAR(value(geared, "all.mz", row), 5.0, 1e-10);
    EXPECT_EQ(value(geared, "q.wheel", row), value(direct, "q.wheel", row));  // the motion does not know of it
  }
}

/// The rack of examples/rack_and_pinion.toml moves as one mass: (I + m r^2) phi'' = tau - d phi' - r F with the
/// spring's force F = k r phi.
TEST_F(MechanismScenes, ARackFollowsItsPinion) {
  const CsvTable run = [&] {
    const std::string out = folder_.path("rack.csv");
    const Outcome outcome =
        this->run({"simulate", kExamplesOfScenes + "rack_and_pinion.toml", "--tolerance", "1e-11", "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return load_csv(out);
  }();
  const std::function<std::array<double, 2>(double, const std::array<double, 2>&)> f =
      [](double t, const std::array<double, 2>& x) {
        const double r = 0.05, torque = 0.4 * std::sin(3.0 * t) - 0.005 * x[1] - r * 80.0 * r * x[0];
        return std::array{x[1], torque / (5e-4 + 2.0 * r * r)};
      };
  const auto end = integrated<2>({0.0, 0.0}, 4.0, 20000, f);
  const std::size_t last = run.rows.size() - 1;
  EXPECT_NEAR(value(run, "q.pinion", last), end[0], 1e-8);
  EXPECT_NEAR(value(run, "q.rack", last), 0.05 * end[0], 1e-9);
}

/// Loops in coordinates that the user chooses: the four-bar linkage by its crank, explicit and implicit, against
/// multipliers; the loop stays closed, and what does not determine the others is said.
TEST_F(MechanismScenes, ChosenCoordinatesMoveALoop) {
  const std::string four_bar = kExamplesOfScenes + "four_bar.toml";
  const auto moved = [&](std::vector<std::string> options) {
    const std::string out = folder_.path("bar.csv");
    std::vector<std::string> arguments{"simulate", four_bar, "--duration", "1", "--out", out};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return load_csv(out);
  };
  const std::vector<std::string> chosen{"--set", "simulation.formulation=reduced", "--set",
                                        "simulation.independent=['crank']"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), chosen.begin(), chosen.end());
    return more;
  };
  const CsvTable expected = moved({"--integrator", "munthe_kaas_54", "--tolerance", "1e-11"}),
                 found = moved(with({"--integrator", "munthe_kaas_54", "--tolerance", "1e-11"})),
                 implicit = moved(with({"--integrator", "bdf2", "--step", "0.001"}));
  for (std::size_t row = 0; row < expected.rows.size(); row += 10)
    for (const char* joint : {"crank", "coupler", "rocker"}) {
      EXPECT_NEAR(value(found, std::string("q.") + joint, row), value(expected, std::string("q.") + joint, row), 1e-8);
      EXPECT_NEAR(value(found, std::string("v.") + joint, row), value(expected, std::string("v.") + joint, row), 1e-7);
      EXPECT_NEAR(value(implicit, std::string("q.") + joint, row), value(expected, std::string("q.") + joint, row),
                  1e-3);
    }
  const std::size_t last = found.rows.size() - 1;
  const double a = value(found, "q.crank", last), b = a + value(found, "q.coupler", last),
               c = value(found, "q.rocker", last);
  EXPECT_NEAR(0.8 * std::cos(a) + 1.8 * std::cos(b), 2.0 + 1.5 * std::cos(c), 1e-12);
  EXPECT_NEAR(0.8 * std::sin(a) + 1.8 * std::sin(b), 1.5 * std::sin(c), 1e-12);

  const Outcome unknown = run(
      {"simulate", four_bar, "--set", "simulation.formulation=reduced", "--set", "simulation.independent=['crnk']"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("found \"crnk\": did you mean \"crank\"?"), std::string::npos) << unknown.err;
  const Outcome without = run({"simulate", four_bar, "--set", "simulation.formulation=reduced"});
  EXPECT_EQ(without.code, 1);
  EXPECT_NE(without.err.find("independent"), std::string::npos) << without.err;
}

/// Work is as good as the motion, however rarely it is written: that of a torque is the energy gained.
TEST_F(MechanismScenes, WorkIsTheEnergyGained) {
  const CsvTable run = motion(kRod +
                                  "[[controller]]\nname = \"motor\"\ntype = \"text\"\njoints = [\"rod\"]\n"
                                  "force = [\"3*sin(7*t) - 0.4*v.rod\"]\n[[record]]\nname = \"work\"\n"
                                  "controller = \"motor\"\nquantity = \"work\"\n",
                              {"--duration", "3", "--output-every", "0.75", "--tolerance", "1e-11"});
  for (std::size_t row = 0; row < run.rows.size(); ++row)
    EXPECT_NEAR(value(run, "work", row), value(run, "energy", row) - value(run, "energy", 0), 2e-8) << row;
  EXPECT_GT(std::abs(value(run, "work", run.rows.size() - 1)), 0.1);
}

/// A loop in reduced coordinates by a function table (8.11): the slider of a crank as gamma(crank), by points, against
/// the same by a formula.
TEST_F(MechanismScenes, GammaByATableIsGammaByAFormula) {
  const auto slider = [](double q) {
    return 0.3 * std::cos(q) + std::sqrt(0.9 * 0.9 - 0.09 * std::sin(q) * std::sin(q));
  };
  std::string xs, ys;
  constexpr int kPoints = 720;
  for (int i = 0; i <= kPoints; ++i) {
    const double q = -std::numbers::pi + 2.0 * std::numbers::pi * i / kPoints;
    xs += (i == 0 ? "" : ", ") + number(q);
    ys += (i == 0 ? "" : ", ") + number(slider(i == kPoints ? -std::numbers::pi : q));
  }
  const auto text = [&](const std::string& gamma) {
    return "cardan = 1\ngravity = [-9.81, 0, 0]\n[tables.gamma]\nx = [" + xs + "]\ny = [" + ys +
           "]\nperiodic = true\n[[body]]\nname = \"crank\"\nmass = 1\ncom = [0.15, 0, 0]\ninertia = [0.01, 0.01, 0.01, "
           "0, 0, 0]\n"
           "[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\nq = [1.0]\n[[body]]\nname = \"slider\"\nmass = 0.7\n"
           "inertia = [0.01, 0.01, 0.01, 0, 0, 0]\n[body.joint]\ntype = \"prismatic\"\naxis = [1, 0, 0]\n[[coupling]]\n"
           "joint = \"slider\"\nequals = \"" +
           gamma + "\"\n[simulation]\nformulation = \"reduced\"\n";
  };
  const CsvTable table = motion(text("gamma(crank)"), {"--duration", "2", "--tolerance", "1e-10"}),
                 formula = motion(text("0.3*cos(crank) + sqrt(0.81 - 0.09*sin(crank)^2)"),
                                  {"--duration", "2", "--tolerance", "1e-10"});
  for (std::size_t row = 0; row < table.rows.size(); row += 20) {
    EXPECT_NEAR(value(table, "q.crank", row), value(formula, "q.crank", row), 1e-6);
    EXPECT_NEAR(value(formula, "q.slider", row), slider(value(formula, "q.crank", row)), 1e-12);
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

/// A digit that something has changed does not become a result: the run is made again.
TEST_F(Sweeps, ADamagedResultIsMadeAgain) {
  ASSERT_EQ(sweep("whole", {"--jobs", "1"}).code, 0);
  const std::string before = table("whole"), finished = folder_.path("whole/finished-1-of-1.csv");
  std::string text = file_contents(finished);
  for (const std::size_t at : {text.size() / 3, 2 * text.size() / 3}) {
    const std::size_t digit = text.find_first_of("123456789", at);
    text[digit] = text[digit] == '9' ? '1' : static_cast<char>(text[digit] + 1);
  }
  std::ofstream(finished, std::ios::binary) << text;
  EXPECT_NE(refusal(sweep("whole", {"--gather"})).find("2 of 60 runs are missing"), std::string::npos);
  ASSERT_EQ(sweep("whole", {"--jobs", "1"}).code, 0);
  EXPECT_EQ(table("whole"), before);
}

/// A sweep whose scene names a robot, a mesh or a run goes on only with the same files.
TEST_F(Sweeps, OtherFilesAreAnotherSweep) {
  const auto robot = [&](const char* mass) {
    folder_.write("arm.urdf",
                  std::string("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"") + mass +
                      "\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
                      "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>");
  };
  robot("1");
  const std::string scene = file(
      "cardan = 1\n[parameters]\ng = 1\n[[robot]]\nfile = \"arm.urdf\"\n[initial]\nv = { j = "
      "\"g\" }\n[[record]]\nname = \"x\"\nexpression = \"q.j\"\n[simulation]\nduration = 0.1\n");
  const std::vector<std::string> arguments{"sweep", scene, "--vary", "g=1:2:3", "--out", folder_.path("robots")};
  ASSERT_EQ(run(arguments).code, 0);
  ASSERT_EQ(run(arguments).code, 0);
  robot("2");
  EXPECT_NE(refusal(run(arguments)).find("found one of another scene"), std::string::npos);
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
