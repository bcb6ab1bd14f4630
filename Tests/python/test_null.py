"""NULL for every pointer, and 1 for every number: a function of C names an argument that it needs, or returns nothing."""

import ctypes
import re

import pytest
from conftest import SOURCES
from kin._library import library
from kin._signatures import SIGNATURES

HEADERS = re.sub(r"//[^\n]*", "", "".join(path.read_text() for path in (SOURCES / "CKin/include").glob("kin*.h")))
NUMBERS = {ctypes.c_int32, ctypes.c_uint32, ctypes.c_size_t, ctypes.c_uint64, ctypes.c_double}


# kin_set_progress takes NULL for no handler, and the package has set its own for this thread.
NAMES = [name for name, (_, arguments) in SIGNATURES.items() if set(arguments) - NUMBERS and name != "kin_set_progress"]


@pytest.mark.parametrize("name", NAMES)
def test_null_is_refused_by_its_name(name):
    result, arguments = SIGNATURES[name]
    answer = getattr(library, name)(*(1 if kind in NUMBERS else None for kind in arguments))
    if result is not ctypes.c_int32 or answer <= 0:
        assert not answer or answer == -1
        return
    declaration = re.search(rf"\b{name}\(([^)]*)\)", HEADERS).group(1)
    message = library.kin_last_error().decode()
    assert message.removesuffix(" must not be NULL") in re.findall(r"\*(?:const )?(\w+)(?:,|$)", declaration)
