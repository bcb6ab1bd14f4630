// levels.h: the instruction set levels of this machine and their inner loops.

#ifndef KIN_CEILINGS_LEVELS_H
#define KIN_CEILINGS_LEVELS_H

#include "rate.h"

typedef struct {
    const char *name;
    const char *float_instruction;
    const char *byte_instruction;
    ceiling_work float_work; ///< counts multiply-adds
    ceiling_work byte_work;  ///< counts multiply-adds
    int (*supported)(void);
} ceiling_level_entry;

/// Defines the register loop `name`: LOOPS times `step` for each of ACCUMULATORS sums, where `step` is `lanes`
/// multiply-adds of `a`, `b` and `sum[i]`. Each sum starts as `first` of its number. KEEP hides a register's value from
/// the compiler at no cost, so that equal products are not computed once and reused; `hide` does so before each step.
#define REGISTER_LOOP(name, attributes, lanes, left, right, first, hide, step)                                         \
    attributes static double name(void *state) {                                                                       \
        (void)state;                                                                                                   \
        __auto_type a = left;                                                                                          \
        __auto_type b = right;                                                                                         \
        __typeof__(first(0)) sum[ACCUMULATORS];                                                                        \
        for (int i = 0; i < ACCUMULATORS; i++) {                                                                       \
            sum[i] = first(i);                                                                                         \
        }                                                                                                              \
        KEEP(a);                                                                                                       \
        KEEP(b);                                                                                                       \
        for (int n = 0; n < LOOPS; n++) {                                                                              \
            _Pragma("clang loop unroll(full)") for (int i = 0; i < ACCUMULATORS; i++) {                                \
                hide;                                                                                                  \
                sum[i] = step;                                                                                         \
            }                                                                                                          \
        }                                                                                                              \
        for (int i = 0; i < ACCUMULATORS; i++) {                                                                       \
            KEEP(sum[i]);                                                                                              \
        }                                                                                                              \
        return (lanes) * (double)ACCUMULATORS * LOOPS;                                                                 \
    }

/// All levels of this processor family, weakest first; ends with a NULL name.
extern const ceiling_level_entry ceiling_level_entries[];

#endif
