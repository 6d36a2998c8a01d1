// The control laws: each says what it wants of its joints.
#include "cardan/algorithms/hybrid_dynamics.hpp"
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/forces/controller.hpp"
#include "cardan/forces/internal/short_list.hpp"
#include "cardan/forces/switch_board.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {

namespace {

/// Memory for algorithms on the model of a control law.
template <class T>
struct Scratch {
  Workspace<T> workspace;
  std::vector<T> a, tau, at_rest;

  explicit Scratch(const Model& model)
      : workspace(model), a(static_cast<std::size_t>(model.nv()), T(0.0)), tau(a), at_rest(a) {}
};

/// Lends the law's memory beside the instant's kinematics; where there is none, that of the caller.
template <class T>
Scratch<T>& scratch_of(const ElementId& id, const InstantOf<T>& at, const Model& model,
                       std::optional<Scratch<T>>& own) {
  if (at.memory != nullptr) {
    auto& kept = at.memory->template of<std::optional<Scratch<T>>>(id).value;
    if (!kept) kept.emplace(model);
    return *kept;
  }
  own.emplace(model);
  return *own;
}

/// Where joints are to be, with two derivatives, and how far from it they are.
class Tracking {
 public:
  Tracking(const Model& model, const ControlledJoints& joints, TimeFunction target, Gains gains)
      : target_(std::move(target)), gains_(std::move(gains)), velocities_(joints.velocities) {
    const auto n = static_cast<int>(velocities_.size());
    for (const int v : velocities_) {
      const int body = model.body_of_dof(v);
      if (model.link(body).nq != model.link(body).nv)
        throw std::invalid_argument("controller \"" + joints.name + "\": joint \"" + model.joint_name(body) +
                                    "\" has coordinates that are no plain numbers");
      coordinates_.push_back(model.link(body).q + v - model.link(body).v);
    }
    if (target_.size() != n || target_.derivatives() != 2)
      throw std::invalid_argument("controller \"" + joints.name + "\": expected a target for each joint");
  }

  std::size_t size() const { return velocities_.size(); }
  const Gains& gains() const { return gains_; }
  void add_to(TimeTexts& texts) const { target_.add_to(texts); }
  /// Calls visit(i, error, its rate, target'').
  template <class T, class Visit>
  void each(const InstantOf<T>& at, const Visit& visit) const {
    const std::size_t n = size();
    const auto visit_all = [&](const auto& wanted) {
      for (std::size_t i = 0; i < n; ++i)
        visit(i, T(wanted[i]) - at.q[coordinates_[i]], T(wanted[n + i]) - at.v[velocities_[i]], T(wanted[2 * n + i]));
    };
    if constexpr (std::same_as<T, Expr>) {
      std::vector<Expr> wanted(3 * n);
      target_.evaluate_at(at.t, wanted.data());
      visit_all(wanted);
    } else {
      ShortList list(3 * n);
      const std::span<double> wanted = list;
      target_.evaluate(value_of(at.t), wanted);
      visit_all(wanted);
    }
  }

 private:
  TimeFunction target_;
  Gains gains_;
  std::vector<int> velocities_, coordinates_;
};

class PidController final : public Controller {
 public:
  PidController(const Model& model, ControlledJoints joints, TimeFunction target, Gains gains)
      : Controller(joints, has_integral(gains) ? static_cast<int>(joints.velocities.size()) : 0),
        tracking_(model, joints, std::move(target), std::move(gains)) {}

