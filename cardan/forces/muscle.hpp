// A muscle: fibers of optimal length l_o at a pennation angle alpha, and a tendon of slack length l_s behind them,
// along a path of length l. Constant width l_m sin(alpha) = l_o sin(alpha_o); with x = l_m/l_o and v = fiber speed/(l_o
// v_max)
//   fibers  F = F_o (a f_L(x) f_V(v) + f_P(x) + beta v),  tension F cos(alpha)          (curves: muscle_curves.hpp)
//   rigid tendon    l_m = sqrt((l - l_s)^2 + width^2), fiber speed = dl/dt cos(alpha); slack (T = 0) where l <= l_s
//   elastic tendon  own state F~ = T/F_o = f_T(y): y gives l_m, balance of forces the fiber speed, and
//                   dF~/dt = f_T'(y) (dl/dt - fiber speed/cos(alpha))/l_s
//   activation      a given, or own state da/dt = [(F + 0.5)/(tau_a z) + (0.5 - F) z/tau_d] (e - a),
//                   z = 0.5 + 1.5 a, F = 0.5 tanh(s (e - a)), e the excitation
// Limits of the elastic one: x in [0.2, 1.8], |v| <= 1, F~ in [0, 5], and a >= 0.01 where the balance is solved for v.
// `sueda`: rigid tendon and no pennation, x = (l - l_s)/l_o, T = F_o (a f_L f_V + f_P) of Sueda's notes.
// `thelen`, `millard`: fibers and tendon of hill_fibers.hpp, whose own state is the fiber length; the activation
// follows with F = 0.5 or -0.5, the sign of e - a, and neither e nor a is below the least activation.
#pragma once

#include "cardan/forces/hill_fibers.hpp"
#include "cardan/forces/line_force.hpp"
#include "cardan/forces/signal_function.hpp"

namespace cardan {

struct MuscleParameters {
  double max_force = 0.0;       // F_o, N
  double optimal_length = 0.0;  // l_o, m
  double slack_length = 0.0;    // l_s, m
  double pennation = 0.0;       // at the optimal length, rad
  double max_velocity = 10.0;   // v_max, optimal lengths a second
  bool elastic_tendon = false;
  enum class Curves { degroote_fregly, sueda, thelen, millard };
  Curves curves = Curves::degroote_fregly;
  double fiber_damping = 0.0, passive_strain = 0.6, tendon_strain = 0.049, width_scale = 1.0;
  double activation_time = 0.015, deactivation_time = 0.060;  // s
  double activation_smoothing = 0.1;
  double least_activation = 0.01;  // of Thelen's and Millard's
  muscle::ThelenShape thelen{};
  muscle::MillardShape millard{};
  /// True of the curves whose own state is the fiber length.
  bool has_hill_fibers() const { return curves == Curves::thelen || curves == Curves::millard; }
};

class Muscle final : public LineForce {
 public:
  /// Either of the two drives: the activation itself, a function of time, or an excitation that it follows, which may
  /// follow the mechanism.
  struct Drive {
    bool is_excitation = false;
    SignalFunction value;
    std::optional<double> initial_activation{};  // none: the excitation at the start
  };
  /// Throws std::invalid_argument where the parameters do not fit together.
  Muscle(std::string label, Path path, const MuscleParameters& parameters, Drive drive);

  const MuscleParameters& parameters() const { return parameters_; }
  /// Fibers and tendon of Thelen's and Millard's curves; null of others.
  const muscle::HillFibers* hill_fibers() const { return hill_.get(); }

  /// What users of muscles ask for; forces in N, lengths in m, speeds in m/s (lengthening positive), power in W.
  struct Fiber {
    double activation = 0.0, length = 0.0, speed = 0.0, pennation = 0.0;
    double active = 0.0, passive = 0.0;  // f_L(x) and f_P(x)
  };
  Fiber fiber(double length, double speed, const Instant& at) const;
  Fiber fiber(const Instant& at) const { return fiber(length(at), this->speed(at), at); }
  double activation(const Instant& at) const { return activation_at(at); }
  /// Tension and fiber length at rest at this activation: of an elastic muscle those of fibers and tendon in balance.
  struct Balance {
    double tension = 0.0, fiber_length = 0.0;
  };
  Balance balance(double length, double activation) const;

  Tension law(double length, double speed, const Instant& at) const override;
  Dual8 dual_law(const Dual8& length, const Dual8& speed, const Instant& here, const DualInstant& at) const override;
  Expr symbolic_law(Expr length, Expr speed, const SymbolicInstant& at) const override;
  std::string law_beyond_code() const override;
  void rate_symbolic(const SymbolicInstant& at, std::span<Expr> z_dot) const override;
  Touches touches() const override;
  void add_time_texts(TimeTexts& texts) const override { drive_.value.add_to(texts); }
  bool has_switches() const override { return drive_.value.has_switches(); }
  std::shared_ptr<const Force> bound_to(SwitchBoard& board) const override;
  void initial_states(std::span<double> z) const override;
  void rate(const Instant& at, std::span<double> z_dot) const override;
  void rate_dual(const Instant& here, const DualInstant& at, std::span<Dual8> z_dot) const override;
  bool needs_start() const override { return states() > 0; }
  /// Activation starts at its excitation, the tendon in balance with the fibers at a constant length of its own.
  std::shared_ptr<const Force> started_at(const Instant& at) const override;

 private:
  int states() const { return (drive_.is_excitation ? 1 : 0) + (parameters_.elastic_tendon ? 1 : 0); }
  template <class T>
  T state(const InstantOf<T>& at, int i) const;
  template <class T>
  T activation_at(const InstantOf<T>& at) const;
  /// The own state of an elastic tendon: F~, or the fiber length of Thelen's and Millard's curves.
  template <class T>
  T tendon_state(const InstantOf<T>& at) const {
    return state(at, drive_.is_excitation ? 1 : 0);
  }
  /// F~ of an elastic tendon, within its bounds.
  template <class T>
  T tendon_force(const InstantOf<T>& at) const;
  /// Length and cosine of the pennation of fibers that span s along the tendon.
  template <class T>
  struct Spanned {
    T length, cosine;
  };
  template <class T>
  Spanned<T> spanned(const T& s) const;
  /// Fibers that are left of a path of this length beside an elastic tendon under the force F~.
  template <class T>
  Spanned<T> beside_tendon(const T& length, const T& tendon_force) const;
  /// Normalized fiber speed at which fibers under this activation bear the tendon force F~.
  template <class T>
  T balanced_speed(const T& tendon_force, const T& activation, const Spanned<T>& fibers) const;
  /// Solves active f_V(v) + beta v = wanted for v in [-1, 1].
  double solved_speed(double active, double wanted) const;
  /// The rate of the activation.
  template <class T>
  T activation_rate(const InstantOf<T>& at) const;
  template <class T>
  void set_rates(const T& length, const T& speed, const InstantOf<T>& at, std::span<T> z_dot) const;
  double balanced_tendon(double length, double speed, double activation) const;
  /// The excitation, or the activation where that is given.
  template <class T>
  T drive(const InstantOf<T>& at) const;
  template <class T>
  T pull_of(const T& length, const T& speed, const InstantOf<T>& at) const;

  MuscleParameters parameters_;
  Drive drive_;
  std::shared_ptr<const muscle::HillFibers> hill_;  // of Thelen's and Millard's
  double width_ = 0.0;
  double start_[2] = {0.0, 0.0};  // of the own states
};

}  // namespace cardan
