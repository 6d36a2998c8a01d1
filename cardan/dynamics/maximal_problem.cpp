#include "cardan/dynamics/maximal_problem.hpp"

#include "cardan/dynamics/internal/led_motions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

constexpr int kMostProjections = 20;

ConstraintSet all_constraints(const System& system) {
  ConstraintSet out(system.model(), ConstraintSet::Include::nothing);
  for (const auto& constraint : system.constraints()) out.add(constraint);
  return out;
}

}  // namespace

MaximalProblem::MaximalProblem(const System& system, std::vector<bool> maximal)
    : system_(system),
      model_(system.model()),
      coordinates_(model_, std::move(maximal), system.element_states()),
      set_(all_constraints(system)),
      blocks_(system.forces()),
      graph_(model_, set_),
      wrenches_(static_cast<std::size_t>(model_.bodies()) + 1),
      tau_(static_cast<std::size_t>(model_.nv())),
      bias_(wrenches_.size()),
      change_(static_cast<std::size_t>(coordinates_.space().sizes().v)),
      leads_(leads(system.constraints())) {}

Instant MaximalProblem::evaluate(const Point& at) {
  const Instant instant = coordinates_.evaluate(at.t, at.q, at.v, at.z, system_.u());
  set_.evaluate(instant);
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  std::fill(tau_.begin(), tau_.end(), 0.0);
  Pushes pushes(wrenches_, tau_);
  const auto first = system_.first_states();
  for (std::size_t i = 0; i < system_.forces().size(); ++i)
    system_.forces()[i]->add(instant.of_element(first[i], first[i + 1] - first[i]), pushes);
  return instant;
}

void MaximalProblem::add_body_forces(const Instant& at, double factor, BodyGraph& graph) const {
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link& link = model_.link(i);
    const MotionVector<double>& v = at.velocity(i);
    const MotionVector<double> gravity{{}, rotate(at.X_0(i).E, model_.gravity())};
    graph.add_force(i, factor * (wrenches_[static_cast<std::size_t>(i)] + link.I * gravity - cross(v, link.I * v)));
    for (int j = link.v; j < link.v + link.nv; ++j)
      graph.add_joint_force(j, factor * tau_[static_cast<std::size_t>(j)]);
  }
}

bool MaximalProblem::accelerate(const Point& at) {
  const Instant instant = evaluate(at);
  graph_.set_joints(coordinates_.joints());
  graph_.set_constraints(set_);
  graph_.begin();
  add_body_forces(instant, 1.0, graph_);
  const bool feeds_back = system_.settings().stabilization == Stabilization::baumgarte;
  const Baumgarte b = feeds_back ? system_.settings().baumgarte : Baumgarte{};
  for (int i = 1; i <= model_.bodies(); ++i) {
    MotionVector<double> c = coordinates_.velocity_product(i);
    graph_.add_armature_force(i, c);
    if (feeds_back && coordinates_.is_maximal(i))
      c += -2.0 * b.alpha * coordinates_.drift(i) - b.beta * b.beta * coordinates_.gap(i);
    graph_.set_joint_motion(i, c);
  }
  const Eigen::VectorXd k = set_.k() - 2.0 * b.alpha * set_.drift() - b.beta * b.beta * set_.gap();
  for (int i = 0; i < set_.size(); ++i) {
    const ConstraintRows& rows = set_.rows_of(i);
    for (int r = 0; r < rows.size(); ++r) {
      double& target = graph_.constraint_target(set_.first_row(i) + r);
      target = k[set_.first_row(i) + r];
      for (std::size_t j = 0; j < rows.velocities.size(); ++j) {
        const int body = model_.body_of_dof(rows.velocities[j]);
        double rates[6];
        graph_.joint_rates(body, coordinates_.velocity_product(body), rates);
        target += rows.on_velocities(r, static_cast<Eigen::Index>(j)) * rates[rows.velocities[j] - model_.link(body).v];
      }
    }
  }
  return graph_.solve();
}

template <class Product>
void MaximalProblem::take(const Product& product, Out<double> out) const {
  const BodyGraph& graph = product.graph;
  for (int i = 1; i <= model_.bodies(); ++i) {
    double* const own = out.data() + coordinates_.place(i).v;
    if (coordinates_.is_maximal(i)) {
      const MotionVector<double> a = graph.acceleration(i);
      for (int c = 0; c < 6; ++c) own[c] = a[c];
    } else {
      graph.joint_rates(i, graph.relative(i) - product(i), own);
    }
  }
}

void MaximalProblem::acceleration(const Point& at, Out<double> a, Out<double> z_dot) {
  struct Products {
    const BodyGraph& graph;
    const BodyCoordinates& coordinates;
    MotionVector<double> operator()(int i) const { return coordinates.velocity_product(i); }
  };
  if (accelerate(at))
    take(Products{graph_, coordinates_}, a);
  else
    std::fill_n(a.data(), a.size(), std::numeric_limits<double>::quiet_NaN());
  if (z_dot.size() > 0) rates(at, z_dot);
}

