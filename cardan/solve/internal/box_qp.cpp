#include "cardan/solve/internal/box_qp.hpp"

#include <algorithm>
#include <vector>
#include "cardan/math/orthogonal.hpp"

namespace cardan {

namespace {

constexpr double kRank = 1e-11;     // of A_FF: smaller pivots are zero
constexpr double kOptimal = 1e-12;  // of r, relative
constexpr double kOnFace = 1e-14;   // of a bound
constexpr int kStalledRounds = 20;  // of length zero, then Bland's rule
constexpr int kBoxSweeps = 40;
constexpr int kRoundsPerEntry = 30;

enum class Face : signed char { lower = -1, free = 0, upper = 1 };

class BoxQp {
 public:
  BoxQp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& bound, const Eigen::VectorXd& start)
      : A_(A), b_(b), bound_(bound), scale_(b.size() > 0 ? b.cwiseAbs().maxCoeff() : 0.0) {
    out_.x = start.size() == b.size() ? Eigen::VectorXd(start.cwiseMax(-bound).cwiseMin(bound))
                                      : Eigen::VectorXd(Eigen::VectorXd::Zero(b.size()));
  }

  BoxQpSolution run() {
    sweep();
    find_faces();
    const int most = kRoundsPerEntry * (static_cast<int>(b_.size()) + 1);
    int stalled = 0;
    for (; out_.rounds < most; ++out_.rounds) {
      if (!move(stalled)) continue;  // a face was met: fewer entries are free
      r_ = b_ - A_ * out_.x;
      if (!release(stalled > kStalledRounds)) {
        out_.solved = true;
        break;
      }
    }
    measure();
    return out_;
  }

 private:
  /// Minimizes along one entry after another, a few times over: most entries then are on the face where they end.
  void sweep() {
    r_ = b_ - A_ * out_.x;
    for (int round = 0; round < kBoxSweeps; ++round) {
      double moved = 0.0;
      for (Eigen::Index i = 0; i < b_.size(); ++i) {
        if (!(A_(i, i) > 0.0)) continue;
        const double x = std::clamp(out_.x[i] + r_[i] / A_(i, i), -bound_[i], bound_[i]), change = x - out_.x[i];
        if (change == 0.0) continue;
        out_.x[i] = x;
        r_ -= change * A_.col(i);
        moved = std::max(moved, std::abs(change) * A_(i, i));
      }
      if (!(moved > kOptimal * scale_)) return;
    }
  }

  void find_faces() {
    for (Eigen::Index i = 0; i < b_.size(); ++i) {
      const double x = out_.x[i], limit = bound_[i] * (1.0 - kOnFace);
      face_.push_back(x >= limit ? Face::upper : x <= -limit ? Face::lower : Face::free);
    }
  }

  /// Moves the free entries towards their optimum; false where a face ends the move.
  bool move(int& stalled) {
    std::vector<Eigen::Index> free;
    for (Eigen::Index i = 0; i < b_.size(); ++i)
      if (face_[static_cast<std::size_t>(i)] == Face::free) free.push_back(i);
    if (free.empty()) return true;
    const Eigen::VectorXd r = (b_ - A_ * out_.x)(free);
    if (r.cwiseAbs().maxCoeff() <= 0.1 * kOptimal * scale_) return true;
    Orthogonal factor;
    factor.set_threshold(kRank);
    factor.compute(A_(free, free));
    const Eigen::VectorXd d = factor.solve(r);
    double length = 1.0;
    Eigen::Index first = -1;
    for (std::size_t k = 0; k < free.size(); ++k) {
      const double x = out_.x[free[k]], step = d[static_cast<Eigen::Index>(k)], limit = bound_[free[k]];
      const double room = step > 0.0 ? (limit - x) / step : step < 0.0 ? (-limit - x) / step : 2.0;
      if (room >= length) continue;
      length = std::max(0.0, room);
      first = static_cast<Eigen::Index>(k);
    }
    for (std::size_t k = 0; k < free.size(); ++k) out_.x[free[k]] += length * d[static_cast<Eigen::Index>(k)];
    stalled = length > 0.0 ? 0 : stalled + 1;
    if (first < 0) return true;
    const Eigen::Index i = free[static_cast<std::size_t>(first)];
    const bool up = d[first] > 0.0;
    out_.x[i] = up ? bound_[i] : -bound_[i];
    face_[static_cast<std::size_t>(i)] = up ? Face::upper : Face::lower;
    return false;
  }

  /// How far r points inward on a face; the box has no inside where its bound is zero.
  double inward(Eigen::Index i) const {
    if (!(bound_[i] > 0.0)) return 0.0;
    const Face face = face_[static_cast<std::size_t>(i)];
    return face == Face::upper ? -r_[i] : face == Face::lower ? r_[i] : 0.0;
  }

  bool release(bool first) {
    Eigen::Index chosen = -1;
    double most = kOptimal * scale_;
    for (Eigen::Index i = 0; i < b_.size(); ++i) {
      if (!(inward(i) > most)) continue;
      chosen = i;
      if (first) break;
      most = inward(i);
    }
    if (chosen < 0) return false;
    face_[static_cast<std::size_t>(chosen)] = Face::free;
    return true;
  }

  void measure() {
    r_ = b_ - A_ * out_.x;
    for (Eigen::Index i = 0; i < b_.size(); ++i) {
      const bool is_free = face_[static_cast<std::size_t>(i)] == Face::free;
      out_.residual = std::max(out_.residual, is_free ? std::abs(r_[i]) : inward(i));
    }
    if (scale_ > 0.0) out_.residual /= scale_;
  }

  const Eigen::MatrixXd& A_;
  const Eigen::VectorXd &b_, &bound_;
  const double scale_;
  Eigen::VectorXd r_;
  std::vector<Face> face_;
  BoxQpSolution out_;
};

}  // namespace

BoxQpSolution solve_box_qp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& bound,
                           const Eigen::VectorXd& start) {
  return BoxQp(A, b, bound, start).run();
}

}  // namespace cardan
