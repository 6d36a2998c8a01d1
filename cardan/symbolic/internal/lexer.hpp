// Splits the text of an expression into numbers, names and signs, and words its errors.
#pragma once

#include "cardan/symbolic/parse.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

struct Token {
  enum class Kind { end, number, name, sign };
  Kind kind = Kind::end;
  std::string text;
  double value = 0.0;
  int column = 1;

  std::string quoted() const { return kind == Kind::end ? "the end" : "\"" + text + "\""; }
};

class Lexer {
 public:
  /// Throws ParseError on a character that belongs to nothing.
  Lexer(std::string_view text, std::size_t most_characters);

  bool at_end() const { return peek().kind == Token::Kind::end; }
  /// The token that comes next, or one behind it.
  const Token& peek(std::size_t behind = 0) const { return tokens_[std::min(position_ + behind, tokens_.size() - 1)]; }
  bool sees(std::string_view sign) const;
  Token next();
  bool accept(std::string_view sign);
  std::optional<double> accept_number();
  Token expect_name(const std::string& instead);
  void expect(std::string_view sign);
  std::string expect_one_of(std::initializer_list<const char*> signs);
  void expect_end();

  [[noreturn]] void fail(const std::string& message) const { fail_at(peek(), message); }
  [[noreturn]] void fail_at(const Token& where, const std::string& message) const;

 private:
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

}  // namespace cardan
