#include "tests/support/random_contact_scenes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace cardan::test {

namespace {

using Point = Vec3<double>;

constexpr double kSize = 0.1;      // m, of bodies
constexpr double kDuration = 0.4;  // s
constexpr double kStep = 1e-3;     // s
constexpr double kGravity = 9.81;  // m/s^2

class ContactSceneWriter {
 public:
  ContactSceneWriter(unsigned seed, const Observer& observer) : random_(seed), see_(observer) {}

  ContactScene scene() {
    scene_.floats = pick(2) == 0;
    header();
    mechanism(pick(3));
    const int loose = 2 + pick(2);
    for (int i = 0; i < loose; ++i) loose_body(i);
    forces();
    simulation();
    return scene_;
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Point vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
  template <class... Parts>
  void add(fmt::format_string<Parts...> line, Parts&&... parts) {
    scene_.text += fmt::format(line, std::forward<Parts>(parts)...) + "\n";
  }
  std::string n(double x, int kg, int m, int s) const { return see_.number(x, kg, m, s); }

  void header() {
    const Point up = see_.seen({0, 0, 1}, 1.0);
    add("cardan = 1\nname = \"random\"\ngravity = {}", see_.world({0, 0, -kGravity}, 0, 1, -2));
    add("[ground]\nnormal = [{:.17g}, {:.17g}, {:.17g}]\nheight = {:.17g}", up[0], up[1], up[2], dot(up, see_.origin));
    add("friction = {:.17g}\nrestitution = {}", uniform(0.1, 0.8), pick(2) == 0 ? 0.0 : 0.4);
    add("surface_velocity = {}", see_.world(see_.velocity, 0, 1, -1));
    add("[[contact]]\nfriction = {:.17g}\nrestitution = {}", uniform(0.0, 0.6), pick(2) == 0 ? 0.0 : 0.3);
  }

  /// Records three points of a body, which say where it is and how it is turned.
  void record(const std::string& body) {
    const Point points[] = {{0, 0, 0}, {kSize, 0, 0}, {0, kSize, 0}};
    for (int k = 0; k < 3; ++k) {
      const std::string name = fmt::format("{}_{}", body, k);
      records_ += fmt::format("[[record]]\nname = \"{}\"\nframe = \"{}\"\nquantity = \"position\"\nat = {}\n", name,
                              body, see_.local(points[k], 0, 1, 0));
      scene_.points.push_back(name);
    }
  }

  void body(const std::string& name, const std::string& parent, double mass) {
    add("[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = {}", name, parent, n(mass, 1, 0, 0));
    const double I = mass * kSize * kSize;
    const double a = uniform(0.1, 0.2), b = uniform(0.1, 0.2), c = uniform(0.6, 0.9) * (a + b);
    const Point com = vector(0.1 * kSize), products = vector(0.01 * I);
    add("com = {}\ninertia = {}", see_.local(com, 0, 1, 0),
        see_.inertia(I * a, I * b, I * c, products[0], products[1], products[2]));
    record(name);
  }

  /// Writes a shape that stays within a ball of half the bodies' size.
  void shape(const Point& at) {
    add("[[body.shape]]\nat = {{ xyz = {} }}", see_.local(at, 0, 1, 0));
    const double r = uniform(0.25, 0.5) * kSize, width = uniform(0.8, 1.1) * r;
    switch (pick(3)) {
      case 0: add("sphere = {}", n(r, 0, 1, 0)); break;
      case 1: add("box = [{}, {}, {}]", n(r, 0, 1, 0), n(width, 0, 1, 0), n(0.9 * r, 0, 1, 0)); break;
      default: add("capsule = {{ radius = {}, length = {} }}", n(0.5 * r, 0, 1, 0), n(r, 0, 1, 0));
    }
  }

  Mat3<double> rotation() {
    const Point a = vector(0.4);
    const auto about = [](int i, int j, double angle) {
      Mat3<double> R = Mat3<double>::identity();
      R(i, i) = R(j, j) = std::cos(angle);
      R(i, j) = -std::sin(angle);
      R(j, i) = std::sin(angle);
      return R;
    };
    return about(0, 1, a[2]) * (about(2, 0, a[1]) * about(1, 2, a[0]));
  }

  void loose_body(int i) {
    const std::string name = fmt::format("loose_{}", i);
    body(name, "world", uniform(0.3, 2.0));
    shape({0, 0, 0});
    const Point aside = vector(0.25 * kSize), meets = vector(0.3);
    const Point at = aside + Point{(1.2 + 1.6 * i) * kSize, 0.0, 0.95 * kSize};
    const Mat3<double> R = rotation();
    const Point towards = meets + Point{-0.4 * i, 0.0, -0.3};
    const Point spin = vector(3.0);
    add("[body.joint]\ntype = \"free\"\n{}", see_.free_state(at, R, spin, transpose_apply(R, towards)));
    loose_.push_back(name);
  }

  /// Begins a body of the mechanism that turns or slides on its parent.
  void link(const std::string& name, const std::string& parent, const Point& at, double mass) {
    body(name, parent, mass);
    links_.push_back(name);
    next_at_ = at;
  }
  void joint(const std::string& type) {
    add("[body.joint]\ntype = \"{}\"\nat = {{ xyz = {} }}", type, see_.local(next_at_, 0, 1, 0));
  }
  void hinge(double speed, const Point& axis) {
    joint("revolute");
    add("axis = {}\nv = [{}]", see_.local_axis(axis, 0, 0, 0), n(speed + see_.nudge, 0, 0, -1));
  }

  void mechanism(int kind) {
    body("base", "world", uniform(1.0, 2.0));
    const double height = (kind == 0 ? 4.2 : 3.2) * kSize;
    const Point at{-3.5 * kSize, 0.0, height};
    if (scene_.floats) {
      const Point spin = vector(0.5), drift = vector(0.3);
      add("[body.joint]\ntype = \"free\"\n{}", see_.free_state(at, Mat3<double>::identity(), spin, drift));
    } else {
      add("[body.joint]\ntype = \"fixed\"\nat = {}", see_.place(at, Mat3<double>::identity()));
    }
    if (kind == 0) chain();
    if (kind == 1) four_bar();
    if (kind == 2) gears();
  }

  void chain() {
    const double r = kSize;
    link("c1", "base", {0, 0, 0}, 0.8);
    hinge(uniform(-3, 3), {0.6, 0.8, 0.0});
    add("stiffness = {}\ndamping = {}", n(1.5, 1, 2, -2), n(0.01, 1, 2, -1));
    link("c2", "c1", {0, 0, -1.2 * r}, 0.6);
    if (pick(2) == 0) {
      joint("spherical");
      add("v = {}", see_.local_axis(vector(2.0), 0, 0, -1));
    } else {
      joint("prismatic");
      add("axis = {}\nv = [{}]", see_.local({0.3, 0.2, 1.0}, 0, 0, 0), n(uniform(-0.3, 0.3), 0, 1, -1));
      add("stiffness = {}\ndamping = {}", n(100, 1, 0, -2), n(2, 1, 0, -1));
    }
    link("c3", "c2", {0, 0, -1.2 * r}, 0.5);
    shape({0, 0, -0.9 * r});
    joint("expression");
    add("coordinates = [\"s\"]\nparameters = {{ a = {}, b = {}, side = {} }}", n(0.3 * r, 0, 1, 0), n(0.2 * r, 0, 1, 0),
        see_.mirrored ? -1 : 1);
    add("transform = \"trans(a*sin(s), side*b*s, 0) * rotx(side*s)\"\nv = [{}]", n(uniform(-2, 2), 0, 0, -1));
    controlled_ = "c1";
  }

  /// Closes a loop in the plane x, z: crank and rocker on the base, the coupler between them carries a shape.
  void four_bar() {
    const double r = kSize;
    link("crank", "base", {0, 0, 0}, 0.5);
    hinge(uniform(-4, 4), {0, 1, 0});
    link("coupler", "crank", {0, 0, -1.2 * r}, 0.7);
    shape({0.8 * r, 0, -1.0 * r});
    hinge(0.0, {0, 1, 0});
    link("rocker", "base", {2.0 * r, 0, 0}, 0.5);
    hinge(0.0, {0, 1, 0});
    loops_ = fmt::format(
        "[[loop]]\na = \"coupler\"\nb = \"rocker\"\nat_a = {{ xyz = {} }}\nat_b = {{ xyz = {} }}\ntype = \"revolute\"\n"
        "axis = {}\n",
        see_.local({1.6 * r, 0, 0}, 0, 1, 0), see_.local({-0.4 * r, 0, -1.2 * r}, 0, 1, 0),
        see_.local_axis({0, 1, 0}, 0, 0, 0));
    controlled_ = "crank";
  }

  void gears() {
    const double r = kSize;
    link("g1", "base", {0, 0, 0}, 0.7);
    shape({0.5 * r, 0, -2.0 * r});
    hinge(uniform(-3, 3), {0, 1, 0.2});
    link("g2", "base", {0, 1.5 * r, 0}, 0.6);
    hinge(0.0, {0.1, 1, 0});
    loops_ = "[[coupling]]\njoint = \"g2\"\nequals = \"-1.5*g1\"\n";
    controlled_ = "g1";
  }

  std::string at(const std::string& body, const Point& p) const {
    return fmt::format("{{ body = \"{}\", at = {} }}", body, see_.local(p, 0, 1, 0));
  }

  void forces() {
    scene_.text += loops_;
    const std::string& tip = links_.back();
    const Point on_tip = vector(0.3 * kSize), on_loose = vector(0.3 * kSize), push = vector(2.0),
                pushed = vector(0.2 * kSize);
    const double stiffness = uniform(20, 100), frequency = uniform(5, 20), kp = uniform(1, 5);
    add("[[force]]\ntype = \"spring\"\npoints = [{}, {}]\nstiffness = {}\ndamping = {}", at(tip, on_tip),
        at(loose_.front(), on_loose), n(stiffness, 1, 0, -2), n(0.5, 1, 0, -1));
    add("[[force]]\ntype = \"cable\"\npoints = [{}, {}]\nstiffness = {}\nsmoothing = {}",
        at("base", {0, 0.5 * kSize, 0}), at(loose_.back(), {0, 0, 0}), n(stiffness, 1, 0, -2),
        n(0.01 * kSize, 0, 1, 0));
    const Point f = see_.seen(push, see_.unit(1, 1, -2));
    add("[[force]]\ntype = \"point\"\nbody = \"{}\"\nat = {}", loose_.front(), see_.local(pushed, 0, 1, 0));
    add("force = [\"{:.17g}*sin(w*t)\", \"{:.17g}*sin(w*t)\", \"{:.17g}*sin(w*t)\"]\nparameters = {{ w = {} }}", f[0],
        f[1], f[2], n(frequency, 0, 0, -1));
    if (!scene_.floats)
      add("[[force]]\ntype = \"damping\"\nbody = \"{0}\"\ncoefficients = [{1}, {1}, {1}, {2}, {2}, {2}]", loose_.back(),
          n(0.002, 1, 2, -1), n(0.3, 1, 0, -1));
    add("[[controller]]\ntype = \"pd\"\njoints = [\"{}\"]\ntarget = [\"0.4*sin({}*t)\"]\nkp = {}\nkd = {}", controlled_,
        n(frequency, 0, 0, -1), n(kp, 1, 2, -2), n(0.05, 1, 2, -1));
  }

  void simulation() {
    scene_.text += records_;
    add("[simulation]\nduration = {}\noutput_every = {}\nstep = {}", n(kDuration, 0, 0, 1),
        n(0.05 * kDuration, 0, 0, 1), n(kStep * see_.step, 0, 0, 1));
    add("penetration = {}\nresidual = {}", n(1e-6, 0, 1, 0), n(1e-8, 0, 1, -1));
  }

  std::mt19937 random_;
  const Observer& see_;
  ContactScene scene_;
  std::string records_, loops_, controlled_;
  std::vector<std::string> links_, loose_;
  Point next_at_{};
};

}  // namespace

ContactScene random_contact_scene(unsigned seed, const Observer& observer) {
  return ContactSceneWriter(seed, observer).scene();
}

}  // namespace cardan::test
