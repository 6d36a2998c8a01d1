// A loop over the few coordinates of a mechanism that reads what machine code has just stored, one number at a time. A
// processor hands a stored number on to a load of the same size at once, but not four of them to one wide load; and the
// checks before a vectorized loop cost more than its seven or thirty rounds. Measured on a step of rk4 of an arm
// (`make bench`, stepping).
#pragma once

#if defined(__clang__)
#define CARDAN_SHORT_LOOP _Pragma("clang loop vectorize(disable)")
#else
#define CARDAN_SHORT_LOOP
#endif
