#!/bin/sh
# Creates or updates .build-python, the environment of the Python tests; with `ray`, including the dependencies of Ray's
# tests. If Ray has no wheel for this Python, it is left out.
set -eu

cd "$(dirname "$0")/../.."
environment=.build-python
[ -x $environment/bin/python ] || python3 -m venv $environment
$environment/bin/pip install -q -r Tests/python/requirements.txt
[ "${1:-}" = ray ] || exit 0
if ! $environment/bin/pip install -q --only-binary ray -r Tests/python/requirements-ray.txt > $environment/ray.log 2>&1; then
    cat $environment/ray.log
    grep -q 'No matching distribution found for ray' $environment/ray.log
fi
