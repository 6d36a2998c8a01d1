// Makes a Force of an element that is written once as a template over the scalar:
//   struct Spring {
//     std::string name() const;
//     Touches touches() const;
//     template <class T> void add(const InstantOf<T>& at, PushesOf<T>& pushes) const;
//     double energy(const Instant& at) const;   // optional, as are add_definite_tangent, is_actuator, is_conservative,
//                                               // needs_start, started_at, initial_states, rate, add_time_texts, text
//   };
//   std::shared_ptr<const Force> force = make_force(Spring{...});
// One with states of its own writes `template <class T> void rate(const InstantOf<T>& at, std::span<T> z_dot) const`.
// On double it adds forces, on dual numbers it gives K and D exactly, on symbols it becomes code.
#pragma once

#include "cardan/forces/displaced_instant.hpp"

#include <utility>

namespace cardan {

template <class Element>
class ForceOf final : public Force {
 public:
  explicit ForceOf(Element element) : element_(std::move(element)), touches_(element_.touches()) {}

  const Element& element() const { return element_; }
  std::string name() const override { return element_.name(); }
  Touches touches() const override { return touches_; }
  void add(const Instant& at, Pushes& pushes) const override { element_.add(at, pushes); }
  void add_tangent(const Instant& at, Tangent& tangent) const override {
    detail::add_dual_tangent(at, touches_, tangent,
                             [this](const auto& displaced, auto& pushes) { element_.add(displaced, pushes); });
  }
  void add_dual(const Instant&, const DualInstant& at, DualPushes& pushes) const override { element_.add(at, pushes); }
  void rate_dual(const Instant& here, const DualInstant& at, std::span<Dual8> z_dot) const override {
    if constexpr (requires { element_.rate(at, z_dot); })
      element_.rate(at, z_dot);
    else
      Force::rate_dual(here, at, z_dot);
  }
  std::string beyond_code() const override { return {}; }
  void add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const override { element_.add(at, pushes); }
  void rate_symbolic(const SymbolicInstant& at, std::span<Expr> z_dot) const override {
    if constexpr (requires { element_.rate(at, z_dot); })
      element_.rate(at, z_dot);
    else
      Force::rate_symbolic(at, z_dot);
  }
  void add_definite_tangent(const Instant& at, Tangent& tangent) const override {
    if constexpr (requires { element_.add_definite_tangent(at, tangent); })
      element_.add_definite_tangent(at, tangent);
    else
      Force::add_definite_tangent(at, tangent);
  }
  bool is_actuator() const override {
    if constexpr (requires { element_.is_actuator(); }) return element_.is_actuator();
    return false;
  }
  bool is_conservative() const override {
    if constexpr (requires { element_.is_conservative(); }) return element_.is_conservative();
    return false;
  }
  double energy(const Instant& at) const override {
    if constexpr (requires { element_.energy(at); }) return element_.energy(at);
    return 0.0;
  }
  void add_time_texts(TimeTexts& texts) const override {
    if constexpr (requires { element_.add_time_texts(texts); }) element_.add_time_texts(texts);
  }
  bool has_switches() const override {
    if constexpr (requires { element_.text(); }) return element_.text().has_switches();
    return false;
  }
  std::shared_ptr<const Force> bound_to(SwitchBoard& board) const override {
    if constexpr (requires { element_.text(); }) {
      Element copy = element_;
      copy.text().bind_to(board);
      return std::make_shared<const ForceOf>(std::move(copy));
    }
    return nullptr;
  }
  bool needs_start() const override {
    if constexpr (requires { element_.needs_start(); }) return element_.needs_start();
    return false;
  }
  std::shared_ptr<const Force> started_at(const Instant& at) const override {
    if constexpr (requires { element_.started_at(at); }) return std::make_shared<ForceOf>(element_.started_at(at));
    return nullptr;
  }
  void initial_states(std::span<double> z) const override {
    if constexpr (requires { element_.initial_states(z); }) element_.initial_states(z);
  }
  void rate(const Instant& at, std::span<double> z_dot) const override {
    if constexpr (requires { element_.rate(at, z_dot); }) element_.rate(at, z_dot);
  }

 private:
  Element element_;
  Touches touches_;
};

template <class Element>
std::shared_ptr<const Force> make_force(Element element) {
  return std::make_shared<const ForceOf<Element>>(std::move(element));
}

}  // namespace cardan
