#include "benchmarks/hinged_ladder.hpp"

#include "cardan/math/so3.hpp"
#include "cardan/model/model_builder.hpp"

#include <cmath>

namespace cardan::bench {

namespace {

/// A slender bar along x from the origin.
MassProperties bar(double mass) {
  const double I = mass / 12.0;
  return {mass, {0.5, 0.0, 0.0}, {0.0, I, I, 0.0, 0.0, 0.0}};
}

Joint loop_joint(int rows) {
  if (rows == 5) return Revolute{{0.0, 0.0, 1.0}};
  if (rows == 3) return Spherical{};
  return Composite{{Spherical{}, Prismatic{{0.0, 0.0, 1.0}}}};
}

/// Angles and rates of the rail's bars.
double angle(int i) { return -1.2 + 0.4 * std::sin(0.02 * i) + 0.1 * std::sin(1.7 * i); }
double rate(int i) { return 0.3 * std::sin(0.9 * i + 0.2); }

/// A body's frame may be turned against the bar that it is: R takes axes of the frame to those of the bar.
struct Axes {
  Mat3<double> R = Mat3<double>::identity();

  Pose<double> at(double x) const { return {transpose(R), transpose(R) * Vec3<double>{x, 0.0, 0.0}}; }
  MassProperties turned(const MassProperties& bar) const {
    return {bar.mass, transpose(R) * bar.com, rotate(transpose(R), bar.inertia)};
  }
};

Axes skew_axes(int i) {
  return {exp_so3(Vec3<double>{0.3 * std::sin(1.0 + i), 0.4 * std::cos(2.0 * i), 0.5 * std::sin(3.0 * i)})};
}

}  // namespace

HingedLadder::HingedLadder(int n, int rows, bool skew) : rungs(n) {
  const Vec3<double> gravity{0.0, -9.81, 3.0};  // the load along the hinges bends the ladder out of its plane
  ModelBuilder ladders("hinged ladder"), chains("chain");
  ladders.gravity(gravity);
  chains.gravity(gravity);
  const Joint hinge = Revolute{{0.0, 0.0, 1.0}};
  const Axes straight;
  const auto axes = [&](int i) { return skew && i >= 0 ? skew_axes(i) : straight; };
  const auto connect = [&](const std::string& a, const Axes& at_a, double x, const std::string& b, const Axes& at_b,
                           double at_x, const Joint& type, bool closes) {
    JointSpec spec;
    spec.name = closes ? "loop" + b : b;
    spec.predecessor = a;
    spec.successor = b;
    spec.type = type;
    spec.at = at_a.at(x);
    spec.at_successor = at_b.at(at_x);
    spec.closes_loop = closes;
    ladders.joint(spec);
  };
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i), before = std::to_string(i - 1);
    const std::string left = "left" + k, rung = "rung" + k, right = "right" + k;
    const bool first = i == 0;
    const Axes own_left = axes(3 * i), own_rung = axes(3 * i + 1), own_right = axes(3 * i + 2);
    ladders.body(left, own_left.turned(bar(1.0)));
    ladders.body(rung, own_rung.turned(bar(0.5)));
    ladders.body(right, own_right.turned(bar(1.0)));
    connect(first ? "world" : "left" + before, axes(3 * i - 3), first ? 0.0 : 1.0, left, own_left, 0.0, hinge, false);
    connect(left, own_left, 1.0, rung, own_rung, 0.0, hinge, false);
    connect(first ? "world" : "right" + before, axes(3 * i - 1), 1.0, right, own_right, 0.0, hinge, false);
    connect(rung, own_rung, 1.0, right, own_right, 1.0, loop_joint(rows), true);
    // 2 kg in the middle and 0.5 kg at the tip
    const double m = 2.5, c = (2.0 * 0.5 + 0.5) / m,
                 I = 2.0 / 12.0 + 2.0 * (c - 0.5) * (c - 0.5) + 0.5 * (1.0 - c) * (1.0 - c);
    chains.body("link" + k, {m, {c, 0.0, 0.0}, {0.0, I, I, 0.0, 0.0, 0.0}})
        .joint(first ? "world" : "link" + before, "link" + k, hinge, straight.at(first ? 0.0 : 1.0));
  }
  ladder = ladders.build();
  chain = chains.build();
  ladder_state = State(ladder);
  chain_state = State(chain);
  const auto set = [](const Model& model, State& state, const std::string& joint, double q, double v) {
    const Link& link = model.link(model.joint_named(joint));
    state.q[static_cast<std::size_t>(link.q)] = q;
    state.v[static_cast<std::size_t>(link.v)] = v;
  };
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i);
    const double q = angle(i) - (i > 0 ? angle(i - 1) : 0.0), v = rate(i) - (i > 0 ? rate(i - 1) : 0.0);
    set(ladder, ladder_state, "left" + k, q, v);
    set(ladder, ladder_state, "right" + k, q, v);
    set(ladder, ladder_state, "rung" + k, -angle(i), -rate(i));
    set(chain, chain_state, "link" + k, q, v);
    rail.push_back(ladder.joint_named("left" + k));
  }
}

}  // namespace cardan::bench
