#include "cardan/program/machine_code.hpp"

#include "cardan/program/internal/allocate.hpp"
#include "cardan/program/internal/executable_pages.hpp"

#if defined(CARDAN_HAS_ASMJIT) && defined(__x86_64__)
#include <asmjit/x86.h>

#include <bit>
#include <cmath>

namespace cardan::program {

namespace {

using namespace asmjit;
namespace I = asmjit::x86::Inst;

/// An instruction that cannot be encoded is a mistake of ours, and must not go unseen.
struct ThrowOnError : ErrorHandler {
  void handleError(Error, const char* message, BaseEmitter*) override {
    throw std::logic_error("machine code: " + std::string(message));
  }
};

/// Writes the steps of an allocation as instructions. The type of register says how many lanes there are.
class Encoder {
 public:
  Encoder(const Program& p, InstructionSet set, int lanes, x86::Assembler& a)
      : p_(p), set_(set), lanes_(lanes), a_(a), constants_(a.newLabel()), signs_(a.newLabel()) {}

  void write(const Allocation& allocation) {
    a_.push(x86::rbx);
    a_.push(x86::r12);
    a_.push(x86::r13);  // three registers: the stack stays aligned for calls
    a_.mov(x86::rbx, x86::rdi);
    a_.mov(x86::r13, x86::rsi);
    a_.mov(x86::r12, x86::rdx);
    load_pointers();
    for (const MachineStep& s : allocation.steps) step(s);
    if (lanes_ > 1) a_.vzeroupper();
    a_.pop(x86::r13);
    a_.pop(x86::r12);
    a_.pop(x86::rbx);
    a_.ret();
    write_constants();
  }

 private:
  static constexpr int kEntry = 8;  // bytes of a number

  /// One displacement byte reaches further when a pointer stands in the middle of what it serves.
  int middle() const { return set_ == InstructionSet::avx512 ? 128 * kEntry * lanes_ : 128; }
  int constant_middle() const { return set_ == InstructionSet::avx512 && lanes_ > 1 ? 128 * kEntry : middle(); }
  /// AVX-512 reads one number into all lanes by itself; AVX2 needs a copy for each lane.
  int constant_copies() const { return set_ == InstructionSet::avx512 ? 1 : lanes_; }

  // ---- pointers: scratch in rdx, constants in rcx, then the arrays; calls destroy them all. What they are loaded from
  // survives: the input arrays in rbx, the output arrays in r13, scratch in r12

  x86::Gp array_pointer(int array) const {
    static const x86::Gp pointers[] = {x86::rsi, x86::rdi, x86::rax, x86::r8, x86::r9, x86::r10, x86::r11};
    return pointers[array];
  }
  void load_pointers() {
    const auto inputs = static_cast<int>(p_.input_sizes.size()), outputs = static_cast<int>(p_.output_sizes.size());
    if (inputs + outputs > 7) throw std::invalid_argument("machine code reads and writes at most seven arrays");
    a_.lea(x86::rdx, x86::ptr(x86::r12, middle()));
    a_.lea(x86::rcx, x86::ptr(constants_, constant_middle()));
    for (int i = 0; i < inputs; ++i) a_.mov(array_pointer(i), x86::ptr(x86::rbx, 8 * i));
    for (int i = 0; i < outputs; ++i) a_.mov(array_pointer(inputs + i), x86::ptr(x86::r13, 8 * i));
  }

  x86::Mem memory(const MemoryRef& p) const {
    const auto size = static_cast<std::uint32_t>(kEntry * lanes_);
    const int entry = kEntry * lanes_;
    switch (p.kind) {
      case MemoryRef::Kind::input: return x86::Mem(array_pointer(p.array), entry * p.index, size);
      case MemoryRef::Kind::output:
        return x86::Mem(array_pointer(static_cast<int>(p_.input_sizes.size()) + p.array), entry * p.index, size);
      case MemoryRef::Kind::scratch: return x86::Mem(x86::rdx, entry * p.index - middle(), size);
      default: break;
    }
    if (constant_copies() == lanes_) return x86::Mem(x86::rcx, entry * p.index - constant_middle(), size);
    return x86::Mem(x86::rcx, kEntry * p.index - constant_middle(), kEntry)._1to8();
  }

