// The only place that sees toml++, whose headers are heavy.
#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model.hpp"

#include <fmt/format.h>

// The parser asserts what malformed text violates (3.3.0, parse_value), and promises it to the compiler where
// assertions are off; without either it finds the mistake a few lines later and reports it.
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/impl/preprocessor.h>
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(condition) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>

namespace cardan::io {

namespace {

/// More values than any scene has; what a hostile file would fill the memory with.
constexpr std::size_t kMostValues = 1'000'000;

/// toml++ limits the depth of values but not the number of dots in a key, each of which makes a table inside a table
/// until the stack is full. Gives the place of a key that overdoes it, or the text's size.
std::size_t overlong_key(std::string_view text) {
  constexpr int most_dots = 16;
  int dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::string three(3, c);
      const bool long_text = text.substr(i, 3) == three;
      for (i += long_text ? 3 : 1; i < text.size(); ++i) {
        if (c == '"' && text[i] == '\\')
          ++i;
        else if (long_text ? text.substr(i, 3) == three : text[i] == c || text[i] == '\n')
          break;
      }
      if (long_text) {
        i += 2;
        for (int more = 0; more < 2 && i + 1 < text.size() && text[i + 1] == c; ++more) ++i;  // quotes before the end
      }
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '.') {
      if (++dots > most_dots) return i;
    } else if (std::string_view("[]{},=\n").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
  return text.size();
}

class Converter {
 public:
  Converter(std::string_view text, const Source& source) : text_(text), source_(source) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') line_starts_.push_back(i + 1);
  }

  TomlNode operator()(const toml::node& node) {
    TomlNode out;
    out.line = std::max(1, static_cast<int>(node.source().begin.line));
    out.column = std::max(1, static_cast<int>(node.source().begin.column));
    if (++values_ > kMostValues)
      throw ModelError(fmt::format("{}: {}:{}:{}: expected at most {} values, found more", source_.format, source_.file,
                                   out.line, out.column, kMostValues));
    switch (node.type()) {
      case toml::node_type::table: convert(*node.as_table(), out); break;
      case toml::node_type::array:
        out.kind = TomlNode::Kind::list;
        for (const toml::node& item : *node.as_array()) out.items.push_back((*this)(item));
        break;
      case toml::node_type::string:
        out.kind = TomlNode::Kind::text;
        out.text = node.as_string()->get();
        out.verbatim = stands_verbatim(out);
        break;
      case toml::node_type::integer:
        out.kind = TomlNode::Kind::number;
        out.number = static_cast<double>(node.as_integer()->get());
        break;
      case toml::node_type::floating_point:
        out.kind = TomlNode::Kind::number;
        out.number = node.as_floating_point()->get();
        break;
      case toml::node_type::boolean:
        out.kind = TomlNode::Kind::truth;
        out.truth = node.as_boolean()->get();
        break;
      default: out.kind = TomlNode::Kind::time; break;
    }
    return out;
  }

 private:
  void convert(const toml::table& table, TomlNode& out) {
    out.kind = TomlNode::Kind::table;
    for (const auto& [key, value] : table) {
      TomlEntry entry;
      entry.key = std::string(key.str());
      entry.line = static_cast<int>(key.source().begin.line);
      entry.column = static_cast<int>(key.source().begin.column);
      entry.value = (*this)(value);
      out.entries.push_back(std::move(entry));
    }
    const auto place = [](const TomlEntry& e) { return std::pair(e.line, e.column); };
    std::sort(out.entries.begin(), out.entries.end(),
              [&](const TomlEntry& a, const TomlEntry& b) { return place(a) < place(b); });
  }

  /// Whether the characters of a text are those of the file, so that a place in one is a place in the other.
  bool stands_verbatim(const TomlNode& node) const {
    const auto line = static_cast<std::size_t>(node.line) - 1;
    if (line >= line_starts_.size()) return false;
    constexpr int longest_line = 10'000;  // columns of longer ones are not worth the search
    if (node.column > longest_line) return false;
    std::size_t byte = line_starts_[line];
    for (int skipped = 1; skipped < node.column && byte < text_.size(); ++byte)  // columns count characters
      if (byte + 1 >= text_.size() || (static_cast<unsigned char>(text_[byte + 1]) & 0xc0) != 0x80) ++skipped;
    if (byte >= text_.size() || (text_[byte] != '"' && text_[byte] != '\'')) return false;
    const std::string_view rest = text_.substr(byte);
    return rest.substr(1, node.text.size()) == node.text && rest.substr(1 + node.text.size(), 1) == rest.substr(0, 1);
  }

  std::string_view text_;
  const Source& source_;
  std::vector<std::size_t> line_starts_;
  std::size_t values_ = 0;
};

}  // namespace

TomlNode parse_toml(std::string_view text, const Source& source) {
  if (const std::size_t byte = overlong_key(text); byte < text.size())
    throw ModelError(fmt::format("{}: {}:{}:1: expected a key, found one of too many parts", source.format, source.file,
                                 line_of(text, byte)));
  try {
    const toml::table table = toml::parse(text);
    TomlNode root = Converter(text, source)(table);
    root.line = root.column = 1;
    return root;
  } catch (const toml::parse_error& error) {
    constexpr std::size_t longest = 200;
    const auto at = error.source().begin;
    throw ModelError(fmt::format("{}: {}:{}:{}: expected TOML, found: {}", source.format, source.file,
                                 std::max(1u, static_cast<unsigned>(at.line)),
                                 std::max(1u, static_cast<unsigned>(at.column)),
                                 printable(error.description().substr(0, longest))));
  }
}

}  // namespace cardan::io
