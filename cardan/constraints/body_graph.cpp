#include "cardan/constraints/body_graph.hpp"

#include "cardan/model/internal/characteristic_length.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {

namespace {

constexpr int kSize = GraphElimination::kSize;
constexpr double kNotPhysical = 1e-9;   // of the largest moment
constexpr double kNoStiffness = 1e-15;  // of the largest pivot of an implicit spring

std::size_t at(int i) { return static_cast<std::size_t>(i); }

ForceVector<double> column(const MotionBasis& directions, int k) {
  ForceVector<double> out;
  for (int c = 0; c < 6; ++c) out[c] = directions(c, k);
  return out;
}

/// Writes six rows W with W'W = I: turning about the center of mass, then its translation.
void set_square_root(const Model& model, int body, std::span<double> rows) {
  const RigidBodyInertia<double>& I = model.link(body).I;
  std::fill(rows.begin(), rows.end(), 0.0);
  Eigen::Matrix3d moments;
  for (int c = 0; c < 3; ++c) {
    MotionVector<double> unit;
    unit[c] = 1.0;
    const ForceVector<double> f = I * unit;
    for (int r = 0; r < 3; ++r) moments(r, c) = f[r];
  }
  const Eigen::Vector3d h(I.h[0], I.h[1], I.h[2]);
  const double largest = moments.diagonal().cwiseAbs().maxCoeff();
  if (I.m > 0.0) moments += (h * h.transpose() - h.squaredNorm() * Eigen::Matrix3d::Identity()) / I.m;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(moments);
  const Eigen::Vector3d value = eigen.eigenvalues();
  if (I.m < 0.0 || value[0] < -kNotPhysical * std::max(value[2], largest))
    throw std::invalid_argument("body \"" + model.body_name(body) + "\" has inertia that no body has");
  for (int i = 0; i < 3; ++i) {
    // what is left of a point mass after subtracting m |c|^2 is rounding
    if (value[i] <= 1e-14 * largest) continue;
    for (int c = 0; c < 3; ++c) rows[at(kSize * i + c)] = std::sqrt(value[i]) * eigen.eigenvectors()(c, i);
  }
  if (!(I.m > 0.0)) return;
  const double root = std::sqrt(I.m);
  const Eigen::Vector3d center = h / I.m;
  for (int i = 0; i < 3; ++i) {  // v - center x w
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    double* const row = rows.data() + kSize * (3 + i);
    row[3 + i] = root;
    row[k] = -root * center[j];
    row[j] = root * center[k];
  }
}

}  // namespace

BodyGraph::BodyGraph(const Model& model, const ConstraintSet& set, std::span<const Touches> springs)
    : model_(model), joints_(at(model.bodies()) + 1) {
  const int n = model.bodies();
  for (int i = 1; i <= n; ++i) groups_.push_back({{i - 1}, kSize, false});
  int row = 0;
  for (int i = 1; i <= n; ++i) {
    const Link& link = model.link(i);
    std::vector<int> nodes{i - 1};
    if (link.parent > 0) nodes.push_back(link.parent - 1);
    joint(i).group = static_cast<int>(groups_.size());
    groups_.push_back({nodes, 6 - link.nv, true});
    row += 6 - link.nv;
    if (!link.has_armature) continue;
    joint(i).armature = static_cast<int>(groups_.size());
    groups_.push_back({nodes, link.nv, false});
  }
  first_constraint_ = static_cast<int>(groups_.size());
  first_constraint_row_ = at(row);
  for (int i = 0; i < set.size(); ++i)
    groups_.push_back(group_of(set.constraint(i).touches(), set.constraint(i).rows(), true));
  for (const Touches& touches : springs) {
    Spring spring{touches, {}};
    const auto add = [&](const Touches& part) {
      spring.groups.push_back(static_cast<int>(groups_.size()));
      groups_.push_back(group_of(part, static_cast<int>(6 * part.bodies.size() + part.velocities.size()), false));
    };
    if (touches.separate)
      for (const int v : touches.velocities) add({.velocities = {v}});
    else
      add(touches);
    springs_.push_back(std::move(spring));
  }
  graph_ = std::make_unique<GraphElimination>(n, groups_, characteristic_length(model));
  for (int i = 1; i <= n; ++i) set_square_root(model, i, graph_->entries(i - 1));
  f_.resize(at(n) * kSize);
  a_.resize(f_.size());
  k_.resize(at(graph_->constraint_rows()));
  lambda_.resize(k_.size());
}

