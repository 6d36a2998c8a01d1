// [[input]] tables: numbers that a program writes, what they drive, and how they follow time where a file gives them in
// advance.
#pragma once

#include "cardan/forces/input.hpp"
#include "cardan/forces/signal_function.hpp"
#include "cardan/io/internal/csv.hpp"
#include "cardan/io/internal/toml.hpp"
#include "cardan/symbolic/internal/piecewise_cubic.hpp"

#include <optional>

namespace cardan::io {

class SceneInputs {
 public:
  SceneInputs() = default;
  /// `course`: a column t and one for each input that it leads, linear between rows, held before the first and after
  /// the last; null: nothing is known in advance.
  SceneInputs(const Model& model, const std::vector<TomlValue>& tables, const CsvTable* course);

  Inputs inputs() const;
  std::vector<std::string> names() const;
  /// Which input has this name, or drives the force with it; -1 if none.
  int find(const std::string& name) const;
  int find_force(const std::string& force) const;

  /// The value that elements feel, where time and input are these symbols.
  Expr value(int input, Expr t, Expr u) const;
  /// The same as a function of the instant.
  SignalFunction function(int input) const;

  /// Lists the times at which inputs that are led through time bend, rising.
  std::vector<double> breaks() const;

  /// Adds the forces of inputs at joints and along springs and cables; the forces of the scene have been read.
  void add_forces(Forces& forces) const;

 private:
  struct Entry {
    TomlValue table;
    Input input;
    std::string joint, force;         // what it drives; empty: texts alone read it
    int velocity = -1;                // of the joint; of a loop's, counted within it
    const LoopJoint* loop = nullptr;  // of the model that was given, where it drives a loop's joint
    std::optional<PiecewiseCubic> course{};
    std::vector<double> breaks{};  // of the course
  };
  void read_target(const Model& model, Entry& entry) const;
  std::vector<Entry> entries_;
};

}  // namespace cardan::io
