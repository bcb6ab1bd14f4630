#!/bin/sh
# Tests kin.ray on clusters of this machine, in the environment of run.sh; installs Ray there if needed. If Ray has no
# wheel for this Python, the tests are skipped, and the last line says so.
set -eu

cd "$(dirname "$0")/../.."
environment=.build-python
[ -x $environment/bin/python ] && $environment/bin/python -c 'import kin.index' 2> /dev/null || sh Tests/python/run.sh
sh Tests/python/environment.sh ray
if ! $environment/bin/pip show -q ray 2> /dev/null; then
    echo "skipped: Ray has no wheel for $($environment/bin/python --version)"
    exit 0
fi
$environment/bin/python -B -m pytest -q -p no:cacheprovider -W ignore Tests/python/test_ray_*.py
