// Reads expressions by recursive descent. Other languages that have expressions as arguments build on it.
#pragma once

#include "cardan/symbolic/internal/lexer.hpp"
#include "cardan/text/units.hpp"

namespace cardan {

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Symbols& symbols, const ParseLimits& limits)
      : tokens_(text, limits.length), symbols_(symbols), depth_left_(limits.depth) {}

  /// Counts one level of nesting while it lives.
  class Level {
   public:
    explicit Level(ExpressionParser& p) : p_(p) {
      if (--p_.depth_left_ < 0) p_.tokens_.fail("nested too deeply");
    }
    ~Level() { ++p_.depth_left_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    ExpressionParser& p_;
  };

  Lexer& tokens() { return tokens_; }
  Expr sum();
  /// Reads so many arguments of a function, whose opening bracket is already read.
  std::vector<Expr> arguments(const Token& name, int count);
  /// Words which of the known names is meant, ": did you mean ...?"; empty if none is near.
  static std::string suggestion(const std::string& name, const std::vector<std::string>& known);

 private:
  Expr term();
  Expr quotient(Expr dividend);
  Expr signed_factor();
  Expr primary();
  Expr call(const Token& name);
  Expr choice();
  Expr finite(const Token& where, Expr e) const;

  Lexer tokens_;
  const Symbols& symbols_;
  int depth_left_;
};

/// Reads the unit behind a number, "mm" or "m/s^2", as far as its words are none of the symbols: 1 where there is none.
/// A symbol right behind the number, which may mean either, is refused.
Unit accept_unit(Lexer& tokens, const Symbols& symbols);

/// Whether the word is the name of a function, or of a number that has one: pi, deg.
bool is_function(std::string_view word);
bool is_constant_name(std::string_view word);

}  // namespace cardan
