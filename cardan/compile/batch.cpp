#include "cardan/compile/batch.hpp"

#include "cardan/math/lane_records.hpp"
#include "cardan/program/machine_code.hpp"
#include "cardan/symbolic/graph.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <thread>
#include <vector>

namespace cardan {

namespace {

constexpr std::size_t kFewStates = 32;          // below this compiling for lanes does not pay
constexpr std::size_t kStatesOfAThread = 1024;  // a thread costs about as much as so many small states

/// Holds what one thread works on.
struct Part {
  const CompiledModel& compiled;
  ModelFunction function;
  std::span<const Batch::Input> in;
  const std::vector<int>& sizes;  // of the inputs
  int size;                       // of the output
  double* out;
};

/// Evaluates one state where its arrays lie; false where the code must not read and write them there.
bool run_in_place(const Part& part, CompiledWorkspace& w) {
  const Out<double> out(part.out, part.size);
  const In<double> none(nullptr, 0);
  std::array<In<double>, 3> views{none, none, none};
  if (part.in.size() > views.size()) return false;
  for (std::size_t k = 0; k < part.in.size(); ++k) {
    views[k] = In<double>(part.in[k].data, part.sizes[k]);
    if (overlap(views[k], out)) return false;
  }
  part.compiled.run(part.function, w, std::span(views.data(), part.in.size()), out);
  return true;
}

/// Writes `count` states' results, which stand side by side, one after the other: squares of a register's width at
/// once.
void unpack(const AlignedVector<double>& side_by_side, std::size_t lanes, std::size_t count, std::size_t size,
            double* out) {
  constexpr auto width = static_cast<std::size_t>(Lanes<double>::width);
  std::size_t i = 0;
  if (lanes == width)
    for (; i + width <= size; i += width) {
      Lanes<double>::type square[width];
      load_records<static_cast<int>(width), double>(
          [&](int r) { return side_by_side.data() + (i + static_cast<std::size_t>(r)) * width; }, square);
      for (std::size_t lane = 0; lane < count; ++lane) square[lane].store(out + lane * size + i);
    }
  for (; i < size; ++i)
    for (std::size_t lane = 0; lane < count; ++lane) out[lane * size + i] = side_by_side[i * lanes + lane];
}

/// Evaluates the states [begin, end), as many at once as the code takes; the last group repeats its last state.
void run_states(const Part& part, CompiledWorkspace& w, std::size_t begin, std::size_t end) {
  const auto lanes = static_cast<std::size_t>(part.compiled.lanes()), size = static_cast<std::size_t>(part.size);
  std::vector<AlignedVector<double>> packed(part.in.size());
  for (std::size_t k = 0; k < part.in.size(); ++k) packed[k].resize(lanes * static_cast<std::size_t>(part.sizes[k]));
  AlignedVector<double> result(lanes * size);
  const std::vector<In<double>> views(packed.begin(), packed.end());
  for (std::size_t first = begin; first < end; first += lanes) {
    for (std::size_t k = 0; k < part.in.size(); ++k) {
      const auto n = static_cast<std::size_t>(part.sizes[k]);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t state = std::min(first + lane, end - 1);
        const double* const row = part.in[k].data + (part.in[k].is_common ? 0 : state * n);
        for (std::size_t i = 0; i < n; ++i) packed[k][i * lanes + lane] = row[i];
      }
    }
    part.compiled.run(part.function, w, views, result);
    unpack(result, lanes, std::min(lanes, end - first), size, part.out + first * size);
  }
}

}  // namespace

Batch::Code& Batch::code(ModelFunction function) {
  if (needs_frame(function))
    throw std::invalid_argument("batch: expected a function of the whole model, not of a frame");
  Code& code = codes_[static_cast<std::size_t>(function)];
  if (!code.single) {
    code.single = compile(model_, {function});
    code.workspace = std::make_unique<CompiledWorkspace>(*code.single);
  }
  return code;
}

Batch::Code& Batch::wide_code(ModelFunction function) {
  Code& code = this->code(function);
  if (code.wide || code.is_too_large || !machine_code_is_possible()) return code;
  CompileOptions options;
  options.executable.lanes = register_lanes(best_instruction_set());
  try {
    if (CompiledModel::fits(model_, options.executable.lanes)) code.wide = compile(model_, {function}, options);
  } catch (const GraphTooLarge&) {
    code.is_too_large = true;
  }
  return code;
}

void Batch::run(ModelFunction function, std::size_t states, std::span<const Input> in, double* out, int threads) {
  if (states == 0) return;
  Code& code = states < kFewStates ? this->code(function) : wide_code(function);
  const bool is_wide = states >= kFewStates && code.wide;
  const CompiledModel::Compiled& about = code.single->functions().front();
  if (in.size() != about.input_sizes.size())
    throw std::invalid_argument("batch: expected as many inputs as the function has");
  const Part part{is_wide ? *code.wide : *code.single, function, in, about.input_sizes, about.output_size, out};
  if (states == 1 && run_in_place(part, *code.workspace)) return;
  if (states < kFewStates) return run_states(part, *code.workspace, 0, states);

  const std::size_t most = std::max<std::size_t>(1, states / kStatesOfAThread);
  const std::size_t cores =
      threads > 0 ? static_cast<std::size_t>(threads) : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  const std::size_t count = threads > 0 ? std::min(cores, states) : std::min(cores, most);
  const auto work = [&](std::size_t i) {
    CompiledWorkspace w(part.compiled);
    run_states(part, w, states * i / count, states * (i + 1) / count);
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < count; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& other : others) other.join();
}

}  // namespace cardan
