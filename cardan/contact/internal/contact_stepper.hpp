// Time stepping with contact, limits and dry friction (Moreau and Jean): from the state at the beginning of a step all
// laws are solved together for the velocities at its end. Gaps that may close are rows before they do (b_n = gap / h),
// so nothing tunnels along a normal. Bodies that bounce are followed to the time of their impact within the step.
// Positions move by the mean of old and new velocities where contacts stay as they are, by the new ones where one
// closes; what overlaps after all is moved apart in the metric of the mass matrix, with velocities left alone.
#pragma once

#include "cardan/contact/internal/free_motion.hpp"
#include "cardan/contact/internal/impact.hpp"
#include "cardan/dynamics/recursive_problem.hpp"
#include "cardan/integrate/internal/stepper.hpp"

namespace cardan {

class ContactStepper : public Stepper {
 public:
  /// All must outlive it; the log receives what contacts do.
  ContactStepper(RecursiveProblem& problem, const IntegratorOptions& options, const Settings& settings,
                 ContactLog& log);

  void interpolate(double t, State& out) const override;

 protected:
  void restart() override;
  void advance(double h, double t1) override;
  void build_dense_output(const State& previous, double h, DenseOutput& out) const override;

 private:
  /// When the first contact closes that bounces or is compliant (or any, with plastic), or a spring lets go, counted
  /// from now; h if none does.
  double time_of_closing(double h, bool plastic) const;
  /// Tells whether the next piece of a step is to end where a contact closes that does not bounce.
  bool closings_matter(double t, double h, int closings);
  void find_contacts(double t, double h, StepRows::At at);
  /// Where the rows of a piece are: those of springs speak of the mean over it, others of its end.
  StepRows::At place() const { return compliant_ ? StepRows::At::start : StepRows::At::end; }
  enum class Piece { taken, too_long, unsolved };
  /// Moves by a piece of a step, from t to t1. Moves nothing where bodies turn too far in it or its laws are not
  /// solved, unless that is a `must`.
  Piece take_piece(double t, double t1, double h, double bouncing, bool must);
  bool fly_freely(double t, double h);
  /// Rows, masses and forces of a step in which nothing moved hold for the next one (contact_rest.cpp).
  bool may_rest() const;
  bool is_at_rest(double h) const;
  void keep_rest(double h);
  bool repeat_rest(double h, double t1);
  void advance_states(double t, double h, const State& at, std::vector<double>& z);
  void make_rows(double t1, double h, double bouncing);
  void solve_laws();
  /// Solves the laws over h and moves; false, with nothing moved, where they are not solved and that is no `must`.
  bool smooth_step(double t1, double h, double bouncing, bool must);
  /// Expects free motion of next_.
  void expect_free_acceleration(double t);
  /// Takes the impulses of the points from the solution.
  void read_impulses();
  /// Moves by the velocities that the laws gave.
  void move(double h);
  void warm_start();
  void remember();
  /// Lets friction oppose the slip at the middle of the piece, where its direction turns.
  void oppose_mean_slip();
  /// Tells whether a contact whose friction does so holds, or nearly: then it must oppose the slip at the end.
  bool mean_slip_ends() const;
  void oppose_end_slip();
  Vec3<double> slip_of(std::size_t point) const;
  double turning_of(std::size_t point, const Vec3<double>& slip) const;
  void separate(double t);
  void foresee_forces();
  void move_out_of_overlap(double t);
  const ContactPoint* deepest() const;
  double depth() const;
  /// Tells whether bodies are deep inside one another at the end of the last piece. Contacts are those of there then.
  bool ends_deep(double t1, double h);
  bool any_contact_pushes() const;
  void note_depth(double t);
  const std::string& shape_owner(int shape) const;
  void apply_impact(double t, double h, const Impact::Limits& limits);
  void log_impulses(double h);

  const System system_;
  const Model& model_;
  StepRows rows_;
  IslandSolver solver_, impact_solver_, position_solver_;
  Impact impact_;
  ContactLog& log_;
  const double penetration_;
  const double slowest_;  // m/s, of an approach that bounces
  RunProfile* const profile_;
  const bool halves_;  // steps whose laws are not solved are repeated in halves; not with methods of the texts
  double gravity_;

  FreeMotion free_;
  Eigen::VectorXd v_free_, v_, guess_;
  LawProblem laws_;           // its mass matrix contains implicit forces after free motion
  std::vector<bool> closes_;  // islands with a contact that closes
  std::vector<double> x_, z_dot_, a_;
  std::vector<double> q0_, v0_;   // where a piece of a step begins
  State middle_;                  // of a piece of a step
  bool is_smooth_ = false;        // no contact closed within the last step
  Eigen::VectorXd acceleration_;  // of the last piece of a step, where no contact closed; free joints: FreeJoint
  struct Rest {
    double h = 0.0;         // length of the step, 0: none is kept
    std::vector<double> q;  // where its rows were made
    Eigen::VectorXd gain;   // of velocities in free motion
  };
  Rest rest_;
  const bool may_rest_;
  std::vector<Block3> impulses_;  // of the points of the present substep
  struct Memory {
    int shape_a, shape_b;
    std::uint32_t name_a, name_b;
    Vec3<double> force;
    Vec3<double> slip;     // where it slides: the velocity of b against a at the end of the piece
    double turning = 0.0;  // rate at which that turned about the normal (rad/s)
  };
  std::vector<ContactForce> earlier_forces_;  // of the pieces of the step before the present one
  std::vector<Memory> memory_, learned_;
  std::vector<int> remembered_;         // of each point: where it lies in the memory, or -1
  std::vector<Vec3<double>> mid_slip_;  // of each point: what friction opposes, less the slip at the end
  std::vector<double> other_forces_;    // of the rows behind the contacts, as long as their number stays
  bool watches_closing_ = false;        // some contacts bounce or are compliant
  bool compliant_ = false;
  bool is_first_ = true;             // never started
  bool is_new_ = true;               // before the first step
  bool expects_free_motion_ = true;  // acceleration_ knows of no contact
  double time_scale_ = 1.0;          // length of the present piece of a step
  const IslandSolver::Result* solution_ = nullptr;
};

}  // namespace cardan
