#!/bin/sh
# Builds and installs libkin, then uses it as a C or C++ program would, from the installed files alone: the header,
# pkg-config, CMake, four compilers, and valgrind for SECONDS.
#
#   Tests/ABI/run.sh SECONDS
#
# Debian and Ubuntu: apt install cmake g++ pkg-config valgrind
set -eu

seconds=${1:?usage: Tests/ABI/run.sh SECONDS}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
strict="-Wall -Wextra -Wpedantic -Werror -O1 -g"

install() { KIN_STRIP=$2 "$root/Sources/Interfaces/CKin/install.sh" "$1" > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }; }

# The archive is made twice and must have the same bytes. It is used from a folder other than the one it was made in.
for time in first second; do
    mkdir "$scratch/$time"
    "$root/Sources/Interfaces/CKin/archive.sh" "$scratch/$time" > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
done
cmp "$scratch"/first/*.tar.gz "$scratch"/second/*.tar.gz
tar -xzf "$scratch"/first/*.tar.gz -C "$scratch"
plain=$(echo "$scratch"/kin-*)
for licence in kin swift swift-collections swift-log swift-system GRDB.swift; do
    [ -s "$plain/share/doc/kin/licenses/$licence.txt" ] || { echo "the licence of $licence is missing"; exit 1; }
done
# check LIBRARY MOST: checks that a library has at most MOST bytes, does not need Swift, and runs with glibc 2.34 and the
# libstdc++ of GCC 11.
check() {
    size=$(stat -Lc %s "$plain/lib/$1.so")
    echo "$1 has $size bytes"
    [ "$size" -le "$2" ] || { echo "that is more than $2"; exit 1; }
    for newest in GLIBC_2.34 GLIBCXX_3.4.29; do
        needed=$(objdump -T "$plain/lib/$1.so" | grep -o "${newest%%_*}_[0-9.]*" | sort -uV | tail -n 1)
        printf '%s\n' "$needed" $newest | sort -CV || { echo "$1 needs $needed; older_glibc.c keeps it at $newest"; exit 1; }
    done
    ldd "$plain/lib/$1.so" | grep -i swift && { echo "$1 needs a Swift runtime"; exit 1; } || true
}
check libkin 11200000
check libkin_engine 42000000

# From here on the names of functions are needed, for valgrind's suppressions.
prefix="$scratch/kin"
install "$prefix" -S
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
cd "$scratch"

# compile NAME COMPILER [PACKAGE]: compiles a program with one compiler, from the installed files only.
compile() {
    # POSIX threads, fork and alarm are beyond the standard of C.
    # shellcheck disable=SC2046,SC2086
    $2 -std=c11 -D_POSIX_C_SOURCE=200809L $strict "$here/$1.c" $(pkg-config --cflags --libs "${3:-kin}") -lm -pthread -o "$1-$2"
}

for compiler in gcc clang; do
    for program in example threads soak; do compile $program $compiler; done
done
for compiler in gcc clang; do
    compile engine $compiler kin_engine
    # The tool prints its help.
    "./engine-$compiler" "$scratch/engine-$compiler.db" > /dev/null
done
# It runs as a user without rights: the limit on threads does not apply to the superuser.
compile exhaustion gcc kin_engine
chmod 711 "$scratch"
mkdir -m 777 exhausted
# OpenBLAS ends a process in which it cannot start its own threads.
OPENBLAS_NUM_THREADS=1 ./exhaustion-gcc "$scratch/exhausted"
echo '#include <kin_engine.h>
int main() {
    kin_search_options search = KIN_SEARCH_OPTIONS_INIT;
    kin_kmeans_options clusters = KIN_KMEANS_OPTIONS_INIT;
    kin_file_options file = KIN_FILE_OPTIONS_INIT;
    kin_engine_options engine = KIN_ENGINE_OPTIONS_INIT;
    return search.size + clusters.size + file.size + engine.size == 0 ? 1 : kin_engine_close(nullptr);
}' > header.cpp
for compiler in g++ clang++; do
    # shellcheck disable=SC2046,SC2086
    $compiler -std=c++17 $strict header.cpp $(pkg-config --cflags --libs kin_engine) -o header && ./header
done
for program in example-*; do
    echo "$program"
    "./$program" "$scratch/example.kin" > "$program.out"
done
for program in threads-*; do "./$program"; done
python3 "$root/Tests/tutorials.py" c

cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.16)
project(consumer C)
find_package(Kin REQUIRED)
add_executable(consumer ${PROGRAMS}/example.c)
target_link_libraries(consumer Kin::kin m)
add_executable(engine_consumer ${PROGRAMS}/engine.c)
target_link_libraries(engine_consumer Kin::kin_engine m)
set_target_properties(consumer engine_consumer PROPERTIES C_STANDARD 11)
END
cmake -S . -B cmake -DCMAKE_PREFIX_PATH="$plain" -DPROGRAMS="$here" > cmake.log && cmake --build cmake > cmake.log ||
    { cat cmake.log; exit 1; }
# requires ANSWER REQUEST: find_package with a version finds the archive (true), or refuses it (false).
requires() {
    mkdir -p request
    printf 'cmake_minimum_required(VERSION 3.19)\nproject(request NONE)\nfind_package(Kin %s REQUIRED)\n' "$2" > request/CMakeLists.txt
    answer=true
    cmake -S request -B request/build -DCMAKE_PREFIX_PATH="$plain" > request.log 2>&1 || answer=false
    rm -r request
    [ $answer = "$1" ] || { cat request.log; echo "find_package(Kin $2) must be $1"; exit 1; }
}
IFS=. read -r major minor patch << END
$(pkg-config --modversion kin)
END
series=$major.$minor
requires true "$series"
requires true "$series.$patch EXACT"
requires true "$series...$((major + 1))"
requires true "$major...$series.$patch"
requires false "$series.$((patch + 1))"
requires false "$major.$((minor + 1))"
requires false "$((major + 1))"
requires false "$major.$((minor + 1))...$((major + 1))"
requires false "$major...<$series.$patch"
[ "$major" -gt 0 ] || [ "$minor" = 0 ] || requires false "$major.$((minor - 1))"
env -u LD_LIBRARY_PATH ./cmake/consumer "$scratch/example.kin" > /dev/null
env -u LD_LIBRARY_PATH ./cmake/engine_consumer "$scratch/cmake.db" > /dev/null && echo "both found by CMake, from the archive"

watch() {
    valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --errors-for-leak-kinds=definite,indirect,possible --suppressions="$here/valgrind.supp" "$@"
}
watch ./example-gcc "$scratch/example.kin" > /dev/null
watch ./soak-gcc "$seconds" "$scratch"
echo "no leak, no invalid access"
