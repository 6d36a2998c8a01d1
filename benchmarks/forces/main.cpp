// cardan_bench_forces: what paths of muscles cost. Two legs with the bodies, muscles and numbers of points of OpenSim's
// gait10dof18musc (fixed, conditional and moving points): kinematics, lengths, speeds and all moment arms of 18
// muscles; and one wrapped curve on each surface, asked at poses that follow one another.
#include "benchmarks/timing.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/cardan.hpp"

#include <fmt/format.h>

#include <cmath>

namespace {

using namespace cardan;

/// Pelvis in a plane, hips, knees and ankles as hinges: ten coordinates with the lumbar joint.
Model legs() {
  const MassProperties mass{5.0, {0.0, -0.1, 0.0}, {0.05, 0.02, 0.05, 0.0, 0.0, 0.0}};
  ModelBuilder builder("legs");
  builder.gravity({0.0, -9.81, 0.0});
  const auto place = [](double x, double y, double z) { return Pose<double>{Mat3<double>::identity(), {x, y, z}}; };
  builder.body("pelvis", mass).joint("world", "pelvis", FreePlanar{});
  builder.body("torso", mass).joint("pelvis", "torso", Revolute{{0, 0, 1}}, place(-0.1, 0.08, 0));
  for (const auto& [side, z] : {std::pair<std::string, double>("r", 0.083), {"l", -0.083}}) {
    for (const char* name : {"femur_", "tibia_", "calcn_"}) builder.body(name + side, mass);
    builder.joint("pelvis", "femur_" + side, Revolute{{0, 0, 1}}, place(-0.07, -0.066, z));
    builder.joint("femur_" + side, "tibia_" + side, Revolute{{0, 0, 1}}, place(0, -0.396, 0));
    builder.joint("tibia_" + side, "calcn_" + side, Revolute{{0, 0, 1}}, place(0, -0.43, 0));
  }
  return builder.build();
}

std::vector<Path> leg_muscles(const Model& model) {
  std::vector<Path> out;
  for (const std::string side : {"r", "l"}) {
    const double s = side == "r" ? 1.0 : -1.0;
    const auto body = [&](const std::string& name) {
      return model.frame(model.find_frame(name == "pelvis" ? name : name + "_" + side)).body;
    };
    const auto at = [&](const char* name, double x, double y, double z) {
      return PathPoint{body(name), {x, y, s * z}};
    };
    const auto coordinate = [&](const char* name) {
      const Link& link = model.link(body(name));
      return PathCoordinate{link.q, link.v};
    };
    const auto when = [&](PathPoint point, const char* joint, double low, double high) {
      point.when = PathPoint::When{coordinate(joint), low, high};
      return point;
    };
    const auto moving = [&](double z) {
      PathPoint point = at("tibia", 0.05, 0.02, z);
      point.moving = PathPoint::Moving{
          coordinate("tibia"),
          TimeFunction(
              [z, s](Expr q) {
                return std::vector<Expr>{Expr(0.05) - Expr(0.01) * q * q, Expr(0.02) + Expr(0.02) * q, Expr(s * z)};
              },
              2)};
      return point;
    };
    const std::vector<std::vector<PathPoint>> paths{
        {at("pelvis", -.126, -.103, .069), at("tibia", -.03, -.036, .029), at("tibia", -.023, -.056, .034)},
        {at("femur", .005, -.211, .023), at("tibia", -.03, -.036, .029), at("tibia", -.023, -.056, .034)},
        {at("pelvis", -.135, .018, .056), at("pelvis", -.138, -.052, .091), at("femur", -.043, -.053, .029),
         at("femur", -.016, -.102, .042)},
        {at("pelvis", -.065, .089, .029), at("pelvis", -.024, -.057, .076),
         when(at("pelvis", -.029, -.081, .082), "femur", -1.57, 0.79), at("femur", .002, -.051, .004),
         at("femur", -.019, -.06, .01)},
        {at("pelvis", -.029, -.031, .097), when(at("femur", .033, -.403, .002), "tibia", -2.6, -1.46), moving(.0)},
        {at("femur", .029, -.192, .031), at("femur", .034, -.208, .029),
         when(at("femur", .034, -.403, .005), "tibia", -2.6, -1.42), moving(.005)},
        {at("femur", -.019, -.393, -.024), when(at("femur", -.03, -.402, -.026), "tibia", -.79, .17),
         at("calcn", 0, .031, -.005)},
        {at("tibia", -.002, -.153, .007), at("calcn", 0, .031, -.005)},
        {at("tibia", .018, -.162, .011), at("tibia", .033, -.395, -.018), at("calcn", .117, .018, -.03)}};
    for (const auto& points : paths) out.emplace_back(points);
  }
  return out;
}

double time_legs() {
  const Model model = legs();
  const std::vector<Path> muscles = leg_muscles(model);
  constexpr int kStates = 16;
  std::vector<std::vector<double>> q(kStates), v(kStates);
  for (int i = 0; i < kStates; ++i)
    for (int k = 0; k < model.nv(); ++k) {
      q[static_cast<std::size_t>(i)].push_back(0.5 * std::sin(1.3 * i + 2.1 * k));
      v[static_cast<std::size_t>(i)].push_back(std::cos(0.7 * i + 1.9 * k));
    }
  StateKinematics kinematics(model);
  std::vector<ForceVector<double>> wrenches(static_cast<std::size_t>(model.bodies()) + 1);
  std::vector<double> direct(static_cast<std::size_t>(model.nv())), arms(direct);
  PathShape shape;
  volatile double sum = 0.0;
  const auto evaluate = [&](int i) {
    const auto n = static_cast<std::size_t>(i);
    const Instant at = kinematics.at(0.0, q[n], v[n]);
    for (const Path& path : muscles) {
      path.evaluate(at, WrapSurface::Want::slopes, shape);
      std::fill(wrenches.begin(), wrenches.end(), ForceVector<double>{});
      std::fill(direct.begin(), direct.end(), 0.0);
      Pushes pushes(wrenches, direct);
      path.pull(at, shape, 1.0, pushes);
      jacobian_transpose_product<double>(model, kinematics.workspace(), q[n], wrenches, arms);
      sum = sum + shape.length + shape.speed + arms[3];
    }
  };
  return bench::time_together({evaluate}, kStates).front();
}

double time_wrap(const WrapSurface& surface, bool is_torus) {
  constexpr int kPoses = 64;
  volatile double sum = 0.0;
  const auto evaluate = [&](int i) {
    const double turn = 0.1 * std::sin(2.0 * 3.141592653589793 * i / kPoses);
    const Vec3<double> P = is_torus ? Vec3<double>{0.45, 0.02, 0.5} : Vec3<double>{-0.8, 0.1, 0.15};
    const Vec3<double> S = is_torus ? Vec3<double>{0.5, 0.05 + turn, -0.45} : Vec3<double>{0.7, 0.05 + turn, -0.1};
    sum = sum + surface.wrap(P, S, WrapSurface::Want::slopes).length;
  };
  return bench::time_together({evaluate}, kPoses).front();
}

}  // namespace