GraphElimination::Group BodyGraph::group_of(const Touches& touches, int rows, bool is_constraint) const {
  GraphElimination::Group out{{}, rows, is_constraint};
  const auto add = [&](int body) {
    if (body > 0 && std::find(out.nodes.begin(), out.nodes.end(), body - 1) == out.nodes.end())
      out.nodes.push_back(body - 1);
  };
  for (const int body : touches.bodies) add(body);
  for (const int v : touches.velocities) {
    add(model_.body_of_dof(v));
    add(model_.link(model_.body_of_dof(v)).parent);
  }
  return out;
}

void BodyGraph::add_on_body(const GraphElimination::Group& group, double* row, int body,
                            const ForceVector<double>& f) const {
  if (body == 0) return;
  const auto node = std::find(group.nodes.begin(), group.nodes.end(), body - 1) - group.nodes.begin();
  for (int c = 0; c < 6; ++c) row[kSize * node + c] += f[c];
}

void BodyGraph::add_relative(const GraphElimination::Group& group, double* row, int body,
                             const ForceVector<double>& own) const {
  add_on_body(group, row, body, own);
  add_on_body(group, row, model_.link(body).parent, -transpose_apply(joint(body).motion.X, own));
}

ForceVector<double> BodyGraph::rate_row(int v) const {
  const int body = model_.body_of_dof(v);
  return column(joint(body).split.S_inverse, v - model_.link(body).v);
}

void BodyGraph::set_joints(const Kinematics<double>& bodies) {
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link& link = model_.link(i);
    JointRows& rows = joint(i);
    rows.motion.X = bodies.X[at(i)];
    rows.motion.nv = link.nv;
    for (int k = 0; k < link.nv; ++k) rows.motion.S[k] = bodies.S[at(link.v + k)];
    rows.split.update(rows.motion, link.nv);
    const auto fill = [&](int g, int count, const auto& own) {
      const GraphElimination::Group& group = groups_[at(g)];
      const std::span<double> entries = graph_->entries(g);
      std::fill(entries.begin(), entries.end(), 0.0);
      for (int k = 0; k < count; ++k)
        add_relative(group, entries.data() + kSize * group.nodes.size() * at(k), i, own(k));
    };
    fill(rows.group, 6 - link.nv, [&](int k) { return column(rows.split.T, k); });
    if (rows.armature >= 0)
      fill(rows.armature, link.nv,
           [&](int k) { return std::sqrt(model_.armature(link.v + k)) * column(rows.split.S_inverse, k); });
  }
}

void BodyGraph::set_constraints(const ConstraintSet& set) {
  for (int i = 0; i < set.size(); ++i) {
    const ConstraintRows& rows = set.rows_of(i);
    const GraphElimination::Group& group = groups_[at(first_constraint_ + i)];
    const std::span<double> entries = graph_->entries(first_constraint_ + i);
    std::fill(entries.begin(), entries.end(), 0.0);
    for (int k = 0; k < rows.size(); ++k) {
      double* const row = entries.data() + kSize * group.nodes.size() * at(k);
      for (const auto& on : rows.on_bodies) add_on_body(group, row, on.body, on.row[at(k)]);
      for (std::size_t v = 0; v < rows.velocities.size(); ++v)
        add_relative(group, row, model_.body_of_dof(rows.velocities[v]),
                     rows.on_velocities(k, static_cast<Eigen::Index>(v)) * rate_row(rows.velocities[v]));
    }
  }
}

void BodyGraph::set_spring(std::size_t i, const Eigen::Ref<const Eigen::MatrixXd>& P) {
  const Spring& spring = springs_[i];
  const Touches& touches = spring.touches;
  // one row of W: coefficients of what the spring touches
  const auto set_row = [&](const GraphElimination::Group& group, double* row, const auto& entry) {
    Eigen::Index slot = 0;
    for (const int body : touches.bodies) {
      ForceVector<double> f;
      for (int c = 0; c < 6; ++c) f[c] = entry(slot++);
      add_on_body(group, row, body, f);
    }
    for (const int v : touches.velocities)
      if (const double e = entry(slot++); e != 0.0) add_relative(group, row, model_.body_of_dof(v), e * rate_row(v));
  };
  for (const int g : spring.groups) {
    const std::span<double> entries = graph_->entries(g);
    std::fill(entries.begin(), entries.end(), 0.0);
  }
  if (touches.separate) {
    for (std::size_t v = 0; v < touches.velocities.size(); ++v) {
      const auto k = static_cast<Eigen::Index>(v);
      const double root = std::sqrt(std::max(P(k, k), 0.0));
      set_row(groups_[at(spring.groups[v])], graph_->entries(spring.groups[v]).data(),
              [&](Eigen::Index slot) { return slot == k ? root : 0.0; });
    }
    return;
  }
  // Cholesky's method with pivots gives as many rows as P has rank
  const Eigen::LDLT<Eigen::MatrixXd> factor(P);
  const auto pivots = factor.vectorD();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Identity(P.rows(), P.cols());
  rows = factor.transpositionsP() * rows;
  rows = factor.matrixU() * rows;
  const int g = spring.groups.front();
  const double smallest = pivots.size() > 0 ? kNoStiffness * pivots.maxCoeff() : 0.0;
  double* row = graph_->entries(g).data();
  int count = 0;
  for (Eigen::Index k = 0; k < pivots.size(); ++k) {
    if (!(pivots[k] > smallest)) continue;
    const double root = std::sqrt(pivots[k]);
    set_row(groups_[at(g)], row, [&](Eigen::Index slot) { return root * rows(k, slot); });
    row += kSize * groups_[at(g)].nodes.size();
    ++count;
  }
  graph_->set_row_count(g, count);
}

