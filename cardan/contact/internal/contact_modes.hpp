// The laws of contact, limits and dry friction at the level of accelerations (book 11.3 to 11.5, with friction).
//
// At one instant every law that acts is in a mode:
//   open   no force: the gap grows (state 1 or 2b of the book's Figure 11.4)
//   idle   touching without force, the gap kept zero by the others: not needed to hold the mechanism
//   stick  the relative velocity stays zero: three equations of a contact, one of a limit or of dry friction
//   slip   the gap stays zero while the contact slides along s: one equation, force (n - mu s) lambda
// In given modes accelerations follow from linear equations, with F the columns along which multipliers act:
//   H a = f + F lambda,   R a = c      so that      (R H^-1 F) lambda = c - R H^-1 f.
// Redundant rows are solved by the multipliers nearest to those of the last selection, which satisfy the laws.
//
// Which modes hold is the complementarity problem (11.42) with friction: with a and lambda for velocities and impulses
// it is a LawProblem. Contacts that slide enter with a tangential velocity far above all accelerations, so that their
// friction is opposed to the slip; the linear equations of the modes found are then solved exactly and checked. A
// problem without solution (book Example 11.1, Painleve's rod) is reported, not forced.
#pragma once

#include "cardan/contact/internal/touching_points.hpp"
#include "cardan/dynamics/tree_equations.hpp"
#include "cardan/solve/internal/island_solver.hpp"

namespace cardan {

/// A contact, a limit or the dry friction of a joint that acts, with what the last evaluation found.
struct LawUnit {
  enum class Kind { contact, limit, dry_friction };
  enum class Mode { open, idle, stick, slip };
  Kind kind = Kind::contact;
  Mode mode = Mode::open;
  TouchingPoint point;                    // of a contact
  int q = -1, v = -1;                     // of a joint
  double side = 1.0;                      // of a limit: 1 for the lower one
  double bound = 0.0;                     // the limit, or how much dry friction holds (N m, N)
  Vec3<double> direction{};               // of slip, world axes; of dry friction: its sign first
  Eigen::Vector3d reference{0, 0, 0};     // multipliers at the last selection
  Eigen::Vector3d lambda{0, 0, 0};        // normal and tangents (N)
  Eigen::Vector3d acceleration{0, 0, 0};  // of the rows
  bool lost = false;                      // its features no longer touch

  bool is_closed() const { return mode == Mode::stick || mode == Mode::slip; }
  int size() const { return kind == Kind::contact ? 3 : 1; }
  double gap() const { return point.gap; }
  const Eigen::Vector3d& u() const { return point.u; }
  bool has_friction() const { return kind == Kind::contact && point.law.friction > 0.0; }
  /// Along the slip, positive while it goes on (m/s).
  double progress() const;
  /// How much more friction would hold (N).
  double margin() const;
  bool is_same(const LawUnit& other) const;
  static constexpr double kSlowSlip = 1e-5;  // m/s
  /// Takes the present slip for the direction of slip, unless it is very slow.
  void keep_direction();
  /// Returns the force of a contact on its body b, world axes.
  Vec3<double> force() const {
    return lambda[0] * point.axes[0] + lambda[1] * point.axes[1] + lambda[2] * point.axes[2];
  }
};

class ContactModes {
 public:
  /// Says whether limits and dry friction of joints act beside contacts.
  enum class Joints { alone, with_limits_and_friction };
  /// `set` are equations that hold beside the laws, or null; it must outlive this.
  ContactModes(const Model& model, std::shared_ptr<const ContactScene> scene, ConstraintSet* set, Joints joints);

  /// Evaluates kinematics, mass matrix and equations. False where the mass matrix is not positive definite.
  [[nodiscard]] bool move_to(double t, In<double> q, In<double> v);
  /// Evaluates the accelerations under generalized forces without laws; call after move_to.
  void set_forces(In<double> tau);

  /// Lists what touches within this distance, and all dry friction: modes open, dry friction by its velocity.
  void gather(double touch, std::vector<LawUnit>& out);
  /// Evaluates laws that were gathered at an earlier state; false if some are lost.
  bool follow(std::vector<LawUnit>& units);
  /// Lists contacts and limits whose gap is at most this and that are not among the units.
  const std::vector<LawUnit>& others(const std::vector<LawUnit>& units, double margin);

