"""kin/_signatures.py says what the headers say."""

import ctypes
import re

from conftest import SOURCES
from kin import _signatures as signatures

HEADER = re.sub(
    r"//[^\n]*", "", "".join((SOURCES / "CKin/include" / name).read_text() for name in ["kin.h", "kin_engine.h"])
)
NUMBERS = {
    "kin_status": ctypes.c_int32,
    "kin_metric": ctypes.c_int32,
    "kin_index_type": ctypes.c_int32,
    "kin_attribute_kind": ctypes.c_int32,
    "kin_policy_kind": ctypes.c_int32,
    "kin_estimator": ctypes.c_int32,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "double": ctypes.c_double,
    "void": None,
}
STRUCTURES = {
    "kin_search_options": signatures.SearchOptions,
    "kin_kmeans_options": signatures.KMeansOptions,
    "kin_policy_options": signatures.PolicyOptions,
}


def kinds(declared):
    """The ctypes that stand for a C type, in the places where it may be."""
    declared = declared.replace("const ", "").strip()
    if declared == "char *":
        return {ctypes.c_char_p, ctypes.c_void_p}
    if declared.endswith("*"):
        structure = STRUCTURES.get(declared.removesuffix("*").strip())
        return {ctypes.POINTER(structure)} if structure else {ctypes.c_void_p}
    return {NUMBERS[declared]}


def declared_functions():
    for result, name, arguments in re.findall(r"^((?:const )?\w+ \*?)(kin_\w+)\(([^)]*)\)(?:\s+KIN_DEPRECATED\(\"[^\"]*\"\))?;", HEADER, re.MULTILINE):
        arguments = [] if arguments == "void" else [re.sub(r"\w+$", "", a.strip()) for a in arguments.split(",")]
        yield name, result, arguments


def test_every_function_is_there_as_declared():
    found = {name: (result, arguments) for name, result, arguments in declared_functions()}
    assert found.keys() == signatures.SIGNATURES.keys()
    assert len(found) > 50
    for name, (result, arguments) in signatures.SIGNATURES.items():
        assert result in kinds(found[name][0]), name
        assert len(arguments) == len(found[name][1]), name
        for given, declared in zip(arguments, found[name][1]):
            assert given in kinds(declared), (name, declared)


def test_structures_have_the_fields_of_the_header():
    for name, structure in STRUCTURES.items():
        body = re.search(rf"typedef struct {name} \{{(.*?)\}}", HEADER, re.DOTALL).group(1)
        declared = re.findall(r"((?:const )?\w+ \*?)(\w+);", body)
        assert [field for _, field in declared] == [field for field, _ in structure._fields_]
        for (kind, field), (_, given) in zip(declared, structure._fields_):
            assert given in kinds(kind), (name, field)


def test_constants_are_those_of_the_header():
    assert f"#define KIN_ABI_VERSION {signatures.ABI_VERSION}\n" in HEADER
    for number, name in enumerate(signatures.METRICS):
        assert re.search(rf"KIN_METRIC_{name.upper()} = {number},", HEADER)
    for number, name in enumerate(signatures.ATTRIBUTE_KINDS):
        assert re.search(rf"KIN_ATTRIBUTE_{name.upper().replace('-', '_')} = {number},", HEADER)
    for number, name in enumerate(signatures.KINDS):
        assert re.search(rf"KIN_INDEX_{name.upper()} = {number},", HEADER)
    for number, name in enumerate(signatures.POLICY_KINDS):
        assert re.search(rf"KIN_POLICY_{name.upper().replace('-', '_')} = {number},", HEADER)
    for number, name in enumerate(signatures.ESTIMATORS):
        assert re.search(rf"KIN_ESTIMATOR_{name.upper()} = {number},", HEADER)


def test_every_status_has_an_exception():
    import kin

    codes = dict(re.findall(r"(KIN_[A-Z_]+) = (\d+),", re.search(r"enum \{\s*KIN_OK.*?\}", HEADER, re.DOTALL).group(0)))
    classes = {kind.code: kind for kind in kin.KinError.__subclasses__()}
    assert {int(number) for number in codes.values()} - {0} == classes.keys()
    for constant, number in codes.items():
        if number != "0":
            # KIN_UNKNOWN_ID is UnknownID.
            assert constant.replace("KIN_", "").replace("_", "").lower() == classes[int(number)].__name__.lower()


def test_versions_agree():
    import kin

    assert f'#define KIN_VERSION "{kin.__version__}"' in HEADER
    assert f'version = "{kin.__version__}"' in (SOURCES / "python/pyproject.toml").read_text()
    assert kin.build_info()["version"] == kin.__version__