  // ---- instructions

  x86::Vec reg(int r) const {
    const auto id = static_cast<std::uint32_t>(r);
    if (lanes_ == 1) return x86::xmm(id);
    if (lanes_ == 4) return x86::ymm(id);
    return x86::zmm(id);
  }
  x86::Vec mask_register() const { return reg(15); }  // kept free without AVX-512

  Operand_ operand(const Operand& o) const {
    if (o.reg >= 0) return reg(o.reg);
    return memory(o.place);
  }

  /// The shorter of the two encodings: with AVX-512's, one displacement byte counts whole operands.
  void shorten(const Operand_& last) {
    if (set_ != InstructionSet::avx512 || lanes_ > 1 || !last.isMem()) return;
    const auto displacement = last.as<x86::Mem>().offsetLo32();
    if (std::abs(displacement + 0.5) > 128 && displacement >= -1024 && displacement < 1024) a_.evex();
  }
  void emit(InstId id, const Operand_& x, const Operand_& y) {
    shorten(y);
    a_.emit(id, x, y);
  }
  void emit(InstId id, const Operand_& x, const Operand_& y, const Operand_& z) {
    shorten(z);
    a_.emit(id, x, y, z);
  }

  InstId pick(InstId one, InstId many) const { return lanes_ == 1 ? one : many; }
  static bool is_high(const x86::Vec& r) { return r.id() >= 16; }

  void move(const x86::Vec& to, const Operand_& from) {
    if (from.isMem()) {
      // a whole register from memory, or one number into all lanes
      const bool broadcast = lanes_ > 1 && from.as<x86::Mem>().hasBroadcast();
      if (broadcast) return emit(I::kIdVbroadcastsd, to, without_broadcast(from.as<x86::Mem>()));
      return emit(pick(I::kIdVmovsd, I::kIdVmovupd), to, from);
    }
    a_.emit(I::kIdVmovapd, to, from);
  }
  static x86::Mem without_broadcast(x86::Mem m) {
    m.resetBroadcast();
    return m;
  }

  void step(const MachineStep& s) {
    switch (s.kind) {
      case MachineStep::Kind::load: return move(reg(s.to), memory(s.place));
      case MachineStep::Kind::store: return emit_store(memory(s.place), reg(s.arg[0].reg));
      case MachineStep::Kind::copy: return move(reg(s.to), reg(s.arg[0].reg));
      case MachineStep::Kind::call: return call(s);
      case MachineStep::Kind::compute: return compute(s);
    }
  }

  void emit_store(const x86::Mem& to, const x86::Vec& from) {
    shorten(to);
    a_.emit(pick(I::kIdVmovsd, I::kIdVmovupd), to, from);
  }

  void compute(const MachineStep& s) {
    const auto x = [&](int k) { return operand(s.arg[k]); };
    const x86::Vec to = reg(s.to);
    switch (s.code) {
      case Code::add: return commuting(pick(I::kIdVaddsd, I::kIdVaddpd), to, x(0), x(1));
      case Code::multiply: return commuting(pick(I::kIdVmulsd, I::kIdVmulpd), to, x(0), x(1));
      case Code::subtract: return emit(pick(I::kIdVsubsd, I::kIdVsubpd), to, x(0), x(1));
      case Code::divide: return emit(pick(I::kIdVdivsd, I::kIdVdivpd), to, x(0), x(1));
      // the processor gives the second operand where they are equal or not numbers
      case Code::minimum: return emit(pick(I::kIdVminsd, I::kIdVminpd), to, x(1), x(0));
      case Code::maximum: return emit(pick(I::kIdVmaxsd, I::kIdVmaxpd), to, x(1), x(0));
      case Code::negate: return with_sign_bits(I::kIdVxorpd, I::kIdVpxorq, to, x(0), 0);
      case Code::absolute: return with_sign_bits(I::kIdVandpd, I::kIdVpandq, to, x(0), 1);
      case Code::square_root:
        if (lanes_ > 1) return emit(I::kIdVsqrtpd, to, x(0));
        return emit(I::kIdVsqrtsd, to, to, x(0));
      case Code::select_less: return select(to, x(0), x(1), x(2), x(3));
      default: return fused(s);
    }
  }

