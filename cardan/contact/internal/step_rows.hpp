// The rows of one step of a mechanism with contact: which velocities they touch and which laws they obey. Contacts give
// a cone each (normal, two tangents), with discs for rolling and torsional friction; joints give limits, dry friction
// and bearings; loops, couplings and prescribed motions give equations.
//
// The reaction that a bearing carries is that of inverse dynamics over the step: with f0 the wrench at zero
// acceleration and I_j the inertia that velocity j moves beyond the joint,
//   impulse = h f0 + sum_j (d f/d a_j) (v_j - v0_j) - sum of multipliers times their wrenches on the subtree.
#pragma once

#include "cardan/collision/collision_world.hpp"
#include "cardan/collision/internal/pair_law.hpp"
#include "cardan/constraints/constraint_set.hpp"
#include "cardan/constraints/loop_motion.hpp"
#include "cardan/contact/internal/free_joints.hpp"
#include "cardan/dynamics/bearing.hpp"
#include "cardan/dynamics/state_space.hpp"
#include "cardan/solve/law_problem.hpp"

#include <memory>
#include <optional>

namespace cardan {

/// A contact at one instant.
struct ContactPoint {
  int shape_a = 0, shape_b = 0;
  std::uint32_t name_a = 0, name_b = 0;
  int body_a = 0, body_b = 0;
  double gap = 0.0;             // m
  Vec3<double> point, axes[3];  // normal from a to b, two tangents
  PairLaw law;
  double approach = 0.0;  // rate of the gap (m/s)
  int block = -1;         // in the problem
  bool in_patch = false;  // its friction is that of an AreaPatch
};

/// A flat contact that rubs over its area: friction f at its center and moment m about the normal obey
/// |(f, m / arm)| <= mu N with arm^2 the polar second moment of the area over the area, an ellipsoid in place of the
/// limit surface of an even pressure.
struct AreaPatch {
  std::vector<int> points;  // of StepRows::points
  Vec3<double> center{};
  double arm = 0.0;  // m
  int block = -1;    // in the problem
};

/// One side of the limits of a coordinate, where an impact finds it.
struct LimitSide {
  int v = 0, side = 1;    // velocity; 1: the lower limit, -1: the upper one
  double approach = 0.0;  // rate of its gap (rad/s or m/s)
  double restitution = 0.0;
  int block = -1;  // in the problem
};

/// Coefficients of the gap's rate before and after a step in the impulse of a spring and damper.
struct SpringRule {
  double before = 0.0, after = 0.0;  // [N s/m]
};
/// Chooses them for stiffness k, damping d and a mass m that swings on them, with steps of length h.
SpringRule spring_rule(double k, double d, double m, double h);

class StepRows {
 public:
  /// `scene`: what may touch; null where nothing does. `set` are equations that hold beside the laws, or null. Space
  /// and set must outlive it.
  StepRows(const Model& model, const StateSpace& space, std::shared_ptr<const ContactScene> scene,
           std::vector<Bearing> bearings, ConstraintSet* set);

  CollisionWorld* world() { return world_ ? &*world_ : nullptr; }
  const CollisionWorld* world() const { return world_ ? &*world_ : nullptr; }
  const Instant& instant() const { return *instant_; }
  const std::vector<FreeJoint>& free() const { return free_; }
  std::vector<ContactPoint>& points() { return points_; }
  const std::vector<ContactPoint>& points() const { return points_; }

  /// Where rows are evaluated: at the state, or at the pose that its velocities lead to, where the step will end.
  enum class At { start, end };
  /// Finds the contacts that may close within h of a state; a is the acceleration that is expected, that of free joints
  /// as FreeJoint has it. At the end what
  /// rolls or turns obeys its laws where it will be; gaps are those of the state.
  void move_to(double t, In<double> q, In<double> v, In<double> a, double h, double tolerance, At at);

  /// Contacts that close within the step.
  struct Closing {
    int points = 0;       // that approach faster than asked for
    bool passes = false;  // some pair would come out on its other side
  };
  /// Counts them, after move_to the end.
  Closing closing(double slowest) const;

  /// Appends the rows of a step of length h that ends at t1. `wrenches` act on the bodies, in their coordinates.
  /// Contacts that bounce and approach faster than `bouncing` are left out while they are apart: their impact is waited
  /// for.
  void add_step(double t1, double h, std::span<const ForceVector<double>> wrenches, double bouncing, double tolerance,
                LawProblem& problem);
  /// Appends the rows of an impact: contacts that touch within their `reach`, with b_n = restitution * e * approach.
  void add_impact(double t, double restitution, double threshold, double tolerance, LawProblem& problem);
  /// Shares the friction of area patches among their points, in proportion to the normal impulses, for reports.
  void share_patch_friction(const LawProblem& problem, const Eigen::VectorXd& lambda,
                            std::vector<Eigen::Vector3d>& impulses) const;
  /// The limits whose rows add_impact appended, or that touching_limits found.
  const std::vector<LimitSide>& reached_limits() const { return reached_; }
  /// Finds the limits that are reached within the tolerance, plus what is closed in the present step.
  const std::vector<LimitSide>& touching_limits(double tolerance);
  /// Tells whether a joint reaches a limit that bounces faster than `threshold`.
  bool limit_bounces(double threshold, double tolerance) const;
  /// Computes when the first limit closes that bounces, with velocities that change evenly to v1 in h; h if none does.
  double time_of_limit(const Eigen::VectorXd& v1, double h, double slowest, double tolerance) const;
  /// Appends one limit alone, with Newton's restitution, and the equations.
  void add_single_limit_impact(double t, int limit, double approach, LawProblem& problem);
  /// Appends one contact alone, with Newton's restitution, and the equations.
  void add_single_impact(double t, int point, double approach, LawProblem& problem);
  /// Appends normals and limits as bounds on a displacement, b their gaps less `keep`.
  void add_positions(double keep, LawProblem& problem);
  /// Says whether velocities v at the end of a step of length h lead beyond limits that were not near enough to be rows
  /// of add_step; these are from now on, until move_to. Limits that bounce faster than `bouncing` wait for their
  /// impact.
  bool misses_limits(const Eigen::VectorXd& v, double h, double tolerance, double bouncing);
  /// By how much the worst limit is exceeded (rad or m).
  double limit_excess() const;
  /// Tells whether any pair bounces or is compliant.
  bool anything_bounces() const;
  bool anything_is_compliant() const;
  /// The parts of the tree that only rows couple: velocities [first, end).
  std::vector<std::pair<int, int>> trees() const;

