#!/bin/sh
# Builds libkin and libkin_engine and installs them below PREFIX: headers, libraries, and what pkg-config and CMake
# look for. libkin_engine is libkin and the store of records; a program links one of the two.
#
#   Sources/Edges/CKin/install.sh PREFIX
#
# The Swift runtime and everything else written in Swift is linked into a library: the machine it runs on needs no
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

clang -c -O2 -fPIC -I $source/include "-DKIN_COMMIT=\"$commit\"" $source/commit.c -o "$scratch/commit.o"

# build NAME PRODUCT EXPORTS LIBRARIES: the shared library of a product's objects.
build() {
    swift build --configuration release --product "$2"
    objects=$(swift build --configuration release --show-bin-path)/$2.product/Objects.LinkFileList
    library=$scratch/$1.so.$abi
    # nodelete: the Swift runtime cannot be unloaded.
    # shellcheck disable=SC2086
    swiftc -emit-library -static-stdlib "@$objects" "$scratch/commit.o" -o "$library" \
        -Xlinker --version-script="$source/$3" -Xlinker -soname="$1.so.$abi" \
        -Xlinker --gc-sections -Xlinker --as-needed -Xlinker -z -Xlinker defs -Xlinker -z -Xlinker nodelete -Xlinker "${KIN_STRIP:--s}" \
        ${KIN_BLAS:--lblas -llapack} $4

    # Exactly the functions of the list, no other name.
    sed -n 's/^ *\(kin_[a-z_0-9]*\);$/\1/p' "$source/$3" | sort > "$scratch/listed"
    nm --dynamic --defined-only --extern-only --format=posix "$library" | cut -d ' ' -f 1 | sed 's/@.*//' | grep -v '^KIN_1$' |
        sort > "$scratch/exported"
    diff "$scratch/listed" "$scratch/exported" || { echo "$1 does not export what $3 lists" >&2; exit 1; }
}

build libkin KinABI exports.map ""
# GRDB is written on Foundation, whose parts the compiler does not find by itself from a list of objects.
build libkin_engine KinEngineABI engine_exports.map "-lsqlite3 -lFoundation -lCoreFoundation -lFoundationInternationalization \
    -lFoundationEssentials -l_FoundationCollections -l_FoundationICU -l_FoundationCShims -lstdc++"

mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/Kin"
prefix=$(cd "$prefix" && pwd)
fill() { sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" "$1"; }
install -m 644 $source/include/kin.h $source/include/kin_engine.h Sources/Services/KinEngine/METHODS.md "$prefix/include"
for name in libkin libkin_engine; do
    install -m 755 "$scratch/$name.so.$abi" "$prefix/lib/$name.so.$abi"
    ln -sf "$name.so.$abi" "$prefix/lib/$name.so"
done
fill $source/kin.pc.in > "$prefix/lib/pkgconfig/kin.pc"
sed -e 's/^Name: kin$/Name: kin_engine/' -e 's/-lkin$/-lkin_engine/' \
    -e 's/^Description: .*/Description: Kin with its store of records/' \
    "$prefix/lib/pkgconfig/kin.pc" > "$prefix/lib/pkgconfig/kin_engine.pc"
fill $source/KinConfig.cmake.in > "$prefix/lib/cmake/Kin/KinConfig.cmake"
echo "libkin $version ($commit) is in $prefix"
