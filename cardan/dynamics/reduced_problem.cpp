#include "cardan/dynamics/reduced_problem.hpp"

#include "cardan/dynamics/internal/loop_coordinates.hpp"
#include "cardan/dynamics/internal/row_curvature.hpp"

#include <algorithm>

namespace cardan {

namespace {

std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n)); }

std::unique_ptr<const IndependentCoordinates> make_coordinates(const RecursiveProblem& full,
                                                               const std::vector<std::string>& independent) {
  if (independent.empty()) return std::make_unique<const CoupledCoordinates>(full.model());
  return std::make_unique<const LoopCoordinates>(full.model(), full.space(), independent);
}

}  // namespace

CoupledCoordinates::CoupledCoordinates(const Model& model) : model_(model) {
  std::vector<const Coupling*> follows(static_cast<std::size_t>(model.nv()), nullptr);
  const auto velocity = [&](const Coupling::CoordinateRef& c) { return model.link(c.body).v + c.k; };
  const auto coordinate = [&](const Coupling::CoordinateRef& c) { return model.link(c.body).q + c.k; };
  for (const Coupling& coupling : model_.couplings())
    follows[static_cast<std::size_t>(velocity(coupling.dependent))] = &coupling;
  for (int i = 0; i < model.nv(); ++i)
    if (follows[static_cast<std::size_t>(i)] == nullptr) independent_.push_back(i);
  std::vector<bool> placed(follows.size());
  const auto place = [&](const auto& self, int v) -> void {
    const Coupling* coupling = follows[static_cast<std::size_t>(v)];
    if (coupling == nullptr || placed[static_cast<std::size_t>(v)]) return;
    placed[static_cast<std::size_t>(v)] = true;
    Dependent out{coupling, coordinate(coupling->dependent), v, {}, {}};
    for (const Coupling::CoordinateRef& source : coupling->sources) {
      self(self, velocity(source));
      out.source_q.push_back(coordinate(source));
      out.source_v.push_back(velocity(source));
    }
    dependent_.push_back(std::move(out));
    memory_.emplace_back(coupling->f);
  };
  for (int i = 0; i < model.nv(); ++i) place(place, i);
}

template <class Visit>
void CoupledCoordinates::each(const double* q, const double* v, const Visit& visit) const {
  for (std::size_t i = 0; i < dependent_.size(); ++i) {
    const Dependent& d = dependent_[i];
    CouplingFunction::Memory& m = memory_[i];
    for (std::size_t k = 0; k < d.source_q.size(); ++k) {
      m.x[k] = q[d.source_q[k]];
      m.v[k] = v == nullptr ? 0.0 : v[d.source_v[k]];
    }
    d.coupling->f(m);
    visit(d, m);
  }
}

void CoupledCoordinates::close(double* q) const {
  each(q, nullptr, [&](const Dependent& d, const CouplingFunction::Memory& m) { q[d.q] = m.f(); });
}

void CoupledCoordinates::expand(const double* q, const double* y_dot, double* v) const {
  for (std::size_t i = 0; i < independent_.size(); ++i) v[independent_[i]] = y_dot[i];
  each(q, nullptr, [&](const Dependent& d, const CouplingFunction::Memory& m) {
    v[d.v] = 0.0;
    for (std::size_t k = 0; k < d.source_v.size(); ++k) v[d.v] += m.gradient(static_cast<int>(k)) * v[d.source_v[k]];
  });
}

void CoupledCoordinates::expand(const double* q, const double* v, const double* y_ddot, double* a) const {
  for (std::size_t i = 0; i < independent_.size(); ++i) a[independent_[i]] = y_ddot == nullptr ? 0.0 : y_ddot[i];
  each(q, v, [&](const Dependent& d, const CouplingFunction::Memory& m) {
    a[d.v] = m.curvature();
    for (std::size_t k = 0; k < d.source_v.size(); ++k) a[d.v] += m.gradient(static_cast<int>(k)) * a[d.source_v[k]];
  });
}

void CoupledCoordinates::matrix(const double* q, Eigen::MatrixXd& G) const {
  G.setZero(model_.nv(), size());
  for (std::size_t i = 0; i < independent_.size(); ++i) G(independent_[i], static_cast<Eigen::Index>(i)) = 1.0;
  each(q, nullptr, [&](const Dependent& d, const CouplingFunction::Memory& m) {
    for (std::size_t k = 0; k < d.source_v.size(); ++k)
      G.row(d.v) += m.gradient(static_cast<int>(k)) * G.row(d.source_v[k]);
  });
}

