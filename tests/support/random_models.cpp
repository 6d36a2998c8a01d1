#include "tests/support/random_models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace cardan::test {

std::uint64_t Random::bits() {  // splitmix64
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
double Random::uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
}

Vec3<double> Random::vector(double size) {
  const double x = uniform(), y = uniform(), z = uniform();
  return Vec3<double>{size * x, size * y, size * z};
}
Vec3<double> Random::direction() {
  Vec3<double> v = vector();
  while (norm(v) < 0.2) v = vector();
  return (1.0 / norm(v)) * v;
}
Mat3<double> Random::rotation() { return exp_so3(uniform(0.0, 3.1) * direction()); }
Mat3<double> Random::aligned_rotation() {
  const int x = below(3), y = (x + 1 + below(2)) % 3;
  Mat3<double> R;
  R.row[0][x] = chance(0.5) ? 1.0 : -1.0;
  R.row[1][y] = chance(0.5) ? 1.0 : -1.0;
  R.row[2] = cross(R.row[0], R.row[1]);
  return R;
}
Pose<double> Random::pose() {
  const Mat3<double> R = rotation();
  return {R, vector()};
}
MotionVector<double> Random::motion() {
  const Vec3<double> angular = vector();
  return {angular, vector()};
}
ForceVector<double> Random::force() {
  const Vec3<double> moment = vector();
  return {moment, vector()};
}
MassProperties Random::mass() {
  MassProperties out;
  out.mass = uniform(0.5, 2.0);
  out.com = vector(0.4);
  for (int k = 0; k < 4; ++k) {  // points, in pairs so that the center of mass stays
    const Vec3<double> p = vector(0.5);
    const double xx = p[0] * p[0], yy = p[1] * p[1], zz = p[2] * p[2], m = out.mass / 4;
    out.inertia +=
        Sym3<double>{m * (yy + zz), m * (xx + zz), m * (xx + yy), -m * p[0] * p[1], -m * p[0] * p[2], -m * p[1] * p[2]};
  }
  return out;
}
Eigen::VectorXd Random::values(int n, double size) {
  Eigen::VectorXd out(n);
  for (int i = 0; i < n; ++i) out(i) = size * uniform();
  return out;
}

namespace {

/// A coordinate axis, up or down, or any direction; not always of unit length.
Vec3<double> random_axis(Random& random) {
  if (random.chance(0.4)) return random.direction();
  Vec3<double> axis;
  axis[random.below(3)] = random.chance(0.5) ? 1.0 : -1.0;
  return axis;
}

SphericalEuler random_euler(Random& random) {
  const int i = random.below(3), j = (i + 1 + random.below(2)) % 3, k = (j + 1 + random.below(2)) % 3;
  return SphericalEuler({i, j, k});
}

Composite random_composite(Random& random) {
  const Vec3<double> axis = random_axis(random);
  Joint helical = Helical(axis, random.uniform()), planar = Planar{}, free_planar = FreePlanar{};
  planar.reversed = random.chance(0.5);
  free_planar.reversed = random.chance(0.5);
  switch (random.below(6)) {
    case 0: return Composite({Universal{}, Prismatic(Vec3<double>{0.48, -0.6, 0.64})});
    case 1: return Composite({Revolute(Vec3<double>{0.0, 0.0, -1.0}), Composite({planar, Universal{}}), Fixed{}});
    case 2: return Composite({Spherical{}, Translational{}});
    case 3: return Composite({planar, random_euler(random)});
    case 4: return Composite({free_planar, Revolute(Vec3<double>{1.0, 0.0, 0.0})});
    default: return Composite({planar, helical});
  }
}

}  // namespace

/// Invented joints, made once: deriving them takes a while. At zero their frames coincide.
Joint random_expression(Random& random) {
  static const std::vector<ExpressionJoint> invented{
      ExpressionJoint({"a"}, "rotz(a) * trans(r + e*cos(2*a), 0, 0) * trans(-r - e, 0, 0)", {{"r", 0.5}, {"e", 0.25}}),
      ExpressionJoint({"a", "b"}, "rotz(a) * trans(0.3*sin(a), 0.2*(1 - cos(a)), b) * roty(0.5*b)"),
      ExpressionJoint({"a", "b", "c"}, "twist(a, 0.2*b, c, 0.1*a, b, 0) * rotx(0.3*b*b) * trans(c, 0, 0)")};
  return invented[static_cast<std::size_t>(random.below(static_cast<int>(invented.size())))];
}

Joint random_joint(Random& random, std::size_t type_index) {
  const auto make = [&]<std::size_t... I>(std::index_sequence<I...>) {
    Joint out;
    const auto one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      using J = std::variant_alternative_t<K, decltype(Joint::type)>;
      if (K != type_index) return;
      if constexpr (std::same_as<J, SphericalEuler>)
        out = random_euler(random);
      else if constexpr (std::same_as<J, Composite>)
        out = random_composite(random);
      else if constexpr (std::same_as<J, ExpressionJoint>)
        out = random_expression(random);
      else if constexpr (std::constructible_from<J, Vec3<double>>)
        out = J(random_axis(random));
      else
        out = J{};
      if constexpr (std::same_as<J, Helical>) std::get<Helical>(out.type) = {random_axis(random), 0.0};
      if constexpr (std::same_as<J, Helical>) std::get<Helical>(out.type).pitch = random.uniform();
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
    return out;
  };
  return make(std::make_index_sequence<std::variant_size_v<decltype(Joint::type)>>{});
}

