#include "cardan/forces/muscle.hpp"

#include "cardan/forces/muscle_curves.hpp"
#include "cardan/math/dual.hpp"

#include <algorithm>
#include <numbers>
#include <stdexcept>

namespace cardan {

namespace {

constexpr double kShortest = 0.2, kLongest = 1.8;  // of the fibers of an elastic muscle, in optimal lengths
constexpr double kMostTendonForce = 5.0;           // in maximal forces
constexpr double kLeastActivation = 0.01;          // for the balance of fibers and tendon

template <class T>
T clamped(const T& x, double low, double high) {
  return select_less(x, T(low), T(low), select_less(T(high), x, T(high), x));
}

template <class T>
T drive_at(const SignalFunction& function, const InstantOf<T>& at) {
  T value(0.0);
  function.evaluate(at, &value);
  return clamped(value, 0.0, 1.0);
}

/// The path, which also touches what the drive depends on.
Path with_drive(Path path, const SignalFunction& drive) {
  Touches touches;
  drive.add_to(touches);
  path.touch(touches);
  return path;
}

bool follows_time_alone(const SignalFunction& function) {
  return std::all_of(function.signals().begin(), function.signals().end(),
                     [](const Signal& signal) { return signal.kind == Signal::Kind::time; });
}

/// Tension with a rigid tendon at a fiber and tendon length s + l_s.
template <class T>
T rigid_tension(const MuscleParameters& p, double width, const T& activation, const T& s, const T& speed) {
  const double l_o = p.optimal_length;
  if (p.curves == MuscleParameters::Curves::sueda) {
    const T x = s / T(l_o), v = speed / T(l_o * p.max_velocity);
    return T(p.max_force) * (activation * muscle::sueda_active_length(x) * muscle::sueda_speed_factor(v) +
                             muscle::sueda_passive_length(x));
  }
  const T length = sqrt(s * s + T(width * width)), cosine = s / length, x = length / T(l_o);
  const T v = speed * cosine / T(l_o * p.max_velocity);
  const T fibers = activation * muscle::active_length(x, p.width_scale) * muscle::speed_factor(v) +
                   muscle::passive_length(x, p.passive_strain) + T(p.fiber_damping) * v;
  return T(p.max_force) * fibers * cosine;
}

}  // namespace

Muscle::Muscle(std::string label, Path path, const MuscleParameters& parameters, Drive drive)
    : LineForce("muscle", std::move(label), with_drive(std::move(path), drive.value)),
      parameters_(parameters),
      drive_(std::move(drive)) {
  const MuscleParameters& p = parameters_;
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(p.max_force > 0.0 && p.optimal_length > 0.0 && p.slack_length >= 0.0 && p.max_velocity > 0.0,
          "force, lengths and speed of a muscle must be positive");
  require(p.pennation >= 0.0 && p.pennation < 0.5 * std::numbers::pi, "the pennation must be from 0 to pi/2");
  require(p.passive_strain > 0.0 && p.tendon_strain > 0.0 && p.width_scale > 0.0 && p.activation_time > 0.0 &&
              p.deactivation_time > 0.0 && p.fiber_damping >= 0.0,
          "strains, scales and times of a muscle must be positive");
  require(!p.elastic_tendon || p.slack_length > 0.0, "an elastic tendon must have a length");
  if (p.curves == MuscleParameters::Curves::sueda)
    require(!p.elastic_tendon && p.pennation == 0.0, "the curves \"sueda\" have a rigid tendon and no pennation");
  width_ = p.optimal_length * std::sin(p.pennation);
  if (p.has_hill_fibers()) {
    require(p.least_activation > 0.0 && p.least_activation < 1.0, "the least activation must be between 0 and 1");
    const muscle::HillFibers::Size size{p.max_force, p.optimal_length, p.slack_length,
                                        p.pennation, p.fiber_damping,  p.elastic_tendon};
    std::variant<muscle::ThelenShape, muscle::MillardShape> shape = p.thelen;
    if (p.curves == MuscleParameters::Curves::millard) shape = p.millard;
    hill_ = std::make_shared<const muscle::HillFibers>(size, shape);
  }
  const bool timed = follows_time_alone(drive_.value);
  require(drive_.is_excitation || timed,
          "an activation must be a function of time: feedback goes through an excitation");
  if (drive_.is_excitation)
    start_[0] = drive_.initial_activation.value_or(timed ? std::clamp(drive_.value(0.0)[0], 0.0, 1.0) : 0.0);
  if (hill_ && p.elastic_tendon) start_[drive_.is_excitation ? 1 : 0] = 1.0;
}

Touches Muscle::touches() const {
  Touches out = LineForce::touches();
  out.states = states();
  return out;
}

template <class T>
T Muscle::state(const InstantOf<T>& at, int i) const {
  return at.z.size() > i ? at.z[i] : T(start_[i]);
}

template <class T>
T Muscle::drive(const InstantOf<T>& at) const {
  const T value = drive_at(drive_.value, at);
  return hill_ ? clamped(value, parameters_.least_activation, 1.0) : value;
}

template <class T>
T Muscle::activation_at(const InstantOf<T>& at) const {
  if (!drive_.is_excitation) return drive(at);
  return hill_ ? clamped(state(at, 0), parameters_.least_activation, 1.0) : state(at, 0);
}
template double Muscle::activation_at(const Instant& at) const;

template <class T>
T Muscle::tendon_force(const InstantOf<T>& at) const {
  return clamped(tendon_state(at), 0.0, kMostTendonForce);
}

Muscle::Balance Muscle::balance(double length, double activation) const {
  const MuscleParameters& p = parameters_;
  const double a = hill_ ? std::clamp(activation, p.least_activation, 1.0) : activation, s = length - p.slack_length;
  if (!p.elastic_tendon) {
    const double fibers = hill_ ? hill_->spanning(s) * p.optimal_length : std::hypot(std::max(s, 0.0), width_);
    if (!(s > 0.0)) return {0.0, fibers};
    if (hill_) return {p.max_force * hill_->rigid_tension(a, s, 0.0, p.max_velocity), fibers};
    return {rigid_tension(p, width_, a, s, 0.0), fibers};
  }
  if (hill_) {
    const double x = hill_->balanced(a, length, 0.0, p.max_velocity);
    return {p.max_force * hill_->tendon(length, x), x * p.optimal_length};
  }
  const double force = balanced_tendon(length, 0.0, a);
  return {p.max_force * force, beside_tendon(length, force).length};
}

template <class T>
Muscle::Spanned<T> Muscle::spanned(const T& s) const {
  using std::sqrt;
  const double shortest = kShortest * parameters_.optimal_length,
               least = std::sqrt(std::max(shortest * shortest - width_ * width_, 1e-6 * shortest * shortest));
  const T along = select_less(s, T(least), T(least), s), length = sqrt(along * along + T(width_ * width_));
  return {length, along / length};
}

template <class T>
Muscle::Spanned<T> Muscle::beside_tendon(const T& length, const T& tendon_force) const {
  const MuscleParameters& p = parameters_;
  return spanned(length - T(p.slack_length) * muscle::tendon_length(tendon_force, p.tendon_strain));
}

template <class T>
T Muscle::pull_of(const T& length, const T& speed, const InstantOf<T>& at) const {
  const MuscleParameters& p = parameters_;
  if (p.elastic_tendon) return T(p.max_force) * (hill_ ? hill_->tendon(length, tendon_state(at)) : tendon_force(at));
  const T s = length - T(p.slack_length);
  if (!(value_of(s) > 0.0)) return T(0.0);
  if (hill_) return T(p.max_force) * hill_->rigid_tension(activation_at(at), s, speed, p.max_velocity);
  return rigid_tension(p, width_, activation_at(at), s, speed);
}

Tension Muscle::law(double length, double speed, const Instant& at) const {
  using D = Dual<2>;
  const MuscleParameters& p = parameters_;
  const double s = length - p.slack_length;
  const D l = D::variable(length, 0), along = D::variable(s, 0), rate = D::variable(speed, 1), a(activation(at));
  D T(0.0);
  if (p.elastic_tendon)
    T = hill_ ? hill_->tendon(l, D(tendon_state(at))) : D(tendon_force(at));
  else if (s > 0.0)
    T = hill_ ? hill_->rigid_tension(a, along, rate, p.max_velocity)
              : rigid_tension(p, width_, a, along, rate) / D(p.max_force);
  return {p.max_force * T.value, p.max_force * T.d[0], p.max_force * T.d[1]};
}

std::string Muscle::law_beyond_code() const {
  if (parameters_.elastic_tendon) return "its fibers and tendon are brought into balance";
  return hill_ ? "its curves are Thelen's or Millard's" : "";
}

Expr Muscle::symbolic_law(Expr length, Expr speed, const SymbolicInstant& at) const {
  const MuscleParameters& p = parameters_;
  const Expr zero, s = length - Expr(p.slack_length);
  return select_less(zero, s, rigid_tension(p, width_, activation_at(at), s, speed), zero);
}

void Muscle::rate_symbolic(const SymbolicInstant& at, std::span<Expr> z_dot) const {
  if (drive_.is_excitation) z_dot[0] = activation_rate(at);
}

Dual8 Muscle::dual_law(const Dual8& length, const Dual8& speed, const Instant&, const DualInstant& at) const {
  return pull_of(length, speed, at);
}

template <class T>
T Muscle::balanced_speed(const T& tendon_force, const T& activation, const Spanned<T>& fibers) const {
  const T x = clamped(fibers.length / T(parameters_.optimal_length), kShortest, kLongest);
  const T active = select_less(activation, T(kLeastActivation), T(kLeastActivation), activation) *
                   muscle::active_length(x, parameters_.width_scale);
  const T wanted = tendon_force / fibers.cosine - muscle::passive_length(x, parameters_.passive_strain);
  const double v = solved_speed(value_of(active), value_of(wanted));
  if constexpr (std::same_as<T, double>) return v;
  if (std::abs(v) >= 1.0) return T(v);
  // the balance holds nearby as well: dv = -dF/F'
  const T left = active * muscle::speed_factor(T(v)) + T(parameters_.fiber_damping * v) - wanted;
  const double slope =
      value_of(active) * muscle::speed_factor(Dual<2>::variable(v, 0)).d[0] + parameters_.fiber_damping;
  return T(v) - (left - T(value_of(left))) / T(slope);
}

double Muscle::solved_speed(double active, double wanted) const {
  const double beta = parameters_.fiber_damping;
  if (active * muscle::speed_factor(-1.0) - beta >= wanted) return -1.0;
  if (active * muscle::speed_factor(1.0) + beta <= wanted) return 1.0;
  if (beta == 0.0) return muscle::speed_of_factor(wanted / active);
  // Newton's method between bounds: the force rises with the speed
  double low = -1.0, high = 1.0, v = 0.0;
  for (int i = 0; i < 100; ++i) {
    const Dual<2> factor = muscle::speed_factor(Dual<2>::variable(v, 0));
    const double error = active * factor.value + beta * v - wanted;
    (error > 0.0 ? high : low) = v;
    double next = v - error / (active * factor.d[0] + beta);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - v) <= 1e-15) return next;
    v = next;
  }
  return v;
}

