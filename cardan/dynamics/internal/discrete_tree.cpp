#include "cardan/dynamics/internal/discrete_tree_passes.hpp"

namespace cardan {

template class DiscreteTree<double, FullTurn>;

}  // namespace cardan
