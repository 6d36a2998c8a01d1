// How generalized forces f depend on the states z of elements and on inputs u, and how the rates of z depend on
// everything, to first order; configurations in their tangent space.
#pragma once

#include <Eigen/Core>

namespace cardan {

struct StateTangent {
  Eigen::MatrixXd f_by_z, f_by_u;
  Eigen::MatrixXd rate_by_q, rate_by_v, rate_by_z, rate_by_u;
};

}  // namespace cardan
