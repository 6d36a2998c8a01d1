#include "cardan/symbolic/definitions.hpp"

#include <algorithm>

namespace cardan {

namespace {

class Definer {
 public:
  Definer(Symbols& symbols, std::span<const Definition> definitions, const ParseLimits& limits)
      : symbols_(symbols), definitions_(definitions), limits_(limits), progress_(definitions.size(), Progress::none) {
    for (std::size_t i = 0; i < definitions.size(); ++i)
      if (symbols.count(definitions[i].name) != 0 || !index_.emplace(definitions[i].name, i).second)
        throw DefinitionError(i, 1, "the name \"" + definitions[i].name + "\" is already taken");
  }

  void all() {
    for (std::size_t i = 0; i < definitions_.size(); ++i) define(i);
  }

 private:
  enum class Progress { none, begun, done };

  void define(std::size_t i) {
    if (progress_[i] == Progress::done) return;
    if (progress_[i] == Progress::begun) fail_cycle(i);
    if (path_.size() >= static_cast<std::size_t>(limits_.depth))
      throw DefinitionError(i, 1, "too many helpers that use one another");
    progress_[i] = Progress::begun;
    path_.push_back(i);
    try {
      for (const std::string& name : names_in(definitions_[i].text, limits_))
        if (const auto it = index_.find(name); it != index_.end()) define(it->second);
      symbols_[definitions_[i].name] = parse_expression(definitions_[i].text, symbols_, limits_);
    } catch (const DefinitionError&) {
      throw;
    } catch (const ParseError& error) {
      throw DefinitionError(i, error.column, error.what());
    }
    path_.pop_back();
    progress_[i] = Progress::done;
  }

  [[noreturn]] void fail_cycle(std::size_t i) const {
    std::string cycle;
    for (auto it = std::find(path_.begin(), path_.end(), i); it != path_.end(); ++it)
      cycle += definitions_[*it].name + " uses ";
    throw DefinitionError(i, 1, "helpers must not use one another in a cycle: " + cycle + definitions_[i].name);
  }

  Symbols& symbols_;
  std::span<const Definition> definitions_;
  const ParseLimits& limits_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<Progress> progress_;
  std::vector<std::size_t> path_;  // what is being defined, outermost first
};

}  // namespace

void define(Symbols& symbols, std::span<const Definition> definitions, const ParseLimits& limits) {
  Definer(symbols, definitions, limits).all();
}

}  // namespace cardan
