#include "tests/support/random_transforms.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace cardan::test {

namespace {

using Real3 = Eigen::Matrix<Real, 3, 1>;
using Real33 = Eigen::Matrix<Real, 3, 3>;

/// A text and what it means.
template <class T>
struct Meaning {
  std::string text;
  std::function<T(const RealVector& q)> value;
};
using Formula = Meaning<Real>;
using Factor = Meaning<RealPose>;

Real33 cross_product_matrix(const Real3& a) {
  Real33 out;
  out << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return out;
}
RealPose pose(const Real33& R, const Real3& p) {
  RealPose out = RealPose::Identity();
  out.topLeftCorner<3, 3>() = R;
  out.topRightCorner<3, 1>() = p;
  return out;
}
Real33 rotation(const Real3& axis, Real angle) {
  const Real33 n = cross_product_matrix(axis.normalized());
  return Real33::Identity() + std::sin(angle) * n + (1 - std::cos(angle)) * n * n;
}
RealPose exponential(const Real3& w, const Real3& v) {
  const Real angle = w.norm();
  if (angle == 0) return pose(Real33::Identity(), v);
  const Real33 n = cross_product_matrix(w / angle);
  const Real33 V =
      Real33::Identity() + (1 - std::cos(angle)) / angle * n + (1 - std::sin(angle) / angle) * Real33(n * n);
  return pose(rotation(w, angle), V * v);
}

class Generator {
 public:
  Generator(Random& random, int n) : random_(random), n_(n) {
    for (int i = 0; i < n; ++i) out_.coordinates.push_back(fmt::format("q{}", i));
    for (const char* name : {"a", "b"}) out_.parameters.emplace_back(name, random_.uniform(0.3, 0.9));
  }

  RandomTransform make() {
    std::vector<Factor> factors;
    std::array<int, 6> direction{0, 1, 2, 3, 4, 5};
    for (int i = 5; i > 0; --i) std::swap(direction[static_cast<std::size_t>(i)], direction[below(i + 1)]);
    for (int i = 0; i < n_; ++i) {
      const Formula own = linear_in(i);
      factors.push_back(along(direction[static_cast<std::size_t>(i)], own));
      if (random_.chance(0.25)) factors.push_back(mixed());
    }
    factors.push_back(mixed());
    std::string text = factors[0].text;
    for (std::size_t i = 1; i < factors.size(); ++i) text += " * " + factors[i].text;
    out_.text = text;
    out_.pose = [factors](const RealVector& q) {
      RealPose G = RealPose::Identity();
      for (const Factor& f : factors) G = (G * f.value(q)).eval();
      return G;
    };
    return out_;
  }

 private:
  std::size_t below(int n) { return static_cast<std::size_t>(random_.below(n)); }

  Formula number() {
    const double x = std::round(100.0 * random_.uniform(-0.9, 0.9)) / 100.0;
    return {fmt::format("({})", x), [x](const RealVector&) { return Real(x); }};
  }
  Formula parameter() {
    const auto [name, x] = out_.parameters[below(2)];
    return {name, [x = x](const RealVector&) { return Real(x); }};
  }
  Formula coordinate(int i) {
    return {fmt::format("q{}", i), [i](const RealVector& q) { return q(i); }};
  }
  Formula linear_in(int i) {
    const Formula q = coordinate(i), rest = smooth(2);
    return {fmt::format("{} + 0.2*{}", q.text, rest.text),
            [=](const RealVector& x) { return q.value(x) + Real(0.2) * rest.value(x); }};
  }

  /// A smooth function of the coordinates with values and derivatives near 1.
  Formula smooth(int depth) {
    if (depth == 0) {
      const int kind = random_.below(6);
      return kind == 0 ? number() : kind == 1 ? parameter() : coordinate(random_.below(n_));
    }
    const int kind = random_.below(8);
    const Formula x = smooth(depth - 1);
    if (kind >= 5) {
      const Formula y = smooth(depth - 1);
      if (kind == 5)
        return {fmt::format("({} + {})", x.text, y.text), [=](const RealVector& q) { return x.value(q) + y.value(q); }};
      if (kind == 6)
        return {fmt::format("({} - {})", x.text, y.text), [=](const RealVector& q) { return x.value(q) - y.value(q); }};
      return {fmt::format("({}) * ({})", x.text, y.text), [=](const RealVector& q) { return x.value(q) * y.value(q); }};
    }
    switch (kind) {
      case 0: return {fmt::format("sin({})", x.text), [=](const RealVector& q) { return std::sin(x.value(q)); }};
      case 1: return {fmt::format("cos({})", x.text), [=](const RealVector& q) { return std::cos(x.value(q)); }};
      case 2: return {fmt::format("tanh({})", x.text), [=](const RealVector& q) { return std::tanh(x.value(q)); }};
      case 3:
        return {fmt::format("exp(-({})^2)", x.text),
                [=](const RealVector& q) { return std::exp(-x.value(q) * x.value(q)); }};
      default:
        return {fmt::format("1/sqrt(2 + ({})^2)", x.text),
                [=](const RealVector& q) { return 1 / std::sqrt(2 + x.value(q) * x.value(q)); }};
    }
  }

