"""Backups of a store, and files that are preserved or no longer needed."""

import textwrap

import kin
import numpy as np
import pytest
from conftest import assert_raises, index_of, run_python, session, store_of


def counts(path, **options):
    with kin.Engine(path, **options) as engine:
        report = engine.check()
        assert report["is_intact"], report["problems"]
        return report["records"]["session"]


def test_a_backup_opens_alone_and_is_restored(tmp_path):
    path, backup = tmp_path / "people.db", tmp_path / "backup.db"
    with store_of(path) as engine:
        assert engine.backup(backup)["change"] > 0
        assert counts(backup, read_only=True) == 60
        assert_raises(kin.InvalidArgument, "there is a backup already", engine.backup, backup)
        engine.backup(backup, overwrite=True)
        engine.put([{"session": session(99, "later")}])
        assert_raises(kin.Busy, None, kin.restore, backup, path)
    kin.restore(backup, path)
    assert counts(path) == 60


@pytest.mark.parametrize("kind", [kin.FlatIndex, kin.IVFIndex])
def test_saving_does_not_overwrite_files_of_other_kinds(tmp_path, kind):
    """test_index_build.py has the same for builds."""
    index = index_of(np.array([[0, 1], [1, 2]]), make=kind)
    csv = tmp_path / "v.csv"
    csv.write_text("id,x,y\n1,2,3\n")
    assert_raises(kin.InvalidArgument, "would be lost", index.save, csv)
    assert csv.read_text() == "id,x,y\n1,2,3\n"
    index.save(csv, overwrite=True)
    kin.FlatIndex(2).save(csv)
    assert len(kin.open(csv)) == 0
    store_of(tmp_path / "people.db").close()
    assert_raises(kin.InvalidArgument, "a store", index.save, tmp_path / "people.db", overwrite=True)
    assert counts(tmp_path / "people.db") == 60


@pytest.mark.parametrize("kind", ["FlatIndex", "IVFIndex"])
def test_an_index_without_mapping_outlives_its_file(tmp_path, kind):
    """A deploy with cp writes into the file; if it were mapped, the process would end with SIGBUS."""
    program = textwrap.dedent(f"""
        import os, sys, kin, numpy as np
        folder = sys.argv[1]
        x = np.random.default_rng(0).random((50000, 16)).astype("f4")
        index = kin.{kind}(16)
        index.add(x)
        index.save(folder + "/a.kin")
        index = kin.open(folder + "/a.kin", mapped=False)
        expected = index.search(x[40000:40010], k=3)
        os.truncate(folder + "/a.kin", 100)
        os.system(f"cp /dev/null {{folder}}/a.kin")
        found = index.search(x[40000:40010], k=3)
        assert (found[0] == expected[0]).all() and (found[1] == expected[1]).all()
        assert kin.open
    """)
    run_python(program, tmp_path)
