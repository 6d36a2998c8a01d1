// One coordinate as a function of others: gears, mimic joints, and closed loops whose solution the user knows
// (sections 8.11 and 9.6).
#pragma once

#include "cardan/program/interpreter.hpp"
#include "cardan/symbolic/frozen_graph.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cardan {

/// f(x) with its gradient and its second derivative along a motion, found symbolically.
class CouplingFunction {
 public:
  /// Gives f for the symbols x.
  using SymbolicFunction = std::function<Expr(std::span<const Expr> x)>;

  /// Throws GraphTooLarge where the derivatives take too much.
  CouplingFunction(int inputs, const SymbolicFunction& function);

  int inputs() const { return inputs_; }
  /// Substitutes expressions for x: f as a part of something larger.
  Expr trace(std::span<const Expr> x) const;

  /// Where it computes; one for each thread.
  struct Memory {
    explicit Memory(const CouplingFunction& f);
    std::vector<double> x, v;  // where, and how fast

    double f() const { return out.front(); }
    double gradient(int i) const { return out[static_cast<std::size_t>(i) + 1]; }
    double curvature() const { return out.back(); }  // sum of d2f/dx_i dx_j v_i v_j
    /// f, its gradient, its curvature.
    std::span<const double> values() const { return out; }

   private:
    friend class CouplingFunction;
    std::vector<double> in, out, scratch;
  };
  void operator()(Memory& memory) const;
  /// Computes the values on any scalar; `in` has x, then v.
  template <class T>
  void evaluate(const T* in, T* values) const {
    run_small<T>(interpreter_, in, values);
  }

 private:
  int inputs_;
  FrozenGraph value_;        // f alone
  Interpreter interpreter_;  // x, v -> f, gradient, curvature
};

/// q[dependent] = f(q[sources]), for joints whose velocities are the rates of their coordinates.
struct Coupling {
  struct CoordinateRef {
    int body = 0, k = 0;  // the k-th coordinate of the joint that moves the body
  };
  CoordinateRef dependent;
  std::vector<CoordinateRef> sources;
  CouplingFunction f;
  std::string text;  // for people: "b = 0.5*a"
};

}  // namespace cardan
