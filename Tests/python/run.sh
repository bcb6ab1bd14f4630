#!/bin/sh
# Installs the Python package as a user does, with pip, into a separate environment (.build-python). Tests the installed
# package: its functions, its pages, its types.
set -eu

cd "$(dirname "$0")/../.."
environment=.build-python
sh Tests/python/environment.sh
$environment/bin/pip install --force-reinstall --no-deps ./Sources/Interfaces/python > $environment/install.log 2>&1 ||
    { cat $environment/install.log; exit 1; }
grep -o 'kin_engine-.*\.whl' $environment/install.log | head -n 1
# The types of the installed package, which has the modules from the build, away from those of other packages.
rm -rf $environment/types && mkdir $environment/types
cp -R $environment/lib/python*/site-packages/kin Sources/Interfaces/python/pyproject.toml $environment/types
(cd $environment/types && ../bin/mypy --cache-dir ../mypy)
# ray.sh runs the tests that need Ray.
$environment/bin/python -B -m pytest -q -p no:cacheprovider --ignore-glob='*/test_ray_*.py' Tests/python
