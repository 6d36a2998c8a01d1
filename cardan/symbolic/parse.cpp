#include "cardan/symbolic/parse.hpp"

#include "cardan/symbolic/lexer.hpp"
#include "cardan/text/nearest_name.hpp"

#include <algorithm>
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

/// x^n by repeated squaring.
Expr whole_power(Expr x, int n) {
  if (n < 0) return Expr(1.0) / whole_power(x, -n);
  Expr result(1.0);
  for (Expr square = x; n > 0; n /= 2, square = square * square)
    if (n % 2) result = result * square;
  return result;
}

Expr power(Expr x, Expr y) {
  const Graph& g = Graph::current();
  if (g.is_constant(y)) {
    const double e = g[y].value;
    if (e == std::floor(e) && std::fabs(e) <= 64.0) return whole_power(x, static_cast<int>(e));
    if (e == 0.5) return sqrt(x);
    if (g.is_constant(x)) return Expr(std::pow(g[x].value, e));
  }
  return exp(y * log(x));
}

class Parser {
 public:
  Parser(std::string_view text, const Symbols& symbols, const ParseLimits& limits)
      : tokens_(text, limits.length), symbols_(symbols), depth_left_(limits.depth) {}

  Expr whole_expression() {
    const Expr e = sum();
    tokens_.expect_end();
    return e;
  }
  MotionProduct whole_transform() {
    MotionProduct p = product();
    tokens_.expect_end();
    return p;
  }

 private:
  /// Counts one level of nesting while it lives.
  class Level {
   public:
    explicit Level(Parser& p) : p_(p) {
      if (--p_.depth_left_ < 0) p_.tokens_.fail("nested too deeply");
    }
    ~Level() { ++p_.depth_left_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& p_;
  };

