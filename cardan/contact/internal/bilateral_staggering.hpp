// Bilateral staggered projections (Sueda's notes, Alg. 8 and 2.11.1), an integrator of its own at velocity level: all
// forces linearly implicit as in linearly_implicit_euler, friction in joints and loops that have a bearing, and contact
// with friction. One step, with the state at its beginning, v_m = J v the velocities of all bodies and
//   M~ = M - h D - h^2 K between bodies, H~ the same in joint coordinates, f~ and f~_m the right sides:
// 1. v_unc: M~ v = f~_m + h f_b between bodies, without joints; v_con: H~ v = f~ + h J' f_b in joint coordinates; both
//    under the rows of loops and of contacts that touch (2.119).
// 2. f_a = M~ (J v_con + h J_dot v - v_unc)/h is what all joints do to the bodies; from the tips to the base, each
//    body's part is the reaction of its joint, and acts on the parent in return. The notes leave h J_dot v out (2.117):
//    reactions then lack the centripetal forces, and 2.120 counts velocity products twice. `velocity_products = false`
//    does the same, for comparison.
// 3. Each joint and loop shares its reaction w among its contact points by least norm (2.118),
//    alpha = h (N W N' + epsilon)^-1 N W w, W the inverse inertias of its two bodies.
// 4. If f_a has settled, (df_a, M~^-1 df_a) < convergence (f_a, M~^-1 f_a), the rounds end.
// 5. Friction: impulses beta of all tangents T minimize beta' T M~^-1 T' beta / 2 - beta' T M~^-1 (f~_m + h f_a) with
//    |beta| <= mu |alpha| (2.114); f_b = -T' beta/h, which is also the first guess of the next step.
// At the end v: H~ v = f~ + h J' (f_a + f_b) under the same rows (2.120), and q moves by h v.
// Bounds are boxes, so that friction depends on the direction of the load by up to sqrt 2: see `bearing` in contact
// stepping for the law without that.
#pragma once

#include "cardan/collision/collision_world.hpp"
#include "cardan/collision/internal/pair_law.hpp"
#include "cardan/contact/contact_log.hpp"
#include "cardan/contact/internal/implicit_contacts.hpp"
#include "cardan/dynamics/force_blocks.hpp"
#include "cardan/dynamics/recursive_problem.hpp"
#include "cardan/integrate/internal/stepper.hpp"
#include "cardan/solve/velocity_program.hpp"

#include <optional>

namespace cardan {

class BilateralStaggering : public Stepper {
 public:
  /// All must outlive it; the log receives what contacts do. Throws ModelError for what the method does not know.
  BilateralStaggering(RecursiveProblem& problem, const IntegratorOptions& options, const Settings& settings,
                      ContactLog& log);

 protected:
  void restart() override;
  void advance(double h, double t1) override;

 private:
  /// A contact of shapes that overlap: its normal is a row of the programs, its tangents have friction.
  struct Touch {
    ContactForce force;
    int row = 0;  // of C
    double mu = 0.0;
    Vec3<double> tangent[2];
  };
  /// Rows of one joint or loop with a bearing.
  struct Rubbing {
    ImplicitContacts contacts;
    Eigen::MatrixXd N_W{};                // N W, columns of body and other
    Eigen::LLT<Eigen::MatrixXd> local{};  // of N W N' + epsilon
    int first_tangent = 0;
  };
  /// Holds the right sides from which the rounds start.
  struct Sides {
    Eigen::VectorXd reduced, maximal;  // f~ and f~_m
  };

  void refuse_the_unknown() const;
  Eigen::Index bodies() const { return static_cast<Eigen::Index>(model_.bodies()); }
  void evaluate(double t, double h);
  void set_jacobian(const Instant& at);
  void set_maximal(const Instant& at, double h);
  void find_touches(const Instant& at);
  /// Rows of loops, of limits that are reached, and of contacts.
  void set_rows(const Instant& at);
  void set_reduced_rows();
  void set_bearings(const Instant& at);
  void stagger(double h);
  void share_reactions(double h);
  Eigen::VectorXd loop_reaction(const ImplicitContacts& contacts, double h) const;
  void rub(double h);
  void log_touches(double h);

  RecursiveProblem& mechanism_;
  const System system_;
  const Model& model_;
  const StaggeringSettings settings_;
  const double gamma_;
  ContactLog& log_;
  std::optional<CollisionWorld> world_;
  StateKinematics kinematics_;
  ForceBlocks blocks_;

  Eigen::MatrixXd H_, K_, D_, J_loops_, J_;  // J_: of all bodies
  Eigen::VectorXd f_, loop_velocity_;
  Eigen::MatrixXd inertia_, M_;  // of all bodies, plain and with implicit forces
  std::vector<Eigen::Matrix<double, 6, 6>> W_;
  Sides sides_;
  VelocityProgram reduced_, maximal_;
  RowsOfProgram reduced_rows_, maximal_rows_;
  std::vector<Touch> touches_;
  std::vector<Rubbing> rubbing_;
  Eigen::MatrixXd T_;
  Eigen::VectorXd J_dot_v_, bound_, f_a_, f_b_, beta_, reaction_;
  std::vector<ForceVector<double>> wrenches_;
  std::vector<double> dv_, x_, tau_;
};

}  // namespace cardan
