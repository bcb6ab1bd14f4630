"""Forecasts of a baby's day."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, time, timedelta

import pytest
from conftest import assert_raises, at, baby_log

import kin


def test_a_baby_stores_the_log_of_a_tracker(engine, tmp_path):
    rows = [
        "RecordCategory,RecordSubCategory,StartDate,FinishDate,Details", "Feeding,Left Breast,2026-01-01 10:00:00,2026-01-01 10:30:00,",
        "Feeding,Right Breast,2026-01-01 10:00:00,2026-01-01 10:10:00,", "Diaper,Wet,2026-01-01 11:00:00,,", "Diaper,Wet,2026-01-01 11:00:00,,", "Sleep,,2026-01-01 12:00:00,2026-01-01 13:00:00,",
    ]
    path, baby = tmp_path / "tracker.csv", kin.Baby(engine, "u1", "b1")
    for count in (5, 6, 6):
        path.write_text("\n".join(rows[:count]) + "\n")
        read = kin.read_log(path, born="2025-12-01", zone="Europe/Rome")
        assert baby.put(read) == {"baby": 1, "care_event": count - 1}
        assert baby.days() == engine.days(log=read)
        assert len(engine.export()) == count
    with pytest.raises(kin.InvalidArgument, match="kin.Baby"):
        engine.put(read)


def test_a_baby_stores_its_log(engine):
    events = [{"id": f"e{number}", **event} for number, event in enumerate(baby_log(14))]
    now = at(13 * 1440 + 11 * 60)
    baby = kin.Baby(engine, "u1", "b1")
    assert baby.put(events[:-9], name="Ada", born="2025-12-01") == {"baby": 1, "care_event": len(events) - 9}
    first = baby.forecast(at(14 * 1440))
    baby.put(events[-9:])
    whole = {"name": "Ada", "date_of_birth": "2025-12-01", "events": events}
    assert first != baby.forecast(at(14 * 1440)) == kin.forecast(whole, at(14 * 1440))
    assert baby.forecast(at(14 * 1440), "feed", coverage=0.5) == kin.forecast(whole, at(14 * 1440), "feed", coverage=0.5)
    assert baby.backtest(at=[now]) == kin.backtest(whole, at=[now])
    assert baby.days(3) == engine.days(log=whole, count=3)
    assert baby.remove("e3") and not baby.remove("e3")
    with ThreadPoolExecutor(2) as pool:  # neither change undoes the other
        list(pool.map(lambda change: baby.put(**change), [{"born": "2025-12-02"}, {"name": "Ada Lee"}] * 20))
    assert engine.babies("u1") == [{"user_id": "u1", "id": "b1", "name": "Ada Lee", "date_of_birth": "2025-12-02", "owners": ["u1"]}]
    assert baby.share_baby("u2") == {"owners": ["u1", "u2"]}
    other = kin.Baby(engine, "u2", "b1")
    assert other.days(3) == baby.days(3) and engine.babies("u2")[0]["owners"] == ["u1", "u2"]
    assert other.remove("e4") and not baby.remove("e4")
    assert other.unshare_baby("u1") == {"owners": ["u2"]}
    assert_raises(kin.KinError, "the store has no baby b1 of u1", baby.days, 3)
    assert len(other.days(3)) == 3


def test_a_log_in_utc_is_shown_in_its_zone(engine):
    utc = [{"id": f"e{number}", **{name: value if name == "type" else f"{value}Z" for name, value in event.items()}} for number, event in enumerate(baby_log(14))]
    now = at(13 * 1440 + 16 * 60)
    baby = kin.Baby(engine, "u1", "b1", zone="Europe/Berlin")
    baby.put(utc)
    assert baby.forecast(now) == kin.forecast(utc, now, zone="Europe/Berlin") != kin.forecast(utc, now)
    assert baby.forecast(now)["point"].endswith("+01:00")
    assert baby.backtest(at=[now]) == kin.backtest(utc, at=[now], zone="Europe/Berlin")


HUCKLEBERRY = """Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes
Sleep,2026-02-03 12:10,2026-02-03 13:00,00:50,,,,
Feed,2026-02-03 10:00,,,Formula,Bottle,120ml,
Diaper,2026-02-03 11:00,,yellow,,,Pee:medium,
"""


def test_a_tracker_export_is_read_with_a_report(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(HUCKLEBERRY)
    log = kin.read_log(path)
    assert [event["type"] for event in log["events"]] == ["feed", "diaper", "sleep"]
    assert log["events"][0]["volume"] == 120 and log["events"][1]["kind"] == "wet"
    assert log.report["files"][0]["format"] == "Huckleberry"
    assert [column["column"] for column in log.report["files"][0]["ignored"]] == ["Duration"]
    assert_raises(kin.MalformedInput, "Duration", kin.read_log, path, strict=True)
    with pytest.warns(kin.LogWarning, match="read_log"):
        assert kin.forecast(path, "2026-02-03T14:00") == kin.forecast(log, "2026-02-03T14:00")


def test_options_resolve_ambiguous_logs(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("type,start,amount\nbottle,03/04/2026 10:00,4\n")
    assert_raises(kin.MalformedInput, "day-first", kin.read_log, path)
    assert_raises(kin.MalformedInput, "--unit oz", kin.read_log, path, dates="day-first")
    event = kin.read_log(str(path), dates="day-first", unit="oz")["events"][0]
    assert event["start"] == "2026-04-03T10:00:00" and 118 < event["volume"] < 119
    assert_raises(kin.InvalidArgument, "list of rows", kin.read_log, 1)
    assert_raises(kin.MalformedInput, "a record in braces is expected", kin.read_log, [1])


NAPS = {
    "Date": [datetime(2026, 2, 20), datetime(2026, 2, 21), datetime(2026, 2, 22)],
    "Start": [time(13), time(9, 5), time(23, 59, 59)],
    "End": [time(14, 15), None, None],
    "Length": [None, timedelta(minutes=65), timedelta(hours=10)],
    "Type": ["Nap"] * 3,
}
"""Rows as spreadsheets are read: dates, times of day and lengths, some of them missing."""

SLEEPS = [
    ("2026-02-20T13:00:00", "2026-02-20T14:15:00"), ("2026-02-21T09:05:00", "2026-02-21T10:10:00"),
    ("2026-02-22T23:59:59", "2026-02-23T09:59:59"),
]


def sleeps(table):
    return [(event["start"], event["end"]) for event in kin.read_log(table)["events"]]


@pytest.mark.parametrize("orient", ["records", "list", "dict", "split", "index"])
@pytest.mark.parametrize("lends", [True, False])
def test_times_of_day_and_lengths_of_pandas_are_read(orient, lends, monkeypatch):
    frames = pytest.importorskip("pandas")
    if not lends:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = frames.DataFrame(NAPS)
    assert sleeps(frame) == sleeps(frame.to_dict(orient)) == SLEEPS
    as_times = frame.assign(Length=[None, time(1, 5), time(10)])
    mixed = frame.assign(Length=frames.Series([float("nan"), time(1, 5), timedelta(hours=10)], dtype=object))
    for other in (as_times, mixed):
        assert sleeps(other) == sleeps(other.to_dict(orient)) == SLEEPS


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_of_day_and_lengths_of_arrow_are_read(unit):
    arrow = pytest.importorskip("pyarrow")
    clock = arrow.time32(unit) if unit in ("s", "ms") else arrow.time64(unit)
    kinds = {"Date": arrow.timestamp(unit), "Start": clock, "End": clock, "Length": arrow.duration(unit), "Type": arrow.string()}
    table = arrow.table({name: arrow.array(values, kinds[name]) for name, values in NAPS.items()})
    assert sleeps(table) == SLEEPS
    assert sleeps(table.slice(1)) == SLEEPS[1:]


def test_tables_are_accepted_as_logs(tmp_path):
    frames = pytest.importorskip("pandas")
    frame = frames.DataFrame(baby_log(14))
    if not hasattr(frame, "__arrow_c_stream__"):
        pytest.skip("pandas does not lend its columns")
    pytest.importorskip("pyarrow")
    now = at(14 * 1440 - 14 * 60 + 30)
    assert kin.forecast(frame, now) == kin.forecast(baby_log(14), now)
    frame.to_parquet(tmp_path / "log.parquet")
    assert kin.forecast(tmp_path / "log.parquet", now) == kin.forecast(baby_log(14), now)
