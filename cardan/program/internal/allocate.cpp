#include "cardan/program/internal/allocate.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace cardan::program {

namespace {

constexpr int kNever = std::numeric_limits<int>::max();
// A value that is in memory too may lose its register to a result if it is not needed for so many instructions.
constexpr int kFar = 12;
// Leaving a register costs a store for what is only there, so such a value counts as needed sooner.
constexpr int kStorePenalty = 24;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Which operands the processor can read from memory.
bool may_be_in_memory(Code code, int operand) {
  switch (code) {
    case Code::add:
    case Code::multiply: return true;
    case Code::subtract:
    case Code::divide:
    case Code::select_less: return operand == 1;
    case Code::minimum:
    case Code::maximum:
    case Code::square_root: return operand == 0;
    default: return is_fused(code);
  }
}

class Allocator {
 public:
  Allocator(const Program& p, int registers)
      : p_(p),
        in_(at(registers), -1),
        reg_(at(p.values), -1),
        home_(at(p.values)),
        first_use_(at(p.values) + 1, 0),
        output_of_(at(p.values), -1),
        next_output_(p.outputs.size(), -1) {
    list_uses();
    list_outputs();
    int value = 0;
    for (std::size_t array = 0; array < p.input_sizes.size(); ++array)
      for (int i = 0; i < p.input_sizes[array]; ++i)
        home_[at(value++)] = {MemoryRef::Kind::input, static_cast<int>(array), i};
    for (std::size_t i = 0; i < p.constants.size(); ++i)
      home_[at(value++)] = {MemoryRef::Kind::constant, 0, static_cast<int>(i)};
  }

  Allocation run() {
    for (now_ = 0; now_ < static_cast<int>(p_.code.size()); ++now_) {
      const Instruction& x = p_.code[at(now_)];
      if (x.code == Code::call)
        call(p_.calls[at(x.arg[0])], x.arg[0]);
      else
        compute(x);
    }
    for (int value = 0; value < p_.first_computed(); ++value)
      if (output_of_[at(value)] >= 0) {
        pinned_ = {};
        into_register(value);
        store_outputs(value);
      }
    return std::move(out_);
  }

 private:
  // ---- uses

  void list_uses() {
    const auto each_use = [&](const auto& f) {
      for (int i = 0; i < static_cast<int>(p_.code.size()); ++i) {
        const Instruction& x = p_.code[at(i)];
        if (x.code == Code::call)
          for (const int value : p_.calls[at(x.arg[0])].args) f(value, i);
        for (int k = 0; k < operands(x.code); ++k) f(x.arg[k], i);
      }
    };
    each_use([&](int value, int) { ++first_use_[at(value) + 1]; });
    for (std::size_t i = 1; i < first_use_.size(); ++i) first_use_[i] += first_use_[i - 1];
    uses_.resize(at(first_use_.back()));
    next_use_.assign(first_use_.begin(), first_use_.end() - 1);
    std::vector<int> fill = next_use_;
    each_use([&](int value, int i) { uses_[at(fill[at(value)]++)] = i; });
  }

  void list_outputs() {
    for (int i = static_cast<int>(p_.outputs.size()) - 1; i >= 0; --i) {
      int& first = output_of_[at(p_.outputs[at(i)].value)];
      next_output_[at(i)] = first;
      first = i;
    }
  }

  /// The first instruction after the present one that reads the value.
  int needed_at(int value) {
    int& use = next_use_[at(value)];
    while (use < first_use_[at(value) + 1] && uses_[at(use)] <= now_) ++use;
    return use < first_use_[at(value) + 1] ? uses_[at(use)] : kNever;
  }

  // ---- memory

  int take_slot() {
    if (free_slots_.empty()) return out_.scratch++;
    const int slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }

  bool is_in_memory(int value) const { return home_[at(value)].kind != MemoryRef::Kind::none; }

  void save(int value) {
    if (is_in_memory(value)) return;
    home_[at(value)] = {MemoryRef::Kind::scratch, 0, take_slot()};
    store(reg_[at(value)], home_[at(value)]);
  }

