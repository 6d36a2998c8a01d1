#include "cardan/solve/island_solver.hpp"

#include <algorithm>
#include <numeric>

namespace cardan {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

/// Joins the parts of the mass matrix that a row or a load connects.
void IslandSolver::divide(const LawProblem& problem) {
  const int parts = static_cast<int>(problem.mass.size());
  part_of_velocity_.assign(at(problem.velocities()), 0);
  for (int i = 0; i < parts; ++i)
    for (int k = 0; k < problem.mass[at(i)].M.rows(); ++k) part_of_velocity_[at(problem.mass[at(i)].first + k)] = i;
  group_.resize(at(parts));
  std::iota(group_.begin(), group_.end(), 0);
  const auto root = [&](int i) {
    while (group_[at(i)] != i) i = group_[at(i)] = group_[at(group_[at(i)])];
    return i;
  };
  const auto join = [&](int a, int b) {
    a = root(a);
    b = root(b);
    group_[at(std::max(a, b))] = std::min(a, b);
  };
  std::vector<int> block_of_row(at(problem.rows()));
  for (const LawBlock& block : problem.blocks())
    for (int k = 0; k < block.size; ++k)
      block_of_row[at(block.first + k)] = static_cast<int>(&block - problem.blocks().data());
  const auto any_part = [&](const LawBlock& block) {
    const auto columns = problem.columns(block);
    return columns.empty() ? -1 : part_of_velocity_[at(columns.front())];
  };
  for (const LawBlock& block : problem.blocks()) {
    const int own = any_part(block);
    if (own < 0) continue;
    for (const int c : problem.columns(block)) join(own, part_of_velocity_[at(c)]);
    for (const Load& load : problem.loads(block)) {
      for (const Load::Entry& entry : load.by_velocity) join(own, part_of_velocity_[at(entry.index)]);
      for (const Load::Entry& entry : load.by_multiplier)
        if (const int other = any_part(problem.blocks()[at(block_of_row[at(entry.index)])]); other >= 0)
          join(own, other);
    }
  }
  // islands in the order of their first block
  out_.island_of_part.assign(at(parts), -1);
  island_of_block_.assign(problem.blocks().size(), -1);
  std::vector<int> number(at(parts), -1);
  out_.islands = 0;
  for (std::size_t b = 0; b < problem.blocks().size(); ++b)
    if (const int own = any_part(problem.blocks()[b]); own >= 0) {
      int& island = number[at(root(own))];
      if (island < 0) island = out_.islands++;
      island_of_block_[b] = island;
    }
  for (int i = 0; i < parts; ++i) out_.island_of_part[at(i)] = number[at(root(i))];
}

void IslandSolver::solve_island(const LawProblem& problem, int island, const Eigen::VectorXd& guess) {
  velocities_.clear();
  part_.clear(0);
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    if (out_.island_of_part[i] != island) continue;
    const int first = static_cast<int>(velocities_.size());
    for (int k = 0; k < problem.mass[i].M.rows(); ++k) {
      new_velocity_[at(problem.mass[i].first + k)] = first + k;
      velocities_.push_back(problem.mass[i].first + k);
    }
    part_.mass.push_back({first, problem.mass[i].M});
  }
  part_.v_free.resize(static_cast<Eigen::Index>(velocities_.size()));
  for (std::size_t k = 0; k < velocities_.size(); ++k)
    part_.v_free[static_cast<Eigen::Index>(k)] = problem.v_free[velocities_[k]];
  int rows = 0;
  for (std::size_t b = 0; b < problem.blocks().size(); ++b)
    if (island_of_block_[b] == island)
      for (int k = 0; k < problem.blocks()[b].size; ++k) new_row_[at(problem.blocks()[b].first + k)] = rows++;
  part_guess_.resize(guess.size() > 0 ? rows : 0);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    if (island_of_block_[b] != island) continue;
    const LawBlock& block = problem.blocks()[b];
    columns_.clear();
    for (const int c : problem.columns(block)) columns_.push_back(new_velocity_[at(c)]);
    const int index = part_.add(block.law, block.size, columns_, block.bound, block.compliance);
    const LawBlock& own = part_.blocks()[at(index)];
    part_.J(own) = problem.J(block);
    part_.b.segment(own.first, own.size) = problem.b.segment(block.first, block.size);
    if (guess.size() > 0) part_guess_.segment(own.first, own.size) = guess.segment(block.first, block.size);
    for (const Load& load : problem.loads(block)) {
      Load& copy = part_.add_load();
      copy = load;
      for (Load::Entry& entry : copy.by_velocity) entry.index = new_velocity_[at(entry.index)];
      for (Load::Entry& entry : copy.by_multiplier) entry.index = new_row_[at(entry.index)];
    }
  }
  const LawSolution& solution = solver_.solve(part_, part_guess_);
  for (std::size_t k = 0; k < velocities_.size(); ++k)
    out_.v[velocities_[k]] = solution.v[static_cast<Eigen::Index>(k)];
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const LawBlock& block = problem.blocks()[b];
    if (island_of_block_[b] == island)
      out_.lambda.segment(block.first, block.size) = solution.lambda.segment(new_row_[at(block.first)], block.size);
  }
  out_.residual = std::max(out_.residual, solution.residual);
  out_.inconsistency = std::max(out_.inconsistency, solution.inconsistency);
  out_.unsolved += solution.solved ? 0 : 1;
  out_.factorizations += solution.factorizations;
}

const IslandSolver::Result& IslandSolver::solve(const LawProblem& problem, const Eigen::VectorXd& guess) {
  out_.v = problem.v_free;
  out_.lambda.setZero(problem.rows());
  out_.residual = out_.inconsistency = 0.0;
  out_.unsolved = out_.factorizations = 0;
  new_velocity_.resize(at(problem.velocities()));
  new_row_.resize(at(problem.rows()));
  divide(problem);
  for (int island = 0; island < out_.islands; ++island) solve_island(problem, island, guess);
  return out_;
}

}  // namespace cardan
