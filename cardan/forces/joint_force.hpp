// A generalized force at one velocity of a joint as a function of time, coordinates and velocities: what a text such as
// "-k*elbow - d*v.elbow + sin(t)" says. Its derivatives are exact, because the function runs on dual numbers too.
#pragma once

#include "cardan/forces/force_of.hpp"
#include "cardan/program/interpreter.hpp"

#include <functional>

namespace cardan {

/// A function of t and of chosen coordinates and velocities. Velocities are named by their index; coordinate i belongs
/// to velocity i (joints whose velocities are the rates of their coordinates).
class StateFunction {
 public:
  using SymbolicFunction = std::function<std::vector<Expr>(Expr t, std::span<const Expr> x, std::span<const Expr> v)>;
  /// `coordinates` and `velocities` list the velocity indices whose coordinate or velocity the function reads.
  StateFunction(const Model& model, std::vector<int> coordinates, std::vector<int> velocities,
                const SymbolicFunction& function);

  int size() const { return interpreter_.outputs(); }
  /// All velocity indices that it depends on, in rising order.
  std::vector<int> depends_on() const;

  template <class T>
  void evaluate(const InstantOf<T>& at, T* out) const {
    constexpr std::size_t kSmall = 32;
    const std::size_t n = 1 + coordinates_.size() + velocities_.size();
    T small[kSmall];
    std::vector<T> large(n <= kSmall ? 0 : n);
    T* const in = n <= kSmall ? small : large.data();
    std::size_t i = 0;
    in[i++] = at.t;
    for (const int q : coordinates_) in[i++] = at.q[q];
    for (const int v : velocities_) in[i++] = at.v[v];
    run_small<T>(interpreter_, in, out);
  }

 private:
  std::vector<int> coordinates_;  // as indices into q
  std::vector<int> velocities_;
  std::vector<int> coordinate_velocities_;  // the velocities that belong to coordinates_
  Interpreter interpreter_;
};

struct JointForce {
  std::string label;
  int first = 0;  // velocity of the joint at which the first number acts
  StateFunction force;

  std::string name() const { return "force at joint \"" + label + "\""; }
  Touches touches() const;

  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    T tau[6];
    force.evaluate(at, tau);
    for (int i = 0; i < force.size(); ++i) pushes.velocity(first + i) += tau[i];
  }
};

}  // namespace cardan
