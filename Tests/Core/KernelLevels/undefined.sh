#!/bin/sh
# Runs tests with the undefined-behaviour sanitizer in all C code, and fails at its first report.
#
#  Tests/Core/KernelLevels/undefined.sh [TARGET...]      Default: CKinKernelsTests
#
# On Linux the compiler has no such sanitizer for Swift. Its runtime for C comes with the toolchain and is linked by
# hand.

set -eu

cd "$(dirname "$0")/../../.."
runtime=$(dirname "$(readlink -f "$(command -v swift)")")/../lib/clang
libraries=$(find "$runtime" -name "libclang_rt.ubsan_standalone*-$(uname -m).a" -exec printf -- '-Xlinker %s ' {} \;)
[ -n "$libraries" ] || {
    echo "skipped: the toolchain has no runtime for -fsanitize=undefined"
    exit 0
}
package=.build-undefined/kin
python3 .ci/slice --into "$package" "${@:-CKinKernelsTests}"
# shellcheck disable=SC2086
swift test --package-path "$package" --disable-xctest \
    -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=all $libraries
