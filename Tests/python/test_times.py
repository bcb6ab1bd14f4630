"""Time zones of columns, times without a zone, and missing values, in records and in tables."""

import datetime
import decimal
import importlib.util
import json
import re
import zoneinfo
from pathlib import Path

import kin
import numpy as np
import pytest
from conftest import assert_raises, run_python, session

from kin import _arrow_reader, _json

arrow = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas", minversion="3")
polars = pytest.importorskip("polars")

FIRST = datetime.datetime(2026, 3, 1)
# Day, hour and length of a baby's sleeps, around a clock change in New York.
NAPS = [(day, hour, hours) for day in range(14) for hour, hours in ((9, 1), (12, 1), (15, 1), (20, 10))]
ZONES = ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns", "UTC"]


def naps(zone=None):
    clock = None if zone is None else zoneinfo.ZoneInfo(zone)
    start = [FIRST + datetime.timedelta(days=day, hours=hour) for day, hour, _ in NAPS]
    end = [begun + datetime.timedelta(hours=hours) for begun, (_, _, hours) in zip(start, NAPS)]
    return {"type": ["sleep"] * len(NAPS), "start": [at.replace(tzinfo=clock) for at in start], "end": [at.replace(tzinfo=clock) for at in end]}


def rows(columns):
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def in_arrow(columns, unit, zone):
    return arrow.table({name: arrow.array(values, arrow.timestamp(unit, zone)) if name != "type" else values for name, values in columns.items()})


TABLES = {
    "arrow": lambda columns, zone: in_arrow(columns, "us", zone),
    "arrow in seconds": lambda columns, zone: in_arrow(columns, "s", zone),
    "arrow in nanoseconds": lambda columns, zone: in_arrow(columns, "ns", zone),
    "pandas": lambda columns, zone: in_arrow(columns, "ns", zone).to_pandas(),
    "polars": lambda columns, zone: polars.from_arrow(in_arrow(columns, "us", zone)),
}


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("table", TABLES)
def test_the_zone_of_a_column_is_used(table, zone, engine):
    frame = TABLES[table](naps(zone), zone)
    texts = [{name: value if name == "type" else value.isoformat() for name, value in row.items()} for row in rows(naps(zone))]
    now = "2026-03-14T10:30"
    expected = kin.forecast(texts, now, zone=zone)
    assert expected["point"][:13] == "2026-03-14T12" or zone == "UTC"
    # Times in UTC may be of a baby that lives elsewhere.
    assumed = {"note": kin.forecast(texts, now)["note"]} if zone == "UTC" else {}
    assert kin.forecast(frame, now) == expected | assumed
    assert kin.forecast(frame, now, zone=zone) == expected
    clock = zoneinfo.ZoneInfo(zone)
    for moment in (datetime.datetime(2026, 3, 14, 10, 30), datetime.datetime(2026, 3, 14, 10, 30, tzinfo=clock)):
        assert kin.forecast(frame, moment) == expected | assumed
    assert kin.backtest(frame, at=[datetime.datetime(2026, 3, 14, 10, 30)]) == kin.backtest(texts, at=[now], zone=zone)
    log = kin.read_log(frame)
    assert log["events"][0]["start"] == texts[0]["start"].replace("+00:00", "Z")
    assert log.get("time_zone") == (zone if zone != "UTC" else None)
    assert engine.forecast(log=frame, now=now) == expected | assumed
    assert engine.days(log=frame, count=3) == engine.days(log=texts, count=3, zone=zone)
    first, second = kin.Baby(engine, "u", "b1", zone=zone), kin.Baby(engine, "u", "b2")
    for baby in (first, second):
        baby.put(with_ids(frame, [str(number) for number in range(len(NAPS))]), name="A")
        assert baby.forecast(now) == (expected if baby is first else expected | assumed)


def with_ids(frame, ids):
    if isinstance(frame, arrow.Table):
        return frame.append_column("id", [ids])
    return frame.assign(id=ids) if isinstance(frame, pandas.DataFrame) else frame.with_columns(polars.Series("id", ids))


