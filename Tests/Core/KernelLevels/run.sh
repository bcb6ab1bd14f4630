#!/bin/sh
# Checks the kernel levels that this CPU may lack: AVX-VNNI and AVX-512 through SIMDe's portable emulation, NEON under qemu.
#
# A level whose tools are missing on this machine is skipped with a message. A level that differs from the serial
# reference fails.
# Debian and Ubuntu: apt install libsimde-dev gcc-aarch64-linux-gnu qemu-user

set -eu

here=$(cd "$(dirname "$0")" && pwd)
kernels="$here/../../../Sources/Core/CKinKernels"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# build COMPILER OPTIONS... : compiles the comparison with the sources listed in $sources.
build() {
    compiler=$1
    shift
    # -w: emulation headers cause warnings of their own; the package's build reports the warnings of the sources.
    $compiler -std=c11 -D_GNU_SOURCE -O2 -w -Wno-psabi "$@" -I "$kernels" -I "$kernels/include" \
        $(printf "$kernels/%s.c " $sources) "$here/compare_levels.c" -lm -o "$scratch/compare"
}

avx512() {
    compiler=${CC:-gcc}
    if [ "$(uname -m)" != x86_64 ]; then
        echo "skipped: AVX-512 is emulated on x86-64 machines only"
    elif ! command -v "$compiler" > /dev/null; then
        echo "skipped: no $compiler for AVX-512"
    elif ! $compiler -fsyntax-only -w -I "$here/emulated" -include immintrin.h -x c /dev/null 2> /dev/null; then
        echo "skipped: no SIMDe that $compiler compiles for AVX-512"
    else
        sources="serial avxvnni avx512vnni"
        build "$compiler" -I "$here/emulated"
        "$scratch/compare"
    fi
}

neon() {
    compiler=${AARCH64_CC:-aarch64-linux-gnu-gcc}
    if ! command -v "$compiler" > /dev/null; then
        echo "skipped: no $compiler for NEON"
    elif ! command -v qemu-aarch64 > /dev/null; then
        echo "skipped: no qemu-aarch64 for NEON"
    else
        sources="serial neon neon_boxes neon_tile neondot neondot_blocks neoni8mm crc32c dispatch"
        build "$compiler" -static
        echo "on a CPU with products of byte matrices:"
        qemu-aarch64 -cpu max "$scratch/compare" neoni8mm
        echo "on a CPU with the dot product only:"
        qemu-aarch64 -cpu neoverse-n1 "$scratch/compare" neondot
        echo "on a CPU with neither:"
        qemu-aarch64 -cpu cortex-a57 "$scratch/compare" neon
    fi
}

avx512
neon
