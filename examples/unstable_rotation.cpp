// A box thrown about its axis of middle inertia, as in section 6 of Holzinger, Gerstmayr and Schoeberl: their Figures 7
// to 12 on one page. The same motion in two ways, both of order 4: by the velocities of six points of the body, and as
// a free joint (a unit quaternion moved by Munthe-Kaas).
#include "cardan/integrate/local_velocities.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/report.hpp"
#include "cardan/io/svg_plot.hpp"
#include "cardan/simulate/simulate.hpp"

#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>

using namespace cardan;

namespace {

constexpr double kEnd = 1.0;  // s

struct Moment {
  double t;
  Mat3<double> R;  // body to world
  Vec3<double> omega;
};
using Motion = std::vector<Moment>;

double det_less_one(const Mat3<double>& R) {
  const auto column = [&](int j) { return Vec3<double>{R(0, j), R(1, j), R(2, j)}; };
  return dot(column(0), cross(column(1), column(2))) - 1.0;
}

/// Every `every`-th step of `steps`, by six point velocities.
Motion by_points(const Scene& scene, int steps, int every) {
  const LocalVelocities coordinates = LocalVelocities::hexahedral();
  const Vec3<double> omega{scene.initial.v[0], scene.initial.v[1], scene.initial.v[2]};
  LocalVelocityBody body(coordinates, scene.model.link(1).I);
  body.w = coordinates.from_motion({omega, {}});
  Motion out{{0.0, body.pose.R, omega}};
  for (int i = 1; i <= steps; ++i) {
    body.step(kEnd / steps);
    if (i % every == 0) out.push_back({kEnd * i / steps, body.pose.R, coordinates.motion(body.w).angular});
  }
  return out;
}

/// The same as a free joint.
Motion by_quaternion(const Scene& scene, int steps, int every) {
  SystemWorkspace system{System(scene.model)};
  IntegratorOptions options;
  options.step = kEnd / steps;
  const auto integrator = make_integrator("munthe_kaas_4", system, options);
  integrator->start(0.0, scene.initial);
  const auto now = [&] {
    const auto& [q, v, z] = integrator->state();
    return Moment{
        integrator->time(), quaternion_to_matrix(Quaternion<double>{q[0], q[1], q[2], q[3]}), {v[0], v[1], v[2]}};
  };
  Motion out{now()};
  for (int i = 1; i <= steps; ++i) {
    integrator->step(kEnd);
    if (i % every == 0) out.push_back(now());
  }
  return out;
}

template <class Value>
io::PlotCurve over_time(const std::string& label, const Motion& motion, const Value& value) {
  io::PlotCurve out{label, {}, {}};
  for (const Moment& moment : motion) {
    out.x.push_back(moment.t);
    out.y.push_back(value(moment));
  }
  return out;
}

/// Seen from the side and a little from above, as a drawing on paper shows it; what lies behind the sphere's outline is
/// a curve of its own.
std::vector<io::PlotCurve> in_space(const Motion& motion) {
  const double turn = 0.65, up = 0.45;
  io::PlotCurve front{"in front", {}, {}}, behind{"behind", {}, {}}, outline{"unit sphere", {}, {}};
  for (const Moment& moment : motion) {
    const double x = moment.R(0, 2), y = moment.R(1, 2), z = moment.R(2, 2);
    const double right = std::cos(turn) * x + std::sin(turn) * y, away = std::cos(turn) * y - std::sin(turn) * x;
    const double height = std::cos(up) * z + std::sin(up) * away, depth = std::cos(up) * away - std::sin(up) * z;
    for (io::PlotCurve* curve : {&front, &behind}) {
      curve->x.push_back((depth <= 0.0) == (curve == &front) ? right : std::nan(""));
      curve->y.push_back(height);
    }
  }
  for (int i = 0; i <= 120; ++i) {
    outline.x.push_back(std::cos(i * std::acos(-1.0) / 60.0));
    outline.y.push_back(std::sin(i * std::acos(-1.0) / 60.0));
  }
  return {front, behind, outline};
}

struct Convergence {
  io::PlotCurve omega, det;
  Convergence(const std::string& label) : omega{label, {}, {}, true}, det{label, {}, {}, true} {}

