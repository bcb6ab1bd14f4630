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

/// All levels that this processor family has, weakest first; ends with a NULL name.
extern const ceiling_level_entry ceiling_level_entries[];

#endif