  void commuting(InstId id, const x86::Vec& to, const Operand_& x, const Operand_& y) {
    if (x.isMem())
      emit(id, to, y, x);
    else
      emit(id, to, x, y);
  }

  /// Entry 0 of the sign table has only sign bits, entry 1 all others.
  void with_sign_bits(InstId low, InstId high, const x86::Vec& to, const Operand_& x, int entry) {
    const bool evex = lanes_ == 8 || is_high(to) || is_high(x.as<x86::Vec>());
    const auto size = static_cast<std::uint32_t>(std::max(16, kEntry * lanes_));
    x86::Mem bits(signs_, 64 * entry);
    bits.setSize(size);
    a_.emit(evex ? high : low, to, x, bits);
  }

  void select(const x86::Vec& to, const Operand_& x, const Operand_& y, const Operand_& then, const Operand_& other) {
    constexpr int less = 1;  // ordered: false for NaN
    if (set_ == InstructionSet::avx512) {
      a_.emit(pick(I::kIdVcmpsd, I::kIdVcmppd), x86::k1, x, y, imm(less));
      a_.k(x86::k1).emit(I::kIdVblendmpd, to, other, then);
    } else {
      a_.emit(pick(I::kIdVcmpsd, I::kIdVcmppd), mask_register(), x, y, imm(less));
      a_.emit(I::kIdVblendvpd, to, other, then, mask_register());
    }
  }

  /// x y + z and its variants overwrite one operand; the three forms differ in which, and all read the last from
  /// memory.
  void fused(const MachineStep& s) {
    static constexpr InstId ids[4][2][3] = {
        {{I::kIdVfmadd132sd, I::kIdVfmadd213sd, I::kIdVfmadd231sd},
         {I::kIdVfmadd132pd, I::kIdVfmadd213pd, I::kIdVfmadd231pd}},
        {{I::kIdVfmsub132sd, I::kIdVfmsub213sd, I::kIdVfmsub231sd},
         {I::kIdVfmsub132pd, I::kIdVfmsub213pd, I::kIdVfmsub231pd}},
        {{I::kIdVfnmadd132sd, I::kIdVfnmadd213sd, I::kIdVfnmadd231sd},
         {I::kIdVfnmadd132pd, I::kIdVfnmadd213pd, I::kIdVfnmadd231pd}},
        {{I::kIdVfnmsub132sd, I::kIdVfnmsub213sd, I::kIdVfnmsub231sd},
         {I::kIdVfnmsub132pd, I::kIdVfnmsub213pd, I::kIdVfnmsub231pd}},
    };
    const auto& form = ids[static_cast<int>(s.code) - static_cast<int>(Code::multiply_add)][lanes_ > 1];
    Operand_ x = operand(s.arg[0]), y = operand(s.arg[1]);
    const Operand_ z = operand(s.arg[2]);
    const x86::Vec to = reg(s.to);
    if (s.arg[2].reg == s.to) {  // to = x y + to
      if (x.isMem()) std::swap(x, y);
      return emit(form[2], to, x, y);
    }
    if (s.arg[0].reg != s.to) std::swap(x, y);  // to is x
    if (y.isMem())
      emit(form[0], to, z, y);  // to = to y + z
    else
      emit(form[1], to, y, z);  // to = y to + z
  }

