#include "cardan/contact/internal/contact_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kMostImpacts = 20;         // in one step, then contacts that bounce stop
constexpr double kSlowest = 1e-3;        // m/s, of an approach that bounces, or
constexpr double kSlowOfResidual = 1e5;  // of the residual that laws may have, where that is less
constexpr double kOfPenetration = 0.02;  // accuracy of a position projection
constexpr double kShortest = 1e-6;       // of a step: a piece that ends at a closing contact
constexpr int kMostHalvings = 4;         // of a step whose laws are not solved
constexpr double kShortestDeep = 0.04;   // of a step: pieces that are halved because they end deep
constexpr double kBrief = 1e-3;          // of a step: how long free motion is looked at for its acceleration

/// The method that solves the laws of steps; impacts and overlaps are always solved by the exact one.
LawMethod method_of(ContactSolver solver) {
  return solver == ContactSolver::staggered_projections ? LawMethod::staggered_projections
         : solver == ContactSolver::pyramid             ? LawMethod::pyramid
                                                        : LawMethod::exact;
}

}  // namespace

ContactStepper::ContactStepper(RecursiveProblem& problem, const IntegratorOptions& options, const Settings& settings,
                               ContactLog& log)
    : Stepper("stepping", problem, options, Chart{true}),
      system_(problem.system()),
      model_(problem.model()),
      rows_(model_, problem.space(), system_.contact_scene(), system_.bearings(),
            problem.constraints() ? &problem.constraints()->constraints() : nullptr),
      solver_(settings.residual, LawSolver::Finish::polished, method_of(settings.contact_solver)),
      impact_solver_(0.1 * settings.residual),
      position_solver_(kOfPenetration * settings.penetration, LawSolver::Finish::tolerance),
      log_(log),
      penetration_(settings.penetration),
      slowest_(std::min(kSlowest, kSlowOfResidual * settings.residual)),
      profile_(system_.settings().profile.get()),
      halves_(settings.contact_solver == ContactSolver::exact),
      gravity_(norm(model_.gravity())),
      free_(problem, rows_.trees(), rows_.free()),
      x_(static_cast<std::size_t>(model_.nv())),
      z_dot_(static_cast<std::size_t>(nz_)),
      a_(x_.size()),
      acceleration_(Eigen::VectorXd::Zero(model_.nv())),
      may_rest_(settings.repeat_rest && may_rest()) {
  compliant_ = rows_.anything_is_compliant();
  watches_closing_ = rows_.anything_bounces() || compliant_;
  log_ = {};
  log_.summary.mode = "stepping";
  log_.summary.solver = contact_solver_names()[static_cast<std::size_t>(settings.contact_solver)];
  if (const CollisionWorld* world = rows_.world()) log_.owners = world->owners();
}

void ContactStepper::restart() {
  rest_.h = 0.0;
  memory_.clear();
  other_forces_.clear();
  log_.forces.clear();
  next_ = state_;
  is_new_ = true;
  expect_free_acceleration(time_);
  if (is_first_) log_.summary.since = time_;
  if (CollisionWorld* world = rows_.world()) world->forget();
  if (!is_first_) return;
  is_first_ = false;
  separate(time_);
  foresee_forces();
}

/// Makes a step for nothing but the forces of its contacts, so that the start has some, too.
void ContactStepper::foresee_forces() {
  if (rows_.points().empty()) return;
  const ContactSummary summary = log_.summary;
  const long evaluations = evaluations_;
  try {
    advance(options_.step, time_ + options_.step);
  } catch (const StepFailure&) {
    log_.forces.clear();  // the first step itself will fail and say why
  }
  evaluations_ = evaluations;
  log_.summary = summary;
  rest_.h = 0.0;
  memory_.clear();
  other_forces_.clear();
  if (CollisionWorld* world = rows_.world()) world->forget();
  next_ = state_;
  is_new_ = true;
  expect_free_acceleration(time_);
}

