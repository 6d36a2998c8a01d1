// Ctrl-C asks for an orderly end; a second one ends the program at once.
#pragma once

#include <csignal>

namespace cardan::command {

class Interrupt {
 public:
  Interrupt() {
    asked_ = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { asked_ = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &before_);
  }
  ~Interrupt() { ::sigaction(SIGINT, &before_, nullptr); }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool asked() const { return asked_ != 0; }

 private:
  static inline volatile std::sig_atomic_t asked_ = 0;
  struct sigaction before_ {};
};

}  // namespace cardan::command
