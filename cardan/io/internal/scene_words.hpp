// What texts that follow the state may name: t, joints (their coordinates), v.JOINT, inputs, records that follow from
// positions and velocities, and states of the element that the text belongs to.
#pragma once

#include "cardan/io/internal/scene_inputs.hpp"

namespace cardan::io {

class SceneWords {
 public:
  /// The model, the scene's [[record]] tables and its inputs.
  SceneWords(const Model& model, std::vector<TomlValue> records, SceneInputs inputs)
      : model_(model), records_(std::move(records)), inputs_(std::move(inputs)) {}

  const Model& model() const { return model_; }
  const SceneInputs& inputs() const { return inputs_; }
  /// Makes a function of the texts of a table. `states` names the element's own states.
  SignalFunction function(const TomlValue& table, const std::vector<TomlValue>& texts,
                          const std::vector<std::string>& states = {}) const;

 private:
  struct Building;
  std::vector<Expr> expressions(const TomlValue& table, const std::vector<TomlValue>& texts, std::size_t records,
                                Building& building) const;
  Expr word(const TomlValue& where, const std::string& name, std::size_t records, Building& building) const;
  bool find_state(const TomlValue& where, const std::string& name, Signal& signal) const;
  bool find_record(const TomlValue& where, const std::string& name, std::size_t records, Building& building,
                   Expr& out) const;
  std::vector<std::string> known(std::size_t records, const Building& building) const;

  Model model_;
  std::vector<TomlValue> records_;
  SceneInputs inputs_;
};

/// One text, or a list of n: what forces and motions of joints give.
std::vector<TomlValue> one_each(const TomlValue& value, std::size_t n);

}  // namespace cardan::io
