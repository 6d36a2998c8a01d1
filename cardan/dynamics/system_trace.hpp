// The equations of a system, run once on symbols: what acts, what holds, and the accelerations that follow.
// Constraints enter by rows that are independent, J a = k, through (J H^-1 J') lambda = k - J H^-1 (tau - C); the rows
// that repeat them follow.
#pragma once

#include "cardan/dynamics/system.hpp"
#include "cardan/program/program.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cardan {

/// Lists what of a system cannot be recorded: elements by name, each with the reason. Empty where nothing.
std::vector<std::string> beyond_code(const System& system);

/// Rows of all constraints, counted through, that are independent, and that all others follow from.
struct IndependentRows {
  std::vector<int> rows{};           // ascending
  std::vector<double> mobilities{};  // J H^-1 J' of each where they were chosen: what is far below it has vanished
};

/// Chooses them at a state where the constraints hold; nothing where fewer are independent there than nearby, where the
/// mass matrix of the tree is singular, or where there are too many. `rank`: how many are independent nearby, if known.
std::optional<IndependentRows> independent_rows(const System& system, double t, In<double> q, int rank = -1);

struct SystemTrace {
  std::unique_ptr<Graph> graph;
  std::vector<Expr> t, q, v, z, u, tau;  // what goes in, in this order: graph inputs from 0 on
  std::vector<Expr> a, z_dot;            // accelerations, rates of the elements' states
  Expr clearance{1.0};                   // how far the rows are from repeating one another: 1 if nothing holds
};

/// Records a system of which nothing is beyond code. tau acts beside all that the system has. Throws GraphTooLarge if
/// it takes more nodes.
SystemTrace trace_system(const System& system, const IndependentRows& rows, std::size_t most_nodes);

/// How a state is brought back to the constraints, moving nothing heavy more than needed: displacements
/// -H^-1 J' (J H^-1 J')^-1 gap of positions, and the same with J v minus what it should be for velocities.
struct ProjectionTrace {
  std::unique_ptr<Graph> graph;
  std::vector<Expr> t, q, v;  // what goes in, in this order
  std::vector<Expr> dq, dv;   // corrections in the tangent space
  Expr gap, drift;            // the largest of all rows
  Expr clearance{1.0};        // as of a SystemTrace
  Expr least, most;           // pivots of J H^-1 J'
};
ProjectionTrace trace_projection(const System& system, const IndependentRows& rows, std::size_t most_nodes);

}  // namespace cardan
