#!/bin/sh
# Makes the environment of the tests of Python, .build-python, or brings it up to date; with `ray`, what Ray's tests need as well.
# Where Ray has no wheel for this Python, that is left out.
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
