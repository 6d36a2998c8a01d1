#include "cardan/solve/interior_point.hpp"

#include "cardan/solve/internal/lorentz_cone.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kToTheBoundary = 0.99;
constexpr double kFrictionless = 1e-9;  // mu below this: a limit

}  // namespace

Eigen::Vector4d InteriorPoint::scaled_velocity(std::size_t i) const {
  const LawBlock& block = laws_->problem().blocks()[i];
  const Block3 u = laws_->row_velocity(block, v_);
  Eigen::Vector4d out = Eigen::Vector4d::Zero();
  if (cones_[i].ball)
    out.tail<3>() = u;
  else if (block.law == Law::cone && cones_[i].size > 1)
    out.head<3>() << u[0], block.bound * u[1], block.bound * u[2];
  else
    out[0] = u[0];
  return out;
}

void InteriorPoint::start() {
  const auto& blocks = laws_->problem().blocks();
  cones_.assign(blocks.size(), {});
  count_ = 0;
  v_ = laws_->problem().v_free;
  lambda_w_.setZero(laws_->rank());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    Cone& cone = cones_[i];
    if (block.law == Law::equal) continue;
    ++count_;
    cone.ball = block.law == Law::ball;
    cone.size = cone.ball ? 1 + block.size : block.law == Law::cone && block.bound > kFrictionless ? 3 : 1;
    const int index = static_cast<int>(i);
    const double d = options_->constrained_scale ? laws_->constrained_d(index) : laws_->d(index);
    const double g = std::max(laws_->row_velocity(block, v_).norm(), 1e-9);
    cone.z[0] = g / d;
    cone.w[0] = g;
  }
  multipliers(now_);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (cones_[i].ball) {
      const double size = cones_[i].z[0];
      const double radius = laws_->radius(blocks[i], now_, now_.rows, v_);
      cones_[i].z[0] = blocks[i].loads == 0 ? std::max(radius, 1e-9 * size) : std::max(radius, 0.01 * size);
    }
}

void InteriorPoint::scale(Cone& c) const {
  const int n = c.size;
  c.W.setZero();
  c.W_inv.setZero();
  if (n == 1) {
    c.W(0, 0) = std::sqrt(c.w[0] / c.z[0]);
    c.W_inv(0, 0) = 1.0 / c.W(0, 0);
  } else {
    const double dz = std::sqrt(std::max(cone_determinant(c.z), 1e-300)),
                 dw = std::sqrt(std::max(cone_determinant(c.w), 1e-300));
    const Eigen::Vector4d z = c.z / dz, w = c.w / dw;
    const double gamma = std::sqrt(0.5 * (1.0 + z.dot(w))), eta = std::sqrt(dw / dz);
    Eigen::Vector4d o = w - z;
    o[0] = w[0] + z[0];
    o /= 2.0 * gamma;
    const Eigen::Vector3d t = o.tail<3>();
    Eigen::Matrix3d inner = t * t.transpose() / (1.0 + o[0]);
    for (int k = 0; k < n - 1; ++k) inner(k, k) += 1.0;
    c.W(0, 0) = eta * o[0];
    c.W.block<1, 3>(0, 1) = eta * t.transpose();
    c.W.block<3, 1>(1, 0) = eta * t;
    c.W.block<3, 3>(1, 1) = eta * inner;
    c.W_inv(0, 0) = o[0] / eta;
    c.W_inv.block<1, 3>(0, 1) = -t.transpose() / eta;
    c.W_inv.block<3, 1>(1, 0) = -t / eta;
    c.W_inv.block<3, 3>(1, 1) = inner / eta;
  }
  c.s = c.W * c.z;
}

void InteriorPoint::multipliers(Multipliers& out) const {
  const auto& blocks = laws_->problem().blocks();
  out.rows.setZero(laws_->problem().rows());
  out.whitened = lambda_w_;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    const Cone& c = cones_[i];
    if (c.size == 0) continue;
    if (c.ball)
      set_block(block, c.z.tail<3>(), out.rows);
    else if (c.size == 3)
      out.rows.segment<3>(block.first) << c.z[0], block.bound * c.z[1], block.bound * c.z[2];
    else
      out.rows[block.first] = c.z[0];
  }
}

