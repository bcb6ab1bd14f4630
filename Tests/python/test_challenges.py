"""Challenges and daily content through the record interface."""

import pytest
from conftest import assert_raises

import kin


@pytest.fixture
def mine(tmp_path):
    engine = kin.Engine(tmp_path / "people.db")
    records = [
        {"id": f"c{n}", "title": f"Challenge {n}", "category": ["calm", "nature", "home"][n % 3], "time_investment": 5 + n}
        for n in range(30)
    ]
    engine.call("put", records=records)
    challenges = kin.Challenges(engine, "u1", zone="Europe/Berlin")
    challenges.prefer(max_time=120)
    yield challenges
    engine.close()


def test_a_day_runs_from_suggestions_to_progress(mine):
    at = "2026-03-28T10:00:00Z"
    queue = mine.suggest(at=at)
    assert mine.today(at=at)["challenge"]["challenge"]["id"] == queue[0]["challenge"]["id"] and mine.history() == []
    assert mine.skip(at=at)["status"] == "skipped"
    assert mine.assign(at=at)["given"]["status"] == "pending"
    assert mine.complete(rating=4, minutes=9.5, at=at)["rating"] == 4
    assert [given["given"]["status"] for given in mine.history()] == ["completed", "skipped"]
    assert mine.reflect("well", at=at)["completed"]
    assert mine.progress(at=at)["content"]["current_streak"] == 1
    assert mine.preferences()["max_time"] == 120 and len(mine.decisions()) >= 1
    assert mine.rotation(at=at) == mine.engine.rotation("u1", at=at, zone="Europe/Berlin")


def test_limits_and_times(mine):
    assert mine.prefer(max_time=2)["max_time"] == 2
    assert mine.suggest()["nothing"]["emptied_by"] == "too_long"
    assert mine.timeline(at="2026-03-28T10:00:00Z")[0]["start"] == "2026-03-27T23:00:00Z"
    planned = mine.next_notification(at="2026-03-28T00:00:00Z")
    mine.notified(planned["at"], answered=True, at=planned["at"])
    assert "08:00" <= planned["local_time"] < "21:00"
    assert_raises(kin.UnknownID, None, mine.complete, "c1")
