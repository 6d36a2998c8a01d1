#include "cardan/simulate/internal/contact_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kMostImpacts = 20;         // in one step, then contacts that bounce stop
constexpr double kSlowest = 1e-3;        // m/s, of an approach that bounces
constexpr int kMostSeparations = 2;      // rounds of a position projection
constexpr double kOfPenetration = 0.02;  // accuracy of a position projection
constexpr double kDeepOverlap = 1e-3;    // m, at the start: refused
constexpr double kShortest = 1e-6;       // of a step: a piece that ends at a closing contact
constexpr int kMostHalvings = 4;         // of a step whose laws are not solved
constexpr double kSoonReleased = 1e-3;   // of a step: a spring that lets go before then is not waited for

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
      mechanism_(problem),
      system_(problem.system()),
      model_(problem.model()),
      rows_(model_, problem.space(), system_.contact(), system_.contacts_act(), system_.bearings(),
            problem.constraints() ? &problem.constraints()->constraints() : nullptr),
      solver_(settings.residual, LawSolver::Finish::polished, method_of(settings.contact_solver)),
      impact_solver_(0.1 * settings.residual),
      position_solver_(kOfPenetration * settings.penetration, LawSolver::Finish::tolerance),
      log_(log),
      penetration_(settings.penetration),
      halves_(settings.contact_solver == ContactSolver::exact),
      gravity_(norm(model_.gravity())),
      equations_(model_),
      trees_(rows_.trees()),
      H_(model_.nv(), model_.nv()),
      f_(model_.nv()),
      tau_(model_.nv()),
      wrenches_(static_cast<std::size_t>(model_.bodies()) + 1),
      x_(static_cast<std::size_t>(model_.nv())),
      z_dot_(static_cast<std::size_t>(nz_)),
      a_(x_.size()),
      kinematics_(model_),
      middle_(state_),
      acceleration_(Eigen::VectorXd::Zero(model_.nv())),
      free_acceleration_(acceleration_) {
  for (const auto& force : system_.forces()) {
    touches_.push_back(force->touches());
    acts_on_bodies_ |= !touches_.back().bodies.empty();
  }
  force_tangents_.resize(touches_.size());
  part_of_velocity_.resize(static_cast<std::size_t>(model_.nv()));
  for (const auto& [first, end] : trees_) {
    LawProblem::Mass& part = mass_pattern_.emplace_back();
    part.first = first;
    part.M.setZero(end - first, end - first);
    for (int k = first; k < end; ++k) part.parent.push_back(std::max(-1, model_.dof_parent(k) - first));
    std::fill(part_of_velocity_.begin() + first, part_of_velocity_.begin() + end,
              static_cast<int>(mass_pattern_.size()) - 1);
  }
  factors_.resize(trees_.size());
  compliant_ = rows_.anything_is_compliant();
  watches_closing_ = rows_.anything_bounces() || compliant_;
  log_ = {};
  log_.summary.mode = "stepping";
  log_.summary.solver = contact_solver_names()[static_cast<std::size_t>(settings.contact_solver)];
  if (const CollisionWorld* world = rows_.world()) log_.owners = world->owners();
}

void ContactStepper::restart() {
  memory_.clear();
  other_forces_.clear();
  log_.forces.clear();
  next_ = state_;
  is_new_ = true;
  expect_free_acceleration(time_);
  log_.summary.since = time_;
  if (CollisionWorld* world = rows_.world()) world->forget();
  if (time_ == 0.0) separate(time_);
}

/// Refuses bodies that start deep inside each other, and moves others apart.
void ContactStepper::separate(double t) {
  rows_.move_to(t, state_.q, state_.v, In<double>(acceleration_.data(), nv_), options_.step, penetration_,
                StepRows::At::start);
  const CollisionWorld* world = rows_.world();
  for (const ContactPoint& point : rows_.points()) {
    if (!(point.gap < -kDeepOverlap) || point.law.stiffness > 0.0) continue;
    const auto name = [&](int shape) {
      return world->owners()[static_cast<std::size_t>(world->shapes()[static_cast<std::size_t>(shape)].owner)];
    };
    throw std::runtime_error(
        fmt::format("simulate: t = {:g}: bodies \"{}\" and \"{}\": expected bodies that start apart, found an overlap "
                    "{:.6g} m deep: "
                    "move them, or ignore the pair in a [[contact]]",
                    t, name(point.shape_a), name(point.shape_b), -point.gap));
  }
}