  /// The value will not be read again.
  void forget(int value) {
    leave_register(value);
    if (home_[at(value)].kind == MemoryRef::Kind::scratch) free_slots_.push_back(home_[at(value)].index);
    home_[at(value)].kind = MemoryRef::Kind::none;
  }

  // ---- registers

  void leave_register(int value) {
    if (reg_[at(value)] >= 0) in_[at(reg_[at(value)])] = -1;
    reg_[at(value)] = -1;
  }

  void hold(int value, int reg) {
    in_[at(reg)] = value;
    reg_[at(value)] = reg;
  }

  bool is_pinned(int reg) const { return std::find(pinned_.begin(), pinned_.end(), reg + 1) != pinned_.end(); }
  void pin(int reg) { *std::find(pinned_.begin(), pinned_.end(), 0) = reg + 1; }

  int take_register() {
    int best = -1;
    long best_score = std::numeric_limits<long>::min();
    for (int r = 0; r < static_cast<int>(in_.size()); ++r) {
      if (is_pinned(r)) continue;
      const int value = in_[at(r)];
      if (value < 0) return r;
      const long score = static_cast<long>(needed_at(value)) - (is_in_memory(value) ? 0 : kStorePenalty);
      if (score > best_score) {
        best = r;
        best_score = score;
      }
    }
    const int value = in_[at(best)];
    if (needed_at(value) != kNever) save(value);
    leave_register(value);
    return best;
  }

  int into_register(int value) {
    if (reg_[at(value)] < 0) {
      const int r = take_register();
      load(r, home_[at(value)]);
      hold(value, r);
    }
    if (!is_pinned(reg_[at(value)])) pin(reg_[at(value)]);
    return reg_[at(value)];
  }

  // ---- steps

  void load(int reg, const MemoryRef& from) {
    MachineStep s;
    s.kind = MachineStep::Kind::load;
    s.to = reg;
    s.place = from;
    out_.steps.push_back(s);
  }
  void store(int reg, const MemoryRef& to) {
    MachineStep s;
    s.kind = MachineStep::Kind::store;
    s.arg[0].reg = reg;
    s.place = to;
    out_.steps.push_back(s);
  }
  void copy(int to, int from) {
    MachineStep s;
    s.kind = MachineStep::Kind::copy;
    s.to = to;
    s.arg[0].reg = from;
    out_.steps.push_back(s);
  }

  void store_outputs(int value) {
    for (int i = output_of_[at(value)]; i >= 0; i = next_output_[at(i)]) {
      const MemoryRef place{MemoryRef::Kind::output, p_.outputs[at(i)].array, p_.outputs[at(i)].index};
      store(reg_[at(value)], place);
      if (!is_in_memory(value)) home_[at(value)] = place;
    }
  }

  /// The operand to be read from memory: of those in no register, the one that is needed last; -1 if there is none.
  int choose_memory_operand(const Instruction& x) {
    int chosen = -1, latest = -1;
    for (int k = 0; k < operands(x.code); ++k) {
      const int value = x.arg[k];
      const bool twice = std::count(x.arg, x.arg + operands(x.code), value) > 1;
      if (reg_[at(value)] >= 0 || twice || !may_be_in_memory(x.code, k)) continue;
      if (const int when = needed_at(value); when > latest) {
        latest = when;
        chosen = k;
      }
    }
    return chosen;
  }

  void compute(const Instruction& x) {
    MachineStep s;
    s.code = x.code;
    const int n = operands(x.code);
    pinned_ = {};
    for (int k = 0; k < n; ++k)
      if (const int r = reg_[at(x.arg[k])]; r >= 0 && !is_pinned(r)) pin(r);
    int in_memory = choose_memory_operand(x);
    for (int k = 0; k < n; ++k)
      if (k != in_memory) s.arg[k].reg = into_register(x.arg[k]);
    if (in_memory >= 0) s.arg[in_memory].place = home_[at(x.arg[in_memory])];

    s.to = is_fused(x.code) ? register_of_fused(x, s, in_memory) : register_of_result(x, in_memory);
    for (int k = 0; k < n; ++k)
      if (needed_at(x.arg[k]) == kNever && x.arg[k] >= p_.first_computed()) forget(x.arg[k]);
    if (const int before = in_[at(s.to)]; before >= 0) leave_register(before);
    out_.steps.push_back(s);
    hold(x.to, s.to);
    store_outputs(x.to);
    if (needed_at(x.to) == kNever) forget(x.to);
  }