std::vector<double> random_configuration(Random& random, const Joint& joint) {
  std::vector<double> q(static_cast<std::size_t>(joint.nq())), out(q);
  joint.neutral(q.data());
  const Eigen::VectorXd v = random.values(joint.nv(), 1.2);
  joint.integrate(q.data(), v.data(), 1.0, out.data());
  return out;
}
Eigen::VectorXd random_configuration(Random& random, const Model& model) {
  Eigen::VectorXd q(model.nq());
  for (int i = 1; i <= model.bodies(); ++i) {
    const std::vector<double> own = random_configuration(random, model.joint(i));
    for (int k = 0; k < model.link(i).nq; ++k) q(model.link(i).q + k) = own[static_cast<std::size_t>(k)];
  }
  return q;
}

Eigen::VectorXd integrate(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h) {
  Eigen::VectorXd out(q);
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    model.joint(i).integrate(q.data() + link.q, v.data() + link.v, h, out.data() + link.q);
  }
  return out;
}

ModelBuilder random_builder(std::uint64_t seed) {
  Random random(seed);
  constexpr int types = std::variant_size_v<decltype(Joint::type)>;
  const int bodies = types + static_cast<int>(seed % 5);
  const double aligned = 0.5 * static_cast<double>(seed % 3);  // how likely a placement keeps the axes parallel
  ModelBuilder builder(fmt::format("random {}", seed));
  builder.gravity(random.vector(9.0));
  if (seed % 2 == 1) builder.keep_fixed_joints();

  const auto placement = [&] {
    Pose<double> at;
    at.R = random.chance(aligned) ? random.aligned_rotation() : random.rotation();
    at.p = random.vector(0.6);
    if (random.chance(0.1)) at.p = Vec3<double>{};
    return at;
  };
  std::vector<int> kind(static_cast<std::size_t>(bodies));
  std::iota(kind.begin(), kind.end(), 0);
  std::vector<BodySpec> body_specs;
  std::vector<JointSpec> joint_specs;
  const auto body_name = [](int i) { return i == 0 ? std::string("world") : fmt::format("body {}", i); };
  for (int i = 1; i <= bodies; ++i) {
    const auto pick = static_cast<std::size_t>(random.below(static_cast<int>(kind.size())));
    const int type = kind[pick] % types;
    kind.erase(kind.begin() + static_cast<std::ptrdiff_t>(pick));
    int parent = random.chance(0.5) ? i - 1 : random.below(i);
    if (random.chance(0.08)) parent = 0;
    JointSpec joint;
    joint.name = fmt::format("joint {}", i);
    joint.type = random_joint(random, static_cast<std::size_t>(type));
    joint.type.reversed = random.chance(0.2);
    joint.predecessor = body_name(parent);
    joint.successor = body_name(i);
    if (random.chance(0.2)) std::swap(joint.predecessor, joint.successor);
    joint.at = placement();
    if (random.chance(0.3)) joint.at_successor = placement();
    if (random.chance(0.3)) {
      joint.dofs.resize(static_cast<std::size_t>(joint.type.nv()));
      for (DofProperties& d : joint.dofs) d.armature = random.uniform(0.0, 0.5);
    }
    body_specs.push_back({body_name(i), random.mass(), {}, {}});
    joint_specs.push_back(joint);
  }
  while (!body_specs.empty()) {  // described in any order
    const auto pick = random.below(static_cast<int>(body_specs.size()));
    builder.body(body_specs[static_cast<std::size_t>(pick)]);
    body_specs.erase(body_specs.begin() + pick);
  }
  while (!joint_specs.empty()) {
    const auto pick = random.below(static_cast<int>(joint_specs.size()));
    builder.joint(joint_specs[static_cast<std::size_t>(pick)]);
    joint_specs.erase(joint_specs.begin() + pick);
  }
  for (int i = 0; i < 3; ++i) {
    const std::string body = body_name(1 + random.below(bodies));
    builder.frame(fmt::format("tool {}", i), body, random.pose());
  }
  return builder;
}

ModelBuilder random_floating_builder(std::uint64_t seed) {
  Random random(seed);
  ModelBuilder builder(fmt::format("floating {}", seed));
  builder.gravity(random.vector(9.0)).body("base", random.mass()).joint("world", "base", Free{}, random.pose());
  constexpr int types = std::variant_size_v<decltype(Joint::type)>;
  for (int i = 1; i <= types; ++i) {
    JointSpec joint;
    const int parent = random.below(i);
    joint.predecessor = parent == 0 ? "base" : fmt::format("body {}", parent);
    joint.successor = fmt::format("body {}", i);
    joint.type = random_joint(random, static_cast<std::size_t>((i + static_cast<int>(seed)) % types));
    joint.at = random.pose();
    joint.dofs.resize(static_cast<std::size_t>(joint.type.nv()));
    for (DofProperties& d : joint.dofs) d.armature = random.chance(0.2) ? 0.3 : 0.0;
    builder.body(joint.successor, random.mass()).joint(joint);
  }
  return builder;
}

Model random_model(std::uint64_t seed) { return random_builder(seed).build(); }

RandomCase::RandomCase(std::uint64_t seed) : model(random_model(seed)), name(model.name()) {
  Random random(seed + 1000);
  q = random_configuration(random, model);
  v = random.values(model.nv());
  a = random.values(model.nv());
  tau = random.values(model.nv(), 5.0);
  f_ext.resize(static_cast<std::size_t>(model.bodies()) + 1);
  for (std::size_t i = 1; i < f_ext.size(); ++i) f_ext[i] = random.force();
}

}  // namespace cardan::test
