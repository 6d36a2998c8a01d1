#include "cardan/solve/internal/island_solver.hpp"

#include <algorithm>
#include <numeric>

namespace cardan {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

int IslandSolver::root(int part) {
  while (group_[at(part)] != part) part = group_[at(part)] = group_[at(group_[at(part)])];
  return part;
}

void IslandSolver::join(int a, int b) {
  a = root(a);
  b = root(b);
  group_[at(std::max(a, b))] = std::min(a, b);
}

/// The part of the first velocity of a block; -1 if it has none.
int IslandSolver::any_part(const LawProblem& problem, const LawBlock& block) const {
  const auto columns = problem.columns(block);
  return columns.empty() ? -1 : part_of_velocity_[at(columns.front())];
}

/// Joins the parts of the mass matrix that a row or a load connects.
void IslandSolver::join_rows(const LawProblem& problem) {
  block_of_row_.resize(at(problem.rows()));
  for (const LawBlock& block : problem.blocks())
    for (int k = 0; k < block.size; ++k)
      block_of_row_[at(block.first + k)] = static_cast<int>(&block - problem.blocks().data());
  for (const LawBlock& block : problem.blocks()) {
    const int own = any_part(problem, block);
    if (own < 0) continue;
    for (const int c : problem.columns(block)) join(own, part_of_velocity_[at(c)]);
    for (const Load& load : problem.loads(block)) {
      for (const Load::Entry& entry : load.by_velocity) join(own, part_of_velocity_[at(entry.index)]);
      for (const Load::Entry& entry : load.by_multiplier)
        if (const int other = any_part(problem, problem.blocks()[at(block_of_row_[at(entry.index)])]); other >= 0)
          join(own, other);
    }
  }
}

void IslandSolver::divide(const LawProblem& problem) {
  const int parts = static_cast<int>(problem.mass.size());
  part_of_velocity_.assign(at(problem.velocities()), 0);
  for (int i = 0; i < parts; ++i)
    std::fill_n(part_of_velocity_.begin() + problem.mass[at(i)].first, problem.mass[at(i)].M.rows(), i);
  group_.resize(at(parts));
  std::iota(group_.begin(), group_.end(), 0);
  join_rows(problem);
  // islands in the order of their first block
  out_.island_of_part.assign(at(parts), -1);
  island_of_block_.assign(problem.blocks().size(), -1);
  number_.assign(at(parts), -1);
  out_.islands = 0;
  for (std::size_t b = 0; b < problem.blocks().size(); ++b)
    if (const int own = any_part(problem, problem.blocks()[b]); own >= 0) {
      int& island = number_[at(root(own))];
      if (island < 0) island = out_.islands++;
      island_of_block_[b] = island;
    }
  for (int i = 0; i < parts; ++i) out_.island_of_part[at(i)] = number_[at(root(i))];
}

/// Copies the rows, velocities and masses of an island into its own problem.
void IslandSolver::extract(const LawProblem& problem, int island, const Eigen::VectorXd& guess) {
  LawProblem& own = islands_[at(island)].problem;
  Eigen::VectorXd& own_guess = islands_[at(island)].guess;
  std::vector<int>&velocities = islands_[at(island)].velocities, &rows = islands_[at(island)].rows;
  own.clear_rows();
  own.mass.resize(at(static_cast<int>(std::count(out_.island_of_part.begin(), out_.island_of_part.end(), island))));
  velocities.clear();
  std::size_t next = 0;
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    if (out_.island_of_part[i] != island) continue;
    LawProblem::Mass& part = own.mass[next++];
    part = problem.mass[i];
    part.first = static_cast<int>(velocities.size());
    for (int k = 0; k < part.M.rows(); ++k) {
      new_velocity_[at(problem.mass[i].first + k)] = part.first + k;
      velocities.push_back(problem.mass[i].first + k);
    }
  }
  own.v_free.resize(static_cast<Eigen::Index>(velocities.size()));
  for (std::size_t k = 0; k < velocities.size(); ++k)
    own.v_free[static_cast<Eigen::Index>(k)] = problem.v_free[velocities[k]];
  rows.clear();
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    if (island_of_block_[b] != island) continue;
    for (int row = problem.blocks()[b].first; row < problem.blocks()[b].first + problem.blocks()[b].size; ++row) {
      new_row_[at(row)] = static_cast<int>(rows.size());
      rows.push_back(row);
    }
  }
  own_guess.resize(guess.size() > 0 ? static_cast<Eigen::Index>(rows.size()) : 0);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    if (island_of_block_[b] != island) continue;
    const LawBlock& block = problem.blocks()[b];
    columns_.clear();
    for (const int c : problem.columns(block)) columns_.push_back(new_velocity_[at(c)]);
    const int index = own.add(block.law, block.size, columns_, block.bound, block.compliance);
    const LawBlock& copy = own.blocks()[at(index)];
    own.J(copy) = problem.J(block);
    own.b.segment(copy.first, copy.size) = problem.b.segment(block.first, block.size);
    if (guess.size() > 0) own_guess.segment(copy.first, copy.size) = guess.segment(block.first, block.size);
    for (const Load& load : problem.loads(block)) {
      Load& own_load = own.add_load();
      own_load = load;
      for (Load::Entry& entry : own_load.by_velocity) entry.index = new_velocity_[at(entry.index)];
      for (Load::Entry& entry : own_load.by_multiplier) entry.index = new_row_[at(entry.index)];
    }
  }
}

