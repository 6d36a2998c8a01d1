#include "cardan/dynamics/internal/redmax_problem.hpp"

#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/math/orthogonal.hpp"
#include "cardan/solve/internal/conjugate_gradients.hpp"

#include <algorithm>
#include <limits>

namespace cardan {

namespace {

constexpr int kSmall = 60;             // velocities that are solved dense
constexpr double kTolerance = 1e-13;   // of conjugate gradients
constexpr double kGoodEnough = 1e-10;  // where rounding ends them before
constexpr int kMostProducts = 300;
constexpr double kNearlySingularTree = 1e-8;  // 1/condition of H: beyond, loops are solved with the bodies' own motions

void give_up(Out<double> a) { std::fill_n(a.data(), a.size(), std::numeric_limits<double>::quiet_NaN()); }

}  // namespace

RedmaxProblem::RedmaxProblem(const System& system, const Model& model)
    : RecursiveProblem(system, model, Settings::Code::generic),
      workspace_(model),
      kinematics_(model),
      motions_(static_cast<std::size_t>(model.bodies()) + 1),
      forces_(motions_.size()),
      blocks_(system.forces()),
      factor_(model),
      right_(model.nv()),
      product_(model.nv()),
      solution_(model.nv()) {}

bool RedmaxProblem::is_small() const { return model().nv() <= kSmall; }

MaximalProblem& RedmaxProblem::direct() {
  if (!direct_) direct_ = std::make_unique<MaximalProblem>(system(), std::vector<bool>(motions_.size(), false));
  return *direct_;
}

void RedmaxProblem::apply(In<double> q, const Eigen::VectorXd& x, double h, Eigen::VectorXd& out) {
  jacobian_product<double>(model(), workspace_, q, x, motions_);
  for (int i = 1; i <= model().bodies(); ++i)
    forces_[static_cast<std::size_t>(i)] = model().link(i).I * motions_[static_cast<std::size_t>(i)];
  product_.setZero();
  for (std::size_t i = 0; h > 0.0 && i < blocks_.size(); ++i) {
    gather_touched(
        blocks_.touches(i), [&](int body) { return motions_[static_cast<std::size_t>(body)]; },
        [&](int v) { return x[v]; }, touched_);
    blocks_.multiply(i, touched_, pushed_);
    scatter_touched(
        blocks_.touches(i), pushed_,
        [&](int body, const ForceVector<double>& f) { forces_[static_cast<std::size_t>(body)] += f; },
        [&](int v, double tau) { product_[v] += tau; });
  }
  jacobian_transpose_product<double>(model(), workspace_, q, forces_, out);
  for (int v = 0; v < model().nv(); ++v) out[v] += product_[v] + model().armature(v) * x[v];
}

void RedmaxProblem::bias_force(const Point& at, Eigen::VectorXd& out) {
  const Instant instant = kinematics_.at(at.t, at.q, at.v, at.z);
  jacobian_rate_product<double>(model(), workspace_, at.q, at.v, at.v, motions_);
  for (int i = 1; i <= model().bodies(); ++i) {
    const RigidBodyInertia<double>& I = model().link(i).I;
    const MotionVector<double>& v = instant.velocity(i);
    const MotionVector<double> gravity{{}, rotate(instant.X_0(i).E, model().gravity())};
    forces_[static_cast<std::size_t>(i)] = I * (gravity - motions_[static_cast<std::size_t>(i)]) - cross(v, I * v);
  }
  jacobian_transpose_product<double>(model(), workspace_, at.q, forces_, out);
}

void RedmaxProblem::accelerate(const Point& at, In<double> tau, Out<double> a) {
  if (!is_small() && constraints()) return RecursiveProblem::accelerate(at, tau, a);
  bias_force(at, right_);
  for (int v = 0; v < tau.size(); ++v) right_[v] += tau[v];
  if (is_small()) return solve_dense(at, right_, a);
  factor_.reset();
  if (!factor_.factorize(kinematics_.kinematics()) || !iterate(at, 0.0, right_, a)) give_up(a);
}

bool RedmaxProblem::iterate(const Point& at, double h, const Eigen::VectorXd& f, Out<double> a) {
  solution_.setZero();
  const auto run = ConjugateGradients::solve(
      [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) { apply(at.q, x, h, y); },
      [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) { factor_.solve(x.data(), y.data()); }, f, solution_,
      kTolerance, kMostProducts);
  iterations_ = run.iterations;
  std::copy_n(solution_.data(), solution_.size(), a.data());
  return run.residual <= kGoodEnough;
}

/// [H -J'; J 0] (a, lambda) = (f, k), H column by column.
void RedmaxProblem::solve_dense(const Point& at, const Eigen::VectorXd& f, Out<double> a) {
  const int n = model().nv();
  Eigen::MatrixXd H(n, n);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n), column(n);
  for (int v = 0; v < n; ++v) {
    unit[v] = 1.0;
    apply(at.q, unit, 0.0, column);
    H.col(v) = column;
    unit[v] = 0.0;
  }
  const Eigen::LDLT<Eigen::MatrixXd> factor(H);
  // a pivot that is exactly zero is left out of solutions, and so of the estimate of 1/condition
  const auto pivots = factor.vectorD();
  const double condition = n == 0 ? 1.0 : std::min(factor.rcond(), pivots.minCoeff() / pivots.maxCoeff());
  const bool is_regular = condition > 1e-14;
  // point masses, light and massless bodies in loops: H alone says too little
  if (!(condition > kNearlySingularTree) && constraints()) {
    std::vector<double> z_dot(static_cast<std::size_t>(at.z.size()));
    direct().acceleration(at, a, z_dot);
    return constraints()->set_multipliers(direct().multipliers());
  }
  if (!is_regular) return give_up(a);
  Eigen::Map<Eigen::VectorXd> out(a.data(), n);
  out = factor.solve(f);
  if (!constraints()) return;
  ConstrainedDynamics& constrained = *constraints();
  ConstraintSet& set = constrained.constraints();
  set.evaluate(at.t, at.q, at.v);
  Eigen::MatrixXd J(set.rows(), n);
  set.matrix(J);
  const Baumgarte& b = constrained.stabilization;
  const Eigen::VectorXd k = set.k() - 2.0 * b.alpha * set.drift() - b.beta * b.beta * set.gap();
  const Eigen::MatrixXd response = factor.solve(J.transpose());
  Orthogonal schur;
  schur.set_threshold(kRankTolerance);
  schur.compute(J * response);
  const Eigen::VectorXd lambda = schur.solve(k - J * out);
  out += response * lambda;
  constrained.set_multipliers(lambda);
}

