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

/// Memory of a thread for algorithms on one model after another: control laws are shared by threads and keep none.
struct Scratch {
  Model model;
  Workspace<double> workspace;
  std::vector<double> a, tau, at_rest;

  static Scratch& of(const Model& model) {
    thread_local std::unique_ptr<Scratch> kept;
    if (!kept || kept->model.data().identity != model.data().identity) {
      const auto n = static_cast<std::size_t>(model.nv());
      kept.reset(new Scratch{model, Workspace<double>(model), std::vector<double>(n), std::vector<double>(n),
                             std::vector<double>(n)});
    }
    return *kept;
  }
};

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
  template <class Visit>
  void each(const Instant& at, const Visit& visit) const {
    const std::size_t n = size();
    ShortList list(3 * n);
    const std::span<double> wanted = list;
    target_.evaluate(at.t, wanted);
    for (std::size_t i = 0; i < n; ++i)
      visit(i, wanted[i] - at.q[coordinates_[i]], wanted[n + i] - at.v[velocities_[i]], wanted[2 * n + i]);
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

  void add_tangent(const Instant& at, Tangent& tangent) const override {
    if (period() > 0.0) return;  // held: it does not change with the state
    ShortList list(count());
    const std::span<double> tau = list;
    control(at, tau);
    for (std::size_t i = 0; i < count(); ++i) {
      if (std::abs(tau[i]) >= joints().limit[i]) continue;
      const auto k = static_cast<Eigen::Index>(i);
      tangent.K(k, k) -= tracking_.gains().kp[i];
      tangent.D(k, k) -= tracking_.gains().kd[i];
    }
  }

 private:
  static bool has_integral(const Gains& gains) {
    return std::any_of(gains.ki.begin(), gains.ki.end(), [](double ki) { return ki != 0.0; });
  }
  void control(const Instant& at, std::span<double> tau) const override {
    const Gains& gains = tracking_.gains();
    tracking_.each(at, [&](std::size_t i, double error, double rate, double) {
      tau[i] = gains.kp[i] * error + gains.kd[i] * rate;
      if (at.z.size() > 0) tau[i] += gains.ki[i] * at.z[static_cast<int>(i)];
    });
  }
  void add_texts_of_law(TimeTexts& texts) const override { tracking_.add_to(texts); }
  void law_rate(const Instant& at, std::span<const double> tau, std::span<double> z_dot) const override {
    if (z_dot.empty()) return;
    tracking_.each(at, [&](std::size_t i, double error, double, double) {
      z_dot[i] = std::abs(tau[i]) < joints().limit[i] ? error : 0.0;
    });
  }

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
  void control(const Instant& at, std::span<double> tau) const override {
    Scratch& s = Scratch::of(model_);
    std::fill(s.tau.begin(), s.tau.end(), 0.0);
    std::fill(s.a.begin(), s.a.end(), 0.0);
    const Gains& gains = tracking_.gains();
    const auto place = [&](std::size_t i) { return static_cast<std::size_t>(joints().velocities[i]); };
    tracking_.each(at, [&](std::size_t i, double error, double rate, double acceleration) {
      s.a[place(i)] = acceleration + gains.kd[i] * rate + gains.kp[i] * error;
    });
    hybrid_dynamics<double>(model_, s.workspace, given_, at.q, at.v, s.a, s.tau);
    for (std::size_t i = 0; i < count(); ++i) tau[i] = s.tau[place(i)];
  }
  void add_dependencies(Touches& touches) const override { add_all_velocities(model_, touches); }
  void add_texts_of_law(TimeTexts& texts) const override { tracking_.add_to(texts); }

  Model model_;
  std::vector<Given> given_;
  Tracking tracking_;
};

class GravityCompensation final : public Controller {
 public:
  GravityCompensation(const Model& model, ControlledJoints joints) : Controller(std::move(joints), 0), model_(model) {}

 private:
  void control(const Instant& at, std::span<double> tau) const override {
    Scratch& s = Scratch::of(model_);
    inverse_dynamics<double>(model_, s.workspace, at.q, s.at_rest, s.at_rest, s.tau);
    for (std::size_t i = 0; i < count(); ++i) tau[i] = s.tau[static_cast<std::size_t>(joints().velocities[i])];
  }
  void add_dependencies(Touches& touches) const override { add_all_velocities(model_, touches); }

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