double ContactStepper::time_of_closing(double h) const {
  double first = h;
  const double slowest = std::max(2.0 * gravity_ * h, kSlowest);
  for (const ContactPoint& point : rows_.points()) {
    const bool compliant = point.law.stiffness > 0.0;
    if (!compliant && point.law.restitution == 0.0) continue;
    if (!compliant && !(point.gap > penetration_)) continue;
    // gap + u t + a t^2 / 2 with the acceleration of free motion
    const auto rate = [&](int body, const Eigen::VectorXd& v) {
      if (body == 0) return 0.0;
      const Transform<double>& X = rows_.instant().X_0(body);
      ForceVector<double> f = X * force_at_point(point.axes[0], point.point);
      double sum = 0.0;
      for (int b = body; b != 0; b = model_.link(b).parent) {
        const Link& link = model_.link(b);
        for (int k = link.v; k < link.v + link.nv; ++k)
          sum += dot(rows_.instant().bodies.S[static_cast<std::size_t>(k)], f) * v[k];
        f = transpose_apply(rows_.instant().bodies.X[static_cast<std::size_t>(b)], f);
      }
      return sum;
    };
    if (compliant && !(point.gap > 1e-12)) {
      // force k (-gap) - d u of a contact that opens, with the acceleration of the step before
      const double a = rate(point.body_b, acceleration_) - rate(point.body_a, acceleration_), u = point.approach;
      const double f = -point.law.stiffness * point.gap - point.law.damping * u;
      const double falls = point.law.stiffness * u + point.law.damping * a, bends = 0.5 * point.law.stiffness * a;
      const double root = falls * falls + 4.0 * bends * f;
      if (!(f > 0.0 && falls > 0.0 && root > 0.0)) continue;
      const double t = 2.0 * f / (falls + std::sqrt(root));
      if (t > kSoonReleased * h && t < first) first = t;
      continue;
    }
    const double u1 = rate(point.body_b, v_free_) - rate(point.body_a, v_free_), u0 = point.approach;
    const double a = (u1 - u0) / h;
    if (point.gap + h * 0.5 * (u0 + u1) > 0.0) continue;
    const double root = std::sqrt(std::max(0.0, u0 * u0 - 2.0 * a * point.gap));
    const double t = 2.0 * point.gap / (-u0 + root);
    if (!(t > 0.0 && t < first) || (!compliant && !(-(u0 + a * t) > slowest))) continue;
    first = t;
  }
  return std::min(first, rows_.time_of_limit(v_free_, h, slowest, penetration_));
}

/// Starts from the forces of the last step: contacts are matched by the names of their features.
void ContactStepper::warm_start() {
  if (memory_.empty() && other_forces_.empty()) {
    guess_.resize(0);
    return;
  }
  guess_.setZero(laws_.rows());
  const double h = time_scale_;
  int behind = 0;
  std::size_t next = 0;
  for (const ContactPoint& point : rows_.points()) {
    if (point.block < 0) continue;
    const LawBlock& block = laws_.blocks()[static_cast<std::size_t>(point.block)];
    behind = std::max(behind, block.first + block.size);
    while (next < memory_.size() &&
           std::pair(memory_[next].shape_a, memory_[next].shape_b) < std::pair(point.shape_a, point.shape_b))
      ++next;
    for (std::size_t i = next;
         i < memory_.size() && memory_[i].shape_a == point.shape_a && memory_[i].shape_b == point.shape_b; ++i)
      if (memory_[i].name_a == point.name_a && memory_[i].name_b == point.name_b) {
        for (int k = 0; k < 3; ++k) guess_[block.first + k] = h * dot(point.axes[k], memory_[i].force);
        break;
      }
  }
  if (static_cast<int>(other_forces_.size()) == laws_.rows() - behind)
    for (std::size_t i = 0; i < other_forces_.size(); ++i) guess_[behind + static_cast<int>(i)] = h * other_forces_[i];
}

void ContactStepper::remember() {
  memory_.clear();
  int behind = 0;
  for (std::size_t i = 0; i < rows_.points().size(); ++i) {
    const ContactPoint& point = rows_.points()[i];
    if (point.block < 0) continue;
    const LawBlock& block = laws_.blocks()[static_cast<std::size_t>(point.block)];
    behind = std::max(behind, block.first + block.size);
    Vec3<double> force{};
    for (int k = 0; k < 3; ++k) force += (impulses_[i][k] / time_scale_) * point.axes[k];
    memory_.push_back({point.shape_a, point.shape_b, point.name_a, point.name_b, force});
  }
  other_forces_.clear();
  for (int row = behind; row < laws_.rows(); ++row) other_forces_.push_back(solution_->lambda[row] / time_scale_);
}

