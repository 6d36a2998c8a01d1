#include "cardan/compile/internal/compile_cache.hpp"

#include <algorithm>

namespace cardan {

CompileCache::Key CompileCache::key_of(const Model& model, const std::vector<ModelFunction>& functions,
                                       const CompileOptions& o) {
  const auto number = [](const auto& option) { return option ? static_cast<int>(*option) : -1; };
  const bool any_frame = std::any_of(functions.begin(), functions.end(), needs_frame);
  const bool springs = o.joint_springs && !coordinate_springs(model).empty() &&
                       std::any_of(functions.begin(), functions.end(), heeds_springs);
  return {model.identity(),         functions,          number(o.method),        number(o.executable.backend),
          number(o.executable.set), o.executable.lanes, any_frame ? o.frame : 0, springs};
}

std::shared_ptr<const CompiledModel> CompileCache::compile(const Model& model, std::vector<ModelFunction> functions,
                                                           const CompileOptions& options) {
  std::sort(functions.begin(), functions.end());
  const Key key = key_of(model, functions, options);
  {
    const std::lock_guard lock(mutex_);
    if (auto found = find(key)) return found;
  }
  auto compiled = std::make_shared<const CompiledModel>(model, functions, options);
  const std::lock_guard lock(mutex_);
  if (auto found = find(key)) return found;  // another thread was faster
  entries_.emplace_front(key, compiled);
  code_bytes_ += compiled->code_bytes();
  while (entries_.size() > bound_.models || code_bytes_ > bound_.code_bytes) drop_oldest();
  return compiled;
}

std::shared_ptr<const CompiledModel> CompileCache::find(const Key& key) {
  const auto it = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.first == key; });
  if (it == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, it);
  return it->second;
}

void CompileCache::drop_oldest() {
  code_bytes_ -= entries_.back().second->code_bytes();
  entries_.pop_back();
}

std::size_t CompileCache::models() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::size_t CompileCache::code_bytes() const {
  const std::lock_guard lock(mutex_);
  return code_bytes_;
}

CompileCache& default_compile_cache() {
  static CompileCache cache{CompileCache::Bound{}};
  return cache;
}

std::shared_ptr<const CompiledModel> compile(const Model& model, const std::vector<ModelFunction>& functions,
                                             const CompileOptions& options) {
  return default_compile_cache().compile(model, functions, options);
}

}  // namespace cardan
