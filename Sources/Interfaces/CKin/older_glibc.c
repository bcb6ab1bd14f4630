// Older versions of the three functions for which the libraries would need glibc 2.35 and the libstdc++ of GCC 12.
// install.sh links this file; the definitions are hidden, so other libraries of the process do not use them.
//
// Foundation and ICU in the Swift runtime refer to the functions. In both versions, `hypot` computes the same values
// (the older one also sets errno), and `wait` is the same code.

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OLDEST "GLIBC_2.17"
#else
#error "the oldest version of hypot on this processor is the first one in its glibc"
#endif

#define HIDDEN __attribute__((visibility("hidden")))
#define OLDER(name, symbol) __asm__(".symver " #name ", " symbol)

OLDER(older_hypot, "hypot@" OLDEST);
OLDER(older_hypotf, "hypotf@" OLDEST);
double older_hypot(double x, double y);
float older_hypotf(float x, float y);

HIDDEN double hypot(double x, double y) {
    return older_hypot(x, y);
}
HIDDEN float hypotf(float x, float y) {
    return older_hypotf(x, y);
}

// std::condition_variable::wait(std::unique_lock<std::mutex> &)
#define WAIT "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"
OLDER(older_wait, WAIT "@GLIBCXX_3.4.11");
void older_wait(void *variable, void *lock);

HIDDEN void wait_on(void *variable, void *lock) __asm__(WAIT);
void wait_on(void *variable, void *lock) {
    older_wait(variable, lock);
}