bool ContactStepper::smooth_step(double t1, double h, double bouncing, bool must) {
  const int n = model_.nv();
  time_scale_ = h;
  laws_.v_free = v_free_;
  do {  // an impact elsewhere may drive a joint to a limit that was far
    laws_.clear_rows();
    rows_.add_step(
        t1, h,
        acts_on_bodies_ ? std::span<const ForceVector<double>>(wrenches_) : std::span<const ForceVector<double>>(),
        bouncing, penetration_, laws_);
    warm_start();
    solution_ = &solver_.solve(laws_, guess_);
  } while (rows_.misses_limits(solution_->v, h, penetration_, bouncing));
  evaluations_ += solution_->factorizations;
  if (solution_->unsolved > 0 && !must) return false;
  ContactSummary& summary = log_.summary;
  summary.residual = std::max(summary.residual, solution_->residual);
  summary.penetration = std::max(summary.penetration, depth());
  summary.unsolved += solution_->unsolved > 0 ? 1 : 0;
  summary.rounds += solution_->rounds;

  // which islands have a contact that closes: they move by the new velocities
  closes_.assign(static_cast<std::size_t>(solution_->islands), false);
  const double slow = std::max(2.0 * gravity_ * h, kSlowest);
  int acting = 0;
  const bool whole = laws_.mass.size() != trees_.size();  // trees that forces couple are one part
  const auto part_of = [&](int velocity) {
    return whole ? std::size_t{0} : static_cast<std::size_t>(part_of_velocity_[static_cast<std::size_t>(velocity)]);
  };
  const auto island_of = [&](const LawBlock& block) {
    return static_cast<std::size_t>(solution_->island_of_part[part_of(laws_.columns(block).front())]);
  };
  impulses_.assign(rows_.points().size(), Block3::Zero());
  for (std::size_t i = 0; i < rows_.points().size(); ++i) {
    const ContactPoint& point = rows_.points()[i];
    if (point.block < 0) continue;
    const LawBlock& block = laws_.blocks()[static_cast<std::size_t>(point.block)];
    impulses_[i] = solution_->lambda.segment<3>(block.first);
    if (!(impulses_[i][0] > 0.0)) continue;
    ++acting;
    if (point.law.stiffness == 0.0 && (point.gap > penetration_ || point.approach < -slow))
      closes_[island_of(block)] = true;
  }
  for (const LawBlock& block : laws_.blocks())
    if (block.law == Law::at_least && solution_->lambda[block.first] > 0.0 &&
        (laws_.b[block.first] * h > penetration_ ||
         laws_.J(block)(0, 0) * next_.v[static_cast<std::size_t>(laws_.columns(block).front())] < -slow))
      closes_[island_of(block)] = true;
  summary.contacts = std::max(summary.contacts, acting);
  remember();
  rows_.share_patch_friction(laws_, solution_->lambda, impulses_);

  for (int k = 0; k < n; ++k) {
    const int island = solution_->island_of_part[part_of(k)];
    const bool end = island >= 0 && closes_[static_cast<std::size_t>(island)];
    const double v0 = next_.v[static_cast<std::size_t>(k)], v1 = solution_->v[k];
    free_acceleration_[k] = (v_free_[k] - v0) / h;
    acceleration_[k] = end ? free_acceleration_[k] : (v1 - v0) / h;
    x_[static_cast<std::size_t>(k)] = h * (end ? v1 : 0.5 * (v0 + v1));
    next_.v[static_cast<std::size_t>(k)] = v1;
  }
  space().move(next_.q.data(), x_.data(), next_.q.data());
  space().normalize(next_.q.data());
  return true;
}

