"""The wheel holds libraries for one kind of machine, and an extension module for every version of Python from 3.11.

Free-threaded Python has no such module before 3.15; its wheel uses only ctypes.
"""

import sysconfig

import numpy
from setuptools import Distribution, Extension, setup
from wheel.bdist_wheel import bdist_wheel

IS_FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

CALLS = Extension(
    "kin._calls",
    ["calls.c"],
    depends=["turns.h"],
    # The folder of kin.h, where build_kin installs it.
    include_dirs=["prefix/include", numpy.get_include()],
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    extra_compile_args=["-std=gnu11", "-g0"],
    py_limited_api=True,
)


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        platform = super().get_tag()[2]
        return ("py3", "none", platform) if IS_FREE_THREADED else ("cp311", "abi3", platform)


setup(
    distclass=PlatformDistribution,
    cmdclass={"bdist_wheel": PlatformWheel},
    ext_modules=[] if IS_FREE_THREADED else [CALLS],
)