def test_texts_of_instants(random):
    """Offsets of every zone and time equal zoneinfo's, to the minute."""
    seconds = np.concatenate([random.integers(-1_500_000_000, 4_000_000_000, 300), 1_793_491_200 + np.arange(0, 86_400, 600)])
    for zone in (*ZONES, "+05:30", "-03:00", "Africa/Monrovia"):
        clock = _zone(zone)
        expected = [datetime.datetime.fromtimestamp(second, clock) for second in seconds.tolist()]
        for unit, power in (("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9)):
            column = arrow.array([*(seconds * power).tolist(), None], arrow.timestamp(unit, zone))
            found = [row.get("at") for row in _arrow_reader.records(arrow.table({"at": column}))]
            assert found.pop() is None
            for text, instant in zip(found, expected):
                assert datetime.datetime.fromisoformat(text).timestamp() == instant.timestamp()
                assert abs(datetime.datetime.fromisoformat(text).utcoffset() - instant.utcoffset()) < datetime.timedelta(minutes=1)
    far = arrow.array([2**40], arrow.timestamp("s", "Europe/Berlin"))
    assert _arrow_reader.records(arrow.table({"at": far}))[0]["at"].endswith("Z")


def _zone(zone):
    if zone[0] not in "+-":
        return zoneinfo.ZoneInfo(zone)
    return datetime.datetime.fromisoformat(f"2026-01-01T00:00:00{zone}").tzinfo


@pytest.mark.parametrize("zone", ["+05:75", "-00:60", "+24:00", "-99:99", "+99:00"])
def test_an_impossible_offset_is_an_error(zone):
    at = datetime.datetime(2026, 3, 5, 8)
    assert_raises(kin.InvalidArgument, re.escape(zone), _arrow_reader.records, arrow.table({"at": arrow.array([at], arrow.timestamp("us", zone))}))
    for edge in ("+23:59", "-23:59", "+05:45"):
        texts = _arrow_reader.records(arrow.table({"at": arrow.array([at], arrow.timestamp("us", edge))}))
        assert texts[0]["at"].endswith(edge)


def test_an_unknown_zone_leaves_instants_in_utc():
    table = arrow.table({"at": arrow.array([0], arrow.timestamp("s", "Mars/Olympus"))})
    assert _arrow_reader.records(table) == [{"at": "1970-01-01T00:00:00Z"}]


NOON = datetime.datetime(2026, 3, 5, 12)
VALUES = [
    (NOON, "2026-03-05T12:00:00"),
    (NOON.date(), "2026-03-05"),
    (NOON.replace(tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")), "2026-03-05T12:00:00+01:00"),
    (pandas.Timestamp(NOON), "2026-03-05T12:00:00"),
    (pandas.Timestamp(NOON, tz="Asia/Kolkata"), "2026-03-05T12:00:00+05:30"),
    (np.datetime64(NOON), "2026-03-05T12:00:00.000000"),
    (np.datetime64(NOON, "ns"), "2026-03-05T12:00:00.000000"),
    (np.datetime64("2026-03-05"), "2026-03-05"),
    (np.array([NOON, "NaT"], "M8[s]"), ["2026-03-05T12:00:00", None]),
    ([pandas.NaT, pandas.NA, np.datetime64("NaT"), None], [None] * 4),
    (np.array([1.5, 2]), [1.5, 2]),
    ({"a": {"b": pandas.NaT, "c": pandas.NA, "d": None, "e": 1}}, {"a": {"d": None, "e": 1}}),
    (iter([{"x": pandas.NA}, {"x": 1}]), [{}, {"x": 1}]),
    ((number for number in (1, pandas.NA)), [1, None]),
    (polars.DataFrame({"x": [1.5, float("nan"), None]}), [{"x": 1.5}, {}, {}]),
    (pandas.DataFrame({"x": [1.5, float("nan")], "y": [pandas.NaT, NOON]}), [{"x": 1.5}, {"y": "2026-03-05T12:00:00.000000"}]),
    (Path("a/b"), "a/b"),
    (np.int8(3), 3),
]


@pytest.mark.parametrize(("value", "expected"), VALUES, ids=[type(value).__name__ + str(number) for number, (value, _) in enumerate(VALUES)])
def test_values_as_json(value, expected):
    assert json.loads(_json.encode({"p": value}, "a parameter")) == {"p": expected}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([{"s": {"x": float("inf")}}], r"p\[0\]\.s\.x must be a finite number, not inf"),
        ([1, np.float32("-inf")], r"p\[1\] must be a finite number, not -inf"),
        ({"a": [0, {"b": 1 + 2j}]}, r"p\.a\[1\]\.b: .*complex"),
        ({"a": {"b": b"bytes"}}, r"p\.a\.b: .*bytes"),
        (float("nan"), "p must be a finite number, not nan"),
        ([{"s": {"x": 1}}, {"s": {"x": float("nan")}}], r"p\[1\]\.s\.x must be a finite number, not nan"),
        ({"a": np.float32("nan")}, r"p\.a must be a finite number, not nan"),
        (np.array([1.5, np.nan]), r"p\[1\] must be a finite number, not nan"),
        (iter([{"x": decimal.Decimal("nan")}]), r"p\[0\]\.x must be a finite number, not NaN"),
        (pandas.NaT, "p is NaT; give it"),
        (polars.DataFrame({"x": [1.0, float("inf")]}), r"p\[1\]\.x must be a finite number, not inf"),
    ],
)
def test_values_that_are_not_json_are_refused_by_name(value, text):
    assert_raises(kin.InvalidArgument, text, _json.encode, {"p": value}, "a parameter")


MISSING = {"NaT": pandas.NaT, "NA": pandas.NA, "NumPy NaT": np.datetime64("NaT"), "None": None}


@pytest.mark.parametrize("missing", MISSING)
def test_missing_fields_of_records(missing, engine):
    value = MISSING[missing]
    for field in ("notes", "timestamp_end", "embedding_id", "media_urls", "transcript_url"):
        engine.put([{"session": session(1)}])
        expected = engine.sessions("u1")
        engine.put([{"session": session(1) | {field: value}}])
        assert engine.sessions("u1")[0]["session"].keys() == expected[0]["session"].keys()
    for field in ("id", "user_id", "state", "timestamp_start", "pleasure_vector"):
        with pytest.raises(kin.MalformedInput, match=rf"records\[1\]\.session\.{field}"):
            engine.put([{"session": session(1)}, {"session": session(2) | {field: value}}])
    event = {"id": "e1", "type": "sleep", "start": NOON, "end": value, "nap_number": value, "notes": value}
    baby = kin.Baby(engine, "u1", "b1")
    assert baby.put([event], name="A", born=datetime.date(2026, 1, 1)) == {"baby": 1, "care_event": 1}
    assert baby.sleep_state(NOON + datetime.timedelta(minutes=5))["is_asleep"] is True
    with pytest.raises(kin.MalformedInput, match=r"events\[0\].*, event e1: .*(start|string)"):
        baby.put([event | {"start": value}])


@pytest.mark.parametrize("nan", [float("nan"), np.float32("nan"), np.float64("nan")], ids=lambda nan: type(nan).__name__)
def test_nan_in_records_and_arguments_is_an_error(nan, engine):
    for soul, field in (({"valence": nan}, "valence"), ({"goals": {"sleep": nan, "anxiety": 1}}, "goals.sleep")):
        with pytest.raises(kin.InvalidArgument, match=rf"^records\[0\]\.{re.escape(field)} must be a finite number, not nan$"):
            engine.put([{"uid": "a"} | soul])
    engine.put([{"session": session(1)}])
    with pytest.raises(kin.InvalidArgument, match=r"^point\.food must be a finite number, not nan$"):
        engine.near(point={"food": nan, "path": 0.5})


@pytest.mark.parametrize("lend", [pandas.DataFrame, polars.DataFrame, lambda columns: arrow.table(columns)])
def test_missing_fields_of_tables(lend, engine):
    nan = float("nan")
    assert engine.put(lend({"uid": ["a", "b"], "valence": [0.5, nan], "note": [None, "x"]})) == {"soul": 2}
    assert "valence" not in [line["soul"] for line in engine.export() if line.get("soul", {}).get("uid") == "b"][0]
    with pytest.raises(kin.InvalidArgument, match=r"records\[1\]\.uid.* has no user"):
        engine.put(lend({"uid": ["a", None], "valence": [0.5, 0.1]}))
    with pytest.raises(kin.InvalidArgument, match=r"records\[1\]\.valence must be a finite number"):
        engine.put(lend({"uid": ["a", "b"], "valence": [0.5, float("inf")]}))
    with pytest.raises(kin.MalformedInput, match=r"records\[0\]\.uid"):
        engine.put(lend({"uid": [1, 2], "valence": [0.5, 0.1]}))
    with pytest.raises(kin.MalformedInput, match=r"records\[0\]\.valence, soul a"):
        engine.put(lend({"uid": ["a"], "valence": ["0,5"]}))


def test_row_numbers_of_tables_are_not_fields(engine):
    souls = pandas.DataFrame({"uid": ["a", "b"], "valence": [0.5, 0.1]})
    for name in ("index", "", "Unnamed: 0", "Unnamed: 0.1", "Unnamed: 3", "row"):
        assert engine.put(souls.reset_index().rename(columns={"index": name})) == {"soul": 2}
    assert engine.put(polars.from_pandas(souls).with_row_index()) == {"soul": 2}
    assert engine.put(souls.set_index("uid")) == engine.put(souls.rename_axis("row")) == {"soul": 2}
    for name, numbers in (("index", [1, 2]), ("", [7, 3]), ("Unnamed: 0", [1, 2])):
        assert engine.put(souls.assign(**{name: numbers})) == {"soul": 2}
    for numbers in ([2, 3], [0, 2], [0.0, 1.0], ["0", "1"]):
        assert_raises(kin.MalformedInput, 'no field "index"', engine.put, souls.assign(index=numbers))


def test_tables_accept_words_of_trackers(engine):
    frame = pandas.DataFrame({
        "type": ["nap", "Bottle Feed", "Pee"], "start": [NOON, NOON + datetime.timedelta(hours=2), NOON + datetime.timedelta(hours=3)],
        "end": [NOON + datetime.timedelta(hours=1), pandas.NaT, pandas.NaT], "amount": [np.nan, 120, np.nan],
    })  # fmt: skip
    later = NOON + datetime.timedelta(hours=4)
    born = datetime.date(2026, 1, 1)
    log = kin.read_log(frame, born=born)
    assert [event["type"] for event in log["events"]] == ["sleep", "feed", "diaper"] and log["date_of_birth"] == "2026-01-01"
    expected = kin.forecast(log, later, kind="feed")
    assert engine.forecast(log=frame, now=later, kind="feed", born=born) == kin.forecast(frame, later, kind="feed", born=born) == expected
    with pytest.raises(kin.MalformedInput, match="nap.*sleep, feed, diaper"):
        engine.put([{"care_event": {"user_id": "u", "baby": "b", "event": {"id": "1", "type": "nap", "start": NOON}}}])


TYPES = """
import datetime, pandas, kin
log = pandas.DataFrame({"type": ["sleep"], "start": [datetime.datetime(2026, 3, 5, 9)], "end": [datetime.datetime(2026, 3, 5, 10)]})
now, born = datetime.datetime(2026, 3, 5, 12), datetime.date(2026, 1, 1)
kin.forecast(log, now, born=born)
kin.backtest([{"type": "feed", "start": now}], at=[now, "2026-03-05T13:00"], born=born)
kin.forecast("log.csv", born)
engine = kin.Engine()
engine.forecast(log=log, now=now, born=born)
engine.rhythm(log="log.csv")
engine.profile("u1", at=now)
engine.timeline("u1", at=born)
kin.Baby(engine, "u", "b").put(log, born=born)
kin.Baby(engine, "u", "b").forecast(now)
engine.put(log)
kin.FlatIndex(1).search([1.0], filter=[True, False])
kin.Filter(log["type"] == "sleep")
"""


def test_types_accept_what_the_code_accepts(tmp_path):
    if not importlib.util.find_spec("mypy"):
        pytest.skip("mypy is not installed")
    program = tmp_path / "program.py"
    program.write_text(TYPES)
    code = "import sys; from mypy import api; out, err, status = api.run(sys.argv[1:]); sys.exit(out + err if status else 0)"
    options = ["--strict", "--ignore-missing-imports", "--follow-imports=silent", f"--cache-dir={tmp_path}/cache"]
    # mypy finds an installed package by itself, and refuses its folder here.
    folder = Path(kin.__file__).parents[1]
    run_python(code, *options, str(program), **({} if folder.name == "site-packages" else {"MYPYPATH": str(folder)}))
