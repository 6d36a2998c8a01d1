#include "cardan/gradient/internal/goal_texts.hpp"

#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/parse.hpp"
#include "cardan/text/internal/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

namespace {

/// Finds an entry of a list, or appends it.
std::size_t place_in(std::vector<std::string>& list, const std::string& entry) {
  const auto found = std::find(list.begin(), list.end(), entry);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(entry);
  return list.size() - 1;
}

}  // namespace

GoalTexts::GoalTexts(const SceneFamily& family, const Scene& scene, const std::vector<std::string>& texts,
                     const std::map<std::string, std::string>& words)
    : texts_(texts), names_any_(texts.size()), graph_(std::make_unique<Graph>()) {
  read(family, scene, words);
}

GoalTexts::Place GoalTexts::find(const SceneFamily& family, const Scene& scene, const std::string& name) {
  if (const auto found = std::find(family.names.begin(), family.names.end(), name); found != family.names.end())
    return {Kind::number, static_cast<std::size_t>(found - family.names.begin())};
  std::vector<std::string> known = family.names;
  for (const auto& [parameter, value] : scene.parameters) {
    if (parameter == name) return {Kind::parameter, place_in(parameters_, name)};
    known.push_back(parameter);
  }
  if (name.find('.') == std::string::npos) {
    const std::string near = nearest_name(name, known);
    throw std::invalid_argument(
        fmt::format("expected an outcome COLUMN.KIND, a parameter or a varied number, found \"{}\"{}", name,
                    near.empty() ? "" : fmt::format(": did you mean \"{}\"?", near)));
  }
  return {Kind::outcome, place_in(outcomes_, Outcome::parse(name, scene.records.columns()).name())};
}

void GoalTexts::read(const SceneFamily& family, const Scene& scene, const std::map<std::string, std::string>& words) {
  std::map<std::string, Place> places;
  const auto in_text = [](const std::string& text, const auto& work) {
    try {
      work();
    } catch (const ParseError& problem) {
      throw std::invalid_argument(fmt::format("\"{}\", character {}: {}", text, problem.column, problem.what()));
    } catch (const std::invalid_argument& problem) {
      const std::string what = problem.what(), where = fmt::format("\"{}\": ", text);
      throw std::invalid_argument(what.starts_with(where) ? what : where + what);
    }
  };
  for (std::size_t k = 0; k < texts_.size(); ++k)
    in_text(texts_[k], [&] {
      for (const std::string& word : names_in(texts_[k])) {
        const auto other = words.find(word);
        const Place place = find(family, scene, other == words.end() ? word : other->second);
        places.emplace(word, place);
        names_any_[k] = names_any_[k] || place.kind != Kind::parameter;
      }
    });
  const std::size_t first[] = {0, family.names.size(), family.names.size() + parameters_.size()};
  std::vector<Expr> inputs;
  for (std::size_t i = 0; i < first[2] + outcomes_.size(); ++i) inputs.push_back(graph_->input(static_cast<int>(i)));
  Symbols symbols;
  for (const auto& [word, place] : places)
    symbols[word] = inputs[first[static_cast<std::size_t>(place.kind)] + place.index];
  for (const std::string& text : texts_) in_text(text, [&] { values_.push_back(parse_expression(text, symbols)); });
  slopes_ = jacobian(*graph_, values_, inputs, Differentiation::reverse);
}

Eigen::VectorXd GoalTexts::values(const Eigen::VectorXd& inputs) const {
  const std::vector<double> out =
      evaluate(*graph_, values_, std::span(inputs.data(), static_cast<std::size_t>(inputs.size())));
  return Eigen::Map<const Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
}

Eigen::MatrixXd GoalTexts::slopes(const Eigen::VectorXd& inputs) const {
  const std::vector<double> out =
      evaluate(*graph_, slopes_, std::span(inputs.data(), static_cast<std::size_t>(inputs.size())));
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Rows>(out.data(), static_cast<Eigen::Index>(values_.size()), inputs.size());
}

}  // namespace cardan
