#include "cardan/compile/model_function.hpp"

#include "cardan/compile/internal/function_table.hpp"

namespace cardan {

const char* name(ModelFunction function) { return table_entry(function).name; }

const std::vector<ModelFunction>& all_model_functions() {
  static const std::vector<ModelFunction> all = [] {
    std::vector<ModelFunction> out;
    for (const FunctionEntry& entry : function_table()) out.push_back(entry.function);
    return out;
  }();
  return all;
}

bool needs_frame(ModelFunction function) { return table_entry(function).needs_frame; }

Signature signature(const Model& model, ModelFunction function) {
  return table_entry(function).signature(model.nq(), model.nv());
}

}  // namespace cardan
