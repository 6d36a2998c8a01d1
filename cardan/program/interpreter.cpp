#include "cardan/program/interpreter.hpp"

namespace cardan::program {

namespace {

/// Gives the numbers of values that nobody reads any more to new ones.
class Renumbering {
 public:
  explicit Renumbering(const Program& program)
      : p_(program), number_(static_cast<std::size_t>(p_.values), -1), last_reader_(number_.size(), -1) {
    for (std::size_t i = 0; i < p_.code.size(); ++i)
      for (const int a : arguments(p_.code[i])) last_reader_[static_cast<std::size_t>(a)] = static_cast<int>(i);
    for (const auto& out : p_.outputs)
      last_reader_[static_cast<std::size_t>(out.value)] = static_cast<int>(p_.code.size());
    for (next_ = 0; next_ < p_.first_computed(); ++next_) number_[static_cast<std::size_t>(next_)] = next_;
  }

  Program run() {
    for (std::size_t i = 0; i < p_.code.size(); ++i) {
      Instruction& x = p_.code[i];
      const std::vector<int> read = arguments(x);
      if (x.code == Code::call) {
        Call& c = p_.calls[static_cast<std::size_t>(x.arg[0])];
        for (int& a : c.args) a = number_[static_cast<std::size_t>(a)];
        c.first_result = x.to = number_results(c.first_result, results_of(c.function) * c.count);
      } else {
        for (int k = 0; k < operands(x.code); ++k) x.arg[k] = number_[static_cast<std::size_t>(x.arg[k])];
      }
      for (const int a : read) release(a, static_cast<int>(i));
      if (x.code != Code::call) x.to = number_value(x.to);
    }
    for (auto& out : p_.outputs) out.value = number_[static_cast<std::size_t>(out.value)];
    p_.values = next_;
    return std::move(p_);
  }

 private:
  std::vector<int> arguments(const Instruction& x) const {
    if (x.code == Code::call) return p_.calls[static_cast<std::size_t>(x.arg[0])].args;
    return {x.arg, x.arg + operands(x.code)};
  }
  int number_value(int value) {
    int& number = number_[static_cast<std::size_t>(value)];
    if (free_.empty()) return number = next_++;
    number = free_.back();
    free_.pop_back();
    return number;
  }
  /// Results of a call are consecutive.
  int number_results(int first, int count) {
    const int begin = next_;
    for (int value = first; value < first + count; ++value) {
      number_[static_cast<std::size_t>(value)] = next_++;
      release(value, -1);  // nobody may read the cosine
    }
    return begin;
  }
  void release(int value, int reader) {
    int& last = last_reader_[static_cast<std::size_t>(value)];
    if (value < p_.first_computed() || last != reader) return;
    last = static_cast<int>(p_.code.size());  // an operand that occurs twice is given back once
    free_.push_back(number_[static_cast<std::size_t>(value)]);
  }

  Program p_;
  std::vector<int> number_, last_reader_;  // by value; reader: position in the code
  std::vector<int> free_;
  int next_ = 0;
};

}  // namespace

Interpreter::Interpreter(const Program& program) : p_(Renumbering(program).run()) {
  std::size_t most_arguments = 0;
  for (const Call& c : p_.calls) most_arguments = std::max(most_arguments, c.args.size());
  scratch_ = p_.values + static_cast<int>(most_arguments);
}

}  // namespace cardan::program
