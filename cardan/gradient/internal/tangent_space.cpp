#include "cardan/gradient/internal/tangent_space.hpp"

#include "cardan/math/dual.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <stdexcept>
#include <type_traits>

namespace cardan {

namespace {

constexpr int kMostCoordinates = 7;  // of a joint on a group
constexpr int kLanes = 2;            // tangents at a time
using Changing = Dual<kLanes>;       // a number with its tangents
using Numbers = std::array<Changing, kMostCoordinates>;

enum class Of { coordinates, velocities };

/// Numbers of a state and, behind one another, of its tangents.
template <class T>
struct Stack {
  T* numbers;
  Of of;
};

/// The numbers of one joint within a stack.
template <class T>
struct Block {
  T* first;
  int stride, n;

  /// Reads them with the tangents from `tangent` on.
  Numbers load(int tangent, int tangents) const {
    Numbers out{};
    for (int i = 0; i < n; ++i) {
      Changing& x = out[static_cast<std::size_t>(i)];
      x = Changing(first[i]);
      for (int lane = 0; lane < kLanes && tangent + lane < tangents; ++lane)
        x.d[lane] = first[(1 + tangent + lane) * stride + i];
    }
    return out;
  }
  /// Writes these tangents, and the values beside the first of them.
  void store(const Numbers& numbers, int tangent, int tangents) const {
    for (int i = 0; i < n; ++i) {
      const Changing& x = numbers[static_cast<std::size_t>(i)];
      if (tangent == 0) first[i] = x.value;
      for (int lane = 0; lane < kLanes && tangent + lane < tangents; ++lane)
        first[(1 + tangent + lane) * stride + i] = x.d[lane];
    }
  }
};

template <class J>
concept OnGroup = std::same_as<J, Spherical> || std::same_as<J, Free>;

template <class J>
int velocities_of(const J& type) {
  if constexpr (SizedAtRunTime<J>)
    return type.nv();
  else
    return J::nv;
}

/// Sets c from a and b with all tangents: by flat(a, b), which is linear, where coordinates are plain numbers, else by
/// group(type, a, b, c) on dual numbers. c may lie over a or b.
template <class Flat, class Group>
void combine(const ModelSpace& space, int tangents, Stack<const double> a, Stack<const double> b, Stack<double> c,
             const Flat& flat, const Group& group) {
  const Model& model = space.model();
  const auto stride = [&](Of of) { return of == Of::coordinates ? model.nq() : model.nv(); };
  for (int body = 1; body <= model.bodies(); ++body)
    for_each_part(model.joint(body), model.link(body).q, model.link(body).v, [&]<class J>(const J& type, int q, int v) {
      const auto block = [&]<class T>(const Stack<T>& stack, int coordinates, int velocities) {
        const bool of_q = stack.of == Of::coordinates;
        return Block<T>{stack.numbers + (of_q ? q : v), stride(stack.of), of_q ? coordinates : velocities};
      };
      if constexpr (OnGroup<J>) {
        const auto from_a = block(a, J::nq, J::nv), from_b = block(b, J::nq, J::nv);
        const auto to = block(c, J::nq, J::nv);
        // the values go last, because all tangents need those that they may lie over
        for (int k = (std::max(tangents, 1) - 1) / kLanes * kLanes; k >= 0; k -= kLanes) {
          const Numbers x = from_a.load(k, tangents), y = from_b.load(k, tangents);
          Numbers z{};
          group(std::type_identity<J>(), x.data(), y.data(), z.data());
          to.store(z, k, tangents);
        }
      } else {
        const int n = velocities_of(type);
        const auto from_a = block(a, n, n), from_b = block(b, n, n);
        const auto to = block(c, n, n);
        for (int k = 0; k <= tangents; ++k)
          for (int i = 0; i < n; ++i)
            to.first[k * to.stride + i] =
                flat(from_a.first[k * from_a.stride + i], from_b.first[k * from_b.stride + i]);
      }
    });
}

constexpr auto kFirst = [](double a, double) { return a; };
constexpr auto kSecond = [](double, double b) { return b; };

}  // namespace

Sizes TangentSpace::sizes() const {
  const Sizes one = base_.sizes();
  const int n = 1 + tangents_;
  return {n * one.q, n * one.v, n * one.z};
}

void TangentSpace::move(const double* q, const double* x, double* out) const {
  combine(base_, tangents_, {q, Of::coordinates}, {x, Of::velocities}, {out, Of::coordinates}, std::plus<>(),
          []<class J>(std::type_identity<J>, const Changing* from, const Changing* by, Changing* to) {
            J::integrate(from, by, Changing(1.0), to);
          });
}

void TangentSpace::difference(const double* q0, const double* q1, double* x) const {
  combine(
      base_, tangents_, {q0, Of::coordinates}, {q1, Of::coordinates}, {x, Of::velocities},
      [](double from, double to) { return to - from; },
      []<class J>(std::type_identity<J>, const Changing* from, const Changing* to, Changing* by) {
        J::difference(from, to, by);
      });
}

void TangentSpace::increment_rate(const double* x, const double* v, double* rate) const {
  combine(base_, tangents_, {x, Of::velocities}, {v, Of::velocities}, {rate, Of::velocities}, kSecond,
          []<class J>(std::type_identity<J>, const Changing* at, const Changing* velocity, Changing* out) {
            J::increment_rate(at, velocity, out);
          });
}

void TangentSpace::increment_velocity(const double* x, const double* rate, double* v) const {
  combine(base_, tangents_, {x, Of::velocities}, {rate, Of::velocities}, {v, Of::velocities}, kSecond,
          []<class J>(std::type_identity<J>, const Changing* at, const Changing* growth, Changing* out) {
            J::increment_velocity(at, growth, out);
          });
}

void TangentSpace::increment_velocity_derivative(const double*, const double*, double*) const {
  throw std::logic_error("gradient: expected an explicit method, found one that linearizes its steps");
}

void TangentSpace::coordinate_rate(const double* q, const double* v, double* rate) const {
  combine(base_, tangents_, {q, Of::coordinates}, {v, Of::velocities}, {rate, Of::coordinates}, kSecond,
          []<class J>(std::type_identity<J>, const Changing* at, const Changing* velocity, Changing* out) {
            J::coordinate_rate(at, velocity, out);
          });
}

void TangentSpace::normalize(double* q) const {
  combine(base_, tangents_, {q, Of::coordinates}, {q, Of::coordinates}, {q, Of::coordinates}, kFirst,
          []<class J>(std::type_identity<J>, const Changing* at, const Changing*, Changing* out) {
            std::copy_n(at, J::nq, out);
            const Quaternion<Changing> unit = quaternion_normalize(Quaternion<Changing>{at[0], at[1], at[2], at[3]});
            for (int i = 0; i < 4; ++i) out[i] = unit[i];
          });
}

void TangentSpace::to_tangent(const double* q, const double* dq, double* dx) const {
  combine(base_, 0, {q, Of::coordinates}, {dq, Of::coordinates}, {dx, Of::velocities}, kSecond,
          []<class J>(std::type_identity<J>, const Changing* from, const Changing* change, Changing* out) {
            Numbers to{}, by{};
            for (std::size_t i = 0; i < J::nq; ++i) {
              to[i] = from[i];
              to[i].d[0] = change[i].value;
            }
            J::difference(from, to.data(), by.data());
            for (std::size_t i = 0; i < J::nv; ++i) out[i] = Changing(by[i].d[0]);
          });
}

}  // namespace cardan
