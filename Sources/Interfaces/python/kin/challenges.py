"""Challenges, daily content and times of notifications for the people in a store."""

from __future__ import annotations

from typing import Any

from kin._methods import Instant, Phase, Record, Records
from kin.engine import Engine


class Challenges:
    """One person's challenges and daily content.

    A person begins with a record of theirs, such as :meth:`prefer` writes. ``assign``, ``complete``, ``skip``, ``reflect``, ``prefer`` and
    ``notified`` write to the store; everything else reads, and changes nothing.

    Parameters
    ----------
    engine : Engine
        An engine with a store that has challenges: ``kin generate challenges`` makes some.
    user : str
        The person's id.
    zone : str, optional
        Where the person is, ``"Europe/Berlin"``; as their preferences say unless given.

    Examples
    --------
    >>> mine = kin.Challenges(kin.Engine("people.db"), "u42", zone="Europe/Berlin")
    >>> mine.today()["challenge"]["challenge"]["title"]
    >>> mine.complete(rating=5, minutes=12)
    """

    def __init__(self, engine: Engine, user: str, *, zone: str | None = None) -> None:
        self.engine = engine
        self.user = user
        self.zone = zone

    def suggest(self, *, at: Instant | None = None) -> Any:
        """The three challenges that come next, with probabilities and reasons; or ``nothing``, and which limit it was."""
        return self.engine.suggest(self.user, at=at, zone=self.zone)

    def today(self, *, at: Instant | None = None) -> Record:
        """Today's ``content`` and ``challenge``: the one that was assigned or, with ``given`` None, the one that comes next."""
        return self.engine.today(self.user, at=at, zone=self.zone)

    def assign(self, *, at: Instant | None = None) -> Record:
        """Give the person today's challenge if they have none, and store that it was given.

        What was assigned on a day before and never answered counts as ignored, which is learned from, until it is completed or skipped.

        Raises
        ------
        UnknownID
            Nothing is known of the person.
        """
        return self.engine.assign(self.user, at=at, zone=self.zone)

    def timeline(self, days: int = 7, *, at: Instant | None = None) -> Records:
        """The days of content from today, or from the day of ``at``, with their instants."""
        return self.engine.timeline(self.user, days=days, at=at, zone=self.zone)

    def complete(
        self, challenge: str | None = None, *, rating: int | None = None, minutes: float | None = None, at: Instant | None = None
    ) -> Record:
        """Note that a challenge was done: today's, unless one is named, which may be of an earlier day.

        What counted as ignored gets its reward in place of that; the policy, which cannot unlearn, learns it beside what it learned then.

        Raises
        ------
        UnknownID
            No such challenge is pending.
        InvalidArgument
            The rating is not from 1 to 5.
        """
        return self.engine.complete(self.user, challenge=challenge, rating=rating, minutes=minutes, at=at, zone=self.zone)

    def skip(self, challenge: str | None = None, *, at: Instant | None = None) -> Record:
        """Note that a challenge was declined, as :meth:`complete` names it; ``today`` has another one."""
        return self.engine.skip(self.user, challenge=challenge, at=at, zone=self.zone)

    def history(self, count: int = 20) -> Records:
        """The challenges given to the person, the newest first."""
        return self.engine.history(self.user, count=count)

    def reflect(self, text: str = "", *, completed: bool = True, at: Instant | None = None) -> Record:
        """Store the person's reflection on the content of today, or of the day of ``at``."""
        return self.engine.reflect(self.user, text=text, completed=completed, at=at, zone=self.zone)

    def progress(self, *, at: Instant | None = None) -> Record:
        """Streaks, and how much of content and challenges was done."""
        return self.engine.progress(self.user, at=at, zone=self.zone)

    def prefer(self, **preferences: Any) -> Record:
        """Change preferences by name (``max_time=30, budget_level="low"``), and return all of them."""
        return self.engine.prefer(self.user, preferences=preferences, zone=self.zone)

    def next_notification(
        self, *, phase: Phase = "learned", seed: int = 1, prior: Record | None = None, at: Instant | None = None
    ) -> Record:
        """Plan the next notification, or say in ``refused`` why there is none; ``prior`` is a sum of ``notification_prior``."""
        return self.engine.next_notification(self.user, phase=phase, seed=seed, prior=prior, at=at, zone=self.zone)

    def notification_prior(self, *, prior: Record | None = None) -> Record:
        """Count when this person answers, to be added up with the counts of others."""
        return self.engine.notification_prior(user=self.user, prior=prior)

    def notified(self, sent: Instant, *, answered: bool | None = None) -> Record:
        """Note that a notification was sent, and whether it was answered."""
        return self.engine.notified(self.user, sent=sent, answered=answered, zone=self.zone)
