#include "rate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 5 };

typedef struct {
    ceiling_work work;
    void *state;
    double seconds;
    atomic_int *waiting;
    double rate;
} worker;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// All threads begin together and each stops its own clock, so the sum contains only simultaneous rates.
static void *run(void *argument) {
    worker *self = argument;
    self->work(self->state); // warm: pages are mapped, clocks are up
    atomic_fetch_sub(self->waiting, 1);
    while (atomic_load(self->waiting) > 0) {
    }
    double begin = now(), end = begin, done = 0;
    while (end - begin < self->seconds) {
        done += self->work(self->state);
        end = now();
    }
    self->rate = done / (end - begin);
    return NULL;
}

static double one_round(worker *workers, pthread_t *handles, int threads) {
    atomic_int waiting = threads;
    int started = 0;
    for (; started < threads; started++) {
        workers[started].waiting = &waiting;
        if (pthread_create(&handles[started], NULL, run, &workers[started])) {
            break;
        }
    }
    atomic_fetch_sub(&waiting, threads - started); // those that could not be started keep nobody waiting
    double sum = 0;
    for (int i = 0; i < started; i++) {
        pthread_join(handles[i], NULL);
        sum += workers[i].rate;
    }
    return started == threads ? sum : 0;
}

double ceiling_rate(ceiling_work work, void *const *states, int threads, double seconds) {
    worker *workers = calloc((size_t)threads, sizeof *workers);
    pthread_t *handles = calloc((size_t)threads, sizeof *handles);
    double best = 0;
    for (int i = 0; workers && i < threads; i++) {
        workers[i] = (worker){.work = work, .state = states[i], .seconds = seconds};
    }
    for (int round = 0; workers && handles && round < ROUNDS; round++) {
        double rate = one_round(workers, handles, threads);
        best = rate > best ? rate : best;
    }
    free(handles);
    free(workers);
    return best;
}
