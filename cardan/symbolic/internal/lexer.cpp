#include "cardan/symbolic/internal/lexer.hpp"

#include "cardan/text/units.hpp"

#include <charconv>
#include <cmath>

namespace cardan {

namespace {

// the C locale's classes, whatever locale the program runs in
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string shown(char c) {
  if (c > ' ' && c < 127) return std::string("\"") + c + "\"";
  return "a character with code " + std::to_string(static_cast<unsigned char>(c));
}

}  // namespace

Lexer::Lexer(std::string_view text, std::size_t most_characters) {
  if (text.size() > most_characters)
    throw ParseError(1, "the expression has " + std::to_string(text.size()) + " characters, at most " +
                            std::to_string(most_characters) + " are allowed");
  std::size_t i = 0;
  while (i < text.size()) {
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    Token t;
    t.column = static_cast<int>(i) + 1;
    const std::size_t start = i;
    if (is_digit(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1]))) {
      t.kind = Token::Kind::number;
      const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), t.value);
      i = static_cast<std::size_t>(end - text.data());
      if (error != std::errc() || !std::isfinite(t.value))
        throw ParseError(t.column, "the number is too large or too small");
      std::size_t word = i;
      while (word < text.size() && is_letter(text[word])) ++word;
      if (i < text.size() && (is_letter(text[i]) || text[i] == '.') && !find_unit(text.substr(i, word - i)))
        throw ParseError(t.column,
                         "expected a number, found \"" + std::string(text.substr(start, i + 1 - start)) + "\"");
    } else if (is_letter(text[i])) {
      t.kind = Token::Kind::name;
      const auto goes_on = [&](std::size_t at) {
        return at < text.size() && (is_letter(text[at]) || is_digit(text[at]));
      };
      while (goes_on(i) || (i < text.size() && text[i] == '.' && goes_on(i + 1))) ++i;  // "q.elbow" is one name
    } else {
      t.kind = Token::Kind::sign;
      if (std::string_view("+-*/^(),<>").find(text[i]) == std::string_view::npos)
        throw ParseError(t.column, "unexpected " + shown(text[i]));
      ++i;
      if ((text[start] == '<' || text[start] == '>') && i < text.size() && text[i] == '=') ++i;
    }
    t.text = std::string(text.substr(start, i - start));
    tokens_.push_back(std::move(t));
  }
  Token end;
  end.column = static_cast<int>(text.size()) + 1;
  tokens_.push_back(end);
}

bool Lexer::sees(std::string_view sign) const { return peek().kind == Token::Kind::sign && peek().text == sign; }

Token Lexer::next() {
  const Token t = peek();
  if (t.kind != Token::Kind::end) ++position_;
  return t;
}

bool Lexer::accept(std::string_view sign) {
  if (!sees(sign)) return false;
  ++position_;
  return true;
}

std::optional<double> Lexer::accept_number() {
  if (peek().kind != Token::Kind::number) return std::nullopt;
  return next().value;
}

Token Lexer::expect_name(const std::string& instead) {
  if (peek().kind != Token::Kind::name) fail("expected " + instead + ", found " + peek().quoted());
  return next();
}

void Lexer::expect(std::string_view sign) {
  if (!accept(sign)) fail("expected \"" + std::string(sign) + "\", found " + peek().quoted());
}

std::string Lexer::expect_one_of(std::initializer_list<const char*> signs) {
  std::string list;
  for (const char* sign : signs) {
    if (accept(sign)) return sign;
    list += (list.empty() ? "" : " ") + std::string(sign);
  }
  fail("expected one of " + list + ", found " + peek().quoted());
}

void Lexer::expect_end() {
  if (!at_end()) fail("expected an operator or the end, found " + peek().quoted());
}

void Lexer::fail_at(const Token& where, const std::string& message) const { throw ParseError(where.column, message); }

}  // namespace cardan
