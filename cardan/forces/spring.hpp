// Springs and cables along a path of length l:
//   spring  T = k (l - rest) + c dl/dt, which may push;  energy k (l - rest)^2 / 2
//   cable   T = max(0, k s(l - rest) + c s'(l - rest) dl/dt), s(x) = max(0, x), rounded over the width w if one is
//   given:
//           s(x) = x^2 / (2 w) for 0 < x < w, x - w/2 beyond
//   law     T as a function of l, dl/dt, t and inputs that a user writes.
// With rest = 0 a spring is regular at l = 0. Units are SI: the k and d of Sueda's spring-damper are k rest and c rest.
#pragma once

#include "cardan/forces/line_force.hpp"
#include "cardan/forces/signal_function.hpp"

#include <functional>

namespace cardan {

struct Spring {
  std::string label;
  BodyPoint a, b;
  double stiffness = 0.0;        // N/m
  double damping = 0.0;          // N s/m
  std::optional<double> rest{};  // m; none: the length at the start
};

struct Cable {
  std::string label;
  BodyPoint a, b;
  double stiffness = 0.0, damping = 0.0;
  std::optional<double> rest{};
  double smoothing = 0.0;  // m
};

std::shared_ptr<const Force> make_force(const Spring& spring);
std::shared_ptr<const Force> make_force(const Cable& cable);

/// A spring or cable along any path.
class ElasticLine final : public LineForce {
 public:
  enum class Kind { spring, cable };
  struct Parameters {
    double stiffness = 0.0, damping = 0.0;
    std::optional<double> rest{};
    double smoothing = 0.0;
  };
  ElasticLine(Kind kind, std::string label, Path path, const Parameters& parameters)
      : LineForce(kind == Kind::cable ? "cable" : "spring", std::move(label), std::move(path)),
        is_cable_(kind == Kind::cable),
        parameters_(parameters) {}

  const Parameters& parameters() const { return parameters_; }
  Tension law(double length, double speed, const Instant& at) const override;
  Expr symbolic_law(Expr length, Expr speed, const SymbolicInstant& at) const override;
  std::string law_beyond_code() const override { return {}; }
  double energy_at(double length) const override;
  bool is_conservative() const override { return parameters_.damping == 0.0; }
  bool needs_start() const override { return !parameters_.rest; }
  std::shared_ptr<const Force> started_at(const Instant& at) const override;

 private:
  bool is_cable_;
  Parameters parameters_;
};

/// A tension that a user writes. The function gives T for the symbols l, dl/dt, t, the rest length and signals of
/// its own; the derivatives by l and dl/dt follow.
class TensionText final : public LineForce {
 public:
  using SymbolicFunction = std::function<Expr(Expr l, Expr ldot, Expr t, Expr rest, std::span<const Expr> signals)>;
  /// `of_length`: the tension depends on l alone and has an energy. Signals are such as do not follow the mechanism.
  /// Throws GraphTooLarge.
  TensionText(std::string label, Path path, std::optional<double> rest, bool of_length, std::vector<Signal> signals,
              const SymbolicFunction& function);

  Tension law(double length, double speed, const Instant& at) const override;
  Dual8 dual_law(const Dual8& length, const Dual8& speed, const Instant& here, const DualInstant& at) const override;
  Expr symbolic_law(Expr length, Expr speed, const SymbolicInstant& at) const override;
  std::string law_beyond_code() const override { return {}; }
  /// The integral of the tension from the rest length on, where it depends on the length alone.
  double energy_at(double length) const override;
  bool is_conservative() const override { return of_length_; }
  void add_time_texts(TimeTexts& texts) const override {
    if (time_text_) texts.push_back(time_text_);
  }
  bool needs_start() const override { return !rest_; }
  std::shared_ptr<const Force> started_at(const Instant& at) const override;
  bool has_switches() const override { return chosen_->size() > 0; }
  std::shared_ptr<const Force> bound_to(SwitchBoard& board) const override;

 private:
  /// Sets l, dl/dt, t, the rest length and the signals; without an instant the law depends on the length alone.
  void set_inputs(double length, double speed, const Instant* at, double* in) const;
  Tension run(double length, double speed, const Instant* at) const;

  std::optional<double> rest_;
  bool of_length_ = false;
  std::vector<Signal> signals_;
  Interpreter interpreter_;
  std::shared_ptr<const TimeText> time_text_;
  std::shared_ptr<const ChosenText> chosen_;
  std::shared_ptr<HeldChoices> held_;  // of one thread; null where the force is shared
};

}  // namespace cardan