int main() {
  fmt::print("two legs, 18 muscles: kinematics, lengths, speeds, all moment arms  {:8.2f} us\n", 1e-3 * time_legs());
  fmt::print("wrap over a sphere    {:8.2f} us\n", 1e-3 * time_wrap(*wrap_sphere(0.3, {0, 0.3, 0}), false));
  fmt::print("wrap over a cylinder  {:8.2f} us\n", 1e-3 * time_wrap(*wrap_cylinder(0.3, {0, 0.3, 0}), false));
  fmt::print("wrap over an ellipsoid, warm {:6.2f} us\n",
             1e-3 * time_wrap(*wrap_ellipsoid({0.35, 0.25, 0.5}, {0, 0.25, 0}), false));
  const auto egg = wrap_parametric(
      [](Expr u, Expr v) {
        return Vec3<Expr>{Expr(0.35) * cos(v) * cos(u), Expr(0.25) * cos(v) * sin(u), Expr(0.5) * sin(v)};
      },
      {-3.141592653589793, 3.141592653589793, -1.5707963267948966, 1.5707963267948966}, {0, 0.25, 0});
  fmt::print("wrap over that ellipsoid as a text, warm {:6.2f} us\n", 1e-3 * time_wrap(*egg, false));
  fmt::print("wrap over a torus, warm      {:6.2f} us\n", 1e-3 * time_wrap(*wrap_torus(0.4, 0.12, {0.28, 0, 0}), true));
}
