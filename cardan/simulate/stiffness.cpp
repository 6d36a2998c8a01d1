#include "cardan/simulate/stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

constexpr int kPowers = 30;             // products with A
constexpr double kDisplacement = 1e-7;  // of a state, in parts of its size or of 1 if that is less

/// Products with A at one state.
class Linearized {
 public:
  Linearized(SystemWorkspace& workspace, double t, const State& state)
      : problem_(workspace),
        t_(t),
        state_(state),
        moved_(state),
        nv_(state.v.size()),
        nz_(state.z.size()),
        rates_(nv_ + nz_),
        moved_rates_(nv_ + nz_) {
    accelerate(state_, rates_);
    for (const double q : state.q) displacement_ = std::max(displacement_, kDisplacement * std::abs(q));
  }

  std::size_t size() const { return 2 * nv_ + nz_; }
  /// Where in x velocities begin, and states of forces.
  std::size_t velocities() const { return nv_; }
  std::size_t states() const { return 2 * nv_; }

  void multiply(const std::vector<double>& x, std::vector<double>& out) {
    std::vector<double> dq(nv_);
    for (std::size_t i = 0; i < nv_; ++i) {
      dq[i] = displacement_ * x[i];
      moved_.v[i] = state_.v[i] + displacement_ * x[nv_ + i];
    }
    for (std::size_t i = 0; i < nz_; ++i) moved_.z[i] = state_.z[i] + displacement_ * x[2 * nv_ + i];
    problem_.space().move(state_.q.data(), dq.data(), moved_.q.data());
    accelerate(moved_, moved_rates_);
    for (std::size_t i = 0; i < nv_; ++i) out[i] = x[nv_ + i];
    for (std::size_t i = 0; i < nv_ + nz_; ++i) out[nv_ + i] = (moved_rates_[i] - rates_[i]) / displacement_;
  }

 private:
  void accelerate(const State& state, std::vector<double>& rates) {
    problem_.acceleration({t_, state}, Out<double>(rates.data(), static_cast<int>(nv_)),
                          Out<double>(rates.data() + nv_, static_cast<int>(nz_)));
  }

  Problem& problem_;
  double t_;
  const State& state_;
  State moved_;
  std::size_t nv_, nz_;
  double displacement_ = kDisplacement;
  std::vector<double> rates_, moved_rates_;
};

double length(const std::vector<double>& x) {
  double squares = 0.0;
  for (const double e : x) squares += e * e;
  return std::sqrt(squares);
}

std::string name_of(const SystemWorkspace& workspace, const Linearized& A, const std::vector<double>& x) {
  const auto largest = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::max_element(x.begin() + static_cast<std::ptrdiff_t>(from),
                                                     x.begin() + static_cast<std::ptrdiff_t>(to),
                                                     [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                                    x.begin());
  };
  const std::size_t v = largest(A.velocities(), A.states());
  const std::size_t z = A.states() < A.size() ? largest(A.states(), A.size()) : A.size();
  if (z < A.size() && (v >= A.states() || std::abs(x[z]) > std::abs(x[v]))) {
    const auto first = workspace.system().first_states();
    const auto force = std::upper_bound(first.begin(), first.end(), static_cast<int>(z - A.states())) - first.begin();
    return workspace.system().forces()[static_cast<std::size_t>(force - 1)]->name();
  }
  return "joint \"" + workspace.space().name_of_velocity(static_cast<int>(v - A.velocities())) + "\"";
}

/// Fits x2 = a x1 + b x0 to x, A x and A A x, which is exact once the fastest mode, or pair of modes, is left alone,
/// and returns the largest root of lambda^2 = a lambda + b. Displacements count as the velocities that they become.
double largest_root(const std::vector<double>& x0, const std::vector<double>& x1, const std::vector<double>& x2,
                    std::size_t displacements, double rate) {
  const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (i < displacements ? rate * rate : 1.0) * a[i] * b[i];
    return sum;
  };
  const double g00 = product(x0, x0), g01 = product(x0, x1), g11 = product(x1, x1);
  const double det = g00 * g11 - g01 * g01;
  if (!(det > 1e-8 * g00 * g11)) return std::sqrt(g11 / g00);  // one mode that decays or grows
  const double r0 = product(x0, x2), r1 = product(x1, x2);
  const double a = (r1 * g00 - r0 * g01) / det, b = (r0 * g11 - r1 * g01) / det, root = a * a + 4.0 * b;
  return root < 0.0 ? std::sqrt(-b) : 0.5 * (std::abs(a) + std::sqrt(root));
}

/// Computes -u . (da/dx) u / u . u for the velocities u of a mode, where x are the displacements or the velocities.
double resistance(Linearized& A, const std::vector<double>& mode, std::size_t first) {
  std::vector<double> x(A.size()), out(A.size());
  const std::size_t n = A.velocities();
  double size = 0.0, along = 0.0;
  for (std::size_t i = 0; i < n; ++i) size += mode[n + i] * mode[n + i];
  if (!(size > 0.0)) return 0.0;
  for (std::size_t i = 0; i < n; ++i) x[first + i] = mode[n + i] / std::sqrt(size);
  A.multiply(x, out);
  for (std::size_t i = 0; i < n; ++i) along -= x[first + i] * out[n + i];
  return std::max(0.0, along);
}

}  // namespace

Stiffness estimate_stiffness(SystemWorkspace& workspace, double t, const State& state) {
  Linearized A(workspace, t, state);
  if (A.size() == 0) return {};
  std::vector<double> before(A.size()), x(A.size()), next(A.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 + 0.5 * std::sin(1.7 * static_cast<double>(i));
  double growth = 1.0;  // of the last product: x = A before / growth
  for (int k = 0; k < kPowers; ++k) {
    A.multiply(x, next);
    before.swap(x);
    x.swap(next);
    growth = length(x);
    if (!(growth > 0.0) || !std::isfinite(growth)) return {};
    for (double& e : x) e /= growth;
  }
  A.multiply(x, next);
  Stiffness out{0.0, resistance(A, x, A.velocities()), resistance(A, x, 0), name_of(workspace, A, x)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] *= growth;
    next[i] *= growth;
  }
  out.rate = largest_root(before, x, next, A.velocities(), growth);
  return out;
}

double longest_stable_step(const std::string& integrator, const Stiffness& stiffness) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double rate = stiffness.rate, c = stiffness.damping, k = stiffness.stiffness;
  if (!(rate > 0.0)) return kNone;
  if (integrator == "rk4" || integrator == "munthe_kaas_4") return 2.78 / rate;
  // the determinant and trace of its step: 2 h c + h^2 k < 4
  if (integrator == "symplectic_euler" && k > 0.0) return (std::sqrt(c * c + 4.0 * k) - c) / k;
  for (const char* name : {"euler", "symplectic_euler", "munthe_kaas_1", "munthe_kaas_2"})
    if (integrator == name) return 2.0 / rate;
  return kNone;
}

}  // namespace cardan