 private:
  static bool has_integral(const Gains& gains) {
    return std::any_of(gains.ki.begin(), gains.ki.end(), [](double ki) { return ki != 0.0; });
  }
  template <class T>
  void set_control(const InstantOf<T>& at, std::span<T> tau) const {
    const Gains& gains = tracking_.gains();
    tracking_.each(at, [&](std::size_t i, const T& error, const T& rate, const T&) {
      tau[i] = T(gains.kp[i]) * error + T(gains.kd[i]) * rate;
      if (at.z.size() > 0) tau[i] += T(gains.ki[i]) * at.z[static_cast<int>(i)];
    });
  }
  template <class T>
  void set_rate(const InstantOf<T>& at, std::span<const T> tau, std::span<T> z_dot) const {
    if (z_dot.empty()) return;
    tracking_.each(at, [&](std::size_t i, const T& error, const T&, const T&) {
      const double most = joints().limit[i];
      z_dot[i] = std::isfinite(most) ? select_less(program::absolute(tau[i]), T(most), error, T(0.0)) : error;
    });
  }
  void control(const Instant& at, std::span<double> tau) const override { set_control(at, tau); }
  void law_rate(const Instant& at, std::span<const double> tau, std::span<double> z_dot) const override {
    set_rate(at, tau, z_dot);
  }
  void control_dual(const DualInstant& at, std::span<Dual8> tau) const override { set_control(at, tau); }
  void law_rate_dual(const DualInstant& at, std::span<const Dual8> tau, std::span<Dual8> z_dot) const override {
    set_rate(at, tau, z_dot);
  }
  void control_symbolic(const SymbolicInstant& at, std::span<Expr> tau) const override { set_control(at, tau); }
  void law_rate_symbolic(const SymbolicInstant& at, std::span<const Expr> tau, std::span<Expr> z_dot) const override {
    set_rate(at, tau, z_dot);
  }
  void add_texts_of_law(TimeTexts& texts) const override { tracking_.add_to(texts); }

  Tracking tracking_;
};

/// What depends on the state of the whole tree.
void add_all_velocities(const Model& model, Touches& touches) {
  for (int v = 0; v < model.nv(); ++v)
    if (std::find(touches.velocities.begin(), touches.velocities.end(), v) == touches.velocities.end())
      touches.velocities.push_back(v);
}

class ComputedTorque final : public Controller {
 public:
  ComputedTorque(const Model& model, ControlledJoints joints, TimeFunction target, Gains gains)
      : Controller(joints, 0),
        model_(model),
        given_(static_cast<std::size_t>(model.bodies()) + 1, Given::force),
        tracking_(model, joints, std::move(target), std::move(gains)) {
    for (const int v : joints.velocities) given_[static_cast<std::size_t>(model.body_of_dof(v))] = Given::acceleration;
  }

 private:
  template <class T>
  void set_control(const InstantOf<T>& at, std::span<T> tau) const {
    std::optional<Scratch<T>> own;
    Scratch<T>& s = scratch_of(id_, at, model_, own);
    std::fill(s.tau.begin(), s.tau.end(), T(0.0));
    std::fill(s.a.begin(), s.a.end(), T(0.0));
    const Gains& gains = tracking_.gains();
    const auto place = [&](std::size_t i) { return static_cast<std::size_t>(joints().velocities[i]); };
    tracking_.each(at, [&](std::size_t i, const T& error, const T& rate, const T& acceleration) {
      s.a[place(i)] = acceleration + T(gains.kd[i]) * rate + T(gains.kp[i]) * error;
    });
    hybrid_dynamics<T>(model_, s.workspace, given_, at.q, at.v, s.a, s.tau);
    for (std::size_t i = 0; i < count(); ++i) tau[i] = s.tau[place(i)];
  }
  void control(const Instant& at, std::span<double> tau) const override { set_control(at, tau); }
  void control_dual(const DualInstant& at, std::span<Dual8> tau) const override { set_control(at, tau); }
  void control_symbolic(const SymbolicInstant& at, std::span<Expr> tau) const override { set_control(at, tau); }
  void add_dependencies(Touches& touches) const override { add_all_velocities(model_, touches); }
  void add_texts_of_law(TimeTexts& texts) const override { tracking_.add_to(texts); }

  ElementId id_;
  Model model_;
  std::vector<Given> given_;
  Tracking tracking_;
};

class GravityCompensation final : public Controller {
 public:
  GravityCompensation(const Model& model, ControlledJoints joints) : Controller(std::move(joints), 0), model_(model) {}

 private:
  template <class T>
  void set_control(const InstantOf<T>& at, std::span<T> tau) const {
    std::optional<Scratch<T>> own;
    Scratch<T>& s = scratch_of(id_, at, model_, own);
    inverse_dynamics<T>(model_, s.workspace, at.q, s.at_rest, s.at_rest, s.tau);
    for (std::size_t i = 0; i < count(); ++i) tau[i] = s.tau[static_cast<std::size_t>(joints().velocities[i])];
  }
  void control(const Instant& at, std::span<double> tau) const override { set_control(at, tau); }
  void control_dual(const DualInstant& at, std::span<Dual8> tau) const override { set_control(at, tau); }
  void control_symbolic(const SymbolicInstant& at, std::span<Expr> tau) const override { set_control(at, tau); }
  void add_dependencies(Touches& touches) const override { add_all_velocities(model_, touches); }

