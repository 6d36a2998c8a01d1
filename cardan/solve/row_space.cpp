#include "cardan/solve/row_space.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr std::size_t kMostBlocks = 16;  // of more, most do not move one another

}  // namespace

bool RowSpace::fits(const LawProblem& problem) {
  const auto& blocks = problem.blocks();
  return !blocks.empty() && blocks.size() <= kMostBlocks &&
         std::none_of(blocks.begin(), blocks.end(), [](const LawBlock& block) {
           return block.law == Law::equal || block.loads > 0 || block.size > 3;
         });
}

/// Writes the products of two blocks of responses, four vectors each, to G and its mirror image.
void RowSpace::multiply(std::size_t block, std::size_t other, const double* x, const double* y) {
  Quad sum[kLanes] = {};
  for (int k = 0; k < laws_->velocities(); ++k, x += kLanes, y += kLanes)
    for (int a = 0; a < kLanes; ++a) sum[a] += Quad(x[a]) * Quad::load(y);
  const auto n = static_cast<std::size_t>(size());
  for (std::size_t a = 0; a < kLanes; ++a)
    for (std::size_t b = 0; b < kLanes; ++b) {
      G_[(kLanes * block + a) * n + kLanes * other + b] = sum[a][static_cast<int>(b)];
      G_[(kLanes * other + b) * n + kLanes * block + a] = sum[a][static_cast<int>(b)];
    }
}

void RowSpace::reduce(const PreparedLaws& laws) {
  laws_ = &laws;
  const LawProblem& problem = laws.problem();
  blocks_.resize(problem.blocks().size());
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    blocks_[i] = {&problem.blocks()[i], laws.d(static_cast<int>(i)), compliance(problem.blocks()[i])};
  c_.resize(static_cast<std::size_t>(size()));
  G_.resize(c_.size() * c_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) multiply(i, j, laws.response(i), laws.response(j));
    set_place(i, laws.row_velocity(*blocks_[i].law, problem.v_free), c_);
  }
}

void RowSpace::place(const Eigen::VectorXd& rows, std::vector<double>& lambda) const {
  lambda.assign(c_.size(), 0.0);
  for (std::size_t i = 0; i < blocks_.size(); ++i) set_place(i, get_block(rows, law(i)), lambda);
}

void RowSpace::collect(const std::vector<double>& lambda, Eigen::VectorXd& rows) const {
  rows.resize(laws_->problem().rows());
  for (std::size_t i = 0; i < blocks_.size(); ++i) set_block(law(i), get_place(lambda, i), rows);
}

void RowSpace::velocities(const std::vector<double>& lambda, std::vector<double>& u) const {
  u = c_;
  const int n = size();
  add_rows(u.data(), lambda.data(), 1, G_.data(), n, n, n);
}

}  // namespace cardan
