#include "cardan/integrate/internal/dense_output.hpp"

namespace cardan {

namespace {
std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n)); }
}  // namespace

DenseOutput::Curve::Curve(int n) : value(zeros(n)), change(value), bend0(value), bend1(value), extra(value) {}

void DenseOutput::Curve::set(const double* from, const double* to, const double* rate0, const double* rate1, double h) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    value[i] = from ? from[i] : 0.0;
    change[i] = to[i] - value[i];
    bend0[i] = h * rate0[i] - change[i];
    bend1[i] = change[i] - h * rate1[i] - bend0[i];
    extra[i] = 0.0;
  }
}

void DenseOutput::Curve::set_line(const double* from, const double* to) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    value[i] = from[i];
    change[i] = to[i] - from[i];
    bend0[i] = bend1[i] = extra[i] = 0.0;
  }
}

double DenseOutput::Curve::at(std::size_t i, double s) const {
  const double r = 1.0 - s;
  return value[i] + s * (change[i] + r * (bend0[i] + s * (bend1[i] + r * extra[i])));
}

DenseOutput::DenseOutput(const StateSpace& space, Chart chart)
    : x(chart.size(space)),
      v(space.sizes().v),
      z(space.sizes().z),
      q0(zeros(space.sizes().q)),
      chart_(chart),
      increment_(x.value) {}

void DenseOutput::evaluate(const StateSpace& space, double s, State& out) const {
  for (std::size_t i = 0; i < increment_.size(); ++i) increment_[i] = x.at(i, s);
  for (std::size_t i = 0; i < v.value.size(); ++i) out.v[i] = v.at(i, s);
  for (std::size_t i = 0; i < z.value.size(); ++i) out.z[i] = z.at(i, s);
  chart_.move(space, q0.data(), increment_.data(), out.q.data());
}

}  // namespace cardan
