#!/bin/sh
# Builds libkin and installs it below PREFIX: include/kin.h, lib/libkin.so, and what pkg-config and CMake look for.
#
#   Sources/Edges/CKin/install.sh PREFIX
#
# The Swift runtime and everything else written in Swift is linked into the library: the machine it runs on needs no
# Swift. The BLAS and LAPACK are the system's, linked dynamically, because a good BLAS has code for every CPU and is
# several times the size of libkin; KIN_BLAS names others (default: -lblas -llapack). KIN_STRIP says what the linker
# leaves out (default: -s, all names that are not exported; -S keeps them, for valgrind and profilers).
set -eu

prefix=${1:?usage: Sources/Edges/CKin/install.sh PREFIX}
cd "$(dirname "$0")/../../.."
if [ "$(uname -s)" != Linux ]; then
    echo "libkin is built on Linux; on Apple systems use the Swift package" >&2
    exit 1
fi

source=Sources/Edges/CKin
version=$(sed -n 's/^#define KIN_VERSION "\(.*\)"/\1/p' $source/include/kin.h)
abi=$(sed -n 's/^#define KIN_ABI_VERSION \(.*\)/\1/p' $source/include/kin.h)
commit=$(git rev-parse --short=12 HEAD 2> /dev/null || echo unknown)
git diff --quiet HEAD 2> /dev/null || commit="$commit-modified"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

swift build --configuration release --product KinABI
objects=$(swift build --configuration release --show-bin-path)/KinABI.product/Objects.LinkFileList
clang -c -O2 -fPIC -I $source/include "-DKIN_COMMIT=\"$commit\"" $source/commit.c -o "$scratch/commit.o"

library=$scratch/libkin.so.$abi
# nodelete: the Swift runtime cannot be unloaded.
# shellcheck disable=SC2086
swiftc -emit-library -static-stdlib "@$objects" "$scratch/commit.o" -o "$library" \
    -Xlinker --version-script=$source/exports.map -Xlinker -soname="libkin.so.$abi" \
    -Xlinker --gc-sections -Xlinker --as-needed -Xlinker -z -Xlinker defs -Xlinker -z -Xlinker nodelete -Xlinker "${KIN_STRIP:--s}" \
    ${KIN_BLAS:--lblas -llapack}

# Exactly the functions of the list, no other name.
sed -n 's/^ *\(kin_[a-z_0-9]*\);$/\1/p' $source/exports.map | sort > "$scratch/listed"
nm --dynamic --defined-only --extern-only --format=posix "$library" | cut -d ' ' -f 1 | sed 's/@.*//' | grep -v '^KIN_1$' |
    sort > "$scratch/exported"
diff "$scratch/listed" "$scratch/exported" || { echo "libkin does not export what exports.map lists" >&2; exit 1; }

mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/Kin"
prefix=$(cd "$prefix" && pwd)
fill() { sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" "$1"; }
install -m 644 $source/include/kin.h "$prefix/include/kin.h"
install -m 755 "$library" "$prefix/lib/libkin.so.$abi"
ln -sf "libkin.so.$abi" "$prefix/lib/libkin.so"
fill $source/kin.pc.in > "$prefix/lib/pkgconfig/kin.pc"
fill $source/KinConfig.cmake.in > "$prefix/lib/cmake/Kin/KinConfig.cmake"
echo "libkin $version ($commit) is in $prefix"
