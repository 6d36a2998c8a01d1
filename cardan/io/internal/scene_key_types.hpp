// What a value of a scene file may be: numbers with their range, texts, words, lists, tables, and combinations of
// these.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace cardan::io {

/// The range of a number.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool is_open = false;          // the ends themselves are left out
  bool is_whole = false;         //
  bool may_be_infinite = false;  // as limits may
  bool operator==(const Bounds&) const = default;
};

struct ValueType {
  enum class Kind {
    number,      // or a text of the scene's parameters
    plain,       // a number that cannot be a text
    expression,  // a number, or a text of what its table may speak of
    truth,
    yes,  // true and not false
    text,
    name,    // a text that is not empty
    word,    // a name of letters, digits and _, as texts use them
    choice,  // one of the words
    color,   // "#4477aa"
    file,    // the name of a file, relative to the scene
    list,    // of parts[0]
    map,     // keys are names of the user's own, values parts[0]
    table,   // of the table called `of`
    either   // any of the parts
  };
  Kind kind = Kind::number;
  Bounds bounds{};
  std::vector<ValueType> parts{};
  std::vector<std::string> words{};
  std::string of{};
  int least = 0, most = -1;     // entries of a list; -1: any number
  bool keys_are_words = false;  // of a map: letters, digits and _
  std::string called{};         // what the page calls it; empty: by its parts
};

namespace keys {

inline ValueType of_kind(ValueType::Kind kind) {
  ValueType out;
  out.kind = kind;
  return out;
}
inline ValueType number(const Bounds& bounds = {}) {
  ValueType out;
  out.bounds = bounds;
  return out;
}
inline ValueType positive() { return number({.least = 0.0, .is_open = true}); }
inline ValueType not_negative() { return number({.least = 0.0}); }
inline ValueType from_0_to_1() { return number({.least = 0.0, .most = 1.0}); }
inline ValueType whole(double least, double most = std::numeric_limits<double>::infinity()) {
  return number({.least = least, .most = most, .is_whole = true});
}
/// A number that may be infinite.
inline ValueType limit() { return number({.may_be_infinite = true}); }
inline ValueType limit_not_negative() { return number({.least = 0.0, .may_be_infinite = true}); }
inline ValueType plain_number() { return of_kind(ValueType::Kind::plain); }
inline ValueType expression() { return of_kind(ValueType::Kind::expression); }
inline ValueType truth() { return of_kind(ValueType::Kind::truth); }
inline ValueType text() { return of_kind(ValueType::Kind::text); }
inline ValueType name() { return of_kind(ValueType::Kind::name); }
inline ValueType file() { return of_kind(ValueType::Kind::file); }
inline ValueType word() { return of_kind(ValueType::Kind::word); }
inline ValueType choice(std::vector<std::string> words) {
  ValueType out = of_kind(ValueType::Kind::choice);
  out.words = std::move(words);
  return out;
}
inline ValueType list(ValueType item, int least = 0, int most = -1) {
  ValueType out = of_kind(ValueType::Kind::list);
  out.parts.push_back(std::move(item));
  out.least = least;
  out.most = most;
  return out;
}
/// Exactly so many.
inline ValueType list_of(int count, ValueType item) { return list(std::move(item), count, count); }
inline ValueType vec3() { return list_of(3, number()); }
inline ValueType either(ValueType a, ValueType b) {
  ValueType out = of_kind(ValueType::Kind::either);
  out.parts = {std::move(a), std::move(b)};
  return out;
}
/// One for all, or a list with one for each.
inline ValueType each(const ValueType& item, int least = 0) { return either(item, list(item, least)); }
/// One where one is meant, or a list with one for each.
inline ValueType one_or_each(const ValueType& item, const std::string& what) {
  ValueType out = each(item);
  out.called = "number for each " + what + ", one may stand alone";
  return out;
}
inline ValueType table(std::string of) {
  ValueType out = of_kind(ValueType::Kind::table);
  out.of = std::move(of);
  return out;
}
inline ValueType tables(std::string of, int least = 0, int most = -1) {
  return list(table(std::move(of)), least, most);
}
/// Names of the user's own and what they stand for.
inline ValueType map(ValueType value, bool keys_are_words = true) {
  ValueType out = of_kind(ValueType::Kind::map);
  out.parts.push_back(std::move(value));
  out.keys_are_words = keys_are_words;
  return out;
}
inline ValueType called(std::string words, ValueType type) {
  type.called = std::move(words);
  return type;
}

}  // namespace keys

}  // namespace cardan::io