  ElementId id_;
  Model model_;
};

class SignalController final : public Controller {
 public:
  SignalController(ControlledJoints joints, SignalFunction force, std::optional<SignalFunction> rate,
                   std::vector<double> initial)
      : Controller(std::move(joints), rate ? rate->size() : 0),
        force_(std::move(force)),
        rate_(std::move(rate)),
        initial_(std::move(initial)) {}

  bool has_switches() const override {
    return period() <= 0.0 && (force_.has_switches() || (rate_ && rate_->has_switches()));
  }
  std::shared_ptr<const Force> bound_to(SwitchBoard& board) const override {
    auto copy = std::make_shared<SignalController>(*this);
    copy->force_.bind_to(board);
    if (rate_) copy->rate_->bind_to(board);
    return copy;
  }

 private:
  void control(const Instant& at, std::span<double> tau) const override { force_.evaluate(at, tau.data()); }
  void law_rate(const Instant& at, std::span<const double>, std::span<double> z_dot) const override {
    if (rate_) rate_->evaluate(at, z_dot.data());
  }
  void control_dual(const DualInstant& at, std::span<Dual8> tau) const override { force_.evaluate(at, tau.data()); }
  void law_rate_dual(const DualInstant& at, std::span<const Dual8>, std::span<Dual8> z_dot) const override {
    if (rate_) rate_->evaluate(at, z_dot.data());
  }
  void control_symbolic(const SymbolicInstant& at, std::span<Expr> tau) const override {
    force_.evaluate(at, tau.data());
  }
  void law_rate_symbolic(const SymbolicInstant& at, std::span<const Expr>, std::span<Expr> z_dot) const override {
    if (rate_) rate_->evaluate(at, z_dot.data());
  }
  void law_start(std::span<double> z) const override {
    std::copy_n(initial_.begin(), std::min(initial_.size(), z.size()), z.begin());
  }
  void add_dependencies(Touches& touches) const override {
    force_.add_to(touches);
    if (rate_) rate_->add_to(touches);
  }
  void add_texts_of_law(TimeTexts& texts) const override {
    force_.add_to(texts);
    if (rate_) rate_->add_to(texts);
  }

  SignalFunction force_;
  std::optional<SignalFunction> rate_;
  std::vector<double> initial_;
};

class FunctionController final : public Controller {
 public:
  FunctionController(ControlledJoints joints, ControlFunction function)
      : Controller(std::move(joints), 0), function_(std::move(function)) {}

 private:
  void control(const Instant& at, std::span<double> tau) const override { function_(at, tau); }
  bool has_derivatives() const override { return false; }

  ControlFunction function_;
};

}  // namespace

std::shared_ptr<const Force> pid_controller(const Model& model, ControlledJoints joints, TimeFunction target,
                                            Gains gains) {
  return std::make_shared<const PidController>(model, std::move(joints), std::move(target), std::move(gains));
}
std::shared_ptr<const Force> computed_torque_controller(const Model& model, ControlledJoints joints,
                                                        TimeFunction target, Gains gains) {
  return std::make_shared<const ComputedTorque>(model, std::move(joints), std::move(target), std::move(gains));
}
std::shared_ptr<const Force> gravity_compensation(const Model& model, ControlledJoints joints) {
  return std::make_shared<const GravityCompensation>(model, std::move(joints));
}
std::shared_ptr<const Force> signal_controller(ControlledJoints joints, SignalFunction force,
                                               std::optional<SignalFunction> rate, std::vector<double> initial) {
  return std::make_shared<const SignalController>(std::move(joints), std::move(force), std::move(rate),
                                                  std::move(initial));
}
std::shared_ptr<const Force> function_controller(ControlledJoints joints, ControlFunction function) {
  return std::make_shared<const FunctionController>(std::move(joints), std::move(function));
}

}  // namespace cardan