void ContactStepper::make_rows(double t1, double h, double bouncing) {
  const RunProfile::Scope scope(profile_, RunProfile::Part::rows);
  laws_.clear_rows();
  rows_.add_step(t1, h, free_.wrenches(), bouncing, penetration_, laws_);
  warm_start();
  oppose_mean_slip();
}

void ContactStepper::solve_laws() {
  const RunProfile::Scope scope(profile_, RunProfile::Part::laws);
  solution_ = &solver_.solve(laws_, guess_);
}

bool ContactStepper::smooth_step(double t1, double h, double bouncing, bool must) {
  time_scale_ = h;
  free_.express(rows_.instant().q.data(), v_free_);
  laws_.v_free = v_free_;
  do {  // an impact elsewhere may drive a joint to a limit that was far
    make_rows(t1, h, bouncing);
    solve_laws();
    if (mean_slip_ends()) {
      oppose_end_slip();
      solve_laws();
    }
  } while (rows_.misses_limits(solution_->v, h, penetration_, bouncing));
  evaluations_ += solution_->factorizations;
  if (solution_->unsolved > 0 && !must) return false;
  ContactSummary& summary = log_.summary;
  summary.residual = std::max(summary.residual, solution_->residual);
  summary.unsolved += solution_->unsolved > 0 ? 1 : 0;
  summary.rounds += solution_->rounds;

  // which islands have a contact that closes: they move by the new velocities
  closes_.assign(static_cast<std::size_t>(solution_->islands), false);
  const double slow = std::max(2.0 * gravity_ * h, slowest_);
  int acting = 0;
  const auto island_of = [&](const LawBlock& block) {
    const std::size_t part = free_.part_of(laws_.columns(block).front(), laws_.mass);
    return static_cast<std::size_t>(solution_->island_of_part[part]);
  };
  const auto rate_before = [&](const LawBlock& block) {
    const std::span<const int> columns = laws_.columns(block);
    double sum = 0.0;
    for (std::size_t c = 0; c < columns.size(); ++c)
      sum += laws_.J(block)(0, static_cast<Eigen::Index>(c)) * next_.v[static_cast<std::size_t>(columns[c])];
    return sum;
  };
  read_impulses();
  for (std::size_t i = 0; i < rows_.points().size(); ++i) {
    const ContactPoint& point = rows_.points()[i];
    if (!(impulses_[i][0] > 0.0)) continue;
    const LawBlock& block = laws_.blocks()[static_cast<std::size_t>(point.block)];
    ++acting;
    if (point.law.stiffness == 0.0 && (point.gap > penetration_ || point.approach < -slow))
      closes_[island_of(block)] = true;
  }
  for (const LawBlock& block : laws_.blocks())
    if (block.law == Law::at_least && solution_->lambda[block.first] > 0.0 &&
        (laws_.b[block.first] * h > penetration_ || rate_before(block) < -slow))
      closes_[island_of(block)] = true;
  summary.contacts = std::max(summary.contacts, acting);
  remember();
  rows_.share_patch_friction(laws_, solution_->lambda, impulses_);

  move(h);
  expects_free_motion_ = false;
  return true;
}

void ContactStepper::read_impulses() {
  impulses_.assign(rows_.points().size(), Block3::Zero());
  for (std::size_t i = 0; i < rows_.points().size(); ++i)
    if (const int block = rows_.points()[i].block; block >= 0)
      impulses_[i] = solution_->lambda.segment<3>(laws_.blocks()[static_cast<std::size_t>(block)].first);
}

