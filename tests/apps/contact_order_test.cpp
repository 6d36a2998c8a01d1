// Orders of contact stepping for mechanisms that pull a sliding block by a spring, against the same motion by events:
// the table in docs/evidence/contact.md. Through the command.
#include "tests/apps/scene_runs.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace cardan::contact_order_test {
namespace {

const std::string kBlock = R"([[body]]
name = "block"
mass = 0.5
[[body.shape]]
box = [0.1, 0.1, 0.1]
[body.joint]
type = "free"
q = [1, 0, 0, 0, 1.2, 0, 0.05]
v = [0, 0, 0, 2.0, 0, 0]
)";

std::string bar(const std::string& name, const std::string& parent, const std::string& at, double q, double v = 0.0) {
  return fmt::format(R"([[body]]
name = "{}"
parent = "{}"
mass = 1
com = [0.2, 0, 0]
inertia = [0.001, 0.02, 0.02, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = {{ xyz = {} }}
q = [{}]
v = [{}]
)",
                     name, parent, at, q, v);
}

std::string pulled_by(const std::string& mechanism, const std::string& body, const std::string& at) {
  return "cardan = 1\n[ground]\nfriction = 0.05\n" + mechanism + kBlock +
         fmt::format(
             "[[force]]\ntype = \"spring\"\npoints = [{{ body = \"{}\", at = {} }}, {{ body = \"block\" }}]\n"
             "stiffness = 5\nrest = 0.5\n[simulation]\nduration = 0.24\noutput_every = 0.04\n",
             body, at);
}

class ContactOrder : public test::SceneRuns {
 protected:
  /// Measures the largest error of coordinates at steps of 4, 2 and 1 ms; each must be that part of the one before.
  void expect_ratios(const std::string& scene, double low, double high) const {
    const CsvTable exact = motion(scene + "contact = \"events\"\ntolerance = 1e-12\n");
    double last = 0.0;
    for (const double h : {0.004, 0.002, 0.001}) {
      const CsvTable run = motion(scene + fmt::format("contact = \"stepping\"\nstep = {}\n", h));
      double error = 0.0;
      for (std::size_t row = 0; row < exact.rows.size(); ++row)
        for (const std::string& column : exact.columns)
          if (column.starts_with("q."))
            error = std::max(error, std::abs(value(run, column, row) - value(exact, column, row)));
      RecordProperty(fmt::format("error_at_{}_ms", 1000.0 * h), fmt::format("{:.2e}", error));
      if (last > 0.0) {
        EXPECT_GT(last / error, low) << h << "\n" << scene;
        EXPECT_LT(last / error, high) << h << "\n" << scene;
      }
      last = error;
    }
  }
};

const std::string kArm = bar("upper", "world", "[0, 0, 1]", 0.5) + bar("lower", "upper", "[0.4, 0, 0]", 0.5);

TEST_F(ContactOrder, ControllersAndCouplingsAreOfSecondOrder) {
  const std::string control = "joints = [\"upper\", \"lower\"]\ntarget = [\"0.3*sin(5*t)\", \"0.5\"]\nkp = [40, 20]\n";
  const std::string gears = bar("g1", "world", "[0, 0, 1]", 0.3, 2.0) + bar("g2", "world", "[0.6, 0, 1]", -0.6) +
                            "[[coupling]]\njoint = \"g2\"\nequals = \"-2*g1\"\n";
  expect_ratios(pulled_by(gears, "g2", "[0.3, 0, 0]"), 3.8, 4.2);
  expect_ratios(pulled_by(kArm + "[[controller]]\ntype = \"pd\"\n" + control + "kd = [2, 1]\n", "lower", "[0.3, 0, 0]"),
                3.8, 4.2);
  expect_ratios(pulled_by(kArm + "[[controller]]\ntype = \"pid\"\n" + control + "ki = [30, 10]\nkd = [2, 1]\n", "lower",
                          "[0.3, 0, 0]"),
                3.8, 4.2);
}

TEST_F(ContactOrder, LoopsAndMotionsAreOfFirstOrder) {
  const std::string four_bar =
      bar("crank", "world", "[0, 0, 1]", -1.0, 2.0) + bar("coupler", "crank", "[0.3, 0, 0]", 0.8) +
      bar("rocker", "world", "[0.6, 0, 1]", -1.2) +
      "[[loop]]\na = \"coupler\"\nb = \"rocker\"\nat_a = { xyz = [0.5, 0, 0] }\nat_b = { xyz = [0.4, 0, 0] }\n"
      "type = \"revolute\"\naxis = [0, 1, 0]\n";
  const std::string crank = bar("crank", "world", "[0, 0, 1]", 0.0) + bar("arm", "crank", "[0.4, 0, 0]", 0.5) +
                            "[[motion]]\njoint = \"crank\"\nposition = \"0.5*sin(4*t)\"\n";
  expect_ratios(pulled_by(four_bar, "coupler", "[0.25, 0, 0]"), 1.9, 2.2);
  expect_ratios(pulled_by(crank, "arm", "[0.3, 0, 0]"), 1.9, 2.2);
}

}  // namespace
}  // namespace cardan::contact_order_test
