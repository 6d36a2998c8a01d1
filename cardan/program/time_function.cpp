#include "cardan/program/time_function.hpp"

#include "cardan/program/internal/expression_limits.hpp"
#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/parse.hpp"

namespace cardan {

TimeFunction::TimeFunction(const SymbolicFunction& function, int derivatives) {
  Graph graph(kMostTextNodes);
  const Expr t = graph.input(0);
  std::vector<Expr> all = function(t), latest = all;
  if (all.empty()) throw std::invalid_argument("a function of time needs at least one expression");
  size_ = static_cast<int>(all.size());
  for (int k = 0; k < derivatives; ++k) {
    latest = jacobian(graph, latest, std::span(&t, 1), Differentiation::forward);
    all.insert(all.end(), latest.begin(), latest.end());
  }
  if (const int operations = count_operations(graph, all).total(); operations > kMostTextOperations)
    throw GraphTooLarge("the function of time takes " + std::to_string(operations) + " operations, at most " +
                        std::to_string(kMostTextOperations) + " are allowed");
  interpreter_ = Interpreter(make_program(graph, all, 1));
  time_text_ = make_time_text(graph, all, {true});
}

TimeFunction::TimeFunction(const std::vector<std::string>& texts, int derivatives)
    : TimeFunction(
          [&texts](Expr t) {
            std::vector<Expr> out;
            for (const std::string& text : texts) out.push_back(parse_expression(text, {{"t", t}}));
            return out;
          },
          derivatives) {}

std::vector<double> TimeFunction::operator()(double t) const {
  std::vector<double> out(static_cast<std::size_t>(interpreter_.outputs()));
  evaluate(t, out);
  return out;
}

void TimeFunction::evaluate(double t, std::span<double> out) const { run_small<double>(interpreter_, &t, out.data()); }

}  // namespace cardan
