// q = gamma(y): all coordinates as functions of a few independent ones. Couplings, gears with their rotors and loops
// whose solution is known in closed form become ordinary equations of motion in y, without drift and without
// multipliers (sections 8.11 and 9.6; Sueda's hyper-reduced coordinates, section 2.6).
#pragma once

#include "cardan/model/model.hpp"
#include "cardan/model/workspace.hpp"
#include "cardan/program/interpreter.hpp"

#include <Eigen/Dense>

#include <functional>
#include <memory>
#include <span>

namespace cardan {

class ReducedCoordinates {
 public:
  /// Gives every coordinate of the model for the symbols y.
  using Closure = std::function<std::vector<Expr>(std::span<const Expr> y)>;

  /// For models whose velocities are the rates of their coordinates. Throws std::invalid_argument on others, and where
  /// gamma gives another number of coordinates.
  ReducedCoordinates(const Model& model, int independent, const Closure& gamma);
  /// The independent coordinates are those that no coupling of the model determines, in the model's order.
  static ReducedCoordinates of_couplings(const Model& model);

  const Model& model() const { return model_; }
  int size() const { return n_; }

  /// q, v = G y_dot and g = G_dot y_dot at y, y_dot.
  void evaluate(std::span<const double> y, std::span<const double> y_dot);
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& v() const { return v_; }
  const Eigen::MatrixXd& G() const { return G_; }
  const Eigen::VectorXd& g() const { return g_; }

  // All of these after evaluate. Forces tau act at the joints of the model; reduced ones are G' tau.

  /// G'HG.
  Eigen::MatrixXd mass_matrix();
  /// G'(C + H g).
  Eigen::VectorXd bias();
  /// y_dot_dot.
  Eigen::VectorXd forward_dynamics(const Eigen::VectorXd& tau);
  /// The reduced forces that give this y_dot_dot.
  Eigen::VectorXd inverse_dynamics(const Eigen::VectorXd& y_dot_dot);
  /// The model's accelerations G y_dot_dot + g.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& y_dot_dot) const { return G_ * y_dot_dot + g_; }

 private:
  Model model_;
  int n_;
  Interpreter interpreter_;  // y, y_dot -> q, G by rows, g
  std::vector<double> in_, out_, scratch_, q_, v_;
  Eigen::MatrixXd G_, H_;
  Eigen::VectorXd g_, tau_;
  std::unique_ptr<Workspace<double>> workspace_;
};

}  // namespace cardan
