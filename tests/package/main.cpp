#include "cardan/math/vector.hpp"

#include <cstdio>

int main() {
  const cardan::Vec3<double> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0};
  std::printf("x cross y = %g %g %g\n", cross(x, y)[0], cross(x, y)[1], cross(x, y)[2]);
}
