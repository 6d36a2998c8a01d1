// Functions of one model as code of their own. By Method I of Si and Guenter everything is symbolic: the algorithm is
// traced on the model, simplified and translated as a whole. By Method II only the joints that the user invented are
// translated, and the algorithms of algorithms/ call them. Small mechanisms gain most from the first, very large ones
// from the second, because code that leaves the instruction cache waits for its own instructions.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/views.hpp"
#include "cardan/compile/model_function.hpp"
#include "cardan/math/aligned.hpp"
#include "cardan/model/coordinate_spring.hpp"
#include "cardan/program/executable.hpp"

#include <initializer_list>
#include <memory>
#include <span>

namespace cardan {

enum class Method { symbolic, joints };  // I and II

struct CompileOptions {
  std::optional<Method> method{};  // none: by size (docs/compiling.md)
  ExecutableOptions executable{};  // backend and states at once; several need Method I
  int frame = 0;                   // of pose and jacobian
  /// Lets the springs and dampers of plain coordinates (coordinate_springs) act beside tau in forward and inverse
  /// dynamics.
  bool joint_springs = false;
};

class CompiledWorkspace;
template <class T>
class ForwardDerivativeWorkspace;

class CompiledModel {
 public:
  CompiledModel(const Model& model, const std::vector<ModelFunction>& functions, const CompileOptions& options = {});

  /// True unless the model is too large to be compiled.
  static bool fits(const Model& model, int lanes = 1);

  /// The model, with its invented joints compiled where Method II is used.
  const Model& model() const { return model_; }
  int lanes() const { return lanes_; }
  int frame() const { return frame_; }

  struct Compiled {
    ModelFunction function;
    Method method;
    std::optional<Executable> code;  // of Method I
    int instructions = 0;
    std::vector<int> input_sizes;  // of the arrays, all lanes
    int output_size = 0;
  };
  const std::vector<Compiled>& functions() const { return functions_; }
  /// Counts the bytes of code that the functions and the joints have.
  std::size_t code_bytes() const;

  /// The function's inputs in order, and its output; arrays as in signature(), each entry once for every lane, side by
  /// side. The output must not overlap an input. Throws std::invalid_argument if a size is wrong.
  void run(ModelFunction function, CompiledWorkspace& w, std::span<const In<double>> in, Out<double> out) const;
  void run(ModelFunction function, CompiledWorkspace& w, std::initializer_list<In<double>> in, Out<double> out) const {
    run(function, w, std::span(in.begin(), in.size()), out);
  }

 private:
  const Compiled& find(ModelFunction function) const;
  /// Runs generic forward or inverse dynamics beside the springs.
  void run_with_springs(ModelFunction function, CompiledWorkspace& w, std::span<const In<double>> in,
                        Out<double> out) const;
  [[noreturn]] void refuse(const Compiled& f, std::span<const In<double>> in, Out<double> out) const;

  Model model_;
  int lanes_ = 1, frame_ = 0;
  std::vector<Compiled> functions_;
  std::vector<int> index_;                 // in functions_, by ModelFunction; -1: not compiled
  std::vector<CoordinateSpring> springs_;  // that act beside tau
};

/// Memory for running the functions of one compiled model: made once, then no call allocates.
class CompiledWorkspace {
 public:
  explicit CompiledWorkspace(const CompiledModel& compiled);
  ~CompiledWorkspace();
  CompiledWorkspace(CompiledWorkspace&&) noexcept;
  CompiledWorkspace& operator=(CompiledWorkspace&&) noexcept;

 private:
  friend class CompiledModel;
  const CompiledModel* compiled_;
  AlignedVector<double> scratch_;
  Workspace<double> generic_;
  Kinematics<double> kinematics_;
  std::unique_ptr<ForwardDerivativeWorkspace<double>> derivatives_;  // for Method II
  std::vector<double> tau_;                                          // with springs, for Method II
};

/// Whether arrays share memory.
bool overlap(const In<double>& a, const Out<double>& b);

/// Compiles, or finds what was compiled before: the same model (or a copy) with the same wishes costs nothing again
/// while the default cache keeps it (compile_cache.hpp). The functions come out in the order of ModelFunction.
std::shared_ptr<const CompiledModel> compile(const Model& model, const std::vector<ModelFunction>& functions,
                                             const CompileOptions& options = {});

// the same names and arguments as the generic functions

inline void forward_dynamics(const CompiledModel& m, CompiledWorkspace& w, In<double> q, In<double> v, In<double> tau,
                             Out<double> a) {
  m.run(ModelFunction::forward_dynamics, w, {q, v, tau}, a);
}
inline void inverse_dynamics(const CompiledModel& m, CompiledWorkspace& w, In<double> q, In<double> v, In<double> a,
                             Out<double> tau) {
  m.run(ModelFunction::inverse_dynamics, w, {q, v, a}, tau);
}
inline void bias(const CompiledModel& m, CompiledWorkspace& w, In<double> q, In<double> v, Out<double> tau) {
  m.run(ModelFunction::bias, w, {q, v}, tau);
}
inline void gravity(const CompiledModel& m, CompiledWorkspace& w, In<double> q, Out<double> tau) {
  m.run(ModelFunction::gravity, w, {q}, tau);
}
/// H without a gap between its columns.
inline void mass_matrix(const CompiledModel& m, CompiledWorkspace& w, In<double> q, OutMatrix<double> H) {
  detail::check_size("mass_matrix", "stride of H", H.rows(), H.stride());
  m.run(ModelFunction::mass_matrix, w, {q}, {H.column(0), H.rows() * H.cols()});
}

}  // namespace cardan
