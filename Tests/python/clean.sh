#!/bin/sh
# Installs a wheel in a bare Debian without Swift, BLAS or a compiler, and runs the package's tests there. Prints the
# time from nothing to the first answer.
#
#   Tests/python/clean.sh [WHEEL [SUITE]]     as root; builds the wheel if none is named; default SUITE: bookworm
#
# Debian and Ubuntu: apt install debootstrap
set -eu

suite=${2:-bookworm}
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
if [ $# -gt 0 ]; then
    cp "$1" "$root"
else
    python3 -m venv "$root/builder"
    "$root/builder/bin/pip" wheel -q --no-deps -w "$root" "$here/../../Sources/Interfaces/python"
fi
wheel=$(cd "$root" && ls kin_engine-*.whl)
ls -l "$root/$wheel"
debootstrap --variant=minbase --include=python3-venv,ca-certificates "$suite" "$root/debian" > "$root/log" || { tail "$root/log"; exit 1; }
cp "$root/$wheel" "$root/debian"
mkdir -p "$root/debian/kin/Tests"
cp -r "$here" "$root/debian/kin/Tests/python"
cp -r "$here/../../Sources" "$here/../../datasets" "$here/../../.ci" "$here/../../.github" "$root/debian/kin"

# Behind a proxy this machine trusts an additional certificate authority.
cp /etc/ssl/certs/ca-certificates.crt "$root/debian/etc/ssl/certs/"
# The tool's demo reads the path of its program from /proc, and tests of the tool start it in a terminal.
inside() {
    unshare --mount sh -c 'mount --bind /proc "$0/proc" && mount --bind /dev/pts "$0/dev/pts" && exec chroot "$0" "$@"' "$root/debian" \
        env -i PATH=/usr/sbin:/usr/bin HOME=/root PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

cat > "$root/debian/first.sh" << 'END'
set -eu
python3 -m venv /venv
/venv/bin/pip install -q /kin_engine-*.whl
/venv/bin/python -c 'import kin, numpy as np; x = np.random.rand(1000, 16).astype("f"); i = kin.FlatIndex(16); i.add(x); print(i.search(x[0], k=3)[1])'
END
began=$(date +%s)
inside sh /first.sh
echo "from nothing to the first answer in $(($(date +%s) - began)) s"
inside /venv/bin/kin --version
inside /venv/bin/python -m kin demo --count 20000 --output /demo > "$root/log" || { cat "$root/log"; exit 1; }
inside /venv/bin/pip install -q pytest
inside /venv/bin/python -B -m pytest -q -p no:cacheprovider \
    --ignore-glob='*/test_ray_*.py' /kin/Tests/python
