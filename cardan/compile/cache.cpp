// What was compiled lately, by model and wishes.
#include "cardan/compile/compiled_model.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <tuple>

namespace cardan {

namespace {

using Key = std::tuple<std::uint64_t, std::vector<ModelFunction>, int, int, int, int, int>;

Key key_of(const Model& model, const std::vector<ModelFunction>& functions, const CompileOptions& o) {
  const auto number = [](const auto& option) { return option ? static_cast<int>(*option) : -1; };
  const bool any_frame = std::any_of(functions.begin(), functions.end(), needs_frame);
  return {model.identity(),         functions,          number(o.method),       number(o.executable.backend),
          number(o.executable.set), o.executable.lanes, any_frame ? o.frame : 0};
}

constexpr std::size_t kMost = 64;
std::mutex guard;
std::list<std::pair<Key, std::shared_ptr<const CompiledModel>>> recent;  // the latest first

}  // namespace

std::shared_ptr<const CompiledModel> compile(const Model& model, const std::vector<ModelFunction>& wanted,
                                             const CompileOptions& options) {
  std::vector<ModelFunction> functions(wanted);
  std::sort(functions.begin(), functions.end());
  const Key key = key_of(model, functions, options);
  {
    const std::lock_guard lock(guard);
    const auto it = std::find_if(recent.begin(), recent.end(), [&](const auto& entry) { return entry.first == key; });
    if (it != recent.end()) {
      recent.splice(recent.begin(), recent, it);
      return recent.front().second;
    }
  }
  auto compiled = std::make_shared<const CompiledModel>(model, functions, options);
  const std::lock_guard lock(guard);
  recent.emplace_front(key, compiled);
  if (recent.size() > kMost) recent.pop_back();
  return compiled;
}

}  // namespace cardan