ReducedSpace::ReducedSpace(const StateSpace& full, const IndependentCoordinates& coordinates)
    : full_(full), coordinates_(coordinates), a_(zeros(full.sizes().v)), b_(a_) {}

const double* ReducedSpace::embed(const double* x, std::vector<double>& out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < coordinates_.independent().size(); ++i)
    out[static_cast<std::size_t>(coordinates_.independent()[i])] = x[i];
  return out.data();
}

void ReducedSpace::move(const double* q, const double* x, double* out) const {
  full_.move(q, embed(x, a_), out);
  coordinates_.close(out);
}

void ReducedSpace::difference(const double* q0, const double* q1, double* x) const {
  full_.difference(q0, q1, a_.data());
  coordinates_.pick(a_.data(), x);
}

void ReducedSpace::increment_rate(const double* x, const double* v, double* rate) const {
  embed(x, a_);
  embed(v, b_);
  full_.increment_rate(a_.data(), b_.data(), b_.data());
  coordinates_.pick(b_.data(), rate);
}

void ReducedSpace::increment_velocity(const double* x, const double* rate, double* v) const {
  embed(x, a_);
  embed(rate, b_);
  full_.increment_velocity(a_.data(), b_.data(), b_.data());
  coordinates_.pick(b_.data(), v);
}

void ReducedSpace::increment_velocity_derivative(const double* x, const double* u, double* out) const {
  const int n = full_.sizes().v;
  embed(x, a_);
  embed(u, b_);
  Eigen::MatrixXd all(n, n);
  full_.increment_velocity_derivative(a_.data(), b_.data(), all.data());
  Eigen::Map<Eigen::MatrixXd>(out, coordinates_.size(), coordinates_.size()) =
      all(coordinates_.independent(), coordinates_.independent());
}

void ReducedSpace::coordinate_rate(const double* q, const double* v, double* rate) const {
  coordinates_.expand(q, v, a_.data());
  full_.coordinate_rate(q, a_.data(), rate);
}

void ReducedSpace::normalize(double* q) const {
  full_.normalize(q);
  coordinates_.close(q);
}

std::string ReducedSpace::name_of_velocity(int i) const {
  return full_.name_of_velocity(coordinates_.independent()[static_cast<std::size_t>(i)]);
}

ReducedProblem::ReducedProblem(RecursiveProblem& full, const std::vector<std::string>& independent)
    : full_(full),
      own_coordinates_(make_coordinates(full, independent)),
      coordinates_(*own_coordinates_),
      space_(full.space(), coordinates_),
      v_(zeros(full.model().nv())),
      a_(v_),
      r_(v_) {}

ReducedProblem::~ReducedProblem() = default;

Point ReducedProblem::expand(const Point& at) {
  coordinates_.expand(at.q.data(), at.v.data(), v_.data());
  return {at.t, at.q, v_, at.z};
}

void ReducedProblem::residual(const Point& at, In<double> a, In<double>, Out<double> r, Out<double>) {
  const Point full = expand(at);
  coordinates_.expand(at.q.data(), v_.data(), a.data(), a_.data());
  full_.residual(full, a_, {nullptr, 0}, r_, {nullptr, 0});
  coordinates_.matrix(at.q.data(), G_);
  Eigen::Map<Eigen::VectorXd>(r.data(), r.size()) =
      G_.transpose() * Eigen::Map<const Eigen::VectorXd>(r_.data(), G_.rows());
}

void ReducedProblem::acceleration(const Point& at, Out<double> a, Out<double> z_dot) {
  const Point full = expand(at);
  if (z_dot.size() > 0) full_.rates(full, z_dot);
  const std::vector<double> none = zeros(coordinates_.size());
  Eigen::VectorXd r(coordinates_.size());
  residual(at, none, {nullptr, 0}, r, {nullptr, 0});  // leaves G_
  full_.linearize(full, a_, {nullptr, 0}, {.H = &H_});
  Eigen::Map<Eigen::VectorXd>(a.data(), a.size()) = (G_.transpose() * H_ * G_).ldlt().solve(-r);
}

