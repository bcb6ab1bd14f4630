"""Challenges, daily content and times of notifications for the people in a store."""

from __future__ import annotations

from typing import Any

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

    def _call(self, method: str, **parameters: Any) -> Any:
        given = {name: value for name, value in parameters.items() if value is not None}
        if self.zone is not None:
            given["zone"] = self.zone
        return self.engine.call(method, user=self.user, **given)

    def _object(self, method: str, **parameters: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self._call(method, **parameters)
        return answer

    def _list(self, method: str, **parameters: Any) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = self._call(method, **parameters)
        return answer

    def suggest(self, *, at: str | None = None) -> Any:
        """The three challenges that come next, with probabilities and reasons; or ``nothing``, and which limit it was."""
        return self._call("suggest", at=at)

    def today(self, *, at: str | None = None) -> dict[str, Any]:
        """Today's ``content`` and ``challenge``: the one that was assigned or, with ``given`` None, the one that comes next."""
        return self._object("today", at=at)

    def assign(self, *, at: str | None = None) -> dict[str, Any]:
        """Give the person today's challenge if they have none, and store that it was given.

        What was assigned on a day before and never answered counts as ignored, which is learned from.

        Raises
        ------
        UnknownID
            Nothing is known of the person.
        """
        return self._object("assign", at=at)

    def timeline(self, days: int = 7, *, at: str | None = None) -> list[dict[str, Any]]:
        """The days of content from today, or from the day of ``at``, with their instants."""
        return self._list("timeline", days=days, at=at)

    def complete(
        self, challenge: str | None = None, *, rating: int | None = None, minutes: float | None = None, at: str | None = None
    ) -> dict[str, Any]:
        """Note that a challenge was done: the one that waits for an answer unless another is named, or today's when none waits.

        Raises
        ------
        UnknownID
            No such challenge waits for an answer.
        InvalidArgument
            The rating is not from 1 to 5.
        """
        return self._object("complete", challenge=challenge, rating=rating, minutes=minutes, at=at)

    def skip(self, challenge: str | None = None, *, at: str | None = None) -> dict[str, Any]:
        """Note that a challenge was declined; ``today`` has another one."""
        return self._object("skip", challenge=challenge, at=at)

    def history(self, count: int = 20) -> list[dict[str, Any]]:
        """The challenges given to the person, the newest first."""
        return self._list("history", count=count)

    def reflect(self, text: str = "", *, completed: bool = True, at: str | None = None) -> dict[str, Any]:
        """Store the person's reflection on the content of today, or of the day of ``at``."""
        return self._object("reflect", text=text, completed=completed, at=at)

    def progress(self, *, at: str | None = None) -> dict[str, Any]:
        """Streaks, and how much of content and challenges was done."""
        return self._object("progress", at=at)

    def prefer(self, **preferences: Any) -> dict[str, Any]:
        """Change preferences by name (``max_time=30, budget_level="low"``), and return all of them."""
        return self._object("prefer", preferences=preferences)

    def next_notification(self, *, phase: str = "learned", seed: int = 1, at: str | None = None) -> dict[str, Any]:
        """When to notify next, or ``refused`` and why."""
        return self._object("next_notification", phase=phase, seed=seed, at=at)

    def notified(self, sent: str, *, answered: bool | None = None) -> dict[str, Any]:
        """Note that a notification was sent, and whether it was answered."""
        return self._object("notified", sent=sent, answered=answered)
