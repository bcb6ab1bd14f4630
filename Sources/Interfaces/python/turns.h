// Turns of threads at brief searches: included by calls.c.

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

/// When many threads make searches of a few microseconds, each release of the interpreter's lock wakes a waiting
/// thread, and this costs more than a search. So two threads at a time have a turn of 2 ms and keep two processors
/// busy, and the others wait in a queue. A turn that was not used for 100 µs is free, so threads that do other work
/// between their searches do not wait longer. Times are in nanoseconds.
///
/// One owner usually searches while the other runs Python. An owner that needs the interpreter's lock polls for up to
/// 10 µs until the other begins its next search: sleeping and waking takes longer.
enum { TURNS = 2, TURN = 2000000, UNUSED = 100000, BRIEF_SEARCH = 25000, BETWEEN_SEARCHES = 10000 };

static struct turn {
    /// The address of the owner's `own_turn`.
    _Atomic(const void *) owner;
    _Atomic int64_t began, used;
} turns[TURNS];
/// The latest turn of this thread, which may have a different owner now.
static _Thread_local struct turn *own_turn;
static _Atomic int64_t latest_search;
/// When a thread took the interpreter's lock after a search, or 0 after it began the next search.
static _Atomic int64_t took_lock;

/// A thread that waits until it has a turn.
struct waiter {
    TAILQ_ENTRY(waiter) links;
    const void *thread;
    struct turn *turn;
    pthread_cond_t begins;
};
static TAILQ_HEAD(, waiter) queue = TAILQ_HEAD_INITIALIZER(queue);
static atomic_int waiting;
/// Guards the queue and the owners of turns.
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

/// Empties the queue in a forked child, which has no other thread.
static void forget_threads(void) {
    TAILQ_INIT(&queue);
    waiting = 0;
    pthread_mutex_init(&queue_lock, NULL);
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000000000 * (int64_t)now.tv_sec + now.tv_nsec;
}

/// Moves a thread from the queue to a turn.
static void begin_turn(struct waiter *waiter, struct turn *turn) {
    TAILQ_REMOVE(&queue, waiter, links);
    waiting--;
    waiter->turn = turn;
    turn->owner = waiter->thread;
    turn->began = turn->used = nanoseconds();
    pthread_cond_signal(&waiter->begins);
}

/// Whether a waiting thread has a turn now. It takes one that is free.
static bool has_begun(struct waiter *waiter) {
    for (struct turn *turn = turns; turn < turns + TURNS && waiter->turn == NULL; turn++)
        if (nanoseconds() - turn->used > UNUSED)
            begin_turn(waiter, turn);
    return waiter->turn != NULL;
}

/// Waits for a turn. The caller does not hold the interpreter's lock.
static void take_turn(int64_t now) {
    bool has_turn = own_turn != NULL && own_turn->owner == &own_turn;
    if (has_turn && (now - own_turn->began < TURN || waiting == 0)) {
        own_turn->used = now;
        return;
    }
    struct waiter waiter = {.thread = &own_turn, .begins = PTHREAD_COND_INITIALIZER};
    pthread_mutex_lock(&queue_lock);
    if (has_turn && own_turn->owner == &own_turn && !TAILQ_EMPTY(&queue))
        begin_turn(TAILQ_FIRST(&queue), own_turn);
    TAILQ_INSERT_TAIL(&queue, &waiter, links);
    waiting++;
    for (long longest = has_turn ? TURN : UNUSED; !has_begun(&waiter); longest = waiting * TURN) {
        struct timespec limit;
        clock_gettime(CLOCK_REALTIME, &limit);
        limit.tv_nsec += longest;
        limit.tv_sec += limit.tv_nsec / 1000000000;
        limit.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&waiter.begins, &queue_lock, &limit);
    }
    own_turn = waiter.turn;
    pthread_mutex_unlock(&queue_lock);
    pthread_cond_destroy(&waiter.begins);
}

/// Waits until no thread is between two brief searches. The caller does not hold the interpreter's lock.
static void poll_lock(void) {
    for (int64_t since; (since = took_lock) != 0 && nanoseconds() - since < BETWEEN_SEARCHES;)
        continue;
}
