"""Challenges, daily content and times of notifications for the people in a store."""

from typing import Any

from kin._methods import PersonMethods, Record


class Challenges(PersonMethods):
    """One person's challenges and daily content: the methods of :class:`kin.Engine` about them, without ``user`` and ``zone``.

    The person needs a record in the store first, such as :meth:`prefer` writes. ``assign``, ``complete``, ``skip``,
    ``reflect``, ``prefer``, ``rotation`` and ``notified`` write to the store; all other methods only read.

    Parameters
    ----------
    engine : Engine
        An engine with a store that has challenges: ``kin generate challenges`` makes some.
    user : str
        The person's id.
    zone : str, optional
        The person's time zone, such as ``"Europe/Berlin"``. Default: the time zone of their preferences.

    Examples
    --------
    >>> mine = kin.Challenges(kin.Engine("people.db"), "u42", zone="Europe/Berlin")
    >>> mine.today()["challenge"]["challenge"]["title"]
    >>> mine.complete(rating=5, minutes=12)
    """

    def prefer(self, **preferences: Any) -> Record:  # type: ignore[override]
        """Changes preferences by name (``max_time=30, budget_level="low"``), and returns all of them."""
        return self.engine.prefer(self.user, preferences=preferences, zone=self.zone)
