#include "cardan/program/internal/c_source.hpp"

#include "cardan/math/number_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace cardan::program {

namespace {

constexpr std::array kKeywords{
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "main",
    // a header of this name would hide the system's
    "assert", "complex", "ctype", "errno", "fenv", "inttypes", "iso646", "limits", "locale", "math", "setjmp", "signal",
    "stdarg", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string", "tgmath", "time", "wchar", "wctype"};

const char* name_of(Function f, int result) {
  switch (f) {
    case Function::sincos: return result == 0 ? "sin" : "cos";
    case Function::tan: return "tan";
    case Function::asin: return "asin";
    case Function::acos: return "acos";
    case Function::atan: return "atan";
    case Function::atan2: return "atan2";
    case Function::exp: return "exp";
    case Function::log: return "log";
    case Function::sinh: return "sinh";
    case Function::cosh: return "cosh";
    case Function::tanh: return "tanh";
    case Function::pow: return "pow";
    case Function::floor: return "floor";
    case Function::table_piece:
    case Function::table_entry: break;  // written out
  }
  return "";
}

std::string number(double x) {
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x > 0.0 ? "INFINITY" : "(-INFINITY)";
  std::string text = fmt::format("{:.17g}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return x < 0.0 ? "(" + text + ")" : text;
}

class Writer {
 public:
  Writer(const Program& program, const std::vector<std::string>& arrays)
      : p_(program), arrays_(arrays), read_(static_cast<std::size_t>(program.values), 0) {
    for (const Instruction& x : p_.code)
      for (int k = 0; k < operands(x.code); ++k) read_[static_cast<std::size_t>(x.arg[k])] = 1;
    for (const Call& c : p_.calls)
      for (const int a : c.args) read_[static_cast<std::size_t>(a)] = 1;
    for (const auto& out : p_.outputs) read_[static_cast<std::size_t>(out.value)] = 1;
  }

  std::string body() {
    silence_unused_arrays();
    for (const Instruction& x : p_.code) {
      if (x.code == Code::call)
        call(p_.calls[static_cast<std::size_t>(x.arg[0])]);
      else
        text_ += fmt::format("  const double x{} = {};\n", x.to, expression(x));
    }
    for (const auto& out : p_.outputs)
      text_ += fmt::format("  {}[{}] = {};\n", arrays_[p_.input_sizes.size() + static_cast<std::size_t>(out.array)],
                           out.index, value(out.value));
    return text_;
  }

 private:
  void silence_unused_arrays() {
    int first = 0;
    for (std::size_t i = 0; i < p_.input_sizes.size(); ++i) {
      const auto begin = read_.begin() + first;
      first += p_.input_sizes[i];
      if (std::find(begin, read_.begin() + first, 1) == read_.begin() + first)
        text_ += fmt::format("  (void){};\n", arrays_[i]);
    }
    for (std::size_t i = 0; i < p_.output_sizes.size(); ++i)
      if (p_.output_sizes[i] == 0) text_ += fmt::format("  (void){};\n", arrays_[p_.input_sizes.size() + i]);
  }

  std::string value(int v) const {
    if (p_.is_constant(v)) return number(p_.constants[static_cast<std::size_t>(v - p_.first_constant())]);
    if (!p_.is_input(v)) return fmt::format("x{}", v);
    std::size_t array = 0;
    while (v >= p_.input_sizes[array]) v -= p_.input_sizes[array++];
    return fmt::format("{}[{}]", arrays_[array], v);
  }

  std::string expression(const Instruction& x) const {
    const auto v = [&](int k) { return value(x.arg[k]); };
    switch (x.code) {
      case Code::add: return fmt::format("{} + {}", v(0), v(1));
      case Code::subtract: return fmt::format("{} - {}", v(0), v(1));
      case Code::multiply: return fmt::format("{} * {}", v(0), v(1));
      case Code::divide: return fmt::format("{} / {}", v(0), v(1));
      case Code::negate: return fmt::format("-{}", v(0));
      case Code::multiply_add: return fmt::format("{} * {} + {}", v(0), v(1), v(2));
      case Code::multiply_subtract: return fmt::format("{} * {} - {}", v(0), v(1), v(2));
      case Code::subtract_product: return fmt::format("{2} - {0} * {1}", v(0), v(1), v(2));
      case Code::negated_multiply_add: return fmt::format("-({} * {}) - {}", v(0), v(1), v(2));
      case Code::square_root: return fmt::format("sqrt({})", v(0));
      case Code::absolute: return fmt::format("fabs({})", v(0));
      case Code::minimum: return fmt::format("{1} < {0} ? {1} : {0}", v(0), v(1));
      case Code::maximum: return fmt::format("{0} < {1} ? {1} : {0}", v(0), v(1));
      case Code::select_less: return fmt::format("{} < {} ? {} : {}", v(0), v(1), v(2), v(3));
      case Code::call: break;
    }
    return {};
  }

  void call(const Call& c) {
    for (int i = 0; i < c.count; ++i)
      for (int result = 0; result < results_of(c.function); ++result) {
        const int to = c.first_result + result * c.count + i;
        if (!read_[static_cast<std::size_t>(to)]) continue;
        std::string args = value(c.args[static_cast<std::size_t>(i)]);
        if (c.function == Function::table_piece || c.function == Function::table_entry) {
          read_table(c.function, to, args,
                     p_.constants[static_cast<std::size_t>(c.args[static_cast<std::size_t>(c.count + i)] -
                                                           p_.first_constant())]);
          continue;
        }
        if (arguments_of(c.function) == 2) args += ", " + value(c.args[static_cast<std::size_t>(c.count + i)]);
        text_ += fmt::format("  const double x{} = {}({});\n", to, name_of(c.function, result), args);
      }
  }

  /// Writes the search in a list of numbers, or the reading of one of them; the list itself where it is first needed.
  void read_table(Function f, int to, const std::string& arg, double table) {
    const std::span<const double> list = kept_table(table);
    const std::string name = fmt::format("table_{}", table);
    if (tables_.insert(table).second) {
      std::string numbers;
      for (const double x : list) numbers += (numbers.empty() ? "" : ", ") + number(x);
      text_ += fmt::format("  static const double {}[{}] = {{{}}};\n", name, list.size(), numbers);
    }
    if (f == Function::table_entry) {
      text_ += fmt::format("  const double x{0} = {1}[{2} > 0.0 ? {2} < {3}.0 ? (int)({2}) : {3} : 0];\n", to, name,
                           arg, list.size() - 1);
      return;
    }
    text_ += fmt::format(
        "  double x{0} = 0.0;\n"
        "  {{\n    int low = 0, high = {1};\n"
        "    while (high - low > 1) {{\n      const int mid = (low + high) / 2;\n"
        "      if ({2}[mid] <= {3}) low = mid; else high = mid;\n    }}\n    x{0} = low;\n  }}\n",
        to, list.size(), name, arg);
  }

  const Program& p_;
  const std::vector<std::string>& arrays_;
  std::vector<char> read_;
  std::set<double> tables_;
  std::string text_;
};

}  // namespace

std::string c_identifier(std::string_view text) {
  constexpr std::size_t longest = 60;  // file names are made of it
  std::string out;
  for (const char c : text.substr(0, longest)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
    out += letter || digit ? c : '_';
  }
  if (out.empty() || (out[0] >= '0' && out[0] <= '9') || out[0] == '_') out = "m" + out;
  if (std::find(kKeywords.begin(), kKeywords.end(), out) != kKeywords.end()) out += "_";
  return out;
}

std::string c_declaration(const std::string& name, const Program& program, const std::vector<std::string>& arrays) {
  std::string out = "void " + name + "(";
  for (std::size_t i = 0; i < arrays.size(); ++i)
    out += fmt::format("{}{}double* {}", i == 0 ? "" : ", ", i < program.input_sizes.size() ? "const " : "", arrays[i]);
  return out + ")";
}

std::string c_function(const std::string& name, const Program& program, const std::vector<std::string>& arrays) {
  return c_declaration(name, program, arrays) + " {\n" + Writer(program, arrays).body() + "}\n";
}

}  // namespace cardan::program