/// Sets F(v) - w of every cone, the slope of the shift, and by how much z_0 of balls misses the radius.
void InteriorPoint::set_gaps() {
  const auto& blocks = laws_->problem().blocks();
  multipliers(now_);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Cone& c = cones_[i];
    if (c.size == 0) continue;
    Eigen::Vector4d f = scaled_velocity(i);
    c.T.setIdentity();
    if (!c.ball && c.size == 3) {
      const double t = f.segment<2>(1).norm();
      f[0] += t;
      if (t > 0.0 && options_->shift_slope) c.T.block<1, 2>(0, 1) = f.segment<2>(1).transpose() / t;
    }
    c.rp = f - c.w;
    if (c.ball) {
      c.rp[0] = 0.0;  // s is free
      c.radius_gap = laws_->radius(blocks[i], now_, now_.rows, v_) - c.z[0];
    }
  }
}

void InteriorPoint::linearize() {
  const auto& blocks = laws_->problem().blocks();
  matrix_->begin(0.0);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    Cone& c = cones_[i];
    if (c.size == 0) continue;
    scale(c);
    const Eigen::Matrix4d Q = c.W_inv * c.W_inv;
    Block33& D = matrix_->slope(static_cast<int>(i)).D;
    if (c.ball) {
      const Eigen::Vector3d q = Q.block<3, 1>(1, 0) / Q(0, 0);
      D = Q.block<3, 3>(1, 1) - q * Q.block<1, 3>(0, 1);
    } else if (c.size == 3) {
      const Eigen::Vector3d mu(1.0, block.bound, block.bound);
      D = mu.asDiagonal() * (Q * c.T).topLeftCorner<3, 3>() * mu.asDiagonal();
    } else {
      D(0, 0) = Q(0, 0);
    }
  }
  if (!options_->shift_slope) return;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    Cone& c = cones_[i];
    if (!c.ball || block.loads == 0) continue;
    const Eigen::Matrix4d Q = c.W_inv * c.W_inv;
    Eigen::VectorXd& g = matrix_->ride(static_cast<int>(i), Q.block<3, 1>(1, 0) / Q(0, 0));
    const auto loads = laws_->problem().loads(block);
    for (std::size_t k = 0; k < loads.size(); ++k) {
      const Eigen::Vector3d w = laws_->load(loads[k], block.first_load + static_cast<int>(k), now_, now_.rows, v_);
      if (!(w.norm() > 0.0)) continue;
      const Eigen::Vector3d along = loads[k].factor / w.norm() * w;
      for (const Load::Entry& entry : loads[k].by_multiplier) {
        const Law law = blocks[static_cast<std::size_t>(laws_->block_of(entry.index))].law;
        if (law == Law::cone || law == Law::at_least) matrix_->add_row(entry.index, along.dot(entry.column), g);
      }
      for (const Load::Entry& entry : loads[k].by_velocity) g[entry.index] += along.dot(entry.column);
      const Eigen::MatrixXd& by = laws_->load_by_whitened(block, static_cast<int>(k));
      if (by.size() > 0) g.tail(laws_->rank()).noalias() += by.transpose() * along;
    }
  }
}

