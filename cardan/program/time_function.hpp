// Numbers that change with time as the user writes them: "2*sin(3*t)".
#pragma once

#include "cardan/math/dual.hpp"
#include "cardan/program/interpreter.hpp"
#include "cardan/program/time_text.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cardan {

class TimeFunction {
 public:
  /// Gives the expressions for the symbol t.
  using SymbolicFunction = std::function<std::vector<Expr>(Expr t)>;

  /// With so many time derivatives of each, found symbolically. Throws GraphTooLarge where that takes too much.
  explicit TimeFunction(const SymbolicFunction& function, int derivatives = 0);
  /// Makes a function of time of texts. Throws ParseError.
  explicit TimeFunction(const std::vector<std::string>& texts, int derivatives = 0);

  /// How many numbers, derivatives not counted.
  int size() const { return size_; }
  int derivatives() const { return interpreter_.outputs() / size_ - 1; }
  /// All values, then all first derivatives, and so on.
  std::vector<double> operator()(double t) const;
  const Interpreter& interpreter() const { return interpreter_; }
  /// Returns what a run must know of it in advance, derivatives included; null where it is time itself or constant.
  const std::shared_ptr<const TimeText>& time_text() const { return time_text_; }
  void add_to(TimeTexts& texts) const {
    if (time_text_) texts.push_back(time_text_);
  }
  /// Evaluates into an array of size() * (derivatives() + 1) numbers, without allocating.
  void evaluate(double t, std::span<double> out) const;
  /// Evaluates on any scalar. A time on dual numbers is not varied.
  template <class T>
  void evaluate_at(const T& t, T* out) const {
    if constexpr (std::same_as<T, Expr>) {
      run_small<T>(interpreter_, &t, out);
    } else {
      constexpr std::size_t kSmall = 16;
      const auto n = static_cast<std::size_t>(interpreter_.outputs());
      double small[kSmall];
      std::vector<double> large(n <= kSmall ? 0 : n);
      const std::span<double> values(n <= kSmall ? small : large.data(), n);
      evaluate(value_of(t), values);
      for (std::size_t i = 0; i < n; ++i) out[i] = T(values[i]);
    }
  }

 private:
  int size_ = 0;
  Interpreter interpreter_;
  std::shared_ptr<const TimeText> time_text_;
};

}  // namespace cardan
