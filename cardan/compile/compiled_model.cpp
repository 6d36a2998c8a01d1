#include "cardan/compile/compiled_model.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/compile/compiled_joints.hpp"
#include "cardan/compile/pose_layout.hpp"
#include "cardan/compile/trace.hpp"

#include <algorithm>
#include <array>

namespace cardan {

namespace {

/// Instructions beyond which the generic loop is faster on one state (docs/compiling.md has the measurements). With the
/// 16 registers of AVX2 that loop is the slower one up to the largest size that was measured.
int largest_symbolic(ModelFunction function) {
  if (function == ModelFunction::mass_matrix) return 6000;
  const bool has_avx512 = machine_code_is_possible() && best_instruction_set() == InstructionSet::avx512;
  return has_avx512 ? 25000 : 65000;
}

CompiledModel::Compiled compile_function(const Model& model, ModelFunction function, const CompileOptions& options) {
  CompiledModel::Compiled f{function, options.method.value_or(Method::symbolic), std::nullopt, 0, {}};
  const bool by_size = !options.method && options.executable.lanes == 1;
  // without machine code the generic loop is the faster one
  if (by_size && !options.executable.backend && !machine_code_is_possible()) f.method = Method::joints;
  if (f.method == Method::joints) return f;
  const int most = largest_symbolic(function);
  try {
    // a graph has a few nodes for each instruction; a hopeless one is given up early
    const Trace traced = by_size ? trace(model, function, options.frame, 10 * static_cast<std::size_t>(most))
                                 : trace(model, function, options.frame);
    const Program program = make_program(traced.graph, traced.interface);
    f.instructions = static_cast<int>(program.code.size());
    if (by_size && f.instructions > most)
      f.method = Method::joints;
    else
      f.code.emplace(program, options.executable);
  } catch (const GraphTooLarge&) {
    if (!by_size) throw;
    f.method = Method::joints;
  }
  return f;
}

bool overlap(const In<double>& a, const Out<double>& b) {
  return std::less<>()(a.data(), b.data() + b.size()) && std::less<>()(b.data(), a.data() + a.size());
}

}  // namespace

CompiledModel::CompiledModel(const Model& model, const std::vector<ModelFunction>& functions,
                             const CompileOptions& options)
    : model_(model), lanes_(options.executable.lanes), frame_(options.frame) {
  // sizes of arrays are counted in ints
  if (static_cast<double>(model.nv()) * model.nv() * lanes_ > 1e8)
    throw std::invalid_argument("compile: a model of " + std::to_string(model.nv()) + " velocities is too large");
  if (options.method == Method::joints && lanes_ > 1)
    throw std::invalid_argument("several states at once need the whole function compiled (Method I)");
  if (options.frame < 0 || options.frame >= model.frames()) throw std::invalid_argument("compile: no such frame");
  index_.fill(-1);
  for (const ModelFunction function : functions) {
    index_[static_cast<std::size_t>(function)] = static_cast<int>(functions_.size());
    functions_.push_back(compile_function(model, function, options));
    Compiled& f = functions_.back();
    const Signature s = signature(model, function);
    f.sizes.fill(-1);
    for (std::size_t k = 0; k < s.inputs.size(); ++k) f.sizes[k] = s.inputs[k].size * lanes_;
    f.sizes[s.inputs.size()] = s.output.size * lanes_;
  }
  const bool any_generic =
      std::any_of(functions_.begin(), functions_.end(), [](const Compiled& f) { return f.method == Method::joints; });
  if (any_generic) model_ = with_compiled_joints(model, options.executable);
}

const CompiledModel::Compiled& CompiledModel::find(ModelFunction function) const {
  const int index = index_[static_cast<std::size_t>(function)];
  if (index < 0) throw std::invalid_argument(std::string(name(function)) + " was not compiled for this model");
  return functions_[static_cast<std::size_t>(index)];
}

void CompiledModel::run(ModelFunction function, CompiledWorkspace& w, std::span<const In<double>> in,
                        Out<double> out) const {
  const Compiled& f = find(function);
  std::array<double*, 4> arrays;
  std::size_t k = 0;
  for (const In<double>& x : in) {
    if (k >= 3) refuse(f, in, out);
    if (x.size() != f.sizes[k] || overlap(x, out)) refuse(f, in, out);
    arrays[k++] = const_cast<double*>(x.data());
  }
  if (out.size() != f.sizes[k] || f.sizes[k + 1] >= 0) refuse(f, in, out);
  arrays[k] = out.data();
  if (w.compiled_ != this) throw std::invalid_argument("the workspace was made for another compiled model");
  if (f.code)
    f.code->run(arrays.data(), w.scratch_.data());
  else
    run_generic(function, w, in.data(), out);
}

/// Says what is wrong with the arguments; apart from run, which is to be quick.
void CompiledModel::refuse(const Compiled& f, std::span<const In<double>> in, Out<double> out) const {
  const Signature s = signature(model_, f.function);
  const std::string who = name(f.function);
  if (in.size() != s.inputs.size())
    throw std::invalid_argument(who + ": expected " + std::to_string(s.inputs.size()) + " inputs, found " +
                                std::to_string(in.size()));
  for (std::size_t k = 0; k < in.size(); ++k)
    detail::check_size(who.c_str(), s.inputs[k].name, s.inputs[k].size * lanes_, in[k].size());
  detail::check_size(who.c_str(), s.output.name, s.output.size * lanes_, out.size());
  throw std::invalid_argument(who + ": the output overlaps an input");
}

void CompiledModel::run_generic(ModelFunction function, CompiledWorkspace& w, const In<double>* in,
                                Out<double> out) const {
  const In<double>& q = in[0];
  const int n = model_.nv();
  switch (function) {
    case ModelFunction::forward_dynamics: return forward_dynamics<double>(model_, w.generic_, q, in[1], in[2], out);
    case ModelFunction::inverse_dynamics: return inverse_dynamics<double>(model_, w.generic_, q, in[1], in[2], out);
    case ModelFunction::bias: return bias<double>(model_, w.generic_, q, in[1], out);
    case ModelFunction::gravity: return gravity<double>(model_, w.generic_, q, out);
    case ModelFunction::mass_matrix:
      return mass_matrix<double>(model_, w.generic_, q, MatrixView<double>(out.data(), n, n));
    case ModelFunction::pose:
      forward_kinematics<double>(model_, w.generic_, q, w.kinematics_);
      return write_pose(frame_pose(model_, w.kinematics_, frame_), out.data());
    case ModelFunction::jacobian:
      forward_kinematics<double>(model_, w.generic_, q, w.kinematics_);
      return frame_jacobian<double>(model_, w.kinematics_, frame_, MatrixView<double>(out.data(), 6, n));
  }
}

CompiledWorkspace::CompiledWorkspace(const CompiledModel& compiled)
    : compiled_(&compiled), generic_(compiled.model()), kinematics_(compiled.model()) {
  int most = 1;
  for (const auto& f : compiled.functions())
    if (f.code) most = std::max(most, f.code->scratch());
  scratch_.resize(static_cast<std::size_t>(most));
}

}  // namespace cardan
