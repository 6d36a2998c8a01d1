#include "cardan/constraints/reduced_coordinates.hpp"

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <algorithm>

namespace cardan {

ReducedCoordinates::ReducedCoordinates(const Model& model, int independent, const Closure& gamma)
    : model_(model),
      n_(independent),
      G_(model.nv(), independent),
      H_(model.nv(), model.nv()),
      g_(model.nv()),
      tau_(model.nv()),
      workspace_(std::make_unique<Workspace<double>>(model)) {
  if (model.nq() != model.nv())
    throw std::invalid_argument("reduced coordinates: the model has joints whose velocities are not rates");
  Graph graph;
  std::vector<Expr> y, rate;
  for (int i = 0; i < n_; ++i) y.push_back(graph.input(i));
  for (int i = 0; i < n_; ++i) rate.push_back(graph.input(n_ + i));
  const std::vector<Expr> q = gamma(y);
  if (static_cast<int>(q.size()) != model.nq())
    throw std::invalid_argument("reduced coordinates: expected " + std::to_string(model.nq()) + " coordinates, found " +
                                std::to_string(q.size()));
  std::vector<Expr> out = q;
  const auto add = [&out](const std::vector<Expr>& more) { out.insert(out.end(), more.begin(), more.end()); };
  add(jacobian(graph, q, y, Differentiation::forward));
  const auto v = derivative_along(graph, q, y, rate, Differentiation::forward);
  add(derivative_along(graph, v, y, rate, Differentiation::forward));
  interpreter_ = Interpreter(make_program(graph, out, 2 * n_));
  in_.resize(2 * static_cast<std::size_t>(n_));
  out_.resize(out.size());
  scratch_.resize(static_cast<std::size_t>(interpreter_.scratch()));
  q_.resize(q.size());
  v_.resize(q.size());
}

ReducedCoordinates ReducedCoordinates::of_couplings(const Model& model) {
  // each coordinate is an independent one or follows from others that are found first
  const auto index = [&model](const Coupling::CoordinateRef& place) { return model.link(place.body).q + place.k; };
  std::vector<const Coupling*> follows(static_cast<std::size_t>(model.nq()), nullptr);
  for (const Coupling& coupling : model.couplings())
    follows[static_cast<std::size_t>(index(coupling.dependent))] = &coupling;
  const auto independent = std::count(follows.begin(), follows.end(), nullptr);
  return {model, static_cast<int>(independent), [follows, index](std::span<const Expr> y) {
            std::vector<Expr> q(follows.size());
            std::vector<bool> known(follows.size());
            std::size_t next = 0;
            for (std::size_t i = 0; i < follows.size(); ++i)
              if (follows[i] == nullptr) {
                q[i] = y[next++];
                known[i] = true;
              }
            const auto find = [&](const auto& self, std::size_t i) -> Expr {
              if (known[i]) return q[i];
              std::vector<Expr> x;
              for (const Coupling::CoordinateRef& source : follows[i]->sources)
                x.push_back(self(self, static_cast<std::size_t>(index(source))));
              known[i] = true;
              return q[i] = follows[i]->f.trace(x);
            };
            for (std::size_t i = 0; i < follows.size(); ++i) find(find, i);
            return q;
          }};
}

void ReducedCoordinates::evaluate(std::span<const double> y, std::span<const double> y_dot) {
  std::copy(y.begin(), y.end(), in_.begin());
  std::copy(y_dot.begin(), y_dot.end(), in_.begin() + n_);
  interpreter_.run(in_.data(), out_.data(), scratch_.data());
  const auto nv = static_cast<Eigen::Index>(model_.nv());
  std::copy_n(out_.begin(), q_.size(), q_.begin());
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  G_ = Eigen::Map<const Rows>(out_.data() + nv, nv, n_);
  g_ = Eigen::Map<const Eigen::VectorXd>(out_.data() + nv + nv * n_, nv);
  Eigen::Map<Eigen::VectorXd>(v_.data(), nv) = G_ * Eigen::Map<const Eigen::VectorXd>(y_dot.data(), n_);
}

Eigen::MatrixXd ReducedCoordinates::mass_matrix() {
  cardan::mass_matrix(model_, *workspace_, q_, H_);
  return G_.transpose() * H_ * G_;
}

Eigen::VectorXd ReducedCoordinates::bias() {
  cardan::inverse_dynamics(model_, *workspace_, q_, v_, g_, tau_);
  return G_.transpose() * tau_;
}

Eigen::VectorXd ReducedCoordinates::forward_dynamics(const Eigen::VectorXd& tau) {
  return mass_matrix().ldlt().solve(G_.transpose() * tau - bias());
}

Eigen::VectorXd ReducedCoordinates::inverse_dynamics(const Eigen::VectorXd& y_dot_dot) {
  const Eigen::VectorXd a = accelerations(y_dot_dot);
  cardan::inverse_dynamics(model_, *workspace_, q_, v_, a, tau_);
  return G_.transpose() * tau_;
}

}  // namespace cardan
