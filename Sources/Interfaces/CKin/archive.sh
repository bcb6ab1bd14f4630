#!/bin/sh
# Packs the files that install.sh installs into an archive for C and C++ programs: headers, libkin, libkin_engine, files
# for pkg-config and CMake, and all licences. The archive works from any folder that it is unpacked into.
#
#   Sources/Interfaces/CKin/archive.sh FOLDER
#
# Two builds of one commit in the same folder give the same bytes: entries are sorted, have owner and group 0, and have
# the time of the commit (SOURCE_DATE_EPOCH, if it is set).
set -eu

folder=$(cd "${1:?usage: Sources/Interfaces/CKin/archive.sh FOLDER}" && pwd)
cd "$(dirname "$0")/../../.."
version=$(sed -n 's/^#define KIN_VERSION "\(.*\)"/\1/p' Sources/Interfaces/CKin/include/kin.h)
name=kin-$version-linux-$(uname -m)
made=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || echo 0)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

Sources/Interfaces/CKin/install.sh "$scratch/$name"
tar --sort=name --mtime="@$made" --owner=0 --group=0 --numeric-owner --mode=go-w -C "$scratch" -cf "$scratch/$name.tar" "$name"
gzip --best --no-name < "$scratch/$name.tar" > "$folder/$name.tar.gz"
echo "$folder/$name.tar.gz has $(stat -c %s "$folder/$name.tar.gz") bytes"
