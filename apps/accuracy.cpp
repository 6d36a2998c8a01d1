#include "apps/accuracy.hpp"

#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/constraints/internal/constraint_cluster.hpp"
#include "cardan/math/internal/spectra.hpp"
#include "cardan/model/internal/sample_states.hpp"
#include "cardan/view/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan::command {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Multiplies each velocity so that all have one unit; says in `out` how.
VectorXd scales(const Model& model, const VectorXd& diagonal, InertiaSpectrum& out) {
  std::vector<std::string> units;
  for (int body = 1; body <= model.bodies(); ++body)
    for (std::string& unit : view::coordinate_units(model.joint(body), true)) units.push_back(std::move(unit));
  const auto mean = [&](const char* unit) {
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < model.nv(); ++i)
      if (units[static_cast<std::size_t>(i)] == unit) sum += diagonal[i], ++count;
    return count > 0 ? std::optional(sum / count) : std::nullopt;
  };
  const std::optional<double> turning = mean("rad/s"), shifting = mean("m/s");
  if (turning || shifting) out.unit = turning ? "kg m2" : "kg";
  if (turning && shifting && *turning > 0.0 && *shifting > 0.0) out.length = std::sqrt(*turning / *shifting);
  const double usual = turning ? *turning : shifting.value_or(1.0);
  VectorXd scale = VectorXd::Ones(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    const std::string& unit = units[static_cast<std::size_t>(i)];
    if (unit == "m/s") scale[i] = out.length.value_or(1.0);
    if (unit == "rad/s" || unit == "m/s") continue;
    ++out.without_unit;
    if (diagonal[i] > 0.0 && usual > 0.0) scale[i] = std::sqrt(usual / diagonal[i]);
  }
  return scale;
}

/// Lists the velocities whose part in a unit vector is at least half of the largest part.
EffectiveInertia along(double inertia, const VectorXd& direction) {
  constexpr std::size_t kMostNames = 3;
  EffectiveInertia out{inertia, {}};
  const VectorXd parts = direction.cwiseAbs();
  for (int i = 0; i < parts.size(); ++i)
    if (parts[i] >= 0.5 * parts.maxCoeff()) out.velocities.push_back(i);
  std::stable_sort(out.velocities.begin(), out.velocities.end(), [&](int a, int b) { return parts[a] > parts[b]; });
  if (out.velocities.size() > kMostNames) out.velocities.resize(kMostNames);
  return out;
}

double condition_of(const VectorXd& rising) {
  const double smallest = rising[0], largest = rising[rising.size() - 1];
  return smallest > 1e-16 * largest ? largest / smallest : kInfinity;
}

/// Finds the velocity at which elimination from the tips leaves least of the inertia that it began with.
void find_weakest_pivot(const Model& model, MatrixXd H, InertiaSpectrum& out) {
  const VectorXd held = H.diagonal();
  factorize_ltdl<double>(BranchSparsity(model), H);
  double least = kInfinity;
  for (int i = 0; i < model.nv(); ++i)
    if (const double left = H(i, i) / held[i]; left < least) {
      least = left;
      out.weakest = i;
      out.held = held[i];
      out.free = H(i, i);
    }
}

InertiaSpectrum find_spectrum(const Model& model, const MatrixXd& H, VectorXd& scale) {
  InertiaSpectrum out;
  scale = scales(model, H.diagonal(), out);
  const SymmetricSpectrum found = symmetric_spectrum(scale.asDiagonal() * H * scale.asDiagonal());
  const int last = model.nv() - 1;
  out.largest = along(found.values[last], found.vectors.col(last));
  out.smallest = along(found.values[0], found.vectors.col(0));
  out.condition = condition_of(found.values);
  out.condition_by_coupling = kInfinity;
  if (H.diagonal().minCoeff() > 0.0) {
    const VectorXd own = H.diagonal().cwiseSqrt().cwiseInverse();
    out.condition_by_coupling = condition_of(symmetric_spectrum(own.asDiagonal() * H * own.asDiagonal()).values);
  }
  find_weakest_pivot(model, H, out);
  return out;
}