double Muscle::balanced_tendon(double length, double speed, double activation) const {
  const MuscleParameters& p = parameters_;
  const auto excess = [&](double force) {
    const Spanned<double> fibers = beside_tendon(length, force);
    const double x = std::clamp(fibers.length / p.optimal_length, kShortest, kLongest);
    const double v = speed * fibers.cosine / (p.optimal_length * p.max_velocity);
    const double F = activation * muscle::active_length(x, p.width_scale) * muscle::speed_factor(v) +
                     muscle::passive_length(x, p.passive_strain) + p.fiber_damping * v;
    return F * fibers.cosine - force;
  };
  double low = 0.0, high = kMostTendonForce;
  if (!(length > p.slack_length) || excess(low) <= 0.0) return 0.0;
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (excess(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Muscle::Fiber Muscle::fiber(double length, double speed, const Instant& at) const {
  const MuscleParameters& p = parameters_;
  Fiber out;
  out.activation = activation(at);
  const bool is_sueda = p.curves == MuscleParameters::Curves::sueda;
  Spanned<double> fibers{};
  if (hill_ && p.elastic_tendon) {
    const double x = std::max(tendon_state(at), hill_->shortest());
    fibers = {x * p.optimal_length, hill_->cosine(x)};
    out.speed = hill_->speed(out.activation, length, x) * p.optimal_length * p.max_velocity;
  } else if (p.elastic_tendon) {
    const double force = tendon_force(at);
    fibers = beside_tendon(length, force);
    out.speed = balanced_speed(force, out.activation, fibers) * p.optimal_length * p.max_velocity;
  } else {
    const double s = std::max(length - p.slack_length, 0.0);
    fibers.length = std::hypot(s, width_);
    fibers.cosine = fibers.length > 0.0 ? s / fibers.length : 1.0;
    out.speed = speed * fibers.cosine;
  }
  out.length = fibers.length;
  out.pennation = std::acos(std::clamp(fibers.cosine, 0.0, 1.0));
  const double x = fibers.length / p.optimal_length;
  if (hill_) {
    out.active = hill_->active(x);
    out.passive = hill_->passive(x);
    return out;
  }
  out.active = is_sueda ? muscle::sueda_active_length(x) : muscle::active_length(x, p.width_scale);
  out.passive = is_sueda ? muscle::sueda_passive_length(x) : muscle::passive_length(x, p.passive_strain);
  return out;
}

std::shared_ptr<const Force> Muscle::bound_to(SwitchBoard& board) const {
  auto copy = std::make_shared<Muscle>(*this);
  copy->drive_.value.bind_to(board);
  return copy;
}

void Muscle::initial_states(std::span<double> z) const { std::copy_n(start_, z.size(), z.begin()); }

template <class T>
T Muscle::activation_rate(const InstantOf<T>& at) const {
  const MuscleParameters& p = parameters_;
  const T a = hill_ ? activation_at(at) : state(at, 0), gap = drive(at) - a, z = T(0.5) + T(1.5) * a;
  const T f = hill_ ? select_less(gap, T(0.0), T(-0.5), T(0.5)) : muscle::half_tanh(T(p.activation_smoothing) * gap);
  return ((f + T(0.5)) / (T(p.activation_time) * z) + (T(0.5) - f) * z / T(p.deactivation_time)) * gap;
}

template <class T>
void Muscle::set_rates(const T& length, const T& speed, const InstantOf<T>& at, std::span<T> z_dot) const {
  const MuscleParameters& p = parameters_;
  if (drive_.is_excitation) z_dot[0] = activation_rate(at);
  if (!p.elastic_tendon) return;
  if (hill_) {
    z_dot[drive_.is_excitation ? 1 : 0] = T(p.max_velocity) * hill_->speed(activation_at(at), length, tendon_state(at));
    return;
  }
  const T force = tendon_force(at);
  const Spanned<T> fibers = beside_tendon(length, force);
  const T v = balanced_speed(force, activation_at(at), fibers) * T(p.optimal_length * p.max_velocity);
  T& out = z_dot[drive_.is_excitation ? 1 : 0];
  out =
      T(muscle::tendon_stiffness(p.tendon_strain)) * (force + T(0.2)) * (speed - v / fibers.cosine) / T(p.slack_length);
  // a slack tendon stays slack, one at its bound stays there
  const double F = value_of(force), rate = value_of(out);
  if ((F == 0.0 && rate < 0.0) || (F == kMostTendonForce && rate > 0.0)) out = T(0.0);
}

void Muscle::rate(const Instant& at, std::span<double> z_dot) const {
  if (parameters_.elastic_tendon)
    set_rates(length(at), speed(at), at, z_dot);
  else
    set_rates(0.0, 0.0, at, z_dot);
}

void Muscle::rate_dual(const Instant& here, const DualInstant& at, std::span<Dual8> z_dot) const {
  if (z_dot.empty()) return;
  const DualLine line = dual_line(here, at);
  set_rates(line.length, line.speed, at, z_dot);
}

std::shared_ptr<const Force> Muscle::started_at(const Instant& at) const {
  auto out = std::make_shared<Muscle>(*this);
  if (drive_.is_excitation && !drive_.initial_activation) out->start_[0] = drive(at);
  double a = drive_.is_excitation ? out->start_[0] : drive(at);
  if (!parameters_.elastic_tendon) return out;
  double& own = out->start_[drive_.is_excitation ? 1 : 0];
  if (hill_) {
    a = std::max(a, parameters_.least_activation);
    own = hill_->balanced(a, length(at), speed(at), parameters_.max_velocity);
  } else {
    own = balanced_tendon(length(at), speed(at), a);
  }
  return out;
}

}  // namespace cardan
