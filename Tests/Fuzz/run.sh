#!/bin/sh
# Fuzzes each target (every Swift and C file of this folder), or the one that is named, for SECONDS; fails on a crash.
#
#   Tests/Fuzz/run.sh SECONDS [TARGET]
#   KIN_FUZZ_LONG=1 Tests/Fuzz/run.sh SECONDS
#
# A target is one Swift file (with Support/Reseal.swift, if it reseals) with a function `@c(LLVMFuzzerTestOneInput)`, which may
# use everything of `package` access, or one C file with that function, which sees kin.h. Its first two lines tell what to
# build and with which files to begin:
#
#   // module: KinIndex
#   // seeds: Tests/Algorithms/KinIndexTests/Golden
#
# A third line `// long: REASON` keeps a target out of the short run; it is fuzzed when it is named or KIN_FUZZ_LONG is set.
# The modules of all targets are built once, then two targets are fuzzed at a time. For up to a minute they are not optimised:
# that is built in half the time, and asserts where an optimised build would be undefined. What libFuzzer learns stays in
# .build-fuzz/corpus/TARGET for the next run; an input that crashes is written to .build-fuzz/crashes.
set -eu

seconds=${1:?usage: Tests/Fuzz/run.sh SECONDS [TARGET]}
only=${2:-}
cd "$(dirname "$0")/../.."
build=.build-fuzz
# SwiftPM's name for a root package is its folder's; `package` declarations are visible under that name only.
package=$build/kin

# Prints the value of a line `// NAME: VALUE` at the head of FILE.
setting() { # NAME FILE
    sed -n "1,2s|^// $1: ||p" "$2"
}

files=
modules=
for file in Tests/Fuzz/*.swift Tests/Fuzz/*.c; do
    target=$(basename "${file%.*}")
    [ -z "$only" ] || [ "$only" = "$target" ] || continue
    if [ -z "$only" ] && [ -z "${KIN_FUZZ_LONG:-}" ] && sed -n 3p "$file" | grep -q '^// long: '; then continue; fi
    files="$files $file"
    modules="$modules $(setting module "$file")"
done
if [ -z "$files" ]; then
    echo "there is no target $only: give the name of a file in Tests/Fuzz, without its ending" >&2
    exit 2
fi
# shellcheck disable=SC2086
python3 .ci/slice --into "$package" $modules
configuration=debug
patience=60
if [ "$seconds" -gt 60 ]; then
    configuration=release
    # A policy of the most features that CPolicies asks for, 820, is factored in five of these seconds with edges counted, on a full machine.
    patience=20
fi
# SwiftPM hands sanitizers on in an order of chance, and the compiler counts edges only if the fuzzer's is in the last option.
swift build --disable-index-store --configuration $configuration --package-path "$package" --sanitize address --sanitize fuzzer \
    -Xswiftc -sanitize=address,fuzzer

products=$package/.build/$configuration
# Without counters inputs are drawn blindly, and nothing else would say so.
for module in $modules; do
    grep -q __sancov_cntrs "$products/$module.build"/*.swift.o && continue
    echo "$module was built without counters of edges: what is fuzzed has to be compiled with -sanitize=address,fuzzer" >&2
    exit 1
done
# One archive, because names of object files may have spaces; `q` keeps those of one name in different modules. They stand in the
# order in which they were compiled: the linker takes what several modules have from the lowest of them, and brings fewer along,
# whose counters would be read after each input.
rm -f "$build/modules.a"
find -L "$products" -path '*.build/*.o' -printf '%T@ %p\0' | sort -zn | cut -zd ' ' -f 2- | xargs -0 ar qcs "$build/modules.a"
maps=$(find -L "$products" Sources "$package"/.build/checkouts/*/Sources -name module.modulemap \
    ! -path '*.build/include/*' -exec printf '-Xcc -fmodule-map-file=%s ' {} \;)

# Compiles FILE and links it with the modules to $build/fuzz-TARGET, then fuzzes it. The driver notes what else to link in a file named
# by the module, which two targets at a time must not share.
fuzz() { # FILE TARGET
    case $1 in
    *.c)
        clang -c -O1 -g -std=c11 -Wall -Wextra -Werror -fsanitize=fuzzer-no-link,address -I Sources/Interfaces/CKin/include \
            "$1" -o "$build/$2.o" &&
            swiftc -module-name "$2" -use-ld=lld -sanitize=fuzzer,address "$build/$2.o" "$build/modules.a" -o "$build/fuzz-$2" || return 1
        ;;
    *)
        support=
        if grep -q 'resealed(' "$1"; then support=Tests/Fuzz/Support/Reseal.swift; fi
        # shellcheck disable=SC2086
        swiftc -module-name "$2" -O -use-ld=lld -sanitize=fuzzer,address -parse-as-library -swift-version 6 -strict-memory-safety \
            -warnings-as-errors -package-name kin -I "$products/Modules" $maps \
            "$1" $support "$build/modules.a" -o "$build/fuzz-$2" || return 1
        ;;
    esac
    mkdir -p "$build/corpus/$2" "$build/crashes"
    echo "fuzzing $2 for $seconds s"
    # A crash is libFuzzer's to report; Swift's own reporter would stand in its way. A fifth of the time would go into noting who
    # allocated what: run an input that crashes again without this option to see it.
    # shellcheck disable=SC2046
    SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=malloc_context_size=2 "$build/fuzz-$2" -max_total_time="$seconds" -max_len=32768 -malloc_limit_mb=16 \
        -timeout=$patience -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/crashes/$2-" \
        "$build/corpus/$2" $(setting seeds "$1")
}

TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# Every second target by each of two: a target's log is shown when it is done.
status=0
lane() { # FIRST
    number=0
    outcome=0
    for file in $files; do
        number=$((number + 1))
        [ $((number % 2)) = "$1" ] || continue
        target=$(basename "${file%.*}")
        fuzz "$file" "$target" >"$TMPDIR/$target.log" 2>&1 || outcome=1
        cat "$TMPDIR/$target.log"
    done
    return $outcome
}
lane 0 &
other=$!
lane 1 || status=1
wait $other || status=1
exit "$status"
