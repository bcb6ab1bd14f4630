#!/bin/sh
# Tests kin.ray on clusters of this machine, in the environment that run.sh has made; installs Ray there when it is not.
# Where Ray has no wheel for this Python they are skipped, and the last line says so.
set -eu

cd "$(dirname "$0")/../.."
environment=.build-python
[ -x $environment/bin/python ] && $environment/bin/python -c 'import kin.index' 2> /dev/null || sh Tests/python/run.sh
if ! $environment/bin/pip install -q --only-binary ray -r Tests/python/requirements-ray.txt > $environment/ray.log 2>&1; then
    cat $environment/ray.log
    grep -q 'No matching distribution found for ray' $environment/ray.log || exit 1
    echo "skipped: Ray has no wheel for $($environment/bin/python --version)"
    exit 0
fi
$environment/bin/python -B -m pytest -q -p no:cacheprovider -W ignore Tests/python/test_ray_*.py
