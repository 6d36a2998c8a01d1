// Numbers that follow from an instant as a user's text says: "-k*elbow - d*v.elbow + sin(t)". What a text can name is a
// signal: the time, a coordinate, a velocity, how a point of a body lies and moves, a state of the element itself, an
// input. The function runs on every scalar, so its derivatives are exact.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/forces/switch_board.hpp"
#include "cardan/program/interpreter.hpp"
#include "cardan/program/time_function.hpp"

#include <vector>

namespace cardan {

struct Signal {
  enum class Kind {
    time,
    coordinate,        // q[index] of a joint whose velocities are the rates of its coordinates
    velocity,          // v[index]
    own_state,         // z[index] of the element
    input,             // u[index] of the system
    position,          // of a point of a body along a world axis
    point_velocity,    // likewise
    angular_velocity,  // of a body about a world axis
  };
  Kind kind = Kind::time;
  int index = 0;      // of q, v, z or u
  int velocity = 0;   // of a coordinate: the velocity that is its rate
  int body = 0;       // of points
  Vec3<double> at{};  // in the body's internal frame
  int axis = 0;       // 0, 1, 2

  friend bool operator==(const Signal& a, const Signal& b);

  template <class T>
  T value(const InstantOf<T>& instant) const {
    switch (kind) {
      case Kind::time: return instant.t;
      case Kind::coordinate: return instant.q[index];
      case Kind::velocity: return instant.v[index];
      case Kind::own_state: return instant.z[index];
      case Kind::input: return instant.u[index];
      case Kind::position: return instant.position(body, Vec3<T>(at))[axis];
      case Kind::point_velocity: return instant.point_velocity(body, Vec3<T>(at))[axis];
      case Kind::angular_velocity: return rotate_back(instant.X_0(body).E, instant.velocity(body).angular)[axis];
    }
    return instant.t;
  }
};

class SignalFunction {
 public:
  /// The outputs of a graph whose inputs are the signals in this order. Throws GraphTooLarge.
  SignalFunction(std::vector<Signal> signals, Graph& graph, std::span<const Expr> outputs);
  /// The values of a function of time.
  SignalFunction(const TimeFunction& function);  // NOLINT(google-explicit-constructor): time alone is a signal, too

  int size() const { return interpreter_.outputs(); }
  const std::vector<Signal>& signals() const { return signals_; }
  /// The values of a function of time alone.
  std::vector<double> operator()(double t) const;
  /// Adds its parts that follow time alone.
  void add_to(TimeTexts& texts) const {
    if (time_text_) texts.push_back(time_text_);
  }
  /// Adds the bodies and velocities that it depends on.
  void add_to(Touches& touches) const;
  /// True if it depends on how bodies lie or move.
  bool needs_bodies() const;

  /// True if it chooses by the state.
  bool has_switches() const { return chosen_ && chosen_->size() > 0; }
  /// Binds what it chooses to a board, which may hold it.
  void bind_to(SwitchBoard& board);

  template <class T>
  void evaluate(const InstantOf<T>& at, T* out) const {
    if (held_ && held_->are_held) return run(chosen_->chosen(), at, held_->choices, out);
    run(interpreter_, at, {}, out);
  }

 private:
  template <class T>
  void run(const Interpreter& interpreter, const InstantOf<T>& at, std::span<const double> choices, T* out) const {
    constexpr std::size_t kSmall = 32;
    const std::size_t n = signals_.size(), all = n + choices.size();
    T small[kSmall];
    std::vector<T> large(all <= kSmall ? 0 : all);
    T* const in = all <= kSmall ? small : large.data();
    for (std::size_t i = 0; i < n; ++i) in[i] = signals_[i].value(at);
    for (std::size_t i = n; i < all; ++i) in[i] = T(choices[i - n]);
    run_small<T>(interpreter, in, out);
  }

  std::vector<Signal> signals_;
  Interpreter interpreter_;
  std::shared_ptr<const TimeText> time_text_;
  std::shared_ptr<const ChosenText> chosen_;
  std::shared_ptr<HeldChoices> held_;  // of one thread; null where the function is shared
};

}  // namespace cardan
