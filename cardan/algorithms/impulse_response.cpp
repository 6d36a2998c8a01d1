#include "cardan/algorithms/impulse_response.hpp"

namespace cardan {

template void impulse_response<double>(const Model&, Workspace<double>&, In<double>, In<double>, Out<double>,
                                       ExternalForces<double>);

}  // namespace cardan
