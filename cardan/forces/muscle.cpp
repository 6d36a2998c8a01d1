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

double drive_at(const SignalFunction& function, const Instant& at) {
  double value = 0.0;
  function.evaluate(at, &value);
  return std::clamp(value, 0.0, 1.0);
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
T rigid_tension(const MuscleParameters& p, double width, double activation, const T& s, const T& speed) {
  const double l_o = p.optimal_length;
  if (p.curves == MuscleParameters::Curves::sueda) {
    const T x = s / T(l_o), v = speed / T(l_o * p.max_velocity);
    return T(p.max_force) * (T(activation) * muscle::sueda_active_length(x) * muscle::sueda_speed_factor(v) +
                             muscle::sueda_passive_length(x));
  }
  const T length = sqrt(s * s + T(width * width)), cosine = s / length, x = length / T(l_o);
  const T v = speed * cosine / T(l_o * p.max_velocity);
  const T fibers = T(activation) * muscle::active_length(x, p.width_scale) * muscle::speed_factor(v) +
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

double Muscle::state(const Instant& at, int i) const { return at.z.size() > i ? at.z[i] : start_[i]; }

double Muscle::drive(const Instant& at) const {
  const double value = drive_at(drive_.value, at);
  return hill_ ? std::max(value, parameters_.least_activation) : value;
}

double Muscle::activation(const Instant& at) const {
  if (!drive_.is_excitation) return drive(at);
  return hill_ ? std::clamp(state(at, 0), parameters_.least_activation, 1.0) : state(at, 0);
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
    return {p.max_force * hill_->tendon(length, x).value, x * p.optimal_length};
  }
  const double force = balanced_tendon(length, 0.0, a);
  return {p.max_force * force, spanned(length - p.slack_length * muscle::tendon_length(force, p.tendon_strain)).length};
}

Muscle::Spanned Muscle::spanned(double s) const {
  const double shortest = kShortest * parameters_.optimal_length,
               least = std::sqrt(std::max(shortest * shortest - width_ * width_, 1e-6 * shortest * shortest));
  const double along = std::max(s, least), length = std::hypot(along, width_);
  return {length, along / length};
}

Tension Muscle::law(double length, double speed, const Instant& at) const {
  const double F_o = parameters_.max_force;
  if (hill_ && parameters_.elastic_tendon) {
    const muscle::HillFibers::Pull pull = hill_->tendon(length, tendon_state(at));
    return {F_o * pull.value, F_o * pull.by_length, 0.0};
  }
  if (parameters_.elastic_tendon) return {F_o * std::clamp(tendon_state(at), 0.0, kMostTendonForce), 0.0, 0.0};
  const double s = length - parameters_.slack_length;
  if (!(s > 0.0)) return {};
  using D = Dual<2>;
  if (hill_) {
    const D T = D(F_o) * hill_->rigid_tension(activation(at), D::variable(s, 0), D::variable(speed, 1),
                                              parameters_.max_velocity);
    return {T.value, T.d[0], T.d[1]};
  }
  const D T = rigid_tension(parameters_, width_, activation(at), D::variable(s, 0), D::variable(speed, 1));
  return {T.value, T.d[0], T.d[1]};
}

double Muscle::balanced_speed(double tendon_force, double activation, const Spanned& fibers) const {
  const double x = std::clamp(fibers.length / parameters_.optimal_length, kShortest, kLongest);
  const double active = std::max(activation, kLeastActivation) * muscle::active_length(x, parameters_.width_scale);
  const double wanted = tendon_force / fibers.cosine - muscle::passive_length(x, parameters_.passive_strain);
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
    const Spanned fibers = spanned(length - p.slack_length * muscle::tendon_length(force, p.tendon_strain));
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
  Spanned fibers{};
  if (hill_ && p.elastic_tendon) {
    const double x = std::max(tendon_state(at), hill_->shortest());
    fibers = {x * p.optimal_length, hill_->cosine(x)};
    out.speed = hill_->speed(out.activation, length, x) * p.optimal_length * p.max_velocity;
  } else if (p.elastic_tendon) {
    const double force = std::clamp(tendon_state(at), 0.0, kMostTendonForce);
    fibers = spanned(length - p.slack_length * muscle::tendon_length(force, p.tendon_strain));
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

void Muscle::initial_states(std::span<double> z) const { std::copy_n(start_, z.size(), z.begin()); }

void Muscle::rate(const Instant& at, std::span<double> z_dot) const {
  const MuscleParameters& p = parameters_;
  if (drive_.is_excitation) {
    const double a = hill_ ? activation(at) : state(at, 0), gap = drive(at) - a, z = 0.5 + 1.5 * a,
                 f = hill_ ? std::copysign(0.5, gap) : 0.5 * std::tanh(p.activation_smoothing * gap);
    z_dot[0] = ((f + 0.5) / (p.activation_time * z) + (0.5 - f) * z / p.deactivation_time) * gap;
  }
  if (!p.elastic_tendon) return;
  if (hill_) {
    z_dot[drive_.is_excitation ? 1 : 0] = p.max_velocity * hill_->speed(activation(at), length(at), tendon_state(at));
    return;
  }
  const double force = std::clamp(tendon_state(at), 0.0, kMostTendonForce);
  const double l = length(at), l_dot = speed(at);
  const Spanned fibers = spanned(l - p.slack_length * muscle::tendon_length(force, p.tendon_strain));
  const double v = balanced_speed(force, activation(at), fibers) * p.optimal_length * p.max_velocity;
  double& out = z_dot[drive_.is_excitation ? 1 : 0];
  out = muscle::tendon_stiffness(p.tendon_strain) * (force + 0.2) * (l_dot - v / fibers.cosine) / p.slack_length;
  // a slack tendon stays slack, one at its bound stays there
  if ((force == 0.0 && out < 0.0) || (force == kMostTendonForce && out > 0.0)) out = 0.0;
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
