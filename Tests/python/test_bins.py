"""kin.bins: rows come back, and wrong headers are refused."""

import struct

import kin
import numpy as np
import pytest
from conftest import assert_raises, index_of
from kin import bins

READERS = {"<f4": bins.read_fbin, "<i4": bins.read_ibin, "u1": bins.read_u8bin, "i1": bins.read_i8bin}


def file_of(path, rows, kind):
    values = np.asarray(rows, kind)
    path.write_bytes(struct.pack("<II", *values.shape) + values.tobytes())
    return values


@pytest.mark.parametrize(("kind", "read"), READERS.items(), ids=READERS)
def test_rows_survive_a_round_trip(kind, read, tmp_path, random):
    path = tmp_path / "rows.bin"
    values = file_of(path, random.integers(0, 100, (57, 3)), kind)
    for start in (0, 1, 56, 57):
        for count in (None, 0, 1, 57 - start):
            if count is None or start + count <= 57:
                found = read(path, start, count)
                assert found.dtype == np.dtype(kind)
                np.testing.assert_array_equal(found, values[start:] if count is None else values[start : start + count])
    found = read(str(path))
    assert isinstance(found, np.memmap) and not found.flags.writeable
    index = index_of(found, make=kin.FlatIndex)
    np.testing.assert_array_equal(index.vectors(np.arange(57)), values.astype(np.float32))


def test_a_file_without_rows(tmp_path):
    (tmp_path / "empty.fbin").write_bytes(struct.pack("<II", 0, 96))
    assert bins.read_fbin(tmp_path / "empty.fbin").shape == (0, 96)


PAST = [(0, 11), (10, 1), (11, None), (11, 0), (5, 6), (1 << 63, None), (2, (1 << 64) - 1)]
INVALID = [(-1, None), (0, -1), (0.5, None), ("0", None), (1 << 64, None)]


@pytest.mark.parametrize("start, count", [*PAST, *INVALID])
def test_rows_that_are_not_there_are_refused(start, count, tmp_path):
    file_of(tmp_path / "rows", np.ones((10, 2)), "<f4")
    words = "whole number" if (start, count) in INVALID else r"has 10 rows; start \+ count must be at most that"
    assert_raises(kin.InvalidArgument, words, bins.read_fbin, tmp_path / "rows", start, count)


@pytest.mark.parametrize(("kind", "read"), READERS.items(), ids=READERS)
def test_every_other_length_is_refused(kind, read, tmp_path):
    path = tmp_path / "rows.bin"
    file_of(path, np.ones((5, 4)), kind)
    whole = path.read_bytes()
    for length in [*range(len(whole)), len(whole) + 1, 2 * len(whole)]:
        path.write_bytes((whole + whole)[:length])
        assert_raises(kin.CorruptFile, f"has {length:,} bytes", read, path)


HUGE = (1 << 32) - 1


@pytest.mark.parametrize(("rows", "dimension"), [
    (HUGE, HUGE), (HUGE, 1), (1, HUGE), (1 << 31, 1 << 31), (1 << 30, 1 << 30), (1 << 16, 1 << 16), (4, 0), (HUGE, 0), (0, 0),
    # Products that are the length of the file when they are computed with 32 or 64 bits.
    ((1 << 31) + 5, 2), ((1 << 30) + 2, 4), (0x40000002, 5),
])
def test_headers_that_announce_what_is_not_there_are_refused(rows, dimension, tmp_path):
    for read in READERS.values():
        (tmp_path / "rows").write_bytes(struct.pack("<II", rows, dimension) + bytes(40))
        assert_raises(kin.CorruptFile, "get the file again", read, tmp_path / "rows")


def test_files_that_cannot_be_read_are_named(tmp_path):
    assert_raises(kin.InputOutput, "missing.fbin: there is no such file", bins.read_fbin, tmp_path / "missing.fbin")
    assert_raises(kin.InputOutput, str(tmp_path), bins.read_fbin, tmp_path)
