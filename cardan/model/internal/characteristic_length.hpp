// A length by which moments and forces of one mechanism can be compared.
#pragma once

#include "cardan/model/model.hpp"

namespace cardan {

/// The mean over the bodies of how far from its own joint a body's center of mass, its children's joints and its loops'
/// frames reach; bodies that reach nowhere do not count. One meter where none does. It depends on no configuration.
double characteristic_length(const Model& model);

}  // namespace cardan
