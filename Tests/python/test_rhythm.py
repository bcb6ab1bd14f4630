"""Forecasts of a baby's day."""

import datetime

import pytest
from conftest import assert_raises

import kin

START = datetime.datetime(2026, 1, 1)


def at(minutes):
    return (START + datetime.timedelta(minutes=minutes)).isoformat(timespec="minutes")


def log(days):
    """Asleep at 9, 12 and 15 for an hour, and from 20 to 6; fed after each sleep."""
    events = []
    for day in range(days):
        for hour, hours in ((9, 1), (12, 1), (15, 1), (20, 10)):
            start = day * 1440 + hour * 60 + day % 5
            events.append({"type": "sleep", "start": at(start), "end": at(start + hours * 60)})
            events.append({"type": "feed", "start": at(start + hours * 60 + 10)})
    return sorted(events, key=lambda event: event["start"])


def test_the_next_nap_is_at_noon():
    told = kin.forecast(log(14), at(14 * 1440 - 14 * 60 + 30), kind="nap")
    assert list(told) == ["now", "point", "lower", "upper", "confidence", "duration_minutes", "kind"]
    assert told["kind"] == "nap" and "T11:45" <= told["point"][10:16] <= "T12:20"


def test_errors_name_the_cause():
    assert_raises(kin.MalformedInput, "event 1", kin.forecast, [{"type": "nap", "start": "2026-01-01"}], "2026-01-02")
    assert_raises(kin.InvalidArgument, "coverage", kin.forecast, log(3), at(3000), coverage=1.5)
    assert kin.forecast([], "2026-01-02") == {
        "now": "2026-01-02T00:00:00", "kind": "nap", "reason": "no sleep has been logged yet"}


def test_forecasts_name_their_kind_or_the_reason_for_none():
    evening = kin.forecast(log(14), at(13 * 1440 + 17 * 60))
    assert evening["kind"] == "bedtime" and evening["duration_minutes"] > 500
    assert kin.forecast(log(14), at(13 * 1440 + 17 * 60), kind="feed")["kind"] == "feed"
    assert "days before" in kin.forecast(log(14), "2036-01-01")["reason"]


def test_a_baby_stores_its_log(engine):
    events = [{"id": f"e{number}", **event} for number, event in enumerate(log(14))]
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
    assert baby.rhythm() == engine.rhythm(log=whole) and baby.repairs() == engine.repairs(log=whole)
    assert baby.wake_windows() == engine.wake_windows(log=whole) and baby.leaps() == engine.leaps(log=whole)
    assert baby.correlations() == engine.correlations(log=whole)
    assert baby.consolidation() == engine.consolidation(log=whole)
    assert baby.predictions(at(14 * 1440)) == engine.predictions(log=whole, now=at(14 * 1440))
    assert baby.sleep_state(at(14 * 1440)) == engine.sleep_state(log=whole, now=at(14 * 1440))
    assert baby.remove("e3") and not baby.remove("e3")
    assert engine.babies("u1")[0]["name"] == "Ada"
    assert baby.share_baby("u2") == {"owners": ["u1", "u2"]}
    other = kin.Baby(engine, "u2", "b1")
    assert other.days(3) == baby.days(3) and engine.babies("u2")[0]["owners"] == ["u1", "u2"]
    assert other.remove("e4") and not baby.remove("e4")
    assert other.unshare_baby("u1") == {"owners": ["u2"]}
    assert_raises(kin.KinError, "nothing is known of a baby b1 of u1", baby.days, 3)
    assert len(other.days(3)) == 3


def test_a_log_in_utc_is_shown_in_its_zone(engine):
    utc = [{"id": f"e{number}", **{name: value if name == "type" else f"{value}Z" for name, value in event.items()}} for number, event in enumerate(log(14))]
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
    assert_raises(kin.InvalidArgument, "list", kin.read_log, [1])


def test_tables_are_accepted_as_logs(tmp_path):
    frames = pytest.importorskip("pandas")
    frame = frames.DataFrame(log(14))
    if not hasattr(frame, "__arrow_c_stream__"):
        pytest.skip("pandas does not lend its columns")
    pytest.importorskip("pyarrow")
    now = at(14 * 1440 - 14 * 60 + 30)
    assert kin.forecast(frame, now) == kin.forecast(log(14), now)
    frame.to_parquet(tmp_path / "log.parquet")
    assert kin.forecast(tmp_path / "log.parquet", now) == kin.forecast(log(14), now)