/// Moves what overlaps apart, nothing heavy more than needed; velocities stay.
void ContactStepper::move_out_of_overlap(double t) {
  for (int round = 0; round < kMostSeparations; ++round) {
    const double deepest = depth();
    if (round == 0) log_.summary.penetration = std::max(log_.summary.penetration, deepest);
    if (!(deepest > penetration_)) return;
    set_mass(next_.q);
    laws_.clear_rows();
    laws_.v_free.setZero(model_.nv());
    rows_.add_positions(0.5 * penetration_, laws_);
    const IslandSolver::Result& result = position_solver_.solve(laws_);
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = result.v[static_cast<Eigen::Index>(k)];
    space().move(next_.q.data(), x_.data(), next_.q.data());
    rows_.move_to(t, next_.q, next_.v, In<double>(acceleration_.data(), nv_), options_.step, penetration_,
                  StepRows::At::start);
  }
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

/// How deep bodies are inside one another, or joints beyond their limits, at the last look.
double ContactStepper::depth() const {
  double out = rows_.limit_excess();
  for (const ContactPoint& point : rows_.points())
    if (point.law.stiffness == 0.0) out = std::max(out, -point.gap);
  return out;
}

void ContactStepper::apply_impact(double t, double h, const Impact::Limits& limits) {
  const int n = model_.nv();
  set_mass(next_.q);
  v_ = Eigen::Map<const Eigen::VectorXd>(next_.v.data(), n);
  impulses_.assign(rows_.points().size(), Block3::Zero());
  impact_.apply(t, rows_, limits, laws_.mass, impact_solver_, v_, impulses_, log_.summary);
  log_impulses(h);
  Eigen::Map<Eigen::VectorXd>(next_.v.data(), n) = v_;
  expect_free_acceleration(t);
}

void ContactStepper::advance(double h, double t1) {
  const int n = model_.nv();
  next_.q = state_.q;
  next_.v = state_.v;
  next_.z = state_.z;
  log_.forces.clear();
  const Impact::Limits limits{std::max(2.0 * gravity_ * options_.step, kSlowest), penetration_};
  double t = time_, left = h;
  const auto look = [&](StepRows::At at, double piece) {
    rows_.move_to(t, next_.q, next_.v, In<double>(acceleration_.data(), nv_), piece, penetration_, at);
  };
  int halvings = 0;
  double longest = left;  // of a piece
  for (int impacts = 0; left > 0.0;) {
    double piece = std::min(left, longest);
    if ((watches_closing_ || is_new_) && impacts < kMostImpacts) {
      look(StepRows::At::start, left);
      if (Impact::is_due(rows_, rows_.points(), limits, left)) {
        ++impacts;
        apply_impact(t, h, limits);
        continue;
      }
      set_free_motion(t, left);
      piece = std::min(piece, time_of_closing(left));
      if (piece < kShortest * h) piece = std::min(left, kShortest * h);
      if (left - piece < kShortest * h) piece = left;
      if (piece < left && piece < longest) ++impacts;
    }
    // rows of springs speak of the mean over the step, others of its end
    const StepRows::At place = compliant_ ? StepRows::At::start : StepRows::At::end;
    look(place, piece);
    if (depth() > penetration_) {
      look(StepRows::At::start, piece);
      move_out_of_overlap(t);
      look(place, piece);
    }
    set_free_motion(t, piece);
    if (nz_ > 0) problem_.acceleration({t, next_}, Out<double>(a_.data(), n), Out<double>(z_dot_.data(), nz_));
    const double never = std::numeric_limits<double>::infinity();
    if (!smooth_step(piece == left ? t1 : t + piece, piece, impacts < kMostImpacts ? limits.threshold : never,
                     halvings == kMostHalvings || !halves_)) {
      // laws that no method solves are other ones in a shorter step
      ++halvings;
      longest = 0.5 * piece;
      continue;
    }
    longest = left;
    for (std::size_t i = 0; i < z_dot_.size(); ++i) next_.z[i] += piece * z_dot_[i];
    is_new_ = false;
    log_impulses(h);
    t += piece;
    left = piece == left ? 0.0 : left - piece;
  }
  for (std::size_t k = 0; k < a_.size(); ++k) a_[k] = (next_.v[k] - state_.v[k]) / h;
  require_finite(t1, next_, a_);
}

void ContactStepper::build_dense_output(const State& previous, double h, DenseOutput& out) const {
  std::vector<double> x(previous.v.size()), rate(x);
  space().difference(previous.q.data(), state_.q.data(), x.data());
  for (std::size_t k = 0; k < x.size(); ++k) rate[k] = x[k] / h;
  out.q0 = previous.q;
  out.x.set(nullptr, x.data(), rate.data(), rate.data(), h);
  out.v.set_line(previous.v.data(), state_.v.data());
  out.z.set_line(previous.z.data(), state_.z.data());
}

}  // namespace cardan
