#pragma once

#include "cardan/joints/kinematics.hpp"
#include "cardan/joints/motion_product.hpp"
#include "cardan/program/interpreter.hpp"
#include "cardan/spatial/se3.hpp"
#include "cardan/symbolic/definitions.hpp"
#include "cardan/symbolic/frozen_graph.hpp"

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cardan {

class ExpressionJoint;

/// What an invented joint knows of other coordinates for the same motion: charts of one manifold.
class ExpressionCharts {
 public:
  virtual ~ExpressionCharts() = default;
  /// Returns the joint in other coordinates where q comes near a singular point of these, else nothing.
  virtual std::optional<ExpressionJoint> other(const double* q) const = 0;
  /// Rewrites coordinates of this chart as those of another one of the same joint.
  virtual void rewrite(const ExpressionCharts& to, double* q) const = 0;
};

/// A joint that the user invents: its pose G(q), the child in the parent, is all that is given. Up to six coordinates
/// with v = dq/dt; the zero pose is G(0). Singular where S loses rank. S = vee(G^-1 dG/dq) and c_J = S_dot v come from
/// symbolic differentiation in the cheapest of three ways (see symbolic/differentiate.hpp).
class ExpressionJoint {
 public:
  static constexpr const char* name = "expression";
  /// More values at once than this are refused, so that running it needs no memory of its own.
  static constexpr int kMostSlots = 1024;

  /// The pose as a function of the coordinates, called on expressions. Written as a product of turns and shifts it
  /// costs less than as one Pose<Expr>.
  using PoseFunction = std::function<MotionProduct(std::span<const Expr> q)>;
  ExpressionJoint() = default;
  /// `kind` is what the joint calls itself: a literal, such as "on_curve".
  ExpressionJoint(int coordinates, const PoseFunction& pose, const char* kind = name);
  /// From text, as in a scene file: parse_transform's language with these coordinates, parameters and helpers, and what
  /// all texts of the scene may use, which they hide.
  ExpressionJoint(const std::vector<std::string>& coordinates, const std::string& transform,
                  const std::vector<std::pair<std::string, double>>& parameters = {},
                  const std::vector<Definition>& let = {}, const Symbols& scene = {});

  void use_charts(std::shared_ptr<const ExpressionCharts> charts) { charts_ = std::move(charts); }
  const ExpressionCharts* charts() const { return charts_.get(); }

  const char* kind() const { return kind_; }
  /// What users call the coordinates, in their order; empty where they have no names.
  const std::vector<std::string>& coordinate_names() const { return names_; }
  void name_coordinates(std::vector<std::string> names) { names_ = std::move(names); }
  int nq() const { return n_; }
  int nv() const { return n_; }
  /// Operations of pose, S and c_J together.
  int operations() const { return motion_ ? motion_->symbolic.operations() : 0; }
  /// The program of q and v that computes the pose by rows, S by columns, and c_J.
  const Program& program() const { return motion_->program; }

  /// Code that computes what the program does, and what keeps it alive.
  struct Code {
    void (*run)(const double* const* inputs, double* const* outputs, double* scratch) = nullptr;
    std::shared_ptr<const void> owner;
    std::size_t bytes = 0;
  };
  void use_code(Code code) { code_ = std::move(code); }
  std::size_t code_bytes() const { return code_.bytes; }

  template <class T, int N>
  JointKinematics<T, N> kinematics(const Coordinates<T>& q, const Vector<T, N>& v) const {
    T in[2 * (N > 0 ? N : 1)], out[12 + 6 * N + 6];
    for (int i = 0; i < N; ++i) {
      in[i] = q[i];
      in[N + i] = v[i];
    }
    run(in, out);
    JointKinematics<T, N> k;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) k.E(i, j) = out[3 * j + i];
      k.p[i] = out[9 + i];
    }
    for (int c = 0; c < N; ++c)
      for (int i = 0; i < 6; ++i) k.S.column[c][i] = out[12 + 6 * c + i];
    for (int i = 0; i < 6; ++i) k.c_J[i] = out[12 + 6 * N + i];
    return k;
  }

 private:
  template <class T>
  void run(const T* in, T* out) const {
    if constexpr (std::same_as<T, Expr>) {
      const std::vector<Expr> traced = motion_->symbolic(std::span(in, static_cast<std::size_t>(2 * n_)));
      std::copy(traced.begin(), traced.end(), out);
    } else {
      T scratch[kMostSlots];
      if constexpr (std::same_as<T, double>)
        if (code_.run) return code_.run(&in, &out, scratch);
      motion_->interpreter.run(in, out, scratch);
    }
  }

  void derive(Graph& graph, std::span<const Expr> q, const MotionProduct& G);

  /// Pose by rows, S by columns, c_J, as functions of q and v: on symbols, for translation, and on numbers.
  struct Motion {
    FrozenGraph symbolic;
    Program program;
    Interpreter interpreter;
  };

  int n_ = 0;
  const char* kind_ = name;
  std::vector<std::string> names_;
  std::shared_ptr<const Motion> motion_;            // shared by copies; never changes
  Code code_;                                       // instead of the interpreter on double, where it was compiled
  std::shared_ptr<const ExpressionCharts> charts_;  // none: there are no others
};

}  // namespace cardan
