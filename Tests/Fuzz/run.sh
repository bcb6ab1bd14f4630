#!/bin/sh
# Fuzzes each target (every Swift and C file of this folder), or the named one, for SECONDS; fails on a crash.
#
#   Tests/Fuzz/run.sh SECONDS [TARGET]
#   KIN_FUZZ_LONG=1 Tests/Fuzz/run.sh SECONDS
#
# A target is one Swift file (with the file of Support whose function it calls) with a function `@c(LLVMFuzzerTestOneInput)`,
# which may use everything of `package` access. Or it is one C file with that function, which sees kin.h. The first two
# lines name the module to build and the seeds to begin with:
#
#   // module: KinIndex
#   // seeds: Tests/Algorithms/KinIndexTests/Golden
#
# A third line `// long: REASON` excludes a target from the short run; it is fuzzed if it is named or KIN_FUZZ_LONG is
# set. The modules of all targets are built once, then two targets are fuzzed at a time. For runs of up to a minute they
# are not optimised: this halves the build time, and asserts where an optimised build would be undefined. The corpus
# stays in .build-fuzz/corpus/TARGET for the next run; an input that crashes is written to .build-fuzz/crashes.
set -eu

seconds=${1:?usage: Tests/Fuzz/run.sh SECONDS [TARGET]}
only=${2:-}
cd "$(dirname "$0")/../.."
build=.build-fuzz
# SwiftPM names a root package after its folder; `package` declarations are visible under that name only.
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
    # A policy with 820 features, the most in CPolicies, is factored in five of these seconds with edge counters, on a
    # busy machine.
    patience=20
fi
# SwiftPM passes sanitizers in random order, and the compiler counts edges only if the fuzzer's is in the last option.
swift build --disable-index-store --configuration $configuration --package-path "$package" --sanitize address --sanitize fuzzer \
    -Xswiftc -sanitize=address,fuzzer

products=$package/.build/$configuration
# Without counters, inputs are drawn blindly, and nothing else would show it.
for module in $modules; do
    grep -q __sancov_cntrs "$products/$module.build"/*.swift.o && continue
    echo "$module was built without counters of edges: what is fuzzed has to be compiled with -sanitize=address,fuzzer" >&2
    exit 1
done
# Objects of deleted files, from earlier builds, would need functions that are gone.
find -L Sources "$package" -name '*.swift' -printf '%f.o\n' | sort -u >"$build/objects"
find -L "$products" -path '*.build/*.swift.o' | while read -r object; do
    grep -qxF "${object##*/}" "$build/objects" || rm -f "$object"
done
# One archive, because names of object files may contain spaces; `q` allows equal names from different modules. The
# files are in the order of compilation. If several modules define a symbol, the linker takes it from the first one,
# which links fewer modules: the counters of every linked module are read after each input.
rm -f "$build/modules.a"
find -L "$products" -path '*.build/*.o' -printf '%T@ %p\0' | sort -zn | cut -zd ' ' -f 2- | xargs -0 ar qcs "$build/modules.a"
maps=$(find -L "$products" Sources "$package"/.build/checkouts/*/Sources -name module.modulemap \
    ! -path '*.build/include/*' -exec printf '-Xcc -fmodule-map-file=%s ' {} \;)

# Compiles FILE and links it with the modules to $build/fuzz-TARGET, then fuzzes it. The driver writes a link file named
# by the module, which two concurrent targets must not share.
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
        if grep -q 'tryRecord(' "$1"; then support=Tests/Fuzz/Support/RoundTrip.swift; fi
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
# Two lanes, each with every second target: a target's log is shown when it is done.
status=0
lane() { # FIRST
    number=0
    outcome=0
    for file in $files; do
        number=$((number + 1))
        [ $((number % 2)) = "$1" ] || continue
        target=$(basename "${file%.*}")
        if ! fuzz "$file" "$target" >"$TMPDIR/$target.log" 2>&1; then
            outcome=1
            grep -E 'error:|ERROR:|SUMMARY:|^Base64:' "$TMPDIR/$target.log" | sed "s/^/FAILED: $target: /" >>"$TMPDIR/failed"
        fi
        cat "$TMPDIR/$target.log"
    done
    return $outcome
}
lane 0 &
other=$!
lane 1 || status=1
wait $other || status=1
# The last lines say what failed, where a report is cut.
if [ "$status" != 0 ]; then cat "$TMPDIR/failed"; fi
exit "$status"
