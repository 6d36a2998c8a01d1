#include "cardan/math/pack.hpp"

namespace cardan {

template <>
void library_was_built_with_another_CARDAN_REGISTER_BYTES<kRegisterBytes>() {}

}  // namespace cardan
