#!/bin/sh
# Runs the tests of the C kernels with the sanitizer of undefined behaviour in all C code; fails at the first report.
#
# The compiler has none for Swift on Linux. Its runtime for C comes with the toolchain, and is linked by hand.

set -eu

cd "$(dirname "$0")/../../.."
runtime=$(dirname "$(readlink -f "$(command -v swift)")")/../lib/clang
libraries=$(find "$runtime" -name "libclang_rt.ubsan_standalone*-$(uname -m).a" -exec printf -- '-Xlinker %s ' {} \;)
[ -n "$libraries" ] || {
    echo "skipped: the toolchain has no runtime for -fsanitize=undefined"
    exit 0
}
# shellcheck disable=SC2086
swift test --scratch-path .build-undefined --disable-xctest --filter 'CKinKernelsTests|KinLinearAlgebraTests' \
    -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=all $libraries