void ContactStepper::move(double h) {
  const auto by_end_alone = [&](int velocity) {
    const int island = solution_->island_of_part[free_.part_of(velocity, laws_.mass)];
    return island >= 0 && closes_[static_cast<std::size_t>(island)];
  };
  q0_ = next_.q;
  v0_ = next_.v;
  next_.q = free_.middle();  // from where half a step by the new velocities is left
  for (int body = 1; body <= model_.bodies(); ++body) {
    const Link& link = model_.link(body);
    if (link.nv == 0) continue;
    const bool end = by_end_alone(link.v);
    is_smooth_ &= !end;
    if (end) std::copy_n(q0_.begin() + link.q, link.nq, next_.q.begin() + link.q);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double v1 = solution_->v[k];
      acceleration_[k] = end ? free_.acceleration()[k] : (v1 - v0_[i]) / h;
      x_[i] = (end ? h : 0.5 * h) * v1;
      next_.v[i] = v1;
    }
  }
  space().move(next_.q.data(), x_.data(), next_.q.data());
  for (std::size_t i = 0; i < rows_.free().size(); ++i) {
    const FreeJoint& joint = rows_.free()[i];
    const bool end = by_end_alone(joint.velocity());
    joint.move(q0_.data(), v0_.data(), free_.flights()[i], joint.carried(rows_.instant().q.data(), solution_->v.data()),
               end, h, next_.q.data(), next_.v.data(), acceleration_.data());
    if (end) acceleration_.segment<6>(joint.velocity()) = free_.acceleration().segment<6>(joint.velocity());
  }
  space().normalize(next_.q.data());
}

void ContactStepper::expect_free_acceleration(double t) {
  free_.expect(t, kBrief * options_.step, next_, laws_.mass);
  acceleration_ = free_.acceleration();
  expects_free_motion_ = true;
}

void ContactStepper::log_impulses(double h) {
  const auto owner = [&](int shape) { return rows_.world()->shapes()[static_cast<std::size_t>(shape)].owner; };
  const auto earlier = static_cast<std::ptrdiff_t>(log_.forces.size());  // of other pieces of the step
  for (std::size_t i = 0; i < rows_.points().size(); ++i) {
    const ContactPoint& point = rows_.points()[i];
    Vec3<double> force{};
    for (int k = 0; k < 3; ++k) force += (impulses_[i][k] / h) * point.axes[k];
    const auto end = log_.forces.begin() + earlier;
    const auto same = std::find_if(log_.forces.begin(), end, [&](const ContactForce& other) {
      return other.shape_a == point.shape_a && other.shape_b == point.shape_b && norm(other.point - point.point) < 1e-9;
    });
    if (same != end)
      same->force += force;
    else if (point.block >= 0 || !impulses_[i].isZero(0.0))
      log_.forces.push_back({point.shape_a, point.shape_b, owner(point.shape_a), owner(point.shape_b), point.body_a,
                             point.body_b, point.point, point.axes[0], point.gap, force});
  }
}

bool ContactStepper::any_contact_pushes() const {
  return std::any_of(impulses_.begin(), impulses_.end(), [](const Block3& impulse) { return impulse[0] > 0.0; });
}

void ContactStepper::apply_impact(double t, double h, const Impact::Limits& limits) {
  const RunProfile::Scope scope(profile_, RunProfile::Part::impacts);
  const int n = model_.nv();
  free_.set_mass(next_.q, laws_.mass);
  v_ = Eigen::Map<const Eigen::VectorXd>(next_.v.data(), n);
  impulses_.assign(rows_.points().size(), Block3::Zero());
  impact_.apply(t, rows_, limits, laws_.mass, impact_solver_, v_, impulses_, log_.summary);
  log_impulses(h);
  Eigen::Map<Eigen::VectorXd>(next_.v.data(), n) = v_;
  expect_free_acceleration(t);
}

void ContactStepper::find_contacts(double t, double h, StepRows::At at) {
  const RunProfile::Scope scope(profile_, RunProfile::Part::detection);
  rows_.move_to(t, next_.q, next_.v, In<double>(acceleration_.data(), nv_), h, penetration_, at);
}

ContactStepper::Piece ContactStepper::take_piece(double t, double t1, double h, double bouncing, bool must) {
  find_contacts(t, h, place());
  if (depth() > penetration_) {
    find_contacts(t, h, StepRows::At::start);
    move_out_of_overlap(t);
    find_contacts(t, h, place());
  } else {
    note_depth(t);
  }
  if (!fly_freely(t, h) && h > kShortest * options_.step) return Piece::too_long;
  return smooth_step(t1, h, bouncing, must) ? Piece::taken : Piece::unsolved;
}

