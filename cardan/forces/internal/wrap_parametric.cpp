// Wrapping over a surface X(u, v). Its signed distance F(x) = (x - X) . n at the nearest point makes an implicit
// surface of it, which the geodesic method (geodesic_solver.hpp) takes: with n = X_u x X_v / |X_u x X_v|,
//   gradient n,   t' H t = -II(t, t) = -n . (X_uu a^2 + 2 X_uv a b + X_vv b^2),   t = a X_u + b X_v + (part along n).
// The nearest point satisfies (x - X) . X_u = (x - X) . X_v = 0; Newton's method finds it on numbers, and one more step
// on dual numbers gives its derivatives.
#include "cardan/forces/internal/geodesic_solver.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/program/interpreter.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <numbers>

namespace cardan {

namespace {

/// Point, first and second derivatives.
template <class T>
struct Jet {
  Vec3<T> X, u, v, uu, uv, vv;
};

class ParametricSurface {
 public:
  ParametricSurface(const std::function<Vec3<Expr>(Expr, Expr)>& point, const std::array<double, 4>& range)
      : number_(detail::next_surface_number()) {
    Graph graph;
    const Expr u = graph.input(0), v = graph.input(1);
    const Vec3<Expr> X = point(u, v), X_u = derivative(X, u), X_v = derivative(X, v), X_uu = derivative(X_u, u),
                     X_uv = derivative(X_u, v), X_vv = derivative(X_v, v);
    std::vector<Expr> outputs;
    for (const Vec3<Expr>* part : {&X, &X_u, &X_v, &X_uu, &X_uv, &X_vv})
      for (int i = 0; i < 3; ++i) outputs.push_back((*part)[i]);
    interpreter_ = Interpreter(make_program(graph, outputs, 2));
    Vec3<double> low{}, high{};
    for (int i = 0; i <= kGrid; ++i)
      for (int j = 0; j <= kGrid; ++j) {
        const double at_u = range[0] + (range[1] - range[0]) * i / kGrid,
                     at_v = range[2] + (range[3] - range[2]) * j / kGrid;
        const Vec3<double> x = jet(at_u, at_v).X;
        samples_.push_back({at_u, at_v, x});
        for (int c = 0; c < 3; ++c) {
          low[c] = samples_.size() == 1 ? x[c] : std::min(low[c], x[c]);
          high[c] = samples_.size() == 1 ? x[c] : std::max(high[c], x[c]);
        }
      }
    size_ = 0.5 * norm(high - low);
  }

  double size() const { return size_; }
  /// The samples as a net of triangles.
  Mesh mesh() const {
    Mesh out;
    for (const Sample& sample : samples_) out.vertices.push_back(sample.X);
    for (int i = 0; i < kGrid; ++i)
      for (int j = 0; j < kGrid; ++j) {
        const int a = i * (kGrid + 1) + j, b = a + kGrid + 1;
        out.triangles.push_back({a, b, b + 1});
        out.triangles.push_back({a, b + 1, a + 1});
      }
    return out;
  }
  long number() const { return number_; }

  template <class T>
  T value(const Vec3<T>& x) const {
    const Jet<T> at = nearest(x);
    return dot(x - at.X, normal(at));
  }
  template <class T>
  Vec3<T> gradient(const Vec3<T>& x) const {
    return normal(nearest(x));
  }
  /// t' H t.
  template <class T>
  T curvature(const Vec3<T>& x, const Vec3<T>& t) const {
    const Jet<T> at = nearest(x);
    const auto [a, b] = solve(at, dot(t, at.u), dot(t, at.v));
    return -dot(normal(at), (a * a) * at.uu + (T(2.0) * a * b) * at.uv + (b * b) * at.vv);
  }

 private:
  static constexpr int kGrid = 32;
  struct Sample {
    double u, v;
    Vec3<double> X;
  };

  template <class T>
  Jet<T> jet(const T& u, const T& v) const {
    const T in[2] = {u, v};
    T out[18];
    run_small<T>(interpreter_, in, out);
    Jet<T> at;
    Vec3<T>* const parts[] = {&at.X, &at.u, &at.v, &at.uu, &at.uv, &at.vv};
    for (int k = 0; k < 6; ++k) *parts[k] = {out[3 * k], out[3 * k + 1], out[3 * k + 2]};
    return at;
  }
  template <class T>
  static Vec3<T> normal(const Jet<T>& at) {
    const Vec3<T> n = cross(at.u, at.v);
    return (T(1.0) / norm(n)) * n;
  }
  /// The components a, b along X_u and X_v of a tangent with these products.
  template <class T>
  static std::pair<T, T> solve(const Jet<T>& at, const T& by_u, const T& by_v) {
    const T E = dot(at.u, at.u), F = dot(at.u, at.v), G = dot(at.v, at.v), det = E * G - F * F;
    return {(G * by_u - F * by_v) / det, (E * by_v - F * by_u) / det};
  }

  /// A step of Newton's method towards the nearest point.
  template <class T>
  void approach(const Vec3<T>& x, T& u, T& v) const {
    const Jet<T> at = jet(u, v);
    const Vec3<T> d = x - at.X;
    const T r_u = dot(d, at.u), r_v = dot(d, at.v);
    const T a = dot(at.u, at.u) - dot(d, at.uu), b = dot(at.u, at.v) - dot(d, at.uv),
            c = dot(at.v, at.v) - dot(d, at.vv), det = a * c - b * b;
    u += (c * r_u - b * r_v) / det;
    v += (a * r_v - b * r_u) / det;
  }