void MaximalProblem::rates(const Point& at, Out<double> z_dot) {
  const Instant instant = coordinates_.evaluate(at.t, at.q, at.v, at.z, system_.u());
  const auto first = system_.first_states();
  for (std::size_t i = 0; i < system_.forces().size(); ++i) {
    const int n = first[i + 1] - first[i];
    system_.forces()[i]->rate(instant.of_element(first[i], n),
                              std::span(z_dot.data() + first[i], static_cast<std::size_t>(n)));
  }
}

bool MaximalProblem::step_implicitly(const Point& at, double h, Out<double> change) {
  if (system_.settings().implicit_forces == ImplicitForces::exact) return false;
  const bool implicit = system_.settings().implicit_forces != ImplicitForces::none;
  if (!implicit_) implicit_ = std::make_unique<BodyGraph>(model_, set_, blocks_.all_touches());
  BodyGraph& graph = *implicit_;
  const Instant instant = evaluate(at);
  graph.set_joints(coordinates_.joints());
  graph.set_constraints(set_);
  graph.begin();
  add_body_forces(instant, h, graph);

  // velocities of maximal bodies satisfy their joints at the end; the changes that are solved for hold velocity
  // products where bodies are reduced, and nothing else knows these
  struct Products {
    const BodyGraph& graph;
    const BodyCoordinates& coordinates;
    double h;
    MotionVector<double> operator()(int i) const {
      return coordinates.is_maximal(i) ? MotionVector<double>{} : h * coordinates.velocity_product(i);
    }
    double of_velocity(const Model& model, int v) const {
      const int body = model.body_of_dof(v);
      double rates[6];
      graph.joint_rates(body, (*this)(body), rates);
      return rates[v - model.link(body).v];
    }
  };
  const Products products{graph, coordinates_, h};
  const double gamma =
      system_.settings().stabilization == Stabilization::baumgarte ? system_.settings().baumgarte.gamma : 0.0;
  for (int i = 1; i <= model_.bodies(); ++i) {
    const MotionVector<double> product = products(i);
    const auto b = static_cast<std::size_t>(i);
    if (coordinates_.is_maximal(i)) {
      bias_[b] = {};
      graph.set_joint_motion(i, -coordinates_.drift(i) - gamma * coordinates_.gap(i));
    } else {
      bias_[b] = coordinates_.joints().X[b] * bias_[static_cast<std::size_t>(model_.link(i).parent)] + product;
      graph.set_joint_motion(i, product);
      graph.add_armature_force(i, product);
    }
  }
  if (implicit) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Tangent& tangent = blocks_.evaluate_definite(i, instant, system_.first_states(), h);
      graph.set_spring(i, blocks_.added_inertia(i));
      gather_touched(
          blocks_.touches(i), [&](int body) { return instant.velocity(body); }, [&](int v) { return instant.v[v]; },
          touched_);
      touched_ = (h * h) * (tangent.K * touched_);
      gather_touched(
          blocks_.touches(i), [&](int body) { return bias_[static_cast<std::size_t>(body)]; },
          [&](int v) { return products.of_velocity(model_, v); }, excess_);
      touched_ += blocks_.added_inertia(i) * excess_;
      scatter_touched(
          blocks_.touches(i), touched_, [&](int body, const ForceVector<double>& f) { graph.add_force(body, f); },
          [&](int v, double tau) { graph.add_joint_force(v, tau); });
    }
  }
  for (int i = 0; i < set_.size(); ++i) {
    const ConstraintRows& rows = set_.rows_of(i);
    for (int r = 0; r < rows.size(); ++r) {
      double& target = graph.constraint_target(set_.first_row(i) + r);
      target = -rows.drift[r] - gamma * rows.gap[r];
      for (const auto& on : rows.on_bodies)
        target += dot(bias_[static_cast<std::size_t>(on.body)], on.row[static_cast<std::size_t>(r)]);
      for (std::size_t j = 0; j < rows.velocities.size(); ++j)
        target +=
            rows.on_velocities(r, static_cast<Eigen::Index>(j)) * products.of_velocity(model_, rows.velocities[j]);
    }
  }
  if (graph.solve())
    take(products, change);
  else
    std::fill_n(change.data(), change.size(), std::numeric_limits<double>::quiet_NaN());
  return true;
}

void MaximalProblem::evaluate_at(double t, const State& state) {
  set_.evaluate(coordinates_.evaluate(t, state.q, state.v, state.z));
}

double MaximalProblem::largest_gap(std::string* whose) const {
  double most = 0.0;
  const auto consider = [&](double gap, const auto& name) {
    if (gap <= most) return;  // what is not a number counts as large
    most = gap;
    if (whose) *whose = name();
  };
  for (int i = 1; i <= model_.bodies(); ++i) {
    if (!coordinates_.is_maximal(i)) continue;
    double errors[6];
    graph_.joint_errors(i, coordinates_.gap(i), errors);
    for (int k = 0; k < 6 - model_.link(i).nv; ++k)
      consider(std::abs(errors[k]), [&] { return "joint \"" + model_.joint_name(i) + "\""; });
  }
  for (int i = 0; i < set_.size(); ++i)
    if (set_.rows_of(i).size() > 0)
      consider(set_.rows_of(i).gap.cwiseAbs().maxCoeff(), [&] { return set_.constraint(i).name(); });
  return most;
}