/// Goes from accelerations to forces and back by the recursions, at q and near it, with velocities between -1 and 1.
RoundTrip measure_round_trip(const Model& model, const std::vector<double>& q, const VectorXd& scale) {
  constexpr int kStates = 8;
  constexpr double kDisplacement = 0.1;  // rad or m
  RoundTrip out{kStates, 0.0, 0.0};
  Workspace<double> w(model);
  VectorXd there(model.nv()), back(model.nv()), held(model.nv());
  const auto worst = [](double& so_far, double error) {
    if (!std::isnan(so_far) && !(error <= so_far)) so_far = error;  // what is no number once stays so
  };
  std::vector<double> near = q;
  for (const SampleState& sample : sample_states(model, kStates, 1)) {
    const VectorXd given = Eigen::Map<const VectorXd>(sample.a.data(), model.nv());
    const VectorXd a = scale.cwiseProduct(given), tau = given.cwiseQuotient(scale);
    mass_matrix_product<double>(model, w, near, a, there);
    inverse_mass_matrix_product<double>(model, w, near, there, back);
    worst(out.accelerations, (back - a).cwiseQuotient(scale).norm() / given.norm());
    forward_dynamics<double>(model, w, near, sample.v, tau, there);
    inverse_dynamics<double>(model, w, near, sample.v, there, back);
    bias<double>(model, w, near, sample.v, held);
    worst(out.forces, scale.cwiseProduct(back - tau).norm() / (given.norm() + scale.cwiseProduct(held).norm()));
    integrate(model, q.data(), sample.tau.data(), kDisplacement, near.data());
  }
  return out;
}

void look_at_tree(const Model& model, Accuracy& out) {
  for (int body = 1; body <= model.bodies(); ++body) {
    if (out.deepest == 0 || model.depth(body) > model.depth(out.deepest)) out.deepest = body;
    if (model.subtree_end(body) == body + 1) ++out.ends;
    const double mass = model.link(body).I.m;
    if (mass == 0.0) ++out.massless;
    const int parent = model.link(body).parent;
    if (parent == 0 || !(model.link(parent).I.m > 0.0)) continue;
    if (const double ratio = mass / model.link(parent).I.m; ratio > (out.masses ? out.masses->ratio : 1.0))
      out.masses = MassRatio{parent, body, ratio};
  }
}

/// Finds the cluster of constraints that comes closest to repeating itself, apart from rows that do so everywhere.
std::optional<Clearance> find_clearance(ConstraintSet& set, const Mobility& mobility, const std::vector<double>& q,
                                        const VectorXd& scale) {
  const std::vector<double> rest(static_cast<std::size_t>(scale.size()));
  set.evaluate(0.0, q.data(), rest.data());
  std::optional<Clearance> out;
  for (ConstraintCluster& cluster : constraint_clusters(set)) {
    if (cluster.rows > kMostCheckedVelocities || std::ssize(cluster.velocities) > kMostCheckedVelocities) continue;
    cluster.fill(set);
    MatrixXd& J = cluster.J;
    for (int k = 0; k < J.cols(); ++k) J.col(k) *= scale[cluster.velocities[static_cast<std::size_t>(k)]];
    Eigen::Index first = 0;
    for (const int i : cluster.members) {  // rows of one constraint have one unit; one that vanishes is singular
      const Eigen::Index rows = set.rows_of(i).size();
      const double longest = J.middleRows(first, rows).rowwise().norm().maxCoeff();
      if (longest > 0.0) J.middleRows(first, rows) /= longest;
      first += rows;
    }
    Eigen::Index independent = J.rows();
    for (const int i : cluster.members) independent -= mobility.redundant[static_cast<std::size_t>(i)];
    const SingularValues found = singular_values(J);
    independent = std::min(independent, found.values.size());
    if (independent == 0) continue;
    const double value = found.values[independent - 1];
    if (out && value >= out->value) continue;
    out = Clearance{std::min(value, 1.0), {}};
    double largest = -1.0;
    Eigen::Index row = 0;
    for (const int i : cluster.members) {
      const Eigen::Index rows = set.rows_of(i).size();
      const double share = found.U.col(independent - 1).segment(row, rows).squaredNorm();
      row += rows;
      if (share <= largest) continue;
      largest = share;
      out->constraint = set.constraint(i).name();
    }
  }
  return out;
}

}  // namespace

int digits_left(double condition) { return static_cast<int>(std::max(0.0, 16.0 - std::log10(condition))); }

Accuracy estimate_accuracy(const Scene& scene, ConstraintSet& set, const std::optional<Mobility>& mobility,
                           const std::vector<double>& q) {
  const Model& model = scene.model;
  Accuracy out;
  if (model.nv() == 0) return out;
  for (int body = model.bodies(); body > 0; --body)
    if (follows_time(scene, body)) out.timed = body;
  VectorXd scale = VectorXd::Ones(model.nv());
  if (out.timed == 0 && model.nv() <= kMostCheckedVelocities) {
    Workspace<double> w(model);
    MatrixXd H(model.nv(), model.nv());
    mass_matrix<double>(model, w, q, H);
    if (H.allFinite()) out.spectrum = find_spectrum(model, H, scale);
  }
  if (out.timed == 0) out.round_trip = measure_round_trip(model, q, scale);
  look_at_tree(model, out);
  if (mobility) out.clearance = find_clearance(set, *mobility, q, scale);
  return out;
}

}  // namespace cardan::command
