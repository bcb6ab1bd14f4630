// rate.h: runs one kind of work on several threads at once and measures its rate.

#ifndef KIN_CEILINGS_RATE_H
#define KIN_CEILINGS_RATE_H

/// A slice of work of a few microseconds; returns the amount of work, in the unit of the rate.
typedef double (*ceiling_work)(void *state);

/// The best sum over the threads of work per second, among a few rounds of `seconds` each. `states` has one entry per
/// thread. 0 if the threads cannot be started.
double ceiling_rate(ceiling_work work, void *const *states, int threads, double seconds);

#endif
