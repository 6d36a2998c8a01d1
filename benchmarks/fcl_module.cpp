// FCL and Coal each bring a version of Octomap, with globals of the same names: in one scope both versions construct
// and destroy the same objects, and programs end in a double free. So FCL is a module that is loaded with a scope of
// its own.
#include "benchmarks/fcl_module.hpp"

#ifdef CARDAN_FCL_MODULE
#include <dlfcn.h>
#endif

namespace cardan::bench {

#ifdef CARDAN_FCL_MODULE
std::optional<CollisionPeer> make_fcl_pair(const Shape& a, const std::optional<Shape>& b,
                                           const std::vector<Pose<double>>& poses) {
  static void* const module = dlopen(CARDAN_FCL_MODULE, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  static auto* const make =
      module ? reinterpret_cast<decltype(&cardan_make_fcl_pair)>(dlsym(module, "cardan_make_fcl_pair")) : nullptr;
  std::optional<CollisionPeer> out;
  if (make) make({a, b, poses}, out);
  return out;
}
#else
std::optional<CollisionPeer> make_fcl_pair(const Shape&, const std::optional<Shape>&,
                                           const std::vector<Pose<double>>&) {
  return {};
}
#endif

}  // namespace cardan::bench