void BodyGraph::begin() {
  std::fill(f_.begin(), f_.end(), 0.0);
  std::fill(k_.begin(), k_.end(), 0.0);
}

void BodyGraph::add_force(int body, const ForceVector<double>& f) {
  if (body == 0) return;
  for (int c = 0; c < 6; ++c) f_[at(kSize * (body - 1) + c)] += f[c];
}

void BodyGraph::add_joint_force(int v, double tau) {
  const int body = model_.body_of_dof(v);
  const ForceVector<double> own = tau * rate_row(v);
  add_force(body, own);
  add_force(model_.link(body).parent, -transpose_apply(joint(body).motion.X, own));
}

void BodyGraph::set_joint_motion(int body, const MotionVector<double>& c) {
  joint_errors(body, c, k_.data() + graph_->first_row(joint(body).group));
}

void BodyGraph::add_armature_force(int body, const MotionVector<double>& c) {
  const Link& link = model_.link(body);
  if (!link.has_armature) return;
  double rates[6];
  joint_rates(body, c, rates);
  for (int k = 0; k < link.nv; ++k) add_joint_force(link.v + k, model_.armature(link.v + k) * rates[k]);
}

bool BodyGraph::solve() {
  const GraphElimination::Result result = graph_->solve(f_, k_, a_, lambda_);
  repeated_ = result.repeated;
  is_doubtful_ = result.doubtful_node >= 0;
  const int node = is_doubtful_ ? result.doubtful_node : result.singular_node;
  singular_body_ = node < 0 ? -1 : node + 1;
  return node < 0;
}

std::string BodyGraph::why_singular() const {
  if (singular_body_ < 0) return {};
  const std::string body = "body \"" + model_.body_name(singular_body_) + "\"";
  return is_doubtful_
             ? "the mechanism is so near a singular configuration that rounding would decide which rows of the "
               "loops at " +
                   body + " act"
             : body + " can move without inertia";
}

MotionVector<double> BodyGraph::acceleration(int body) const {
  MotionVector<double> out;
  for (int c = 0; c < 6 && body > 0; ++c) out[c] = a_[at(kSize * (body - 1) + c)];
  return out;
}

MotionVector<double> BodyGraph::relative(int body) const {
  return acceleration(body) - joint(body).motion.X * acceleration(model_.link(body).parent);
}

void BodyGraph::joint_rates(int body, const MotionVector<double>& m, double* out) const {
  const MotionBasis& S_inverse = joint(body).split.S_inverse;
  for (Eigen::Index k = 0; k < S_inverse.cols(); ++k) {
    out[k] = 0.0;
    for (int c = 0; c < 6; ++c) out[k] += S_inverse(c, k) * m[c];
  }
}

void BodyGraph::joint_errors(int body, const MotionVector<double>& m, double* out) const {
  const MotionBasis& T = joint(body).split.T;
  for (Eigen::Index k = 0; k < T.cols(); ++k) {
    out[k] = 0.0;
    for (int c = 0; c < 6; ++c) out[k] += T(c, k) * m[c];
  }
}

ForceVector<double> BodyGraph::joint_force(int body) const {
  const MotionBasis& T = joint(body).split.T;
  const int first = graph_->first_row(joint(body).group);
  ForceVector<double> out;
  for (Eigen::Index k = 0; k < T.cols(); ++k)
    for (int c = 0; c < 6; ++c) out[c] += T(c, k) * lambda_[at(first) + static_cast<std::size_t>(k)];
  return out;
}

}  // namespace cardan
