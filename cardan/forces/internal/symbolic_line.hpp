// A path on symbols: straight from one point to the next, each fixed on its body or moved on it by a coordinate. What
// is searched for or chosen (curves over surfaces, points that come and go) is no formula and stays on numbers.
#pragma once

#include "cardan/forces/path.hpp"

#include <string>

namespace cardan::detail {

/// Says why a path cannot be recorded; empty where it can.
std::string beyond_symbolic_line(const Path& path);

class SymbolicLine {
 public:
  SymbolicLine(const Path& path, const SymbolicInstant& at);

  Expr length, speed;
  /// Adds the forces of a tension along it.
  void pull(const SymbolicInstant& at, Expr tension, SymbolicPushes& pushes) const;

 private:
  struct Node {
    Vec3<Expr> x, X, V, slide;  // in its body, in the world, its velocity, dX by the coordinate that moves it
    Vec3<Expr> g;               // dl/dX
  };
  const Path& path_;
  std::vector<Node> nodes_;
};

}  // namespace cardan::detail
