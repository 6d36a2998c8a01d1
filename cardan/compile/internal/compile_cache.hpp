// Keeps what was compiled lately, so that compiling the same model again costs nothing.
#pragma once

#include "cardan/compile/compiled_model.hpp"

#include <list>
#include <mutex>
#include <tuple>

namespace cardan {

/// Compiled models by model and wishes; what was not asked for longest leaves first. Any number of threads may use one.
class CompileCache {
 public:
  /// Bounds what it keeps.
  struct Bound {
    std::size_t models = 64;
    std::size_t code_bytes = std::size_t{64} << 20;
  };
  explicit CompileCache(Bound bound) : bound_(bound) {}

  /// Compiles, or finds what was compiled before. Threads that ask for the same at once may each compile it, and all
  /// get the one that was ready first.
  std::shared_ptr<const CompiledModel> compile(const Model& model, std::vector<ModelFunction> functions,
                                               const CompileOptions& options = {});

  std::size_t models() const;
  std::size_t code_bytes() const;

 private:
  using Key = std::tuple<std::uint64_t, std::vector<ModelFunction>, int, int, int, int, int, bool>;
  using Entry = std::pair<Key, std::shared_ptr<const CompiledModel>>;

  static Key key_of(const Model& model, const std::vector<ModelFunction>& functions, const CompileOptions& options);
  /// Null if there is none. The mutex is held.
  std::shared_ptr<const CompiledModel> find(const Key& key);
  void drop_oldest();

  const Bound bound_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // the latest first
  std::size_t code_bytes_ = 0;
};

/// The cache that compile() uses, with the default bound.
CompileCache& default_compile_cache();

}  // namespace cardan