bool RedmaxProblem::step_implicitly(const Point& at, double h, Out<double> change) {
  const ImplicitForces which = implicit_forces(Implicit::forces);
  if (is_small() || which == ImplicitForces::exact) return false;
  if (constraints()) return direct().step_implicitly(at, h, change);
  Eigen::VectorXd tau(model().nv());
  generalized_forces(at, tau);
  bias_force(at, right_);
  right_ = h * (right_ + tau);
  factor_.reset();
  if (which == ImplicitForces::definite) {
    const Instant instant = kinematics_.at(at.t, at.q, at.v, at.z, system().u());
    std::fill(forces_.begin(), forces_.end(), ForceVector<double>{});
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Tangent& tangent = blocks_.evaluate_definite(i, instant, system().first_states(), h);
      precondition(i);
      gather_touched(
          blocks_.touches(i), [&](int body) { return instant.velocity(body); }, [&](int v) { return at.v[v]; },
          touched_);
      pushed_.noalias() = (h * h) * (tangent.K * touched_);
      scatter_touched(
          blocks_.touches(i), pushed_,
          [&](int body, const ForceVector<double>& f) { forces_[static_cast<std::size_t>(body)] += f; },
          [&](int v, double f) { right_[v] += f; });
    }
    jacobian_transpose_product<double>(model(), workspace_, at.q, forces_, tau);
    right_ += tau;
  } else {
    h = 0.0;  // nothing is implicit
  }
  (void)kinematics_.at(at.t, at.q, at.v, at.z);
  if (!factor_.factorize(kinematics_.kinematics()) || !iterate(at, h, right_, change)) give_up(change);
  return true;
}

/// Puts into the preconditioner what of a force lies on bodies, velocities, and between neighbors of the tree.
void RedmaxProblem::precondition(std::size_t i) {
  const Touches& touches = blocks_.touches(i);
  const ForceBlocks::Matrix P = blocks_.added_inertia(i);
  const auto slot = [](std::size_t b) { return static_cast<Eigen::Index>(6 * b); };
  for (std::size_t a = 0; a < touches.bodies.size(); ++a) {
    const int body = touches.bodies[a];
    factor_.own(body) += P.block<6, 6>(slot(a), slot(a));
    for (std::size_t b = 0; b < touches.bodies.size(); ++b)
      if (model().link(body).parent == touches.bodies[b]) factor_.with_parent(body) += P.block<6, 6>(slot(b), slot(a));
  }
  const Eigen::Index first = slot(touches.bodies.size());
  for (std::size_t k = 0; k < touches.velocities.size(); ++k) {
    const auto row = first + static_cast<Eigen::Index>(k);
    factor_.diagonal(touches.velocities[k]) += P(row, row);
  }
}

}  // namespace cardan