void IslandSolver::count(const LawSolution& solution) {
  out_.residual = std::max(out_.residual, solution.residual);
  out_.inconsistency = std::max(out_.inconsistency, solution.inconsistency);
  out_.unsolved += solution.solved ? 0 : 1;
  out_.factorizations += solution.factorizations;
}

const LawSolution& IslandSolver::solve_laws(Island& island, const LawProblem& problem, const Eigen::VectorXd& guess) {
  if (method_ == LawMethod::exact) return island.solver.solve(problem, guess);
  if (method_ == LawMethod::pyramid) {
    PyramidSolution found = solve_by_pyramid(problem);
    island.other = std::move(found.laws);
    island.other.solved = found.found;
  } else {
    StaggeredSolution found = solve_by_staggered_projections(problem, {}, guess);
    island.other = std::move(found.laws);
    island.other.solved = found.converged;
    out_.rounds += found.rounds;
  }
  return island.other;
}

void IslandSolver::solve_island(const LawProblem& problem, int island, const Eigen::VectorXd& guess) {
  extract(problem, island, guess);
  Island& own = islands_[at(island)];
  put(own, solve_laws(own, own.problem, own.guess));
}

/// Copies the solution of an island to its places in the whole one.
void IslandSolver::put(const Island& island, const LawSolution& solution) {
  for (std::size_t k = 0; k < island.velocities.size(); ++k)
    out_.v[island.velocities[k]] = solution.v[static_cast<Eigen::Index>(k)];
  for (std::size_t k = 0; k < island.rows.size(); ++k)
    out_.lambda[island.rows[k]] = solution.lambda[static_cast<Eigen::Index>(k)];
  count(solution);
}

const IslandSolver::Result& IslandSolver::solve(const LawProblem& problem, const Eigen::VectorXd& guess) {
  out_.v = problem.v_free;
  out_.lambda.setZero(problem.rows());
  out_.residual = out_.inconsistency = 0.0;
  out_.unsolved = out_.factorizations = 0;
  out_.rounds = 0;
  new_velocity_.resize(at(problem.velocities()));
  new_row_.resize(at(problem.rows()));
  divide(problem);
  while (static_cast<int>(islands_.size()) < out_.islands) islands_.emplace_back(tolerance_, finish_);
  const auto in_it = [](int island) { return island == 0; };
  is_whole_ = out_.islands == 1 && std::all_of(out_.island_of_part.begin(), out_.island_of_part.end(), in_it) &&
              std::all_of(island_of_block_.begin(), island_of_block_.end(), in_it);
  if (is_whole_) {
    const LawSolution& solution = solve_laws(islands_.front(), problem, guess);
    out_.v = solution.v;
    out_.lambda = solution.lambda;
    count(solution);
    return out_;
  }
  for (int island = 0; island < out_.islands; ++island) solve_island(problem, island, guess);
  return out_;
}

const IslandSolver::Result& IslandSolver::solve_again(const LawProblem& problem) {
  out_.v = problem.v_free;
  out_.residual = 0.0;
  out_.unsolved = out_.factorizations = 0;
  for (int i = 0; i < out_.islands; ++i) {
    Island& island = islands_[at(i)];
    if (is_whole_) {
      const LawSolution& solution = island.solver.solve_again();
      out_.v = solution.v;
      out_.lambda = solution.lambda;
      count(solution);
      continue;
    }
    for (std::size_t k = 0; k < island.velocities.size(); ++k)
      island.problem.v_free[static_cast<Eigen::Index>(k)] = problem.v_free[island.velocities[k]];
    put(island, island.solver.solve_again());
  }
  return out_;
}

}  // namespace cardan