  void call(const MachineStep& s) {
    const Call& c = p_.calls[static_cast<std::size_t>(s.call)];
    if (lanes_ > 1) a_.vzeroupper();
    a_.lea(x86::rcx, memory({MemoryRef::Kind::scratch, 0, s.to}));
    a_.lea(x86::rsi, memory(s.arg[0].place));
    a_.mov(x86::edi, static_cast<int>(c.function));
    a_.mov(x86::edx, c.count * lanes_);
    a_.mov(x86::rax,
           reinterpret_cast<std::uint64_t>(static_cast<void (*)(Function, const double*, int, double*)>(run_call)));
    a_.call(x86::rax);
    load_pointers();
  }

  void write_constants() {
    a_.align(AlignMode::kData, 64);
    a_.bind(signs_);
    for (const std::uint64_t bits : {std::uint64_t{1} << 63, ~(std::uint64_t{1} << 63)})
      for (int i = 0; i < 8; ++i) a_.embedUInt64(bits);
    a_.bind(constants_);
    for (const double x : p_.constants)
      for (int i = 0; i < constant_copies(); ++i) a_.embedDouble(x);
  }

  const Program& p_;
  InstructionSet set_;
  int lanes_;
  x86::Assembler& a_;
  Label constants_, signs_;
};

}  // namespace

bool can_run(InstructionSet set) {
  const auto& features = CpuInfo::host().features().x86();
  const bool avx2 = features.hasAVX2() && features.hasFMA();
  return set == InstructionSet::avx2
             ? avx2
             : avx2 && features.hasAVX512_F() && features.hasAVX512_VL() && features.hasAVX512_DQ();
}

MachineCode::MachineCode(const Program& program, InstructionSet set, int lanes) : lanes_(lanes) {
  if (!can_run(set)) throw NoMachineCode("this processor lacks the instructions that the code was asked to use");
  if (lanes != 1 && lanes != register_lanes(set))
    throw std::invalid_argument("machine code has 1 or " + std::to_string(register_lanes(set)) + " lanes, asked for " +
                                std::to_string(lanes));
  // without AVX-512 there are sixteen registers, and one is kept for comparisons
  const Allocation allocation = allocate_registers(program, set == InstructionSet::avx512 ? 32 : 15);
  CodeHolder code;
  ThrowOnError errors;
  code.init(Environment::host());
  code.setErrorHandler(&errors);
  x86::Assembler assembler(&code);
  Encoder(program, set, lanes, assembler).write(allocation);
  if (code.flatten() != kErrorOk || code.resolveUnresolvedLinks() != kErrorOk)
    throw std::runtime_error("the machine code could not be put together");
  std::vector<std::byte> bytes(code.codeSize());
  code.relocateToBase(0);  // nothing in it depends on where it lies
  code.copyFlattenedData(bytes.data(), bytes.size());
  pages_ = executable_copy(bytes);
  bytes_ = bytes.size();
  if (!pages_) throw NoMachineCode("this system does not let programs make machine code: use the interpreter");
  entry_ = reinterpret_cast<Entry>(const_cast<void*>(pages_.get()));
  scratch_ = allocation.scratch * lanes;
}

}  // namespace cardan::program

#else

namespace cardan::program {

bool can_run(InstructionSet) { return false; }
MachineCode::MachineCode(const Program&, InstructionSet, int) {
  throw NoMachineCode(
      "this build makes no machine code (it needs asmjit and an x86-64 processor): use the interpreter or the C "
      "source");
}

}  // namespace cardan::program

#endif

namespace cardan::program {

bool machine_code_is_possible() { return can_run(InstructionSet::avx512) || can_run(InstructionSet::avx2); }

InstructionSet best_instruction_set() {
  for (const auto set : {InstructionSet::avx512, InstructionSet::avx2})
    if (can_run(set)) return set;
  throw NoMachineCode("no machine code on this processor: it needs AVX2 and FMA");
}

int register_lanes(InstructionSet set) { return set == InstructionSet::avx512 ? 8 : 4; }

}  // namespace cardan::program
