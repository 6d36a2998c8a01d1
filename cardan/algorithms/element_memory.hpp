// Keeps what elements compute about an instant beside its kinematics, so that what is asked for more than once (the
// shape of a path, for its force, rate, energy and records) is computed once.
#pragma once

#include <atomic>
#include <memory>
#include <unordered_map>

namespace cardan {

/// Tells elements apart; a copy is another one.
class ElementId {
 public:
  ElementId() : value_(next()) {}
  ElementId(const ElementId&) : ElementId() {}
  ElementId& operator=(const ElementId&) { return *this; }
  long value() const { return value_; }

 private:
  static long next() {
    static std::atomic<long> last{0};
    return ++last;
  }
  long value_;
};

/// One for each kinematics; a copy remembers nothing.
class ElementMemory {
 public:
  ElementMemory() = default;
  ElementMemory(const ElementMemory&) {}
  ElementMemory& operator=(const ElementMemory&) {
    kept_.clear();
    return *this;
  }
  ElementMemory(ElementMemory&&) = default;
  ElementMemory& operator=(ElementMemory&&) = default;
  ~ElementMemory() = default;

  /// Invalidates what is kept: the kinematics are those of another instant.
  void next_instant() { ++instant_; }

  template <class T>
  struct Kept;
  /// Returns what an element keeps, always of the same type T. Allocates for an element that was never seen.
  template <class T>
  Kept<T>& of(const ElementId& element) {
    std::unique_ptr<Any>& any = kept_[element.value()];
    if (!any) any = std::make_unique<Kept<T>>();
    return static_cast<Kept<T>&>(*any);
  }
  template <class T>
  bool is_current(const Kept<T>& kept) const {
    return kept.instant == instant_;
  }
  template <class T>
  void make_current(Kept<T>& kept) const {
    kept.instant = instant_;
  }

 private:
  struct Any {
    virtual ~Any() = default;
    long instant = -1;
  };

 public:
  template <class T>
  struct Kept : Any {
    T value{};
  };

 private:
  std::unordered_map<long, std::unique_ptr<Any>> kept_;
  long instant_ = 0;
};

}  // namespace cardan
