// Texts of what is sought, "foot.rms + 0.1*length": of outcomes of a run, of parameters and of the numbers that are
// varied. They are parsed once, and differentiated as expressions by everything that they name.
#pragma once

#include "cardan/gradient/run_gradient.hpp"
#include "cardan/symbolic/graph.hpp"

#include <Eigen/Dense>

#include <map>
#include <memory>

namespace cardan {

class GoalTexts {
 public:
  /// `words` are names that stand for others, which are no words of a text. Throws std::invalid_argument, one line.
  GoalTexts(const SceneFamily& family, const Scene& scene, const std::vector<std::string>& texts,
            const std::map<std::string, std::string>& words);

  std::size_t size() const { return texts_.size(); }
  const std::string& text(std::size_t k) const { return texts_[k]; }
  /// The outcomes that the texts name, as COLUMN.KIND, and the parameters that are not varied themselves.
  const std::vector<std::string>& outcomes() const { return outcomes_; }
  const std::vector<std::string>& parameters() const { return parameters_; }
  /// Whether a text names an outcome or a number that is varied.
  bool names_any(std::size_t text) const { return names_any_[text]; }

  /// What all texts are worth, and their slopes by numbers, parameters and outcomes, in this order.
  Eigen::VectorXd values(const Eigen::VectorXd& inputs) const;
  Eigen::MatrixXd slopes(const Eigen::VectorXd& inputs) const;

 private:
  enum class Kind { number, parameter, outcome };
  struct Place {
    Kind kind;
    std::size_t index;
  };
  Place find(const SceneFamily& family, const Scene& scene, const std::string& name);
  void read(const SceneFamily& family, const Scene& scene, const std::map<std::string, std::string>& words);

  std::vector<std::string> texts_, outcomes_, parameters_;
  std::vector<bool> names_any_;
  std::unique_ptr<Graph> graph_;
  std::vector<Expr> values_, slopes_;  // slopes by rows
};

}  // namespace cardan
