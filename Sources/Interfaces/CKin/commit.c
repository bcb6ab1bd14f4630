#include "kin_internal.h"

// install.sh compiles this file again with the commit hash, and links that object before this weak one.
#ifdef KIN_COMMIT
const char *kin_commit(void) {
    return KIN_COMMIT;
}
#else
__attribute__((weak)) const char *kin_commit(void) {
    return "unknown";
}
#endif
