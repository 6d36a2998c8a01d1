#include "cardan/dynamics/force_blocks.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// Multiplies by a matrix whose size is known beforehand, as those of springs between two bodies are.
template <int N>
void multiply_fixed(const double* P, const Eigen::VectorXd& x, Eigen::VectorXd& out) {
  const Eigen::Matrix<double, N, 1> result = Eigen::Map<const Eigen::Matrix<double, N, N>>(P) * x.head<N>();
  out = result;
}

}  // namespace

ForceBlocks::ForceBlocks(const Forces& forces) : forces_(forces) {
  std::size_t entries = 0;
  for (const auto& force : forces) {
    const Touches touches = force->touches();
    Tangent tangent;
    tangent.resize(touches);
    const Eigen::Index rows = tangent.K.rows();
    const auto same =
        std::find_if(scratch_.begin(), scratch_.end(), [&](const Tangent& t) { return t.K.rows() == rows; });
    blocks_.push_back({touches, rows, entries, static_cast<std::size_t>(same - scratch_.begin())});
    if (same == scratch_.end()) scratch_.push_back(std::move(tangent));
    entries += static_cast<std::size_t>(rows * rows);
  }
  added_.assign(entries, 0.0);
}

std::vector<Touches> ForceBlocks::all_touches() const {
  std::vector<Touches> out;
  for (const Block& block : blocks_) out.push_back(block.touches);
  return out;
}

const Tangent& ForceBlocks::evaluate_definite(std::size_t i, const Instant& at, std::span<const int> first_state,
                                              double h) {
  const Block& block = blocks_[i];
  Tangent& tangent = scratch_[block.scratch];
  tangent.K.setZero();
  tangent.D.setZero();
  forces_[i]->add_definite_tangent(at.of_element(first_state[i], block.touches.states), tangent);
  Eigen::Map<Eigen::MatrixXd>(added_.data() + block.first, block.rows, block.rows) =
      -h * tangent.D - (h * h) * tangent.K;
  return tangent;
}

void ForceBlocks::multiply(std::size_t i, const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
  const double* const P = added_.data() + blocks_[i].first;
  if (blocks_[i].rows == 12)
    multiply_fixed<12>(P, x, out);
  else if (blocks_[i].rows == 6)
    multiply_fixed<6>(P, x, out);
  else
    out.noalias() = added_inertia(i) * x;
}

}  // namespace cardan