  struct Limits {
    double rest = 1e-8;   // m/s: slower along the normal is at rest
    double stick = 1e-8;  // m/s: slower across it may stick
  };
  struct Selection {
    bool solved = true;
    double residual = 0.0;  // m/s^2
    std::string worst{};    // where not solved: what is to blame
  };
  /// Finds the modes in which all laws hold, and solves their equations. Units that approach or separate faster than
  /// rest stay open.
  Selection select(std::vector<LawUnit>& units, const Limits& limits);
  /// Solves the equations of the modes that units are in.
  void solve(std::vector<LawUnit>& units);
  const Eigen::VectorXd& acceleration() const { return a_; }
  /// Multipliers of the equations.
  const Eigen::VectorXd& multipliers() const { return lambda_equations_; }
  /// Accelerations without laws and equations.
  const Eigen::VectorXd& free_acceleration() const { return a_free_; }

  /// Computes a displacement that closes the gaps of closed units and equations, nothing heavy more than needed;
  /// returns the largest of these gaps.
  double position_change(const std::vector<LawUnit>& units, Eigen::VectorXd& x);
  /// Computes the change that makes velocities obey closed units and equations; returns the largest error.
  double velocity_change(const std::vector<LawUnit>& units, Eigen::VectorXd& x);
  /// True if the impulses of the last velocity_change() push, and stay within friction.
  bool impulses_hold(const std::vector<LawUnit>& units) const;
  /// Adds the forces of contacts to bodies, in world coordinates.
  void add_wrenches(const std::vector<LawUnit>& units, std::span<ForceVector<double>> wrenches) const;
  /// Adds forces of limits and dry friction to generalized forces.
  void add_joint_forces(const std::vector<LawUnit>& units, Out<double> tau) const;

  /// Names a unit: contact of "box" and "ground".
  std::string name(const LawUnit& unit) const;
  const Instant& instant() const { return *instant_; }
  const Eigen::MatrixXd& mass_matrix() const { return H_; }
  TouchingPoints* points() { return points_ ? &*points_ : nullptr; }
  const Model& model() const { return model_; }
  /// Tells whether any contact or joint has dry friction.
  bool anything_rubs();
  /// Bounds the speed at which bodies approach each other in a state.
  double speed(const State& state) { return points_ ? points_->speed(speeds_.at(0.0, state.q, state.v)) : 0.0; }
  /// Measures how far the nearest pair is apart that is not among the units, where the last contacts were found; `far`
  /// where none is nearer. The endless ground does not count.
  double clearance(const std::vector<LawUnit>& units, double far) const;

 private:
  enum class Level { position, velocity, acceleration };
  using Row = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
  void evaluate_joint(LawUnit& unit) const;
  /// Calls visit(unit) for all limits of joints that stepping holds too.
  template <class Visit>
  void each_limit(const Visit& visit) const;
  /// Finds contacts near the present state, once.
  const std::vector<TouchingPoint>& look();
  void add_equations_to_problem();
  bool match(LawUnit& unit) const;
  void set_rows(const std::vector<LawUnit>& units);
  Eigen::Vector3d slip_direction(const LawUnit& unit) const;
  void stack(const std::vector<LawUnit>& units, Level level);
  /// Solves (R H^-1 F) lambda = rhs - R x0 near the reference.
  void solve_stacked(const Eigen::VectorXd& x0, Eigen::VectorXd& x);
  void add_to_problem(LawUnit& unit, std::size_t index, const Limits& limits, double far);
  void choose(std::vector<LawUnit>& units, const Limits& limits, const IslandSolver::Result& result);
  bool laws_hold(const std::vector<LawUnit>& units, std::string& worst) const;
  double scale() const;

  Model model_;
  ConstraintSet* set_;
  Joints joints_;
  std::optional<TouchingPoints> points_;
  StateKinematics kinematics_, speeds_;
  TreeEquations equations_;
  std::optional<Instant> instant_;
  double follow_margin_ = 1e-3;
  bool is_looked_ = false;
  Eigen::MatrixXd H_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd f_, a_free_, a_, lambda_equations_;
  std::vector<Row> rows_;  // of the units
  std::vector<LawUnit> found_, others_;
  std::vector<std::pair<int, int>> trees_;

  // equations of the modes
  Eigen::MatrixXd R_, F_, HF_, A_, J_;
  Eigen::VectorXd rhs_, reference_, lambda_, weight_, extra_;
  std::vector<int> first_row_;  // of each unit, -1
  int contact_rows_ = 0;        // the first of all
  LawProblem problem_;
  std::vector<int> block_of_, columns_;
  IslandSolver solver_{1e-8};
};

}  // namespace cardan