  Expr sum() {
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
  Expr term() {
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
  Expr quotient(Expr dividend) {
    const Token start = tokens_.peek();
    const Expr divisor = signed_factor();
    if (divisor.id == Graph::zero) tokens_.fail_at(start, "division by zero");
    return dividend / divisor;
  }
  Expr signed_factor() {
    const Level level(*this);
    if (tokens_.accept("-")) return -signed_factor();
    if (tokens_.accept("+")) return signed_factor();
    const Token start = tokens_.peek();
    const Expr base = primary();
    if (!tokens_.accept("^")) return base;
    return finite(start, power(base, signed_factor()));  // -x^2 is -(x^2), 2^3^2 is 2^(3^2)
  }
  Expr primary() {
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
    if (functions().count(name.text)) tokens_.fail_at(name, "expected ( after the function " + name.quoted());
    std::vector<std::string> known;
    for (const auto& [symbol, value] : symbols_) known.push_back(symbol);
    tokens_.fail_at(name, "unknown name " + name.quoted() + suggestion(name.text, known));
  }

  Expr call(const Token& name) {
    if (name.text == "if") return choice();
    const auto it = functions().find(name.text);
    if (it == functions().end()) {
      std::vector<std::string> known{"if"};
      for (const auto& [function, properties] : functions()) known.push_back(function);
      tokens_.fail_at(name, "unknown function " + name.quoted() + suggestion(name.text, known));
    }
    const std::vector<Expr> a = arguments(name, it->second.arguments);
    return finite(name, Graph::current().make(it->second.op, a[0], a.size() > 1 ? a[1] : Expr()));
  }
  /// The value, unless it is a constant like log(0) or 0^-1.
  Expr finite(const Token& where, Expr e) const {
    const Graph& g = Graph::current();
    if (g.is_constant(e) && !std::isfinite(g[e].value)) tokens_.fail_at(where, "the value is not a finite number");
    return e;
  }
  Expr choice() {
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
  /// What stands between the brackets, the opening one already read.
  std::vector<Expr> arguments(const Token& name, int count) {
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

  MotionProduct product() {
    const Level level(*this);
    MotionProduct p = factor();
    while (tokens_.accept("*")) p = std::move(p) * factor();
    return p;
  }
  MotionProduct factor() {
    const Token name = tokens_.expect_name("trans, rotx, roty, rotz, rot, twist, frame or inv");
    tokens_.expect("(");
    if (name.text == "trans") {
      const auto a = arguments(name, 3);
      return shift({a[0], a[1], a[2]});
    }
    if (name.text == "rotx") return turn(0, arguments(name, 1)[0]);
    if (name.text == "roty") return turn(1, arguments(name, 1)[0]);
    if (name.text == "rotz") return turn(2, arguments(name, 1)[0]);
    if (name.text == "rot") return turn_about(name, arguments(name, 4));
    if (name.text == "twist") {
      const auto a = arguments(name, 6);
      return exp_se3(Vec3<Expr>{a[0], a[1], a[2]}, Vec3<Expr>{a[3], a[4], a[5]});
    }
    if (name.text == "frame") {
      const auto a = arguments(name, 12);
      return Pose<Expr>{mat3<Expr>(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]),
                        Vec3<Expr>{a[9], a[10], a[11]}};
    }
    if (name.text == "inv") {
      const MotionProduct p = product();
      tokens_.expect(")");
      return inverse(p);
    }
    tokens_.fail_at(name, "unknown transform " + name.quoted() +
                              suggestion(name.text, {"trans", "rotx", "roty", "rotz", "rot", "twist", "frame", "inv"}));
  }
  /// Rodrigues' formula about an axis of any length.
  MotionProduct turn_about(const Token& name, const std::vector<Expr>& a) {
    const Graph& g = Graph::current();
    const Expr length = norm(Vec3<Expr>{a[0], a[1], a[2]});
    if (length.id == Graph::zero) tokens_.fail_at(name, "the axis of \"rot\" has zero length");
    const Vec3<Expr> axis{a[0] / length, a[1] / length, a[2] / length};
    const Expr half = sin(Expr(0.5) * a[3]);
    MotionFactor factor;
    factor.base.R = detail::rodrigues<Expr>(sin(a[3]), Expr(2.0) * half * half, axis);
    if (g.is_constant(a[0]) && g.is_constant(a[1]) && g.is_constant(a[2])) {
      factor.kind = MotionFactor::Kind::screw;
      factor.twist.angular = axis;
      factor.amount = a[3];
    }
    return factor;
  }

  static std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known);
    return near.empty() ? "" : ": did you mean \"" + near + "\"?";
  }

  Lexer tokens_;
  const Symbols& symbols_;
  int depth_left_;
};

}  // namespace

Expr parse_expression(std::string_view text, const Symbols& symbols, const ParseLimits& limits) {
  return Parser(text, symbols, limits).whole_expression();
}

MotionProduct parse_transform(std::string_view text, const Symbols& symbols, const ParseLimits& limits) {
  return Parser(text, symbols, limits).whole_transform();
}

std::string name_problem(std::string_view word) {
  try {
    Lexer tokens(word, 200);
    const Token name = tokens.next();
    if (name.kind != Token::Kind::name || name.text != word || !tokens.at_end() || word.find('.') != word.npos)
      return "expected a name of letters, digits and _";
    if (name.text == "pi" || name.text == "if" || functions().count(name.text))
      return "expected a name of your own, found " + name.quoted() + ", which has a meaning";
  } catch (const ParseError&) {
    return "expected a name of letters, digits and _";
  }
  return "";
}

std::vector<std::string> names_in(std::string_view text, const ParseLimits& limits) {
  std::vector<std::string> names;
  Lexer tokens(text, limits.length);
  while (!tokens.at_end()) {
    const Token t = tokens.next();
    if (t.kind != Token::Kind::name || t.text == "pi" || tokens.sees("(")) continue;
    if (std::find(names.begin(), names.end(), t.text) == names.end()) names.push_back(t.text);
  }
  return names;
}

}  // namespace cardan
