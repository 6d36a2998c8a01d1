#include "cardan/symbolic/internal/expression_parser.hpp"

#include "cardan/text/internal/nearest_name.hpp"

#include <cmath>
#include <numbers>

namespace cardan {

namespace {

struct Function {
  int arguments;
  Expr (*apply)(Expr a, Expr b);
};

template <Op op>
constexpr Function plain{arity(op), [](Expr a, Expr b) { return apply(op, a, b); }};

Expr sign(Expr a) {
  const Expr zero(0.0), one(1.0);
  return select_less(a, zero, -one, select_less(zero, a, one, zero));
}

const std::map<std::string, Function, std::less<>>& functions() {
  static const std::map<std::string, Function, std::less<>> table{
      {"sin", plain<Op::sin>},
      {"cos", plain<Op::cos>},
      {"tan", plain<Op::tan>},
      {"asin", plain<Op::asin>},
      {"acos", plain<Op::acos>},
      {"atan", plain<Op::atan>},
      {"atan2", plain<Op::atan2>},
      {"sqrt", plain<Op::sqrt>},
      {"exp", plain<Op::exp>},
      {"log", plain<Op::log>},
      {"abs", plain<Op::abs>},
      {"sinh", plain<Op::sinh>},
      {"cosh", plain<Op::cosh>},
      {"tanh", plain<Op::tanh>},
      {"min", plain<Op::min>},
      {"max", plain<Op::max>},
      {"floor", plain<Op::floor>},
      {"ceil", {1, [](Expr a, Expr) { return -floor(-a); }}},
      {"mod", {2, [](Expr a, Expr b) { return a - b * floor(a / b); }}},  // of the sign of b
      {"sign", {1, [](Expr a, Expr) { return sign(a); }}}};
  return table;
}

}  // namespace

bool is_function(std::string_view word) { return functions().count(word) != 0; }
bool is_constant_name(std::string_view word) { return word == "pi" || word == "deg"; }

Unit accept_unit(Lexer& tokens, const Symbols& symbols) {
  const auto is_unit = [](const Token& token) { return token.kind == Token::Kind::name && find_unit(token.text); };
  const auto is_symbol = [&](const Token& token) { return symbols.find(token.text) != symbols.end(); };
  Unit out;
  if (!is_unit(tokens.peek())) return out;
  for (int sign = 1;;) {
    if (is_symbol(tokens.peek()))
      tokens.fail("expected * between a number and the name " + tokens.peek().quoted() + ", which is also a unit");
    const Token word = tokens.next();
    double power = 1.0;
    constexpr double kHighest = 9.0;
    if (tokens.accept("^")) {
      const Token start = tokens.peek();
      power = tokens.accept_number().value_or(0.0);
      if (!(power >= 1.0 && power <= kHighest && power == std::floor(power)))
        tokens.fail_at(start, "expected a whole number from 1 to 9 as the power of a unit, found " + start.quoted());
    }
    out.multiply(*find_unit(word.text), sign * static_cast<int>(power));
    const bool divides = tokens.sees("/") && is_unit(tokens.peek(1)) && !is_symbol(tokens.peek(1));
    if (divides) tokens.next();
    sign = divides ? -1 : 1;
    if (!is_unit(tokens.peek())) return out;
  }
}

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
  if (const auto number = tokens_.accept_number()) {
    return Expr(accept_unit(tokens_, symbols_).si(*number));
  }
  const Token name = tokens_.expect_name("a number, a name or an opening bracket");
  if (tokens_.accept("(")) return call(name);
  if (const auto it = symbols_.find(name.text); it != symbols_.end()) return it->second;
  if (is_constant_name(name.text)) return Expr(name.text == "pi" ? std::numbers::pi : find_unit("deg")->times);
  if (is_function(name.text)) tokens_.fail_at(name, "expected ( after the function " + name.quoted());
  std::vector<std::string> known;
  for (const auto& [symbol, value] : symbols_) known.push_back(symbol);
  tokens_.fail_at(name, "unknown name " + name.quoted() + suggestion(name.text, known));
}

Expr ExpressionParser::call(const Token& name) {
  if (name.text == "if") return choice();
  if (const auto own = symbols_.functions.find(name.text); own != symbols_.functions.end())
    return finite(name, own->second(arguments(name, 1)[0]));
  const auto it = functions().find(name.text);
  if (it == functions().end()) {
    std::vector<std::string> known{"if"};
    for (const auto& [function, properties] : functions()) known.push_back(function);
    for (const auto& [function, value] : symbols_.functions) known.push_back(function);
    tokens_.fail_at(name, "unknown function " + name.quoted() + suggestion(name.text, known));
  }
  const std::vector<Expr> a = arguments(name, it->second.arguments);
  return finite(name, it->second.apply(a[0], a.size() > 1 ? a[1] : Expr()));
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