  bool touches(const ContactPoint& point, double tolerance, double h) const;

 private:
  struct Wrench {  // of a unit multiplier
    int row = 0, body = 0;
    ForceVector<double> f;  // world coordinates
  };
  struct LimitedVelocity {
    int q = 0, v = 0;
    double lower = 0.0, upper = 0.0, restitution = 0.0;
    bool is_missed = false;  // the step would lead beyond it
  };
  /// Appends a block for wrenches on b and their opposites on a, in world coordinates.
  int add_relative(Law law, int body_a, int body_b, std::span<const ForceVector<double>> f, double bound,
                   double compliance, LawProblem& problem);
  int add_contact(ContactPoint& point, double b_n, double R, LawProblem& problem);
  void add_spring(ContactPoint& point, double h, LawProblem& problem);
  double mass_at(const ContactPoint& point, const LawProblem& problem) const;
  /// Finds the flat contacts whose shapes say patch = "area"; their points rub together.
  void find_patches(double tolerance);
  void measure_patch(AreaPatch& patch) const;
  void add_patch_friction(LawProblem& problem);
  void add_rolling(const ContactPoint& point, LawProblem& problem);
  double limit_gap(const LimitedVelocity& limit, int side) const;
  bool reaches(double gap, double approach, double tolerance, double h) const;
  int add_limit(int velocity, int side, double b, LawProblem& problem);
  void add_limits(double h, double bouncing, double tolerance, LawProblem& problem);
  void add_limit_impacts(double restitution, double threshold, double tolerance, LawProblem& problem);
  void add_limit_positions(double keep, LawProblem& problem);
  void add_dry_friction(double h, LawProblem& problem);
  /// Finds the coordinates of loops with laws of their own, where the step begins.
  void find_loops(double t);
  /// Calls visit(loop, coordinate, side, gap) for both limits of every coordinate of such loops.
  template <class Visit>
  void each_loop_limit(const Visit& visit) const;
  /// The wrench of a unit drive at a coordinate on the loop's body b, or else a's opposite, in world coordinates.
  ForceVector<double> unit_drive(const LoopMotion& loop, int coordinate) const;
  int add_loop_limit(const LoopMotion& loop, int coordinate, int side, double b, LawProblem& problem);
  void add_loop_limits(double h, LawProblem& problem);
  void add_loop_limit_impacts(double tolerance, LawProblem& problem);
  void add_loop_limit_positions(double keep, LawProblem& problem);
  void add_loop_friction(double h, LawProblem& problem);
  void add_equations(double t1, LawProblem& problem);
  void add_bearings(double h, std::span<const ForceVector<double>> wrenches, LawProblem& problem);
  void add_bearing(const Bearing& bearing, double h, LawProblem& problem);
  void add_loop_bearing(const Bearing& bearing, LawProblem& problem);
  void gather_reactions(std::span<const ForceVector<double>> wrenches);

  Model model_;
  std::vector<Bearing> bearings_;
  ConstraintSet* set_;
  std::optional<CollisionWorld> world_;
  StateKinematics kinematics_;
  std::optional<Instant> instant_;
  const StateSpace& space_;
  std::vector<FreeJoint> free_;
  std::vector<double> q0_, v0_, q_, v_, x_;  // where the step begins, where rows are evaluated
  double h_ = 0.0;
  StateKinematics start_;
  struct KnownGap {
    int shape_a, shape_b;
    std::uint32_t name_a, name_b;
    double gap;
    bool closes;  // within the step, by its velocity
    Vec3<double> normal;
  };
  bool passes(const KnownGap& start) const;
  ContactPoint point_of(const WorldContact& found) const;
  static double approach(const Instant& at, const ContactPoint& point);
  PairLaws laws_;
  std::vector<KnownGap> gaps_;  // at the beginning of the step
  std::vector<ContactPoint> points_;
  std::vector<LimitedVelocity> limits_;
  std::vector<LoopMotion> loops_;  // with limits or dry friction
  std::vector<LimitSide> reached_;
  std::vector<AreaPatch> patches_;
  std::vector<Wrench> wrenches_;    // of the problem's rows
  std::vector<int> equation_rows_;  // first row of each equation
  std::vector<ForceVector<double>> reaction_;
  std::vector<RigidBodyInertia<double>> composite_;
  std::vector<int> columns_, mark_;
  std::vector<double> entries_;
};

}  // namespace cardan
