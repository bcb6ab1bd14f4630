#!/bin/sh
# Builds libkin and libkin_engine and installs them below PREFIX: headers, libraries, and the files for pkg-config and
# CMake. libkin_engine is libkin plus the store of records; a program links one of the two.
#
#   Sources/Interfaces/CKin/install.sh PREFIX
#
# The Swift runtime and everything else written in Swift is linked into the libraries, so the machines they run on need
# no Swift. BLAS and LAPACK are the system's, linked dynamically, because a good BLAS has code for every CPU and is
# several times the size of libkin. KIN_BLAS names a library that replaces both, such as -lopenblas. KIN_STRIP sets the
# linker's strip option. Default: -s, which removes all names that are not exported; -S leaves them in, for valgrind and
# profilers.
set -eu

prefix=${1:?usage: Sources/Interfaces/CKin/install.sh PREFIX}
cd "$(dirname "$0")/../../.."
if [ "$(uname -s)" != Linux ]; then
    echo "libkin is built on Linux; on Apple systems use the Swift package" >&2
    exit 1
fi

source=Sources/Interfaces/CKin
version=$(sed -n 's/^#define KIN_VERSION "\(.*\)"/\1/p' $source/include/kin.h)
abi=$(sed -n 's/^#define KIN_ABI_VERSION \(.*\)/\1/p' $source/include/kin.h)
commit=$(git rev-parse --short=12 HEAD 2> /dev/null || echo unknown)
git diff --quiet HEAD 2> /dev/null || commit="$commit-modified"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

clang -c -O2 -fPIC -I $source/include "-DKIN_COMMIT=\"$commit\"" $source/commit.c -o "$scratch/commit.o"

clang -c -O2 -fPIC -fno-builtin $source/older_glibc.c -o "$scratch/older_glibc.o"

# An empty data table for Foundation's ICU, under the name that this Swift version uses.
swift=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
icu=$(nm "${swift}_static/linux/lib_FoundationICU.a" 2> /dev/null | sed -n 's/^[0-9a-f]* R \(icudt[0-9]*_dat\)$/\1/p')
clang -c -O2 -fPIC "-DKIN_ICU_DATA=${icu:?has another name in this Swift}" $source/no_icu_data.c -o "$scratch/no_icu_data.o"

# The objects request libblas and liblapack. If KIN_BLAS is set, linker scripts with these names redirect to it.
mkdir "$scratch/lib"
[ -z "${KIN_BLAS:-}" ] || for name in libblas liblapack; do echo "INPUT($KIN_BLAS)" > "$scratch/lib/$name.so"; done

# build NAME PRODUCT EXPORTS LIBRARIES: the shared library of a product's objects.
build() {
    swift build --configuration release --product "$2"
    objects=$(swift build --configuration release --show-bin-path)/$2.product/Objects.LinkFileList
    library=$scratch/$1.so.$abi
    # lld comes with Swift, and its libraries are smaller than those of gold. nodelete: the Swift runtime cannot be
    # unloaded. icf=all: functions with identical code are merged; nothing compares their addresses.
    # shellcheck disable=SC2086
    swiftc -use-ld=lld -emit-library -static-stdlib -L "$scratch/lib" "@$objects" "$scratch/commit.o" "$scratch/older_glibc.o" -o "$library" \
        -Xlinker --version-script="$source/$3" -Xlinker -soname="$1.so.$abi" \
        -Xlinker -O2 -Xlinker --gc-sections -Xlinker --icf=all -Xlinker --as-needed -Xlinker -z -Xlinker defs -Xlinker -z -Xlinker nodelete -Xlinker "${KIN_STRIP:--s}" $4

    # The library must export exactly the functions of the list.
    sed -n 's/^ *\(kin_[a-z_0-9]*\);$/\1/p' "$source/$3" | sort > "$scratch/listed"
    nm --dynamic --defined-only --extern-only --format=posix "$library" | cut -d ' ' -f 1 | sed 's/@.*//' | grep -v '^KIN_1$' |
        sort > "$scratch/exported"
    diff "$scratch/listed" "$scratch/exported" || { echo "$1 does not export what $3 lists" >&2; exit 1; }
}

build libkin KinABI exports.map ""
# GRDB depends on Foundation, and the compiler does not find Foundation's parts from a list of objects.
build libkin_engine KinEngineABI engine_exports.map "$scratch/no_icu_data.o -lsqlite3 -lFoundation -lCoreFoundation -lFoundationInternationalization \
    -lFoundationEssentials -l_FoundationCollections -l_FoundationICU -l_FoundationCShims -lstdc++"

mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/Kin"
prefix=$(cd "$prefix" && pwd)
fill() { sed "s|@VERSION@|$version|" "$1"; }
install -m 644 $source/include/kin.h $source/include/kin_engine.h Sources/Engine/KinEngine/METHODS.md "$prefix/include"
for name in libkin libkin_engine; do
    install -m 755 "$scratch/$name.so.$abi" "$prefix/lib/$name.so.$abi"
    ln -sf "$name.so.$abi" "$prefix/lib/$name.so"
done
fill $source/kin.pc.in > "$prefix/lib/pkgconfig/kin.pc"
sed -e 's/^Name: kin$/Name: kin_engine/' -e 's/-lkin$/-lkin_engine/' \
    -e 's/^Description: .*/Description: Kin with its store of records/' \
    "$prefix/lib/pkgconfig/kin.pc" > "$prefix/lib/pkgconfig/kin_engine.pc"
for file in KinConfig KinConfigVersion; do fill $source/$file.cmake.in > "$prefix/lib/cmake/Kin/$file.cmake"; done

# The licences of the libraries' contents: Kin, the Swift runtime, and every package whose objects are linked.
licences=$prefix/share/doc/kin/licenses
mkdir -p "$licences"
install -m 644 LICENSE "$licences/kin.txt"
install -m 644 "$(dirname "$(dirname "$swift")")/share/swift/LICENSE.txt" "$licences/swift.txt"
for module in $(sed -n 's|.*/\([A-Za-z_0-9]*\)\.build/.*|\1|p' "$objects" | sort -u); do
    for sources in .build/checkouts/*/Sources/"$module" .build/checkouts/*/"$module"; do
        [ -d "$sources" ] || continue
        package=${sources#.build/checkouts/} package=${package%%/*}
        install -m 644 .build/checkouts/"$package"/LICENSE* "$licences/$package.txt"
    done
done
echo "libkin $version ($commit) is in $prefix"
