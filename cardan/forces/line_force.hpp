// A force along a path: a tension law T(l, dl/dt, t, own states) and the path that it pulls together. Wrench, K and D
// follow from the path (path.hpp); a new element writes its law only.
#pragma once

#include "cardan/forces/path.hpp"

namespace cardan {

class LineForce : public Force {
 public:
  /// kind: "spring", "cable", "muscle": what users call it.
  LineForce(std::string kind, std::string label, Path path)
      : kind_(std::move(kind)), label_(std::move(label)), path_(std::move(path)) {}

  const std::string& kind() const { return kind_; }
  const std::string& label() const { return label_; }
  const Path& path() const { return path_; }

  /// The law: tension at this length (m) and speed (m/s); at.z are the own states.
  virtual Tension law(double length, double speed, const Instant& at) const = 0;
  /// The law on dual numbers near the instant `here`. By default as length and speed say, which is all for laws that
  /// follow nothing else.
  virtual Dual8 dual_law(const Dual8& length, const Dual8& speed, const Instant& here, const DualInstant& at) const;
  /// The law on symbols, for laws that can be recorded.
  virtual Expr symbolic_law(Expr length, Expr speed, const SymbolicInstant& at) const;
  /// Says what of the law cannot be recorded; empty where nothing.
  virtual std::string law_beyond_code() const { return "its law is written for numbers alone"; }
  /// Potential energy at this length (J).
  virtual double energy_at(double) const { return 0.0; }

  std::string name() const override { return kind_ + " \"" + label_ + "\""; }
  Touches touches() const override { return path_.touches(); }
  void add(const Instant& at, Pushes& pushes) const override;
  void add_tangent(const Instant& at, Tangent& tangent) const override;
  void add_definite_tangent(const Instant& at, Tangent& tangent) const override;
  void add_dual(const Instant& here, const DualInstant& at, DualPushes& pushes) const override;
  std::string beyond_code() const override;
  void add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const override;
  double energy(const Instant& at) const override;

  /// The shape of its path: that in the instant's memory, found once for all who ask; `own` where there is none. Throws
  /// std::runtime_error that names time, force and wrap where it finds no way.
  const PathShape& shape_at(const Instant& at, WrapSurface::Want want, PathShape& own) const;
  double length(const Instant& at) const;
  double speed(const Instant& at) const;
  /// N, positive where it pulls.
  double tension(const Instant& at) const;
  /// Adds the forces of a unit tension. As generalized forces they are the moment arms, -dl/dq.
  void add_unit_pull(const Instant& at, Pushes& pushes) const;

 protected:
  /// Length, speed and the forces of a unit tension on dual numbers, to first order from the path's own derivatives.
  struct DualLine {
    Dual8 length, speed;
    std::vector<Dual8> pull;  // in the order of touches()
  };
  DualLine dual_line(const Instant& here, const DualInstant& at) const;

 private:
  void evaluate(const Instant& at, WrapSurface::Want want, PathShape& shape) const;

  ElementId id_;
  std::string kind_, label_;
  Path path_;
};

/// The line forces among these whose label it is; null if there is none.
const LineForce* find_line(const Forces& forces, const std::string& label);

}  // namespace cardan