void ReducedProblem::linearize(const Point& at, In<double> a, In<double>, const Want& want) {
  const int n = full_.model().nv(), m = coordinates_.size();
  const Point full = expand(at);
  Eigen::MatrixXd H, K, D, G;
  Eigen::VectorXd f;
  coordinates_.matrix(at.q.data(), G);
  Eigen::VectorXd acceleration(n);
  coordinates_.expand(at.q.data(), v_.data(), a.size() == m ? a.data() : nullptr, acceleration.data());
  full_.linearize(full, acceleration, {nullptr, 0}, {.H = &H, .K = &K, .D = &D, .f = &f, .implicit = want.implicit});
  if (want.H) *want.H = G.transpose() * H * G;
  if (want.J) want.J->setZero(0, m);
  if (want.velocity) want.velocity->resize(0);
  Eigen::VectorXd g(n);
  coordinates_.expand(at.q.data(), v_.data(), nullptr, g.data());
  if (want.f) *want.f = G.transpose() * (f - H * g);
  if (!want.K && !want.D) return;

  // how v = G y_dot and a = G y_ddot + g change, and G' at a constant force
  const bool all = want.implicit == Implicit::all;
  const bool exact = full_.implicit_forces(want.implicit) == ImplicitForces::exact;
  Eigen::VectorXd force = f - H * acceleration;
  if (!all) {
    force.setZero();
    if (exact) full_.generalized_forces(full, force);
  }
  const RowCurvature::Of rows = curvature().compute({at.t, at.q, v_, at.z}, acceleration, force, G);
  if (want.K) {
    Eigen::MatrixXd inner = K * G;
    if (all || exact) inner += D * rows.v_by_q;
    if (all) inner -= H * rows.a_by_q;
    *want.K = G.transpose() * inner + rows.pull;
  }
  if (want.D) {
    Eigen::MatrixXd inner = D * G;
    if (all) inner -= H * rows.a_by_v;
    *want.D = G.transpose() * inner;
  }
}

void ReducedProblem::linearize_states(const Point& at, In<double> a, In<double> lambda, StateTangent& out) {
  const Point full = expand(at);
  Eigen::MatrixXd G;
  coordinates_.matrix(at.q.data(), G);
  full_.linearize_states(full, a, lambda, out);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(G.rows());
  const RowCurvature::Of rows = curvature().compute(full, none, none, G);
  out.f_by_z = G.transpose() * out.f_by_z;
  out.f_by_u = G.transpose() * out.f_by_u;
  out.rate_by_q = (out.rate_by_q * G + out.rate_by_v * rows.v_by_q).eval();
  out.rate_by_v = (out.rate_by_v * G).eval();
}

RowCurvature& ReducedProblem::curvature() {
  if (!curvature_) curvature_ = std::make_unique<RowCurvature>(full_.model(), coordinates_);
  return *curvature_;
}

int ReducedProblem::singular_velocity(const Point& at) {
  coordinates_.matrix(at.q.data(), G_);
  full_.linearize(expand(at), a_, {nullptr, 0}, {.H = &H_});
  const Eigen::MatrixXd reduced = G_.transpose() * H_ * G_;
  const auto factor = reduced.ldlt();
  for (Eigen::Index i = 0; i < reduced.rows(); ++i)
    if (!(factor.vectorD()[i] > 1e-14 * reduced.diagonal().maxCoeff()))
      return static_cast<int>(factor.transpositionsP().indices()[i]);
  return -1;
}

State ReducedProblem::reduce(const State& state) const {
  State out = state;
  out.v.resize(static_cast<std::size_t>(coordinates_.size()));
  coordinates_.pick(state.v.data(), out.v.data());
  coordinates_.close(out.q.data());
  return out;
}

void ReducedProblem::expand_acceleration(const State& state, In<double> y_ddot, Out<double> a) const {
  const State full = expand(state);
  coordinates_.expand(state.q.data(), full.v.data(), y_ddot.data(), a.data());
}

State ReducedProblem::expand(const State& state) const {
  State out = state;
  out.v = zeros(full_.model().nv());
  coordinates_.expand(state.q.data(), state.v.data(), out.v.data());
  return out;
}

}  // namespace cardan
