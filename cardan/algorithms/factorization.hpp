// H = L'L and H = L'DL without fill-in (Table 6.3), and the sparse products and solves (Table 6.5). H_ij is nonzero
// only where one of i and j carries the other; parent[i] < i is the expanded parent array, -1 for none, and nothing
// but the lower triangle on those places is read or written.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/model/model.hpp"

#include <vector>

namespace cardan {

/// The places where H may differ from zero: parents of velocity indices.
class BranchSparsity {
 public:
  explicit BranchSparsity(const Model& model) {
    for (int i = 0; i < model.nv(); ++i) parent_.push_back(model.dof_parent(i));
  }
  explicit BranchSparsity(std::vector<int> parent) : parent_(std::move(parent)) {}
  CARDAN_INLINE int n() const { return static_cast<int>(parent_.size()); }
  CARDAN_INLINE int parent(int i) const { return parent_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<int> parent_;
};

/// In place: the lower triangle of H becomes L.
template <class T>
void factorize_ltl(const BranchSparsity& tree, MatrixView<T> H) {
  detail::check_size("factorize_ltl", "H", tree.n(), tree.n(), H.rows(), H.cols());
  for (int k = tree.n() - 1; k >= 0; --k) {
    H(k, k) = sqrt(H(k, k));
    for (int i = tree.parent(k); i >= 0; i = tree.parent(i)) H(k, i) = H(k, i) / H(k, k);
    for (int i = tree.parent(k); i >= 0; i = tree.parent(i))
      for (int j = i; j >= 0; j = tree.parent(j)) H(i, j) -= H(k, i) * H(k, j);
  }
}

/// In place: the lower triangle of H becomes the unit L (its diagonal not stored) and the diagonal D.
template <class T>
void factorize_ltdl(const BranchSparsity& tree, MatrixView<T> H) {
  detail::check_size("factorize_ltdl", "H", tree.n(), tree.n(), H.rows(), H.cols());
  for (int k = tree.n() - 1; k >= 0; --k)
    for (int i = tree.parent(k); i >= 0; i = tree.parent(i)) {
      const T a = H(k, i) / H(k, k);
      for (int j = i; j >= 0; j = tree.parent(j)) H(i, j) -= a * H(k, j);
      H(k, i) = a;
    }
}

/// Whether the diagonal of L is stored (LTL) or one (LTDL).
enum class Diagonal { stored, unit };

/// x = L x.
template <class T>
void multiply_L(const BranchSparsity& tree, MatrixView<T> L, Out<T> x, Diagonal diagonal) {
  detail::check_size("multiply_L", "L", tree.n(), tree.n(), L.rows(), L.cols());
  detail::check_size("multiply_L", "x", tree.n(), x.size());
  for (int i = tree.n() - 1; i >= 0; --i) {
    if (diagonal == Diagonal::stored) x[i] = L(i, i) * x[i];
    for (int j = tree.parent(i); j >= 0; j = tree.parent(j)) x[i] += L(i, j) * x[j];
  }
}

/// x = L' x.
template <class T>
void multiply_L_transposed(const BranchSparsity& tree, MatrixView<T> L, Out<T> x, Diagonal diagonal) {
  detail::check_size("multiply_L_transposed", "L", tree.n(), tree.n(), L.rows(), L.cols());
  detail::check_size("multiply_L_transposed", "x", tree.n(), x.size());
  for (int i = 0; i < tree.n(); ++i) {
    for (int j = tree.parent(i); j >= 0; j = tree.parent(j)) x[j] += L(i, j) * x[i];
    if (diagonal == Diagonal::stored) x[i] = L(i, i) * x[i];
  }
}

/// y = H x from the lower triangle of the unfactorized H.
template <class T>
void multiply_H(const BranchSparsity& tree, MatrixView<T> H, In<T> x, Out<T> y) {
  detail::check_size("multiply_H", "H", tree.n(), tree.n(), H.rows(), H.cols());
  detail::check_size("multiply_H", "x", tree.n(), x.size());
  detail::check_size("multiply_H", "y", tree.n(), y.size());
  for (int i = 0; i < tree.n(); ++i) {
    y[i] = H(i, i) * x[i];
    for (int j = tree.parent(i); j >= 0; j = tree.parent(j)) {
      y[i] += H(i, j) * x[j];
      y[j] += H(i, j) * x[i];
    }
  }
}

/// x = L^-1 x.
template <class T>
void solve_L(const BranchSparsity& tree, MatrixView<T> L, Out<T> x, Diagonal diagonal) {
  detail::check_size("solve_L", "L", tree.n(), tree.n(), L.rows(), L.cols());
  detail::check_size("solve_L", "x", tree.n(), x.size());
  for (int i = 0; i < tree.n(); ++i) {
    for (int j = tree.parent(i); j >= 0; j = tree.parent(j)) x[i] -= L(i, j) * x[j];
    if (diagonal == Diagonal::stored) x[i] = x[i] / L(i, i);
  }
}

/// x = L^-T x.
template <class T>
void solve_L_transposed(const BranchSparsity& tree, MatrixView<T> L, Out<T> x, Diagonal diagonal) {
  detail::check_size("solve_L_transposed", "L", tree.n(), tree.n(), L.rows(), L.cols());
  detail::check_size("solve_L_transposed", "x", tree.n(), x.size());
  for (int i = tree.n() - 1; i >= 0; --i) {
    if (diagonal == Diagonal::stored) x[i] = x[i] / L(i, i);
    for (int j = tree.parent(i); j >= 0; j = tree.parent(j)) x[j] -= L(i, j) * x[i];
  }
}

/// x = H^-1 x with H = L'L.
template <class T>
void solve_ltl(const BranchSparsity& tree, MatrixView<T> L, Out<T> x) {
  solve_L_transposed(tree, L, x, Diagonal::stored);
  solve_L(tree, L, x, Diagonal::stored);
}

/// x = H^-1 x with H = L'DL.
template <class T>
void solve_ltdl(const BranchSparsity& tree, MatrixView<T> LD, Out<T> x) {
  solve_L_transposed(tree, LD, x, Diagonal::unit);
  for (int i = 0; i < tree.n(); ++i) x[i] = x[i] / LD(i, i);
  solve_L(tree, LD, x, Diagonal::unit);
}

}  // namespace cardan