double MaximalProblem::constraint_error(double t, const State& state) {
  evaluate_at(t, state);
  graph_.set_joints(coordinates_.joints());
  return largest_gap();
}

template <class Error>
bool MaximalProblem::correct(const Error& of_joint, const Eigen::VectorXd& of_rows, Out<double> out) {
  graph_.set_constraints(set_);
  graph_.begin();
  for (int i = 1; i <= model_.bodies(); ++i)
    if (coordinates_.is_maximal(i)) graph_.set_joint_motion(i, -of_joint(i));
  for (int r = 0; r < set_.rows(); ++r) graph_.constraint_target(r) = -of_rows[r];
  if (!graph_.solve()) return false;
  struct Nothing {
    const BodyGraph& graph;
    MotionVector<double> operator()(int) const { return {}; }
  };
  take(Nothing{graph_}, out);
  return true;
}

Projection MaximalProblem::project(double t, State& state) {
  if (system_.settings().stabilization == Stabilization::baumgarte) return {};
  Projection out{Projection::Result::changed, "", 0.0};
  bool moves = true;
  for (int i = 0; moves; ++i) {
    evaluate_at(t, state);
    graph_.set_joints(coordinates_.joints());
    out.gap = largest_gap(&out.worst);
    if (out.gap <= Projection::kClosed || i == kMostProjections || !std::isfinite(out.gap)) break;
    moves = correct([&](int body) { return coordinates_.gap(body); }, set_.gap(), change_);
    if (moves) space().move(state.q.data(), change_.data(), state.q.data());
  }
  if (!(out.gap <= Projection::kOpen)) {
    out.result = Projection::Result::failed;
    return out;
  }
  const std::vector<double> before = state.v;
  correct_velocities(state);
  out = {Projection::Result::changed};
  if (leads_) {
    evaluate_at(t, state);
    out = led_by(set_, state);
  }
  out.kick = relative_change(before, state.v);
  return out;
}

void MaximalProblem::correct_velocities(State& state) {
  if (correct([&](int body) { return coordinates_.drift(body); }, set_.drift(), change_))
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] += change_[i];
}

void MaximalProblem::jump(double t, State& state) {
  evaluate_at(t, state);
  require_no_gap(t, set_);
  graph_.set_joints(coordinates_.joints());
  correct_velocities(state);
}

void MaximalProblem::joint_acceleration(int body, double* out) const {
  graph_.joint_rates(body, graph_.relative(body) - coordinates_.velocity_product(body), out);
}

void MaximalProblem::joint_accelerations(double t, const State& state, Out<double> a) {
  const State own = from_model(state);
  if (!accelerate({t, own})) {
    std::fill_n(a.data(), a.size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (int i = 1; i <= model_.bodies(); ++i) joint_acceleration(i, a.data() + model_.link(i).v);
}

Eigen::VectorXd MaximalProblem::multipliers() const {
  return Eigen::VectorXd::NullaryExpr(set_.rows(),
                                      [&](Eigen::Index r) { return graph_.multiplier(static_cast<int>(r)); });
}

void MaximalProblem::loads(double t, const State& state, Loads& out) {
  out.accelerations.assign(tau_.size(), 0.0);
  joint_accelerations(t, state, out.accelerations);
  out.multipliers = multipliers();
  out.drives.assign(tau_.size(), 0.0);
  std::vector<double> at_joints = tau_;  // all that acts along the joints' own directions
  for (int i = 0; i < set_.size(); ++i) {
    const ConstraintRows& rows = set_.rows_of(i);
    const bool is_motion = dynamic_cast<const JointMotionConstraint*>(&set_.constraint(i)) != nullptr;
    for (int r = 0; r < rows.size(); ++r)
      for (std::size_t j = 0; j < rows.velocities.size(); ++j) {
        const auto v = static_cast<std::size_t>(rows.velocities[j]);
        const double force =
            out.multipliers[set_.first_row(i) + r] * rows.on_velocities(r, static_cast<Eigen::Index>(j));
        at_joints[v] += force;
        if (is_motion) out.drives[v] += force;
      }
  }
  out.efforts = tau_;
  for (std::size_t v = 0; v < tau_.size(); ++v) out.efforts[v] += out.drives[v];
  out.joints.assign(wrenches_.size(), {});
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link& link = model_.link(i);
    ForceVector<double> f = graph_.joint_force(i);
    for (int v = link.v; v < link.v + link.nv; ++v) {
      const auto k = static_cast<std::size_t>(v);
      f += (at_joints[k] - model_.armature(v) * out.accelerations[k]) * graph_.rate_row(v);
    }
    out.joints[static_cast<std::size_t>(i)] = model_.frame(model_.body_frame(i)).X * f;
  }
}

}  // namespace cardan