  /// Finds the nearest point from the last one, or from the nearest sample where that leads nowhere.
  void find(const Vec3<double>& x, double& u, double& v) const {
    struct Last {
      long number = 0;
      double u = 0.0, v = 0.0;
    };
    static thread_local Last last;
    if (last.number == number_) {
      u = last.u;
      v = last.v;
      if (norm(jet(u, v).X - x) < 0.05 * size_ && converge(x, u, v)) {
        last = {number_, u, v};
        return;
      }
    }
    const Sample* best = &samples_.front();
    for (const Sample& sample : samples_)
      if (dot(sample.X - x, sample.X - x) < dot(best->X - x, best->X - x)) best = &sample;
    u = best->u;
    v = best->v;
    if (!converge(x, u, v)) {  // at an edge or a ridge: the sample itself
      u = best->u;
      v = best->v;
    }
    last = {number_, u, v};
  }
  /// Newton's method; false where it does not converge to a point that is nearer than the first one.
  bool converge(const Vec3<double>& x, double& u, double& v) const {
    const double u_first = u, v_first = v;
    for (int i = 0; i < 30; ++i) {
      const double u0 = u, v0 = v;
      approach(x, u, v);
      if (!std::isfinite(u) || !std::isfinite(v)) return false;
      const double change = std::abs(u - u0) + std::abs(v - v0), scale = 1.0 + std::abs(u) + std::abs(v);
      if (change > 1e-9 * scale) continue;
      if (change > 1e-15 * scale) approach(x, u, v);  // quadratic: the last step
      const bool stayed = std::abs(u - u_first) + std::abs(v - v_first) < 1e-3 * scale;
      return stayed || norm(jet(u, v).X - x) <= norm(jet(u_first, v_first).X - x) * (1.0 + 1e-9) + 1e-12 * size_;
    }
    return false;
  }

  template <class T>
  Jet<T> nearest(const Vec3<T>& x) const {
    if constexpr (std::same_as<T, double>) {
      struct Asked {  // gradient and curvature are asked at the same point
        long number = 0;
        Vec3<double> x;
        Jet<double> at;
      };
      static thread_local Asked asked;
      if (asked.number == number_ && asked.x[0] == x[0] && asked.x[1] == x[1] && asked.x[2] == x[2]) return asked.at;
      double u = 0.0, v = 0.0;
      find(x, u, v);
      asked = {number_, x, jet(u, v)};
      return asked.at;
    } else {
      double u = 0.0, v = 0.0;
      find({x[0].value, x[1].value, x[2].value}, u, v);
      T at_u(u), at_v(v);
      approach(x, at_u, at_v);
      return jet(at_u, at_v);
    }
  }

  long number_;
  Interpreter interpreter_;
  std::vector<Sample> samples_;
  double size_ = 0.0;
};

class ParametricWrap final : public WrapSurface {
 public:
  ParametricWrap(ParametricSurface surface, const Vec3<double>& side) : surface_(std::move(surface)) {
    outward_ = surface_.gradient(side);
    side_ = side - surface_.value(side) * outward_;
    if (!(norm(outward_) > 0.5)) throw std::invalid_argument("the surface has no normal at its side");
  }

  WrappedCurve wrap(const Vec3<double>& P, const Vec3<double>& S, Want want) const override {
    if (passes_free(P, S)) return {};
    const auto surface_at = [this](double) -> const ParametricSurface& { return surface_; };
    return detail::wrap_geodesic(
        surface_.number(), surface_, surface_.size(), "surface", surface_at, [&] { return string_guess(P, S); }, P, S,
        want);
  }
  Vec3<double> follow(const Vec3<double>& from, const Vec3<double>& tangent, double length) const override {
    Vec3<double> x = from, t = tangent;
    follow_geodesic(surface_, x, t, length);
    return x;
  }
  Shape shape() const override { return surface_.mesh(); }

 private:
  /// True if the straight line passes the surface well outside, on its side.
  bool passes_free(const Vec3<double>& P, const Vec3<double>& S) const {
    constexpr int kSamples = 12;
    const auto [least, nearest] = detail::deepest_point(surface_, P, S, kSamples);
    return least > 0.05 * surface_.size() && dot(surface_.gradient(nearest), outward_) >= 0.0;
  }
  /// Lays a string from P over the side to S, outside of the surface, and tightens it.
  std::optional<detail::GeodesicUnknowns> string_guess(const Vec3<double>& P, const Vec3<double>& S) const {
    detail::StringNodes x;
    const Vec3<double> over = side_ + (0.1 * surface_.size()) * outward_;
    const int last = detail::kStringNodes - 1;
    for (int i = 0; i <= last; ++i) {
      const double part = 2.0 * i / last;
      x[static_cast<std::size_t>(i)] = part <= 1.0 ? P + part * (over - P) : over + (part - 1.0) * (S - over);
    }
    constexpr int kSweeps = 400;
    return detail::tighten(surface_, surface_.size(), x, kSweeps);
  }

  ParametricSurface surface_;
  Vec3<double> side_, outward_;
};

}  // namespace

std::shared_ptr<const WrapSurface> wrap_parametric(const std::function<Vec3<Expr>(Expr u, Expr v)>& point,
                                                   const std::array<double, 4>& range, const Vec3<double>& side) {
  if (!(range[0] < range[1] && range[2] < range[3])) throw std::invalid_argument("the ranges of u and v must rise");
  return std::make_shared<const ParametricWrap>(ParametricSurface(point, range), side);
}

}  // namespace cardan
