// A small LawProblem seen from its rows: u = G lambda + c with the Delassus matrix G = J M^-1 J', dense. Where contacts
// are few, a sweep then costs a few products with G. Blocks take four places each, of which the first ones are in use,
// so that kernels need no tails.
#pragma once

#include "cardan/solve/padded_rows.hpp"
#include "cardan/solve/prepared_laws.hpp"

namespace cardan {

class RowSpace {
 public:
  /// Tells whether a problem is small and has neither equality rows nor balls under load.
  static bool fits(const LawProblem& problem);
  /// Computes G and c; the laws must have kept their responses and outlive it.
  void reduce(const PreparedLaws& laws);

  std::size_t blocks() const { return blocks_.size(); }
  int size() const { return static_cast<int>(kLanes * blocks_.size()); }
  /// A column of G.
  const double* column(int place) const { return G_.data() + static_cast<std::size_t>(place * size()); }
  double d(std::size_t block) const { return blocks_[block].d; }
  /// R of the rows of a block.
  const Block3& compliance_of(std::size_t block) const { return blocks_[block].R; }
  int rows(std::size_t block) const { return blocks_[block].law->size; }
  const LawBlock& law(std::size_t block) const { return *blocks_[block].law; }

  /// Copies multipliers of the rows to their places, and back.
  void place(const Eigen::VectorXd& rows, std::vector<double>& lambda) const;
  void collect(const std::vector<double>& lambda, Eigen::VectorXd& rows) const;
  /// u = G lambda + c.
  void velocities(const std::vector<double>& lambda, std::vector<double>& u) const;
  /// What the law of a block allows next to y.
  Block3 project(std::size_t block, const Block3& y) const { return cardan::project(law(block), y); }

 private:
  struct Block {
    const LawBlock* law = nullptr;
    double d = 0.0;
    Block3 R = Block3::Zero();
  };
  void multiply(std::size_t block, std::size_t other, const double* x, const double* y);

  const PreparedLaws* laws_ = nullptr;
  std::vector<Block> blocks_;
  std::vector<double> G_, c_;
};

/// The three numbers of a block, and back.
inline Block3 get_place(const std::vector<double>& x, std::size_t block) {
  return Eigen::Map<const Block3>(x.data() + kLanes * block);
}
inline void set_place(std::size_t block, const Block3& value, std::vector<double>& x) {
  Eigen::Map<Block3>(x.data() + kLanes * block) = value;
}

}  // namespace cardan
