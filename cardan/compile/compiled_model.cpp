#include "cardan/compile/compiled_model.hpp"

#include "cardan/algorithms/forward_dynamics_derivatives.hpp"
#include "cardan/compile/internal/compiled_joints.hpp"
#include "cardan/compile/internal/function_table.hpp"
#include "cardan/compile/internal/trace.hpp"

#include <algorithm>
#include <array>

namespace cardan {

namespace {

/// Machine code reads and writes at most seven arrays, one of them an output.
constexpr std::size_t kMostInputs = 6;

/// Instructions beyond which the generic loop is faster on one state. With the 16 registers of AVX2 that loop is the
/// slower one up to the largest size that was measured (docs/compiling.md).
int largest_symbolic(const FunctionEntry& entry) {
  const bool has_avx512 = machine_code_is_possible() && best_instruction_set() == InstructionSet::avx512;
  return has_avx512 ? entry.largest_symbolic : entry.largest_symbolic_avx2;
}

CompiledModel::Compiled compile_function(const Model& model, ModelFunction function, const CompileOptions& options,
                                         std::span<const CoordinateSpring> springs) {
  CompiledModel::Compiled f{function, options.method.value_or(Method::symbolic), std::nullopt, 0, {}, 0};
  const bool by_size = !options.method && options.executable.lanes == 1;
  // without machine code the generic loop is the faster one
  if (by_size && !options.executable.backend && !machine_code_is_possible()) f.method = Method::joints;
  if (f.method == Method::joints) return f;
  const int most = largest_symbolic(table_entry(function));
  try {
    // a graph has a few nodes for each instruction; a hopeless one is given up early
    TraceOptions tracing{.frame = options.frame, .springs = springs};
    if (by_size) tracing.most_nodes = 10 * static_cast<std::size_t>(most);
    if (options.executable.lanes > 1) tracing.most_nodes = table_entry(function).most_nodes_of_lanes;
    const Trace traced = trace(model, function, tracing);
    const Program program = make_program(*traced.graph, traced.interface);
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

}  // namespace

bool overlap(const In<double>& a, const Out<double>& b) {
  return std::less<>()(a.data(), b.data() + b.size()) && std::less<>()(b.data(), a.data() + a.size());
}

bool CompiledModel::fits(const Model& model, int lanes) {
  return static_cast<double>(model.nv()) * model.nv() * lanes <= 1e8;  // sizes of arrays are counted in ints
}

CompiledModel::CompiledModel(const Model& model, const std::vector<ModelFunction>& functions,
                             const CompileOptions& options)
    : model_(model), lanes_(options.executable.lanes), frame_(options.frame) {
  if (!fits(model, lanes_))
    throw std::invalid_argument("compile: a model of " + std::to_string(model.nv()) + " velocities is too large");
  if (options.method == Method::joints && lanes_ > 1)
    throw std::invalid_argument("several states at once need the whole function compiled (Method I)");
  if (options.frame < 0 || options.frame >= model.frames()) throw std::invalid_argument("compile: no such frame");
  if (options.joint_springs) springs_ = coordinate_springs(model);
  index_.assign(function_table().size(), -1);
  for (const ModelFunction function : functions) {
    index_[static_cast<std::size_t>(function)] = static_cast<int>(functions_.size());
    functions_.push_back(compile_function(model, function, options, springs_));
    Compiled& f = functions_.back();
    const Signature s = signature(model, function);
    for (const Argument& input : s.inputs) f.input_sizes.push_back(input.size * lanes_);
    f.output_size = s.output.size * lanes_;
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
  if (in.size() != f.input_sizes.size() || out.size() != f.output_size) refuse(f, in, out);
  std::array<const double*, kMostInputs> inputs;
  for (std::size_t k = 0; k < in.size(); ++k) {
    if (in[k].size() != f.input_sizes[k] || overlap(in[k], out)) refuse(f, in, out);
    inputs[k] = in[k].data();
  }
  if (w.compiled_ != this) throw std::invalid_argument("the workspace was made for another compiled model");
  double* const output = out.data();
  if (f.code)
    f.code->run(inputs.data(), &output, w.scratch_.data());
  else if (heeds_springs(function) && !springs_.empty())
    run_with_springs(function, w, in, out);
  else
    table_entry(function).run({model_, w.generic_, w.kinematics_, frame_, in.data(), out, w.derivatives_.get()});
}

void CompiledModel::run_with_springs(ModelFunction function, CompiledWorkspace& w, std::span<const In<double>> in,
                                     Out<double> out) const {
  const bool forward = function == ModelFunction::forward_dynamics;
  w.tau_.assign(in[2].data(), in[2].data() + in[2].size());
  if (forward)
    for (const CoordinateSpring& s : springs_)
      w.tau_[static_cast<std::size_t>(s.v)] -= s.resistance(in[0].data(), in[1].data());
  const In<double> inputs[] = {in[0], in[1], w.tau_};
  table_entry(function).run({model_, w.generic_, w.kinematics_, frame_, inputs, out, nullptr});
  if (!forward)
    for (const CoordinateSpring& s : springs_) out[s.v] += s.resistance(in[0].data(), in[1].data());
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

std::size_t CompiledModel::code_bytes() const {
  std::size_t sum = joint_code_bytes(model_);
  for (const Compiled& f : functions_)
    if (f.code) sum += f.code->bytes();
  return sum;
}

CompiledWorkspace::CompiledWorkspace(const CompiledModel& compiled)
    : compiled_(&compiled),
      generic_(compiled.model()),
      kinematics_(compiled.model()),
      tau_(static_cast<std::size_t>(compiled.model().nv())) {
  int most = 1;
  for (const auto& f : compiled.functions()) {
    if (f.code)
      most = std::max(most, f.code->scratch());
    else if (!derivatives_ && table_entry(f.function).needs_derivatives)
      derivatives_ = std::make_unique<ForwardDerivativeWorkspace<double>>(compiled.model());
  }
  scratch_.resize(static_cast<std::size_t>(most));
}
CompiledWorkspace::~CompiledWorkspace() = default;
CompiledWorkspace::CompiledWorkspace(CompiledWorkspace&&) noexcept = default;
CompiledWorkspace& CompiledWorkspace::operator=(CompiledWorkspace&&) noexcept = default;

}  // namespace cardan