  Factor along(int direction, const Formula& f) {
    const Real3 axis = Real3::Unit(direction % 3);
    if (direction < 3)
      return {fmt::format("rot{}({})", "xyz"[direction], f.text),
              [=](const RealVector& q) { return pose(rotation(axis, f.value(q)), Real3::Zero()); }};
    const std::string zero = "0, ";
    return {fmt::format("trans({}{}{})", direction > 3 ? zero : "", direction > 4 ? zero + f.text : f.text,
                        direction == 3   ? ", 0, 0"
                        : direction == 4 ? ", 0"
                                         : ""),
            [=](const RealVector& q) { return pose(Real33::Identity(), axis * f.value(q)); }};
  }

  Factor mixed() {
    const int kind = random_.below(4);
    if (kind == 0) {
      const Formula x = smooth(2), y = smooth(1), z = smooth(2);
      return {fmt::format("trans({}, {}, {})", x.text, y.text, z.text),
              [=](const RealVector& q) { return pose(Real33::Identity(), Real3(x.value(q), y.value(q), z.value(q))); }};
    }
    if (kind == 1) {
      const Formula angle = smooth(2);
      const Vec3<double> axis = random_.direction();
      return {fmt::format("rot({}, {}, {}, {})", axis[0], axis[1], axis[2], angle.text), [=](const RealVector& q) {
                return pose(rotation(Real3(axis[0], axis[1], axis[2]), angle.value(q)), Real3::Zero());
              }};
    }
    if (kind == 2) {
      const Formula angle = smooth(2);
      return along(random_.below(3), angle);
    }
    std::array<Formula, 6> xi;
    for (Formula& f : xi) f = smooth(1);
    return {fmt::format("twist(0.5 + 0.3*{}, {}, {}, {}, {}, {})", xi[0].text, xi[1].text, xi[2].text, xi[3].text,
                        xi[4].text, xi[5].text),
            [=](const RealVector& q) {
              return exponential(Real3(Real(0.5) + Real(0.3) * xi[0].value(q), xi[1].value(q), xi[2].value(q)),
                                 Real3(xi[3].value(q), xi[4].value(q), xi[5].value(q)));
            }};
  }

  Random& random_;
  int n_;
  RandomTransform out_;
};

/// Eighth-order central difference at 0.
template <class F>
auto derivative(const F& f) {
  const Real h = 4e-3L;
  const auto odd = [&](int k) { return RealMatrix(f(k * h) - f(-k * h)); };
  return RealMatrix((672 * odd(1) - 168 * odd(2) + 32 * odd(3) - 3 * odd(4)) / (840 * h));
}

RealMotion vee(const RealMatrix& m) {
  RealMotion out;
  out << m(2, 1), m(0, 2), m(1, 0), m(0, 3), m(1, 3), m(2, 3);
  return out;
}

}  // namespace

RandomTransform random_transform(Random& random, int coordinates) { return Generator(random, coordinates).make(); }

RealMatrix subspace_by_differences(const RandomTransform& t, const RealVector& q) {
  RealMatrix S(6, q.size());
  const RealPose inverse = t.pose(q).inverse();
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const RealVector e = RealVector::Unit(q.size(), i);
    S.col(i) = vee(inverse * derivative([&](Real h) { return t.pose(q + h * e); }));
  }
  return S;
}

RealMotion velocity_product_by_differences(const RandomTransform& t, const RealVector& q, const RealVector& v) {
  return derivative([&](Real h) -> RealMotion {
    const RealVector at = q + h * v;
    return vee(t.pose(at).inverse() * derivative([&](Real k) { return t.pose(at + k * v); }));
  });
}

}  // namespace cardan::test