  int register_of_result(const Instruction& x, int in_memory) {
    for (int k = 0; k < operands(x.code); ++k)
      if (k != in_memory && needed_at(x.arg[k]) == kNever) return reg_[at(x.arg[k])];
    return take_register();
  }

  /// A fused operation overwrites one of its operands: one that dies, else one that is in memory as well, else a copy.
  int register_of_fused(const Instruction& x, MachineStep& s, int in_memory) {
    int spare = -1, latest = now_ + kFar;
    for (int k = 0; k < 3; ++k) {
      if (k == in_memory) continue;
      const int when = needed_at(x.arg[k]);
      if (when == kNever) return s.arg[k].reg;
      if (is_in_memory(x.arg[k]) && when > latest) {
        latest = when;
        spare = k;
      }
    }
    if (spare >= 0) return s.arg[spare].reg;
    const int r = take_register();
    if (in_memory >= 0) {
      load(r, s.arg[in_memory].place);
      s.arg[in_memory].reg = r;
    } else {
      copy(r, s.arg[2].reg);
      s.arg[2].reg = r;
    }
    return r;
  }

  void call(const Call& c, int number) {
    MachineStep s;
    s.kind = MachineStep::Kind::call;
    s.call = number;
    s.arg[0].place = lie_side_by_side(c) ? home_[at(c.args[0])] : gather(c);
    for (const int value : in_)
      if (value >= 0 && needed_at(value) != kNever) save(value);
    for (std::size_t r = 0; r < in_.size(); ++r)
      if (in_[r] >= 0) leave_register(in_[r]);
    for (const int value : c.args)
      if (needed_at(value) == kNever && value >= p_.first_computed()) forget(value);
    const int results = results_of(c.function) * c.count;
    s.to = out_.scratch;
    out_.scratch += results;
    for (int i = 0; i < results; ++i) home_[at(c.first_result + i)] = {MemoryRef::Kind::scratch, 0, s.to + i};
    out_.steps.push_back(s);
    for (int i = 0; i < results; ++i)
      if (output_of_[at(c.first_result + i)] >= 0) {
        pinned_ = {};
        into_register(c.first_result + i);
        store_outputs(c.first_result + i);
      }
  }

  /// Whether the arguments are consecutive entries of one input array.
  bool lie_side_by_side(const Call& c) const {
    const MemoryRef& first = home_[at(c.args[0])];
    for (std::size_t i = 0; i < c.args.size(); ++i) {
      const MemoryRef& place = home_[at(c.args[i])];
      if (place.kind != MemoryRef::Kind::input || place.array != first.array ||
          place.index != first.index + static_cast<int>(i))
        return false;
    }
    return true;
  }

  MemoryRef gather(const Call& c) {
    const int first = out_.scratch;
    out_.scratch += static_cast<int>(c.args.size());
    --now_;  // the arguments are still needed while others are fetched
    for (int i = 0; i < static_cast<int>(c.args.size()); ++i) {
      pinned_ = {};
      store(into_register(c.args[at(i)]), {MemoryRef::Kind::scratch, 0, first + i});
    }
    ++now_;
    return {MemoryRef::Kind::scratch, 0, first};
  }

  const Program& p_;
  Allocation out_;
  int now_ = 0;
  std::vector<int> in_, reg_;    // value in each register, register of each value; -1: none
  std::vector<MemoryRef> home_;  // of each value
  std::vector<int> first_use_, uses_, next_use_;
  std::vector<int> output_of_, next_output_;  // outputs of a value as a list
  std::vector<int> free_slots_;
  std::array<int, 4> pinned_{};  // registers (plus one) that the present instruction reads; 0: none
};

}  // namespace

Allocation allocate_registers(const Program& program, int registers) { return Allocator(program, registers).run(); }

}  // namespace cardan::program