/// Computes free motion from next_, with forces that see their own states at mid-step.
bool ContactStepper::fly_freely(double t, double h) {
  const RunProfile::Scope scope(profile_, RunProfile::Part::free_motion);
  middle_ = next_;
  advance_states(t, 0.5 * h, next_, middle_.z);
  return free_.advance(t, h, middle_, laws_.mass);
}

/// Moves states of forces on by h, with their rates at a time and state.
void ContactStepper::advance_states(double t, double h, const State& at, std::vector<double>& z) {
  if (nz_ == 0) return;
  problem_.acceleration({t, at}, Out<double>(a_.data(), nv_), Out<double>(z_dot_.data(), nz_));
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += h * z_dot_[i];
}

void ContactStepper::advance(double h, double t1) {
  if (repeat_rest(h, t1)) return;
  next_.q = state_.q;
  next_.v = state_.v;
  next_.z = state_.z;
  log_.forces.clear();
  is_smooth_ = true;
  const long unsolved_before = log_.summary.unsolved;
  const Impact::Limits limits{std::max(2.0 * gravity_ * options_.step, slowest_), penetration_};
  double t = time_, left = h;
  int halvings = 0, closings = 0;
  double longest = left, farthest = left;  // of a piece: for its laws, and for what turns
  for (int impacts = 0; left > 0.0;) {
    double piece = std::min({left, longest, farthest});
    const bool plastic = closings_matter(t, left, closings);
    if ((watches_closing_ || is_new_ || plastic) && impacts < kMostImpacts) {
      if (!watches_closing_ && !is_new_) find_contacts(t, left, StepRows::At::start);
      if (Impact::is_due(rows_, rows_.points(), limits, left)) {
        ++impacts;
        is_smooth_ = false;
        apply_impact(t, h, limits);
        continue;
      }
      (void)fly_freely(t, left);
      free_.express(rows_.instant().q.data(), v_free_);
      piece = std::min(piece, time_of_closing(left, plastic));
      if (piece < kShortest * h) piece = std::min(left, kShortest * h);
      if (left - piece < kShortest * h) piece = left;
      if (piece < left && piece < longest) {
        ++impacts;
        ++closings;
      }
    }
    const double t_end = piece == left ? t1 : t + piece;
    const double bouncing = impacts < kMostImpacts ? limits.threshold : std::numeric_limits<double>::infinity();
    const bool must = halvings == kMostHalvings || !halves_;
    const bool expects_free_motion = expects_free_motion_;
    Piece result = take_piece(t, t_end, piece, bouncing, must);
    if (result == Piece::taken && expects_free_motion && any_contact_pushes()) {
      // rows were where free motion leads; with the acceleration that contacts allow they are where the piece ends
      next_.q = q0_;
      next_.v = v0_;
      result = take_piece(t, t_end, piece, bouncing, must);
    }
    if (result == Piece::too_long) {
      farthest = 0.5 * piece;
      continue;
    }
    if (result == Piece::unsolved) {
      // laws that no method solves are other ones in a shorter step
      ++halvings;
      longest = 0.5 * piece;
      continue;
    }
    earlier_forces_ = log_.forces;
    log_impulses(h);
    if (piece > kShortestDeep * h && ends_deep(t_end, piece)) {
      next_.q = q0_;
      next_.v = v0_;
      log_.forces = earlier_forces_;
      longest = 0.5 * piece;
      continue;
    }
    longest = left;
    middle_.q = free_.middle();
    for (std::size_t k = 0; k < v0_.size(); ++k) middle_.v[k] = 0.5 * (v0_[k] + next_.v[k]);
    advance_states(t + 0.5 * piece, piece, middle_, next_.z);
    is_new_ = false;
    t += piece;
    left = piece == left ? 0.0 : left - piece;
  }
  log_.summary.unsolved = std::min(log_.summary.unsolved, unsolved_before + 1);  // pieces and impacts of one step
  for (std::size_t k = 0; k < a_.size(); ++k) a_[k] = (next_.v[k] - state_.v[k]) / h;
  require_finite(t1, next_, a_);
  keep_rest(h);
}

}  // namespace cardan
