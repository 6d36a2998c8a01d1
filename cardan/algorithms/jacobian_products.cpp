#include "cardan/algorithms/jacobian_products.hpp"

namespace cardan {

template void jacobian_product<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                       std::span<MotionVector<double>>);
template void jacobian_rate_product<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                            std::span<MotionVector<double>>);
template void jacobian_transpose_product<double>(const Model&, Workspace<double>&, In<double>,
                                                 std::span<const ForceVector<double>>, Out<double>);

}  // namespace cardan
