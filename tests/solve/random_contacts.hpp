// Random contact problems: free bodies in general positions with contacts between them and the ground, stacks of boxes
// that are shaken, and mixtures with equality rows, limits and friction that grows with a load.
#pragma once

#include "cardan/solve/law_problem.hpp"

#include <array>
#include <random>

namespace cardan::test {

class FreeBodies {
 public:
  explicit FreeBodies(std::mt19937_64& random) : random_(random) {}

  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  double normal() { return std::normal_distribution<double>()(random_); }
  int integer(int a, int b) { return std::uniform_int_distribution<int>(a, b)(random_); }
  Eigen::Vector3d normal3() { return {normal(), normal(), normal()}; }

  void body(double m, const Eigen::Vector3d& I, const Eigen::Vector3d& x) {
    mass_.push_back(m);
    inertia_.push_back(I);
    place_.push_back(x);
  }
  int bodies() const { return static_cast<int>(mass_.size()); }
  const Eigen::Vector3d& place(int i) const { return place_[static_cast<std::size_t>(i)]; }

  /// Begins the problem: bodies move with these random velocities, and fall for a millisecond.
  void begin(double speed) {
    const int nv = 6 * bodies();
    problem.clear(nv);
    for (int i = 0; i < bodies(); ++i) {
      Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6);
      M.diagonal() << inertia_[static_cast<std::size_t>(i)],
          Eigen::Vector3d::Constant(mass_[static_cast<std::size_t>(i)]);
      problem.mass.push_back({6 * i, M});
      for (int k = 0; k < 6; ++k) problem.v_free[6 * i + k] = speed * normal();
      problem.v_free[6 * i + 5] -= 9.81e-3;
    }
  }
  /// Rows of relative motion at p, b minus a (-1: the ground), along these directions.
  int rows(Law law, int a, int b, const Eigen::Vector3d& p, const Eigen::MatrixXd& directions, double bound) {
    std::vector<int> columns;
    for (const int i : {a, b})
      for (int k = 0; i >= 0 && k < 6; ++k) columns.push_back(6 * i + k);
    const int index = problem.add(law, static_cast<int>(directions.rows()), columns, bound);
    auto J = problem.J(problem.blocks()[static_cast<std::size_t>(index)]);
    int first = 0;
    for (const int i : {a, b}) {
      if (i < 0) continue;
      for (int r = 0; r < directions.rows(); ++r) {
        const Eigen::Vector3d e = (i == b ? 1.0 : -1.0) * directions.row(r).transpose();
        J.block(r, first, 1, 3) = (p - place(i)).cross(e).transpose();
        J.block(r, first + 3, 1, 3) = e.transpose();
      }
      first += 6;
    }
    return index;
  }
  int contact(int a, int b, const Eigen::Vector3d& p, const Eigen::Vector3d& n, double mu) {
    Eigen::Matrix3d axes;
    const Eigen::Vector3d t = n.unitOrthogonal();
    axes << n.transpose(), t.transpose(), n.cross(t).transpose();
    return rows(Law::cone, a, b, p, axes, mu);
  }

  LawProblem problem;

 private:
  std::mt19937_64& random_;
  std::vector<double> mass_;
  std::vector<Eigen::Vector3d> inertia_, place_;
};

/// Bodies and contacts anywhere; mu < 0: each its own from 0.1 to 1.
inline LawProblem scattered_contacts(std::mt19937_64& random, int bodies, int contacts, double mu = -1.0) {
  FreeBodies w(random);
  for (int i = 0; i < bodies; ++i)
    w.body(1.0, 0.01 * Eigen::Vector3d(w.uniform(0.5, 1.5), w.uniform(0.5, 1.5), w.uniform(0.5, 1.5)),
           0.3 * w.normal3());
  w.begin(1.0);
  for (int k = 0; k < contacts; ++k) {
    const int a = w.integer(-1, bodies - 1);
    int b = w.integer(0, bodies - 1);
    while (b == a) b = w.integer(0, bodies - 1);
    const Eigen::Vector3d n = w.normal3().normalized();
    w.contact(a, b, w.place(b) - 0.1 * n + 0.02 * w.normal3(), n, mu < 0.0 ? w.uniform(0.1, 1.0) : mu);
  }
  return w.problem;
}

/// Boxes on top of one another, masses from 1 at the bottom to `ratio` at the top.
inline LawProblem shaken_stack(std::mt19937_64& random, int count, double ratio, double speed) {
  FreeBodies w(random);
  const double side = 0.1;
  for (int i = 0; i < count; ++i) {
    const double m = std::pow(ratio, static_cast<double>(i) / std::max(1, count - 1));
    w.body(m, Eigen::Vector3d::Constant(m * side * side / 6.0), {0.0, 0.0, side * (i + 0.5)});
  }
  w.begin(speed);
  for (int i = 0; i < count; ++i)
    for (const double x : {-0.05, 0.05})
      for (const double y : {-0.05, 0.05}) w.contact(i - 1, i, {x, y, side * i}, Eigen::Vector3d::UnitZ(), 0.5);
  return w.problem;
}

/// A chain of bodies held by ball joints, one of them twice, with friction in the joints that grows with their forces,
/// limits, and contacts with the ground.
inline LawProblem mixed_rows(std::mt19937_64& random) {
  FreeBodies w(random);
  const int bodies = w.integer(3, 6);
  for (int i = 0; i < bodies; ++i) w.body(w.uniform(0.3, 3.0), Eigen::Vector3d::Constant(0.01), {0.3 * i, 0.0, 0.05});
  w.begin(0.5);
  for (int i = 1; i < bodies; ++i) {
    const Eigen::Vector3d pin(0.3 * i - 0.15, 0.0, 0.05);
    const int joint = w.rows(Law::equal, i - 1, i, pin, Eigen::Matrix3d::Identity(), 0.0);
    if (i == 1) {  // the same joint in other words
      const Eigen::Matrix3d other = Eigen::Matrix3d::Identity() + 0.3 * Eigen::Matrix3d::Ones();
      w.rows(Law::equal, 0, 1, pin, other, 0.0);
    }
    // friction of the joint: |moment| <= mu r |force|
    std::vector<int> columns;
    for (int k = 0; k < 12; ++k) columns.push_back(6 * (i - 1) + k);
    const int ball = w.problem.add(Law::ball, 3, columns);
    auto J = w.problem.J(w.problem.blocks()[static_cast<std::size_t>(ball)]);
    for (int k = 0; k < 3; ++k) {
      J(k, k) = -1.0;
      J(k, 6 + k) = 1.0;
    }
    Load& load = w.problem.add_load();
    load.factor = w.uniform(0.05, 0.3) * 0.02;
    const int first = w.problem.blocks()[static_cast<std::size_t>(joint)].first;
    for (int k = 0; k < 3; ++k) load.by_multiplier.push_back({first + k, Eigen::Vector3d::Unit(k)});
  }
  for (int i = 0; i < bodies; ++i) {
    w.contact(-1, i, {0.3 * i + 0.02 * w.normal(), 0.02 * w.normal(), 0.0}, Eigen::Vector3d::UnitZ(),
              w.uniform(0.1, 1.0));
    if (w.uniform(0.0, 1.0) < 0.3) {
      const Eigen::RowVector3d y(0.0, 1.0, 0.0);
      w.rows(Law::at_least, -1, i, w.place(i), y, 0.0);
    }
  }
  return w.problem;
}

}  // namespace cardan::test
