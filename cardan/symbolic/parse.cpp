#include "cardan/symbolic/parse.hpp"

#include "cardan/symbolic/internal/expression_parser.hpp"

#include <algorithm>

namespace cardan {

Expr parse_expression(std::string_view text, const Symbols& symbols, const ParseLimits& limits) {
  ExpressionParser parser(text, symbols, limits);
  const Expr e = parser.sum();
  parser.tokens().expect_end();
  return e;
}

std::optional<Dimension> quantity_in(std::string_view text, const Symbols& symbols) {
  try {
    Lexer tokens(text, ParseLimits{}.length);
    if (!tokens.accept("-")) tokens.accept("+");
    const bool is_measured = tokens.accept_number() && tokens.peek().kind == Token::Kind::name;
    const Unit unit = accept_unit(tokens, symbols);
    if (is_measured && tokens.at_end()) return unit.dimension;
  } catch (const ParseError&) {  // whoever reads the text as an expression says what is wrong with it
  }
  return std::nullopt;
}

std::string name_problem(std::string_view word) {
  try {
    Lexer tokens(word, 200);
    const Token name = tokens.next();
    if (name.kind != Token::Kind::name || name.text != word || !tokens.at_end() || word.find('.') != word.npos)
      return "expected a name of letters, digits and _";
    if (is_constant_name(name.text) || name.text == "if" || is_function(name.text))
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
    while (t.kind == Token::Kind::number && tokens.peek().kind == Token::Kind::name && find_unit(tokens.peek().text))
      tokens.next();
    if (t.kind != Token::Kind::name || is_constant_name(t.text) || tokens.sees("(")) continue;
    if (std::find(names.begin(), names.end(), t.text) == names.end()) names.push_back(t.text);
  }
  return names;
}

}  // namespace cardan
