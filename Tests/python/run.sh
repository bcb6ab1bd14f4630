#!/bin/sh
# Installs the Python package as a user does, with pip, into a separate environment (.build-python). Tests the installed
# package: its functions, its pages, its types.
set -eu

cd "$(dirname "$0")/../.."
environment=.build-python
sh Tests/python/environment.sh
$environment/bin/pip install --force-reinstall --no-deps ./Sources/Interfaces/python > $environment/install.log 2>&1 ||
    { cat $environment/install.log; exit 1; }
wheel=$(grep -o 'kin_engine-.*\.whl' $environment/install.log | head -n 1)
case $wheel in
*-manylinux_2_34_*) echo "$wheel" ;;
*) echo "$wheel does not run with glibc 2.34; Sources/Interfaces/CKin/older_glibc.c says how"; exit 1 ;;
esac
# The types of the installed package, which has the modules from the build, away from those of other packages.
rm -rf $environment/types && mkdir $environment/types
cp -R $environment/lib/python*/site-packages/kin Sources/Interfaces/python/pyproject.toml $environment/types
(cd $environment/types && ../bin/mypy --cache-dir ../mypy)
# ray.sh runs the tests that need Ray.
$environment/bin/python -B -m pytest -q -p no:cacheprovider --ignore-glob='*/test_ray_*.py' Tests/python
