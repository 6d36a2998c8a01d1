// Velocities and impulses of one step under laws: M (v - v_free) = J' lambda, u = J v + b + R lambda, and for each
// block of rows a law between its velocities u and its multipliers (impulses) lambda. Knows no mechanism.
#pragma once

#include "cardan/solve/branch_factor.hpp"
#include "cardan/solve/growing_vector.hpp"

#include <Eigen/Dense>

#include <span>
#include <vector>

namespace cardan {

/// How the velocities and the multipliers of a block of rows depend on each other.
enum class Law {
  equal,     // u = 0, any multiplier
  at_least,  // u >= 0, lambda >= 0, one of them zero (Signorini): limits, contact without friction
  cone,      // normal, then two tangents: Signorini, and Coulomb's friction with |lambda_t| <= mu lambda_n
  ball       // |lambda| <= radius; u = 0 inside, lambda opposed to u on the rim: dry friction
};

/// Adds factor |A lambda + B v + c| to the radius of a ball: friction that grows with a load. A and B are sparse, three
/// rows each. Columns of A that belong to other balls are taken from the last iterate.
struct Load {
  struct Entry {
    int index = 0;  // of the multiplier or the velocity
    Eigen::Vector3d column = Eigen::Vector3d::Zero();
  };
  double factor = 0.0;
  std::vector<Entry> by_multiplier{}, by_velocity{};
  Eigen::Vector3d constant = Eigen::Vector3d::Zero();
};

struct LawBlock {
  Law law = Law::equal;
  int first = 0, size = 1;  // rows
  double bound = 0.0;       // of a cone: mu; of a ball: what of its radius does not depend on loads [N s, N m s]
  double compliance = 0.0;  // R of the normal of a cone, of all rows of at_least
  int first_load = 0, loads = 0;

  int first_column = 0, columns = 0;  // where its velocities and entries begin in the lists of the problem
  int first_entry = 0;
};

class LawProblem {
 public:
  using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  /// A part of the mass matrix that is coupled with no other: velocities first, first + 1, ... M is symmetric, its
  /// lower triangle is read. With parents (each before its children, counted within the part, -1: none) only the
  /// entries on the branches of that tree differ from zero; without, all may.
  struct Mass {
    int first = 0;
    Eigen::MatrixXd M;
    std::vector<int> parent{};
    const BranchFactor* factor = nullptr;  // of M, where somebody has it; must outlive the problem's use
  };

  /// Empties the problem; memory is kept.
  void clear(int velocities);
  /// Empties the problem but for its mass matrix.
  void clear_rows();
  /// Appends a block of zero rows on these velocities, which must differ; returns its index.
  int add(Law law, int size, std::span<const int> velocities, double bound = 0.0, double compliance = 0.0);
  void set_compliance(int block, double R) { blocks_[static_cast<std::size_t>(block)].compliance = R; }
  /// Appends a load to the last block, a ball.
  Load& add_load();

  int velocities() const { return static_cast<int>(v_free.size()); }
  int rows() const { return rows_; }
  const std::vector<LawBlock>& blocks() const { return blocks_; }
  std::span<const int> columns(const LawBlock& block) const {
    return std::span(columns_).subspan(static_cast<std::size_t>(block.first_column),
                                       static_cast<std::size_t>(block.columns));
  }
  /// J of a block, its rows x its velocities.
  Rows J(const LawBlock& block) const { return {entries_.data() + block.first_entry, block.size, block.columns}; }
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> J(const LawBlock& block) {
    return {entries_.data() + block.first_entry, block.size, block.columns};
  }
  std::span<const Load> loads(const LawBlock& block) const {
    return std::span(loads_).subspan(static_cast<std::size_t>(block.first_load), static_cast<std::size_t>(block.loads));
  }

  std::vector<Mass> mass;  // in ascending order, together all velocities
  Eigen::VectorXd v_free;
  GrowingVector b;  // sized by add

 private:
  std::vector<LawBlock> blocks_;
  std::vector<int> columns_;
  std::vector<double> entries_;
  std::vector<Load> loads_;  // of which the first load_count_ are in use
  std::size_t load_count_ = 0;
  int rows_ = 0;
};

}  // namespace cardan
