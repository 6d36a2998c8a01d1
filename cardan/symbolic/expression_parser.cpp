#include "cardan/symbolic/expression_parser.hpp"

#include "cardan/text/nearest_name.hpp"

#include <cmath>
#include <numbers>

namespace cardan {

namespace {

struct Function {
  Op op;
  int arguments;
};

const std::map<std::string, Function, std::less<>>& functions() {
  static const std::map<std::string, Function, std::less<>> table{
      {"sin", {Op::sin, 1}},   {"cos", {Op::cos, 1}},   {"tan", {Op::tan, 1}},     {"asin", {Op::asin, 1}},
      {"acos", {Op::acos, 1}}, {"atan", {Op::atan, 1}}, {"atan2", {Op::atan2, 2}}, {"sqrt", {Op::sqrt, 1}},
      {"exp", {Op::exp, 1}},   {"log", {Op::log, 1}},   {"abs", {Op::abs, 1}},     {"sinh", {Op::sinh, 1}},
      {"cosh", {Op::cosh, 1}}, {"tanh", {Op::tanh, 1}}, {"min", {Op::min, 2}},     {"max", {Op::max, 2}}};
  return table;
}

}  // namespace

bool is_function(std::string_view word) { return functions().count(word) != 0; }

Expr ExpressionParser::sum() {
  Expr e = term();
  for (;;) {
    if (tokens_.accept("+"))
      e = e + term();
    else if (tokens_.accept("-"))
      e = e - term();
    else
      return e;
  }
}

Expr ExpressionParser::term() {
  Expr e = signed_factor();
  for (;;) {
    if (tokens_.accept("*"))
      e = e * signed_factor();
    else if (tokens_.accept("/"))
      e = quotient(e);
    else
      return e;
  }
}

Expr ExpressionParser::quotient(Expr dividend) {
  const Token start = tokens_.peek();
  const Expr divisor = signed_factor();
  if (divisor.is(0.0)) tokens_.fail_at(start, "division by zero");
  return dividend / divisor;
}

Expr ExpressionParser::signed_factor() {
  const Level level(*this);
  if (tokens_.accept("-")) return -signed_factor();
  if (tokens_.accept("+")) return signed_factor();
  const Token start = tokens_.peek();
  const Expr base = primary();
  if (!tokens_.accept("^")) return base;
  return finite(start, pow(base, signed_factor()));  // -x^2 is -(x^2), 2^3^2 is 2^(3^2)
}

Expr ExpressionParser::primary() {
  if (tokens_.accept("(")) {
    const Expr e = sum();
    tokens_.expect(")");
    return e;
  }
  if (const auto number = tokens_.accept_number()) return Expr(*number);
  const Token name = tokens_.expect_name("a number, a name or an opening bracket");
  if (tokens_.accept("(")) return call(name);
  if (const auto it = symbols_.find(name.text); it != symbols_.end()) return it->second;
  if (name.text == "pi") return Expr(std::numbers::pi);
  if (is_function(name.text)) tokens_.fail_at(name, "expected ( after the function " + name.quoted());
  std::vector<std::string> known;
  for (const auto& [symbol, value] : symbols_) known.push_back(symbol);
  tokens_.fail_at(name, "unknown name " + name.quoted() + suggestion(name.text, known));
}

Expr ExpressionParser::call(const Token& name) {
  if (name.text == "if") return choice();
  const auto it = functions().find(name.text);
  if (it == functions().end()) {
    std::vector<std::string> known{"if"};
    for (const auto& [function, properties] : functions()) known.push_back(function);
    tokens_.fail_at(name, "unknown function " + name.quoted() + suggestion(name.text, known));
  }
  const std::vector<Expr> a = arguments(name, it->second.arguments);
  return finite(name, apply(it->second.op, a[0], a.size() > 1 ? a[1] : Expr()));
}

/// The value, unless it is a constant like log(0) or 0^-1.
Expr ExpressionParser::finite(const Token& where, Expr e) const {
  if (e.is_constant() && !std::isfinite(e.value())) tokens_.fail_at(where, "the value is not a finite number");
  return e;
}

Expr ExpressionParser::choice() {
  const Expr a = sum();
  const std::string comparison = tokens_.expect_one_of({"<=", ">=", "<", ">"});
  const Expr b = sum();
  tokens_.expect(",");
  const Expr yes = sum();
  tokens_.expect(",");
  const Expr no = sum();
  tokens_.expect(")");
  if (comparison == "<") return select_less(a, b, yes, no);
  if (comparison == ">") return select_less(b, a, yes, no);
  if (comparison == "<=") return select_less(b, a, no, yes);
  return select_less(a, b, no, yes);
}

std::vector<Expr> ExpressionParser::arguments(const Token& name, int count) {
  std::vector<Expr> out;
  if (!tokens_.accept(")")) {
    do out.push_back(sum());
    while (tokens_.accept(","));
    tokens_.expect(")");
  }
  if (static_cast<int>(out.size()) != count)
    tokens_.fail_at(name, name.quoted() + " takes " + std::to_string(count) +
                              (count == 1 ? " argument" : " arguments") + ", found " + std::to_string(out.size()));
  return out;
}

std::string ExpressionParser::suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return near.empty() ? "" : ": did you mean \"" + near + "\"?";
}

}  // namespace cardan