  void add(int steps, const Moment& end, const Moment& exact) {
    omega.x.push_back(kEnd / steps);
    omega.y.push_back(norm(end.omega - exact.omega));
    det.x.push_back(kEnd / steps);
    det.y.push_back(std::max(std::abs(det_less_one(end.R)), 1e-17));  // zero has no logarithm
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "build/unstable_rotation.html";
  const Scene scene = load("examples/unstable_rotation.toml");
  constexpr int kFine = 100000, kDrawn = 100;  // steps, and how many between points
  const Motion points = by_points(scene, kFine, kDrawn), quaternion = by_quaternion(scene, kFine, kDrawn);

  Convergence of_points("six point velocities"), of_quaternion("quaternion, munthe_kaas_4");
  std::cout << "   h        error of omega (rad/s): points, quaternion      det R - 1: points, quaternion\n";
  for (int steps = 80; steps <= 5120; steps *= 2) {
    of_points.add(steps, by_points(scene, steps, steps).back(), points.back());
    of_quaternion.add(steps, by_quaternion(scene, steps, steps).back(), points.back());
    std::cout << "1/" << std::left << std::setw(6) << steps << std::scientific << std::setprecision(3) << std::setw(12)
              << of_points.omega.y.back() << std::setw(12) << of_quaternion.omega.y.back() << std::setw(12)
              << of_points.det.y.back() << std::setw(12) << of_quaternion.det.y.back() << "\n";
  }
  io::PlotCurve fourth{"order 4", {1.0 / 2560.0, 1.0 / 320.0}, {}};
  const double at_2560 = of_points.omega.y[5];
  fourth.y = {0.3 * at_2560, 0.3 * at_2560 * std::pow(8.0, 4)};

  const auto component = [](int i) { return [i](const Moment& moment) { return moment.R(i, 2); }; };
  const auto omega = [](int i) { return [i](const Moment& moment) { return moment.omega[i]; }; };
  const auto det = [](const Moment& moment) { return det_less_one(moment.R); };
  const std::vector<io::PlotCurve> position{over_time("x", points, component(0)), over_time("y", points, component(1)),
                                            over_time("z", points, component(2))};
  const std::vector<io::PlotCurve> velocity{over_time("about 1", points, omega(0)),
                                            over_time("about 2", points, omega(1)),
                                            over_time("about 3", points, omega(2))};
  const std::vector<io::PlotCurve> dets{over_time(of_points.det.label, points, det),
                                        over_time(of_quaternion.det.label, quaternion, det)};
  const std::vector<io::PlotCurve> errors{of_points.omega, of_quaternion.omega, fourth};
  const std::vector<io::PlotCurve> det_errors{of_points.det, of_quaternion.det};

  ReportText text;
  text.title = "Unstable rotation";
  text.summary = {{"body", "J = diag(5.2988, 1.1775, 4.3568), m = 1, no load"},
                  {"start", "omega = (0.01, 0, 100) rad/s: nearly about the axis of middle inertia"},
                  {"Figures 7 to 10", "steps of 1e-5 s; the end of that run is the reference of Figures 11 and 12"}};
  text.notes = {
      "Figures 11 and 12 begin at h = 1/80: with 1/10 and 1/40, 10 and 2.5 rad a step, Runge-Kutta methods diverge."};
  std::ofstream page(path);
  page << html_page(
      text, io::plot("Fig. 7: path of the point (0, 0, 1) of the body", {"m", "m", false, true}, in_space(points)) +
                io::plot("Fig. 8: position of that point", {"time (s)", "m"}, position) +
                io::plot("Fig. 9: angular velocity in the body", {"time (s)", "rad/s"}, velocity) +
                io::plot("Fig. 10: determinant of the rotation matrix", {"time (s)", "det R - 1"}, dets) +
                io::plot("Fig. 11: error of the angular velocity at 1 s", {"step (s)", "rad/s", true}, errors) +
                io::plot("Fig. 12: determinant at 1 s", {"step (s)", "|det R - 1|", true}, det_errors));
  if (!page.flush()) {
    std::cerr << path << ": cannot be written\n";
    return 1;
  }
  std::cout << "Open " << path << " in a browser to see the figures.\n";
}