/// Sets dv, dlambda_w, dz and dw for the target of z o w; the corrector uses the direction before.
void InteriorPoint::find_direction(double target, bool corrector) {
  const LawProblem& problem = laws_->problem();
  const auto& blocks = problem.blocks();
  const int n = laws_->velocities();
  constant_.rows.setZero(problem.rows());
  constant_.whitened.setZero(laws_->rank());
  // constant parts of dlambda
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    Cone& c = cones_[i];
    if (c.size == 0) continue;
    Eigen::Vector4d r = -cone_product(c.s, c.s);
    r[0] += target;
    if (corrector) r -= cone_product(c.W * c.dz, c.W_inv * c.dw);
    c.a = c.W_inv * cone_quotient(r, c.s, c.size);
    if (c.ball) continue;
    const Eigen::Vector4d dz = c.a - c.W_inv * (c.W_inv * c.rp);
    if (c.size == 3)
      constant_.rows.segment<3>(block.first) << dz[0], block.bound * dz[1], block.bound * dz[2];
    else
      constant_.rows[block.first] = dz[0];
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    Cone& c = cones_[i];
    if (!c.ball) continue;
    c.radius_change = c.radius_gap;
    if (options_->shift_slope) {
      const auto loads = problem.loads(block);
      for (std::size_t k = 0; k < loads.size(); ++k) {
        const Eigen::Vector3d w = laws_->load(loads[k], block.first_load + static_cast<int>(k), now_, now_.rows, v_);
        if (!(w.norm() > 0.0)) continue;
        for (const Load::Entry& entry : loads[k].by_multiplier) {
          const Law law = blocks[static_cast<std::size_t>(laws_->block_of(entry.index))].law;
          if (law == Law::cone || law == Law::at_least)
            c.radius_change += loads[k].factor / w.norm() * w.dot(entry.column) * constant_.rows[entry.index];
        }
      }
    }
    const Eigen::Matrix4d Q = c.W_inv * c.W_inv;
    const Eigen::Vector3d q = Q.block<3, 1>(1, 0) / Q(0, 0);
    const Eigen::Vector3d own = c.a.tail<3>() - q * (c.a[0] - c.radius_change) -
                                (Q.block<3, 3>(1, 1) - q * Q.block<1, 3>(0, 1)) * c.rp.tail<3>();
    set_block(block, own, constant_.rows);
  }
  // M dv = -r_d + J' dlambda
  x_.resize(n + laws_->rank());
  scratch_ = v_ - problem.v_free;
  Eigen::VectorXd force(n);
  laws_->multiply_mass(scratch_, force);
  scratch_.setZero();
  laws_->add_impulse(now_, scratch_);
  laws_->add_impulse(constant_, scratch_);
  x_.head(n) = scratch_ - force;
  if (laws_->rank() > 0) x_.tail(laws_->rank()) = -(laws_->Jw() * v_ + laws_->bw());
  matrix_->solve(x_);
  dv_ = x_.head(n);
  dlambda_w_ = x_.tail(laws_->rank());
  // back to the cones
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    Cone& c = cones_[i];
    if (c.size == 0) continue;
    const auto columns = problem.columns(block);
    const auto J = problem.J(block);
    Block3 du = Block3::Zero();
    for (int row = 0; row < block.size; ++row)
      for (std::size_t k = 0; k < columns.size(); ++k)
        du[row] += J(row, static_cast<Eigen::Index>(k)) * dv_[columns[k]];
    if (c.ball) {
      double dr = c.radius_change;
      if (matrix_->slope(static_cast<int>(i)).ride >= 0) dr += matrix_->ridden(static_cast<int>(i)).dot(x_);
      const Eigen::Matrix4d Q = c.W_inv * c.W_inv;
      c.dw.setZero();
      c.dw.tail<3>() = du + c.rp.tail<3>();
      c.dw[0] = (c.a[0] - dr - Q.block<1, 3>(0, 1).dot(c.dw.tail<3>())) / Q(0, 0);
      c.dz = c.a - Q * c.dw;
    } else {
      Eigen::Vector4d f = Eigen::Vector4d::Zero();
      if (c.size == 3)
        f.head<3>() << du[0], block.bound * du[1], block.bound * du[2];
      else
        f[0] = du[0];
      c.dw = c.T * f + c.rp;
      c.dz = c.a - c.W_inv * (c.W_inv * c.dw);
    }
  }
}

double InteriorPoint::longest_step() const {
  double length = 1e30;
  for (const Cone& c : cones_)
    if (c.size > 0) length = std::min({length, cone_distance(c.z, c.dz, c.size), cone_distance(c.w, c.dw, c.size)});
  return length;
}

double InteriorPoint::complementarity(double length) const {
  double sum = 0.0;
  for (const Cone& c : cones_)
    if (c.size > 0) sum += (c.z + length * c.dz).dot(c.w + length * c.dw);
  return sum / count_;
}

double InteriorPoint::run(const PreparedLaws& laws, const InteriorPointOptions& options, NewtonMatrix& matrix,
                          Multipliers& lambda) {
  laws_ = &laws;
  matrix_ = &matrix;
  options_ = &options;
  factorizations_ = 0;
  start();
  double best = std::numeric_limits<double>::infinity();
  Eigen::VectorXd v;
  for (int k = 0; k < options.iterations; ++k) {
    set_gaps();
    const double residual = laws.residual(now_, v);
    if (residual < best) {
      best = residual;
      lambda = now_;
    }
    if (best < options.tolerance || !std::isfinite(residual)) break;
    linearize();
    ++factorizations_;
    if (!matrix_->factor()) break;
    find_direction(0.0, false);
    if (!x_.allFinite()) break;
    const double now = complementarity(0.0), affine = std::min(1.0, longest_step());
    const double ratio = std::clamp(complementarity(affine) / now, 0.0, 1.0);
    find_direction(ratio * ratio * ratio * now, true);
    if (!x_.allFinite()) break;
    const double length = std::min(1.0, kToTheBoundary * longest_step());
    v_ += length * dv_;
    lambda_w_ += length * dlambda_w_;
    for (Cone& c : cones_) {
      c.z += length * c.dz;
      c.w += length * c.dw;
    }
  }
  return best;
}

}  // namespace cardan
