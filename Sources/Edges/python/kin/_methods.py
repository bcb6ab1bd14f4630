"""The methods of an engine with their types, of the table of methods. Made by .ci/generate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, Literal

from numpy.typing import ArrayLike

from kin._arrow_reader import ArrowStream

Record = dict[str, Any]
Records = list[dict[str, Any]]
Instant = str | datetime
Table = Sequence[Mapping[str, Any]] | ArrowStream
"""Objects, or a table that lends its columns by Arrow's C data interface, as pyarrow's, Polars' and pandas' do."""
Log = Mapping[str, Any] | Table

Compare = Literal["named", "all"]
Mood = Literal[
    "neutral", "anxious", "stressed", "depleted", "sad", "lonely", "angry", "bored", "restless", "curious", "playful",
    "calm", "joyful", "energetic", "focused",
]
Metric = Literal["l2", "ip", "cosine"]
AdvanceState = Literal["idle", "drift", "mastery", "social_sync", "reflection"]
InboxState = Literal["delivered", "discovered", "pending", "accepted", "declined", "visible"]
Type = Literal["tool", "space", "expert"]
Access = Literal["owned", "peer", "rental", "public_library"]
Status = Literal["available", "booked", "maintenance"]
Giving = Literal[
    "order", "enclosure", "path", "horizon", "anxiety", "ignorance", "repetition", "post", "food", "mobility",
    "erotic_uncertainty", "material_play", "power", "nature_mirror", "serendipity_following", "anchor_expansion",
]
Slot = Literal["dawn", "morning", "afternoon", "evening", "night"]
Season = Literal["spring", "summer", "autumn", "winter"]
Weather = Literal["clear", "cloudy", "wind", "rain", "snow", "storm", "heat", "cold"]
Criterion = Literal["silhouette", "simplified", "elbow", "gap"]
ForecastKind = Literal["nap", "feed", "wake_up", "bedtime", "night_waking"]
EvaluatePolicyKind = Literal[
    "standard", "epsilon-greedy", "linucb", "thompson", "logistic-thompson", "logistic-ucb", "squarecb", "regcb",
]
CheckContentKind = Literal["content", "challenges"]
Connections = Literal["score", "quantile"]
Focus = Literal["consciousness", "health", "wealth", "relationships", "none"]
Phase = Literal["uniform", "learned"]


class Methods:
    """A method for each method of the table; an instant is an ISO 8601 text or a ``datetime`` with a time zone."""

    def call(self, method: str, /, **parameters: Any) -> Any:
        """Calls a method by its name."""
        raise NotImplementedError

    def _object(self, method: str, /, **parameters: Any) -> Record:
        answer: Record = self.call(method, **parameters)
        return answer

    def _list(self, method: str, /, **parameters: Any) -> Records:
        answer: Records = self.call(method, **parameters)
        return answer

    def put(self, records: Table) -> Record:
        """Inserts or replaces records: all of them, or none.

        Args:
            records: Sessions, profiles (``{"profile": …, "since": instant}``, or alone for now), items and all other
                kinds, as an export has them or alone.

        Returns:
            The number of each kind, and under ``older`` the number that changed nothing, since what is stored was
            updated later.
        """
        return self._object("put", records=records)

    def import_(self, path: str | PathLike[str], *, threads: int = 1) -> Record:
        """Imports the records of a file of JSON lines: all of them, or none.

        Args:
            path: The file, a record on each line.
            threads: The largest number of threads to use. Whole number, 1 to 65,536.

        Returns:
            The number of each kind.
        """
        return self._object("import", path=path, threads=threads)

    def export(self, *, user: str | None = None) -> Records:
        """Lists the records of a person, or of everybody.

        Args:
            user: The person; everybody and what all share when missing.

        Returns:
            List of records as ``put`` takes them.
        """
        return self._list("export", user=user)

    def remove(
        self, *, session: str | None = None, kind: str | None = None, item: str | None = None,
        assigned: str | None = None, baby: str | None = None, challenge: str | None = None,
        contribution: str | None = None, date: str | None = None, day: str | None = None, decision: str | None = None,
        id: str | None = None, model: str | None = None, name: str | None = None, sent: str | None = None,
        session_id: str | None = None, since: str | None = None, user: str | None = None,
    ) -> Record:
        """Removes a record of any kind by its key.

        Args:
            session: The id of a session.
            kind: The kind of another record, which its key is given with.
            item: The id of an inventory item.
            assigned: A part of the key of a record.
            baby: A part of the key of a record.
            challenge: A part of the key of a record.
            contribution: A part of the key of a record.
            date: A part of the key of a record.
            day: A part of the key of a record.
            decision: A part of the key of a record.
            id: A part of the key of a record.
            model: A part of the key of a record.
            name: A part of the key of a record.
            sent: A part of the key of a record.
            session_id: A part of the key of a record.
            since: A part of the key of a record.
            user: A part of the key of a record.

        Returns:
            ``removed``: whether there was one.
        """
        return self._object(
            "remove", session=session, kind=kind, item=item, assigned=assigned, baby=baby, challenge=challenge,
            contribution=contribution, date=date, day=day, decision=decision, id=id, model=model, name=name, sent=sent,
            session_id=session_id, since=since, user=user,
        )

    def forget(self, user: str) -> Record:
        """Erases a person: every record of theirs, to the last byte.

        Args:
            user: The person.

        Returns:
            The number of erased records of each kind, and under ``shared_event`` the number of events in others' logs
            that lost their author.
        """
        return self._object("forget", user=user)

    def users(self) -> Records:
        """Lists everybody with a record, by ascending id.

        Returns:
            List of ``user``.
        """
        return self._list("users")

    def info(self) -> Record:
        """Counts people and records.

        Returns:
            ``people``, ``sessions``, ``items``, and ``records``: the number of each kind; ``warnings`` if another
            program removed a file of the open store.
        """
        return self._object("info")

    def check(self) -> Record:
        """Checks every page, index and record of the store.

        Returns:
            ``is_intact``, ``problems``, ``warnings`` (bytes of the forgotten that could not be removed yet, files that
            other accounts may use), ``naming_key``: where the key of anonymous names is (``none`` needed yet,
            ``database``, ``caller``), ``people``, ``records``, ``change``, ``total_bytes``.
        """
        return self._object("check")

    def check_part(self, *, after: str | None = None, rows: int = 10000) -> Record:
        """Checks a part of the store, for idle time; all parts together read all records, tables and indexes.

        Args:
            after: The ``next`` of the part before; the first part when missing.
            rows: The largest number of records to read. Whole number, 1 to 1,000,000.

        Returns:
            ``rows``: the number of records read, ``problems``, ``next``: the ``after`` of the next part, null when this
            was the last.
        """
        return self._object("check_part", after=after, rows=rows)

    def memory(self) -> Record:
        """Tells how much memory derived data takes: indexes, matchers, learned profiles and the like.

        Returns:
            ``budget`` and ``bytes``, ``values``: their number, ``evictions``: those that left since the opening to keep
            the budget.
        """
        return self._object("memory")

    def save_indexes(self) -> Record:
        """Saves the indexes beside the database; closing does it too.

        Returns:
            ``{}``.
        """
        return self._object("save_indexes")

    def backup(self, path: str | PathLike[str], *, overwrite: bool = False) -> Record:
        """Writes a backup: a checked copy of the store in one file, while the store is in use.

        Args:
            path: The file to write; it opens as a store by itself.
            overwrite: Whether an earlier backup at the path is replaced.

        Returns:
            ``change``: the number of the last change that the backup has.
        """
        return self._object("backup", path=path, overwrite=overwrite)

    def suspend(self) -> Record:
        """Releases the writer's lock until the next command, for an app that is about to be suspended.

        Returns:
            ``{}``.
        """
        return self._object("suspend")

    def near(
        self, *, session: str | None = None, user: str | None = None, point: Mapping[str, float] | None = None,
        compare: Compare = "named", embedding: ArrayLike | None = None, model: str | None = None,
        weight: float | None = None, at: Instant | None = None, zone: str | None = None, mood: Mood | None = None,
        k: int = 10, metric: Metric = "l2", where: str | None = None, diversity: float = 0.0,
        per_category: int | None = None, exclude: Table = (), liked: Table = (), disliked: Table = (),
    ) -> Records:
        """Finds the sessions nearest to a session, to a person's target profile, to a point or to an embedding.

        Args:
            session: The session to compare with; it is left out itself.
            user: The person whose target profile to compare with.
            point: The point to compare with. Point (``{"food": 0.8}``).
            compare: The dimensions of a point to compare: those that it names, or all, where missing ones are 0.
                ``named`` or ``all``.
            embedding: The embedding to compare with: numbers, or Base64 of little-endian 32-bit floats; that of
                ``session`` when missing.
            model: The model of the embeddings to compare; may be missing where there is one model only.
            weight: The weight w of the embedding's distance; 0.5 when missing, and 1 for an embedding alone. Number, 0
                to 1.
            at: The instant of a person's target profile; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.
            mood: The person's mood; the one that their profile's ``current_state`` names, if any, when missing.
                ``neutral``, ``anxious``, ``stressed``, ``depleted``, ``sad``, ``lonely``, ``angry``, ``bored``,
                ``restless``, ``curious``, ``playful``, ``calm``, ``joyful``, ``energetic`` or ``focused``.
            k: The number of sessions. Whole number, 1 to 1,000,000,000.
            metric: The distance. ``l2``, ``ip`` or ``cosine``.
            where: A condition on ``user``, ``state`` and ``start``, such as ``state = drift and start >= 2026-01-01``.
            diversity: The weight of being different from the rest of the list, by maximal marginal relevance; 0 ranks
                alone. Number, 0 to 1.
            per_category: The largest number of entries of one state; any when missing. Whole number, 1 to
                1,000,000,000.
            exclude: What the list leaves out, such as what was seen.
            liked: Examples that the list is to be like and leaves out.
            disliked: Examples that the list is to be unlike, with half the weight, and leaves out.

        Returns:
            List of ``distance``, ``session``, nearest first; with embeddings also ``pleasure_distance`` (where points
            are compared) and ``embedding_distance``.
        """
        return self._list(
            "near", session=session, user=user, point=point, compare=compare, embedding=embedding, model=model,
            weight=weight, at=at, zone=zone, mood=mood, k=k, metric=metric, where=where, diversity=diversity,
            per_category=per_category, exclude=exclude, liked=liked, disliked=disliked,
        )

    def vectors(self, *, model: str | None = None, user: str | None = None) -> Record:
        """Lists the vectors of sessions without any of their words, by ascending id of the session.

        Args:
            model: The model whose embeddings are wanted; the points of the pleasure space when missing.
            user: The person whose sessions alone are wanted; everybody's when missing.

        Returns:
            ``model`` (or null), ``dimension``, ``sessions``: their ids, ``vectors``: the Base64 of little-endian 32-bit
            floats, ``dimension`` of each session in turn.
        """
        return self._object("vectors", model=model, user=user)

    def sessions(self, user: str, *, count: int = 10, after: str | None = None) -> Records:
        """Lists the sessions of a person, newest first.

        Args:
            user: The person.
            count: The number of sessions. Whole number, 1 to 1,000,000,000.
            after: The last session of the previous page.

        Returns:
            List of ``session``.
        """
        return self._list("sessions", user=user, count=count, after=after)

    def profile(
        self, user: str, *, at: Instant | None = None, zone: str | None = None, mood: Mood | None = None,
    ) -> Record:
        """Gives a person's declared, learned and target profiles.

        Args:
            user: The person.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.
            mood: The person's mood; the one that their profile's ``current_state`` names, if any, when missing.
                ``neutral``, ``anxious``, ``stressed``, ``depleted``, ``sad``, ``lonely``, ``angry``, ``bored``,
                ``restless``, ``curious``, ``playful``, ``calm``, ``joyful``, ``energetic`` or ``focused``.

        Returns:
            ``user``, ``at``, ``slot``, ``sessions`` (the number learned from), three profiles: ``declared`` (as it was
            put in, or null), ``learned`` (moved towards the sessions that ended since), ``target`` (learned, shaped by
            the time of day and the mood), and ``mood``: ``name``, ``sessions`` (those in the mood), ``effects`` (of
            dimensions, -1 to 1: how far each is lowered or raised), or null.
        """
        return self._object("profile", user=user, at=at, zone=zone, mood=mood)

    def profile_history(self, user: str) -> Records:
        """Lists the versions of a person's declared profile.

        Args:
            user: The person.

        Returns:
            List of ``since``, ``profile``, by ascending start.
        """
        return self._list("profile_history", user=user)

    def insight(self, session: str, *, k: int = 5) -> Record:
        """Compares a session with the others of its person.

        Args:
            session: The session.
            k: The number of similar sessions. Whole number, 1 to 1,000,000,000.

        Returns:
            ``similar``: list of ``id``, ``distance``; ``shifts``: of each dimension ``value``, ``baseline``,
            ``effect_size``, ``n``, ``direction``; ``co_activations``; ``usual_path``, ``usual_path_count``,
            ``past_sessions``.
        """
        return self._object("insight", session=session, k=k)

    def transitions(self, user: str) -> Record:
        """Counts the transitions between the states of a person's sessions.

        Args:
            user: The person.

        Returns:
            ``usual_path``, ``usual_path_count``, ``sessions``, ``steps``: list of ``from``, ``to``, ``count``,
            ``share``.
        """
        return self._object("transitions", user=user)

    def map(self, user: str, *, components: int = 2, like: Table = ()) -> Record:
        """Draws a map of a person's sessions by principal components.

        Args:
            user: The person.
            components: The number of axes. Whole number, 2 to 3.
            like: The ``axes`` of an earlier map, whose orientation is kept.

        Returns:
            ``axes``: list of ``explained_variance_ratio``, ``loadings`` by dimension; ``explained_variance_ratio``;
            ``silhouette``; ``kinds``: list of ``name``, ``sessions``; ``trajectory``: list of ``id``, ``start``,
            ``kind``, ``coordinates``.
        """
        return self._object("map", user=user, components=components, like=like)

    def advance(self, session: str, *, state: AdvanceState) -> Record:
        """Moves a session to another state.

        Args:
            session: The session.
            state: The next state; ``end`` leads to reflection. ``idle``, ``drift``, ``mastery``, ``social_sync`` or
                ``reflection``.

        Returns:
            The session.
        """
        return self._object("advance", session=session, state=state)

    def end(self, session: str, *, at: Instant | None = None) -> Record:
        """Ends a session, which moves to reflection.

        Args:
            session: The session.
            at: The end; now when missing.

        Returns:
            The session.
        """
        return self._object("end", session=session, at=at)

    def inventory(
        self, *, near: Mapping[str, float] | None = None, within_km: float | None = None,
        type: Sequence[Type] | None = None, access: Sequence[Access] | None = None,
        status: Sequence[Status] | None = None, senses: Table = (), giving: Sequence[Giving] | None = None,
        slot: Slot | None = None, minutes: float | None = None, season: Season | None = None,
        distance_weight: float = 0.0, user: str | None = None, point: Mapping[str, float] | None = None,
        at: Instant | None = None, zone: str | None = None, mood: Mood | None = None, k: int = 10,
        diversity: float = 0.0, per_category: int | None = None, exclude: Table = (), liked: Table = (),
        disliked: Table = (),
    ) -> Any:
        """Finds inventory items by conditions, ranked for a person or a point.

        Args:
            near: The place to measure distances from. Place (``{"lat": 40.7, "lng": -73.9}``).
            within_km: The largest distance from ``near``. Number, 0 to 100,000 km.
            type: The types of items. List of ``tool``, ``space``, ``expert``.
            access: The modes of access. List of ``owned``, ``peer``, ``rental``, ``public_library``.
            status: The states of availability; only ``available`` for a ranking, and all without one, when missing.
                List of ``available``, ``booked``, ``maintenance``.
            senses: Conditions on what items offer: each of ``sense``, ``intensity``, ``context``, or some of them.
            giving: The dimensions that an item gives. List of ``order``, ``enclosure``, ``path``, ``horizon``,
                ``anxiety``, ``ignorance``, ``repetition``, ``post``, ``food``, ``mobility``, ``erotic_uncertainty``,
                ``material_play``, ``power``, ``nature_mirror``, ``serendipity_following``, ``anchor_expansion``.
            slot: The part of the day. ``dawn``, ``morning``, ``afternoon``, ``evening`` or ``night``.
            minutes: The available time. Number, 0 to 1,000,000 min.
            season: The season. ``spring``, ``summer``, ``autumn`` or ``winter``.
            distance_weight: The weight w of the distance in a ranking by (1 - w) match + w (1 - distance / within_km).
                Number, 0 to 1.
            user: The person to rank for.
            point: The point to rank for. Point (``{"food": 0.8}``).
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.
            mood: The person's mood; the one that their profile's ``current_state`` names, if any, when missing.
                ``neutral``, ``anxious``, ``stressed``, ``depleted``, ``sad``, ``lonely``, ``angry``, ``bored``,
                ``restless``, ``curious``, ``playful``, ``calm``, ``joyful``, ``energetic`` or ``focused``.
            k: The number of items. Whole number, 1 to 1,000,000,000.
            diversity: The weight of being different from the rest of the list, by maximal marginal relevance; 0 ranks
                alone. Number, 0 to 1.
            per_category: The largest number of entries of one type; any when missing. Whole number, 1 to 1,000,000,000.
            exclude: What the list leaves out, such as what was seen.
            liked: Examples that the list is to be like and leaves out.
            disliked: Examples that the list is to be unlike, with half the weight, and leaves out.

        Returns:
            Either a list of ``match`` (when ranked), ``score`` (when the distance has a weight), ``km``, ``item``, or
            ``nothing``: ``emptied_by`` (the condition that left no item), ``explanation``, ``items``, ``left`` after
            each condition, ``nearest_miss``: ``item``, ``km``, ``breaks``.
        """
        return self.call(
            "inventory", near=near, within_km=within_km, type=type, access=access, status=status, senses=senses,
            giving=giving, slot=slot, minutes=minutes, season=season, distance_weight=distance_weight, user=user,
            point=point, at=at, zone=zone, mood=mood, k=k, diversity=diversity, per_category=per_category,
            exclude=exclude, liked=liked, disliked=disliked,
        )

    def missions(
        self, user: str, *, near: Mapping[str, float], minutes: float, slot: Slot | None = None, within_km: float = 3.0,
        state: AdvanceState | None = None, mood: Mood | None = None, weather: Weather | None = None,
        season: Season | None = None, at: Instant | None = None, zone: str | None = None,
        diversity: float | None = None, exclude: Table = (), k: int = 5,
    ) -> Any:
        """Finds pairs of a tool and a space for a person, a place and the available time.

        Args:
            user: The person.
            near: The location of the person. Place (``{"lat": 40.7, "lng": -73.9}``).
            minutes: The available time, travel included. Number, 0 to 1,000,000 min.
            slot: The part of the day; that of ``at`` when missing. ``dawn``, ``morning``, ``afternoon``, ``evening`` or
                ``night``.
            within_km: The largest distance from person to tool and space, and between the two. Number, 0 to 100,000 km.
            state: The state of the person's session; that of the profile in force at ``at`` when missing. ``idle``,
                ``drift``, ``mastery``, ``social_sync`` or ``reflection``.
            mood: The person's mood; the one that their profile's ``current_state`` names, if any, when missing.
                ``neutral``, ``anxious``, ``stressed``, ``depleted``, ``sad``, ``lonely``, ``angry``, ``bored``,
                ``restless``, ``curious``, ``playful``, ``calm``, ``joyful``, ``energetic`` or ``focused``.
            weather: The weather; unknown when missing. ``clear``, ``cloudy``, ``wind``, ``rain``, ``snow``, ``storm``,
                ``heat`` or ``cold``.
            season: The season. ``spring``, ``summer``, ``autumn`` or ``winter``.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.
            diversity: The weight of being unlike the missions before; a third when missing, 0 ranks by score alone.
                Number, 0 to 0.99.
            exclude: Tools and spaces that no mission uses.
            k: The number of missions. Whole number, 1 to 1,000.

        Returns:
            Either a list of ``tool``, ``space``, ``score``, ``parts``, ``travel_minutes``, ``minutes_there``, and in a
            mood ``mood``: its ``name`` and ``change``, what it adds to the score; the best first; or ``nothing``:
            ``emptied_by`` (such as ``space.slot``, or ``pairs``), ``explanation``, ``tools`` and ``spaces`` as
            ``inventory`` says it, ``nearest_miss``: ``tool``, ``space``, ``minutes_needed``, ``km_apart``.
        """
        return self.call(
            "missions", user=user, near=near, minutes=minutes, slot=slot, within_km=within_km, state=state, mood=mood,
            weather=weather, season=season, at=at, zone=zone, diversity=diversity, exclude=exclude, k=k,
        )

    def geofence_events(
        self, positions: Table, *, within_km: float = 0.1, exit_km: float | None = None, inside: Table = (),
        type: Sequence[Type] | None = None, status: Sequence[Status] | None = None,
    ) -> Record:
        """Follows a stream of positions into and out of the geofences of items.

        Args:
            positions: The positions by ascending instant: each of ``at``, ``lat``, ``lng``.
            within_km: The largest distance at which an item is entered. Number, 0 to 100,000 km.
            exit_km: The distance beyond which it is left; 1.2 times ``within_km`` when missing. Number, 0 to 100,000
                km.
            inside: The items entered before: ``inside`` of the last answer.
            type: The types of items. List of ``tool``, ``space``, ``expert``.
            status: The states of availability. List of ``available``, ``booked``, ``maintenance``.

        Returns:
            ``events``: list of ``event`` (``enter`` or ``exit``), ``item``, ``at``, ``km``, in order; ``inside``: the
            items that are entered now.
        """
        return self._object(
            "geofence_events", positions=positions, within_km=within_km, exit_km=exit_km, inside=inside, type=type,
            status=status,
        )

    def cluster(
        self, *, analyses: Table | None = None, k: int | None = None, seed: int = 0, restarts: int | None = None,
        criterion: Criterion = "silhouette",
    ) -> Record:
        """Clusters images by what is in them.

        Args:
            analyses: Analyses with ``image_id``; the store's images when missing.
            k: The number of clusters; chosen by silhouette when missing. Whole number, 1 to 1,000,000,000.
            seed: The seed of random numbers. Whole number of 64 bits.
            restarts: The number of starts. Whole number, 1 to 1,000.
            criterion: The criterion that chooses k. ``silhouette``, ``simplified``, ``elbow`` or ``gap``.

        Returns:
            ``clusters``, ``realm_index``, ``k_is_at_end`` (k was chosen and is the largest that was tried),
            ``k_reason`` (how k was chosen and why no larger one was tried; null when it was given), ``report``:
            ``images``, ``broken_images``, ``objects``, ``refused_objects``, ``refused_values``, ``unknown_keys`` (name
            → count), ``problems``.
        """
        return self._object("cluster", analyses=analyses, k=k, seed=seed, restarts=restarts, criterion=criterion)

    def categories(self) -> Records:
        """Counts the categories of the objects in the store's images.

        Returns:
            List of ``category``, ``objects``, ``images``, ``emotional_valence``, ``calming_score``,
            ``therapeutic_focus``.
        """
        return self._list("categories")

    def world(
        self, name: str, *, clusters: Mapping[str, Any] | None = None, realm_index: Mapping[str, Any] | None = None,
        theme: str = "", creator: str = "", goals: Sequence[str] = (), minutes: int = 60, collaborative: bool = False,
        realms: int | None = None, seed: int = 0,
    ) -> Record:
        """Generates a world from images.

        Args:
            name: The name of the world.
            clusters: The clusters; those of the store's images when missing.
            realm_index: The realm index that belongs to the clusters.
            theme: A theme, in words.
            creator: The creator's name.
            goals: The therapeutic goals: anxiety_relief, stress_relief, sleep, focus, grounding, mood_lift, energy,
                connection, creativity, self_compassion, grief_support, pain_relief.
            minutes: The length of a visit in minutes. Whole number, 1 to 1,440.
            collaborative: Whether several people share it.
            realms: The number of realms. Whole number, 1 to 1,000.
            seed: The seed of random numbers. Whole number of 64 bits.

        Returns:
            A world, whose objects have box, confidence and scores; ``theme_is_known`` is false when the theme decided
            nothing.
        """
        return self._object(
            "world", clusters=clusters, realm_index=realm_index, name=name, theme=theme, creator=creator, goals=goals,
            minutes=minutes, collaborative=collaborative, realms=realms, seed=seed,
        )

    def place(
        self, analysis: Mapping[str, Any], *, clusters: Mapping[str, Any] | None = None,
        realm_index: Mapping[str, Any] | None = None, world: Mapping[str, Any] | None = None,
    ) -> Record:
        """Places an image among realms, clusters and a world's zones.

        Args:
            analysis: The analysis of an image.
            clusters: The clusters; those of the store's images when missing.
            realm_index: The realm index that belongs to the clusters.
            world: The world whose zones to choose from.

        Returns:
            ``image``, ``realm``, ``score``, ``zone``, ``reasons``, ``contents`` of the realm (``images``,
            ``categories`` with the share of images that show them, ``therapeutic_value``), ``realms``, ``zones``.
        """
        return self._object("place", clusters=clusters, realm_index=realm_index, analysis=analysis, world=world)

    def insert_image(
        self, analysis: Mapping[str, Any], *, clusters: Mapping[str, Any] | None = None,
        realm_index: Mapping[str, Any] | None = None,
    ) -> Record:
        """Adds an image to given clusters and their realm index.

        Args:
            analysis: The analysis of an image.
            clusters: The clusters; those of the store's images when missing.
            realm_index: The realm index that belongs to the clusters.

        Returns:
            ``placement``, as ``place`` answers; ``clusters`` and ``realm_index`` with the image in them.
        """
        return self._object("insert_image", clusters=clusters, realm_index=realm_index, analysis=analysis)

    def rank_images(
        self, *, realm_index: Mapping[str, Any] | None = None, goals: Sequence[str] = (), k: int = 10,
        diversity: float = 0.0, per_category: int | None = None, exclude: Table = (),
    ) -> Records:
        """Ranks images by their value for some goals: theirs, their objects' and their cluster's.

        Args:
            realm_index: The index; that of the store's images when missing.
            goals: The therapeutic goals: anxiety_relief, stress_relief, sleep, focus, grounding, mood_lift, energy,
                connection, creativity, self_compassion, grief_support, pain_relief.
            k: The number of images. Whole number, 1 to 1,000,000,000.
            diversity: The weight of being different from the rest of the list, by maximal marginal relevance; 0 ranks
                alone. Number, 0 to 1.
            per_category: The largest number of entries of one realm; any when missing. Whole number, 1 to
                1,000,000,000.
            exclude: What the list leaves out, such as what was seen.

        Returns:
            List of ``image``, ``score``.
        """
        return self._list(
            "rank_images", realm_index=realm_index, goals=goals, k=k, diversity=diversity, per_category=per_category,
            exclude=exclude,
        )

    def match_scenes(self, vector: Sequence[float], *, scenes: Table = (), k: int = 5) -> Records:
        """Finds the scenes nearest to a vector, by the cosine distance.

        Args:
            vector: The vector to compare with.
            scenes: The scenes, each of ``id`` and ``vector``, all of one dimension.
            k: The number of scenes. Whole number, 1 to 1,000,000,000.

        Returns:
            List of ``scene``, ``distance``, nearest first.
        """
        return self._list("match_scenes", scenes=scenes, vector=vector, k=k)

    def dominant_colours(self, pixels: Sequence[float], *, k: int = 5, seed: int = 0) -> Records:
        """Finds the dominant colours of pixels, by k-means in CIELAB.

        Args:
            pixels: Red, green and blue of each pixel, 0 to 255, one after the other.
            k: The number of colours. Whole number, 1 to 256.
            seed: The seed of random numbers. Whole number of 64 bits.

        Returns:
            List of ``hex``, ``red``, ``green``, ``blue``, ``share``, by descending share.
        """
        return self._list("dominant_colours", pixels=pixels, k=k, seed=seed)

    def predictions(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None, now: str | None = None, coverage: float = 0.8,
    ) -> Record:
        """Forecasts a baby's next nap, feed, waking and bedtime at once: an app's answer for every half-hour.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).
            now: The instant; the present by the clocks of ``zone`` when missing, without ``zone`` that of the last
                observation. Local time (``2026-11-20T06:30``).
            coverage: The nominal coverage of the intervals. Number, 0.001 to 0.999.

        Returns:
            ``now``, ``is_asleep``, ``waking`` of a sleeping baby, ``nap``, ``feed``, ``wake_up``, ``bedtime`` and
            ``night_waking`` (as for ``forecast``): each ``kind``, ``point``, ``lower``, ``upper``, ``confidence`` as
            for ``forecast``, ``duration_minutes`` with its interval from ``duration_lower`` to ``duration_upper``, and
            ``probability_within`` 15, 30, 60, 120 and 240 minutes of ``now``; or ``now``, ``kind`` and ``reason``.
        """
        return self._object(
            "predictions", zone=zone, log=log, user=user, baby=baby, born=born, now=now, coverage=coverage,
        )

    def forecast(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None, now: str | None = None, kind: ForecastKind = "nap", coverage: float = 0.8,
    ) -> Record:
        """Forecasts a baby's next nap, feed, waking or bedtime.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).
            now: The instant of the forecast; that of the last observation when missing. Local time
                (``2026-11-20T06:30``).
            kind: The kind of event. ``nap``, ``feed``, ``wake_up``, ``bedtime`` or ``night_waking``.
            coverage: The nominal coverage of the interval. Number, 0.001 to 0.999.

        Returns:
            ``now``, ``point``, ``lower``, ``upper``, ``confidence`` that the event comes within 30 minutes of the
            point, ``duration_minutes``, ``kind``: that of the request, for ``nap`` also ``bedtime`` (the night's first
            sleep) or ``night`` (another of it), each with its own duration; ``now``, ``kind`` and ``reason`` when
            nothing is logged yet, the last sleep or feed was more than 36 hours before, or nothing runs that could end.
            ``wake_up`` is the end of a running sleep (its ``duration_minutes`` counts from its beginning),
            ``night_waking`` the same of a sleep that began from 19:00 to 05:59, and ``bedtime`` the beginning of the
            evening's first sleep of 90 minutes or more, from 18:00 to 02:59.
        """
        return self._object(
            "forecast", zone=zone, log=log, user=user, baby=baby, born=born, now=now, kind=kind, coverage=coverage,
        )

    def sleep_state(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None, now: str | None = None,
    ) -> Record:
        """Tells whether a baby is asleep, and how it slept.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).
            now: The instant; that of the last observation when missing. Local time (``2026-11-20T06:30``).

        Returns:
            ``now``, ``is_asleep``, ``last_sleep_minutes``, ``sleeps_today``, ``asleep_last_day_minutes``; ``now`` and
            ``reason`` where there is no ``forecast`` of a nap.
        """
        return self._object("sleep_state", zone=zone, log=log, user=user, baby=baby, born=born, now=now)

    def backtest(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None, kind: ForecastKind = "nap", at: Sequence[str] | None = None, seed: int = 1,
    ) -> Any:
        """Backtests forecasts over a log.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).
            kind: The kind of event. ``nap``, ``feed``, ``wake_up``, ``bedtime`` or ``night_waking``.
            at: The instants of the forecasts.
            seed: The seed of random numbers. Whole number of 64 bits.

        Returns:
            Either, with ``at``, a list of forecasts, each from what was known then; or ``measures`` and ``forecasts``
            at every waking by day (``nap``, ``bedtime``), feed, or beginning of a sleep by day (``wake_up``) or by
            night (``night_waking``), that a week lies before.
        """
        return self.call("backtest", zone=zone, log=log, user=user, baby=baby, born=born, kind=kind, at=at, seed=seed)

    def rhythm(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None,
    ) -> Records:
        """Finds what a log shows beyond forecasts.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).

        Returns:
            List of insights: ``kind``, ``title``, ``text``, ``confidence``, ``numbers``, ``created``, ``expires``.
        """
        return self._list("rhythm", zone=zone, log=log, user=user, baby=baby, born=born)

    def days(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None, count: int = 14,
    ) -> Records:
        """Summarises the days of a log, from midnight to midnight.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).
            count: The number of last days. Whole number, 1 to 1,000,000,000.

        Returns:
            List of ``date``, ``asleep_minutes``, ``naps``, ``nap_minutes``, ``night_wakings``,
            ``longest_night_stretch``, ``meals``, ``millilitres``, ``diapers``, ``is_whole``; ``naps`` and
            ``nap_minutes`` are null where too few sleeps are known to tell day from night, ``night_wakings`` and
            ``longest_night_stretch`` where no sleep of the night is known.
        """
        return self._list("days", zone=zone, log=log, user=user, baby=baby, born=born, count=count)

    def wake_windows(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None,
    ) -> Records:
        """Measures the time awake before each sleep of the day.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).

        Returns:
            List of ``nap_number``, ``count``, ``lower``, ``median``, ``upper`` (minutes), ``weekly_trend`` (minutes),
            ``trend_p``, ``near_share`` (of days within 30 minutes of the median).
        """
        return self._list("wake_windows", zone=zone, log=log, user=user, baby=baby, born=born)

    def consolidation(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None,
    ) -> Record:
        """Measures how the sleeps of the night grow together.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).

        Returns:
            ``longest_minutes``, the longest sleep of a night, and its ``date``, or null; ``weekly_minutes``, the growth
            of the longest sleep over the last eight weeks, with its ``p`` and the ``nights`` it is of, each null for
            fewer than 14 whole nights.
        """
        return self._object("consolidation", zone=zone, log=log, user=user, baby=baby, born=born)

    def leaps(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None,
    ) -> Records:
        """Finds the days on which a quantity changed its level.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).

        Returns:
            List of ``quantity``, ``date``, ``before``, ``after``, ``confidence``.
        """
        return self._list("leaps", zone=zone, log=log, user=user, baby=baby, born=born)

    def correlations(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None,
    ) -> Record:
        """Correlates feeds with the sleep after them, controlled for age.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).

        Returns:
            Each ``r``, ``count``, ``p``, or null: of a day with the longest sleep of its night ``drinking_and_sleep``
            (millilitres) and ``feeds_and_sleep`` (meals); of the last meal before each sleep ``amount_and_length``,
            ``amount_and_quality`` (millilitres), ``wait_and_length`` and ``wait_and_quality`` (minutes since the feed),
            controlled for the time of day too.
        """
        return self._object("correlations", zone=zone, log=log, user=user, baby=baby, born=born)

    def repairs(
        self, *, zone: str | None = None, log: Log | None = None, user: str | None = None, baby: str | None = None,
        born: str | None = None,
    ) -> Records:
        """Lists what is odd in a log, and what is made of it.

        Args:
            zone: The zone whose clocks read times with an offset; when missing, that of the log or of the person's
                preferences.
            log: The log; without it, name ``user`` and ``baby``.
            user: The person whose baby's log is in the store.
            baby: The baby whose log is in the store.
            born: The day of birth, in place of the log's. Local time (``2026-11-20T06:30``).

        Returns:
            List of ``row`` (from 1; 0 of a store), ``id``, ``start``, ``problem``, ``text``; rows of other types are
            left out and listed here.
        """
        return self._list("repairs", zone=zone, log=log, user=user, baby=baby, born=born)

    def babies(self, user: str) -> Records:
        """Lists the babies of a person.

        Args:
            user: The person.

        Returns:
            List of ``user_id``, ``id``, ``name``, ``date_of_birth``.
        """
        return self._list("babies", user=user)

    def affinity(
        self, a: Mapping[str, Any], b: Mapping[str, Any], *, weights: Mapping[str, float] | None = None,
        every_goal_alike: bool | None = None, connections: Connections | None = None,
        quantiles: Mapping[str, float] | None = None, minimum_coverage: float | None = None,
        model: Mapping[str, Any] | None = None,
    ) -> Record:
        """Compares two souls that come with the request.

        Args:
            a: A soul.
            b: Another soul.
            weights: The weights of the blocks, in any unit; the model's when missing.
            every_goal_alike: Whether goals count the same however rare.
            connections: The fixed bounds of the score, or quantiles of the population; the model's when missing.
                ``score`` or ``quantile``.
            quantiles: The shares of pairs that connections exceed, 0 to 1.
            minimum_coverage: The least coverage of every connection; the model's when missing. Number, 0 to 1.
            model: An answer of ``affinity_model``, whose scores it gives.

        Returns:
            ``score``, ``connection``, ``coverage``, ``nearer_than``, ``blocks``: of each ``similarity``, ``weight``,
            ``contribution``, ``shared``.
        """
        return self._object(
            "affinity", a=a, b=b, weights=weights, every_goal_alike=every_goal_alike, connections=connections,
            quantiles=quantiles, minimum_coverage=minimum_coverage, model=model,
        )

    def match(
        self, souls: Table, *, user: str | None = None, k: int = 10, above: float | None = None, coverage: float = 0.0,
        weights: Mapping[str, float] | None = None, every_goal_alike: bool | None = None,
        connections: Connections | None = None, quantiles: Mapping[str, float] | None = None,
        minimum_coverage: float | None = None, model: Mapping[str, Any] | None = None, threads: int = 1,
    ) -> Records:
        """Matches souls that come with the request: the most similar ones of one or of all.

        Args:
            souls: The souls, each person once.
            user: The person to match; everybody when missing.
            k: The number of matches for each person. Whole number, 1 to 1,000,000,000.
            above: The least score, instead of ``k``. Number, 0 to 1.
            coverage: The least share of all weight that has to be comparable. Number, 0 to 1.
            weights: The weights of the blocks, in any unit; the model's when missing.
            every_goal_alike: Whether goals count the same however rare.
            connections: The fixed bounds of the score, or quantiles of the population; the model's when missing.
                ``score`` or ``quantile``.
            quantiles: The shares of pairs that connections exceed, 0 to 1.
            minimum_coverage: The least coverage of every connection; the model's when missing. Number, 0 to 1.
            model: An answer of ``affinity_model``, whose scores it gives.
            threads: The largest number of threads to use. Whole number, 1 to 65,536.

        Returns:
            List of ``user``, ``other``, ``score``, ``connection``, ``coverage``, by quantiles ``nearer_than``,
            ``compared`` (the blocks that both have), the best first; everybody's by ascending id of ``user``.
        """
        return self._list(
            "match", souls=souls, user=user, k=k, above=above, coverage=coverage, weights=weights,
            every_goal_alike=every_goal_alike, connections=connections, quantiles=quantiles,
            minimum_coverage=minimum_coverage, model=model, threads=threads,
        )

    def learn_souls(self, events: Table, *, zone: str | None = None) -> Records:
        """Learns souls from events: sessions, goals, realms, objects and reactions.

        Args:
            events: ``{"uid", "at", "goals": […], "realms": […], "objects": […], "minutes", "reaction"}``: ``minutes``
                makes it a session, 0 of unknown length; a ``reaction`` is -1 to 1.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            List of the souls that changed, each with its ``history``.
        """
        return self._list("learn_souls", events=events, zone=zone)

    def similar_souls(
        self, user: str, *, k: int = 10, above: float | None = None, coverage: float = 0.0,
        weights: Mapping[str, float] | None = None, every_goal_alike: bool | None = None,
        connections: Connections | None = None, quantiles: Mapping[str, float] | None = None,
        minimum_coverage: float | None = None, diversity: float = 0.0, per_category: int | None = None,
        exclude: Table = (),
    ) -> Records:
        """Finds the people in the store who are most similar to a person.

        Args:
            user: The person.
            k: The number of people. Whole number, 1 to 1,000,000,000.
            above: The least score, instead of ``k``. Number, 0 to 1.
            coverage: The least share of all weight that has to be comparable. Number, 0 to 1.
            weights: The weights of the blocks, in any unit; the model's when missing.
            every_goal_alike: Whether goals count the same however rare.
            connections: The fixed bounds of the score, or quantiles of the population; the model's when missing.
                ``score`` or ``quantile``.
            quantiles: The shares of pairs that connections exceed, 0 to 1.
            minimum_coverage: The least coverage of every connection; the model's when missing. Number, 0 to 1.
            diversity: The weight of being different from the rest of the list, by maximal marginal relevance; 0 ranks
                alone. Number, 0 to 1.
            per_category: The largest number of entries of one connection; any when missing. Whole number, 1 to
                1,000,000,000.
            exclude: What the list leaves out, such as what was seen.

        Returns:
            As ``match``.
        """
        return self._list(
            "similar_souls", user=user, k=k, above=above, coverage=coverage, weights=weights,
            every_goal_alike=every_goal_alike, connections=connections, quantiles=quantiles,
            minimum_coverage=minimum_coverage, diversity=diversity, per_category=per_category, exclude=exclude,
        )

    def similar_pairs(
        self, *, k: int = 10, above: float | None = None, coverage: float = 0.0,
        weights: Mapping[str, float] | None = None, every_goal_alike: bool | None = None,
        connections: Connections | None = None, quantiles: Mapping[str, float] | None = None,
        minimum_coverage: float | None = None, threads: int = 1,
    ) -> Records:
        """Matches everybody in the store: the most similar people of each, or all pairs above a score.

        Args:
            k: The number of people for each person. Whole number, 1 to 1,000,000,000.
            above: The least score, instead of ``k``; each pair is listed once then. Number, 0 to 1.
            coverage: The least share of all weight that has to be comparable. Number, 0 to 1.
            weights: The weights of the blocks, in any unit; the model's when missing.
            every_goal_alike: Whether goals count the same however rare.
            connections: The fixed bounds of the score, or quantiles of the population; the model's when missing.
                ``score`` or ``quantile``.
            quantiles: The shares of pairs that connections exceed, 0 to 1.
            minimum_coverage: The least coverage of every connection; the model's when missing. Number, 0 to 1.
            threads: The largest number of threads to use. Whole number, 1 to 65,536.

        Returns:
            As ``match``.
        """
        return self._list(
            "similar_pairs", k=k, above=above, coverage=coverage, weights=weights, every_goal_alike=every_goal_alike,
            connections=connections, quantiles=quantiles, minimum_coverage=minimum_coverage, threads=threads,
        )

    def why(
        self, user: str, other: str, *, weights: Mapping[str, float] | None = None,
        every_goal_alike: bool | None = None, connections: Connections | None = None,
        quantiles: Mapping[str, float] | None = None, minimum_coverage: float | None = None,
    ) -> Record:
        """Explains the affinity of two people in the store.

        Args:
            user: The person.
            other: The other person.
            weights: The weights of the blocks, in any unit; the model's when missing.
            every_goal_alike: Whether goals count the same however rare.
            connections: The fixed bounds of the score, or quantiles of the population; the model's when missing.
                ``score`` or ``quantile``.
            quantiles: The shares of pairs that connections exceed, 0 to 1.
            minimum_coverage: The least coverage of every connection; the model's when missing. Number, 0 to 1.

        Returns:
            As ``affinity``.
        """
        return self._object(
            "why", user=user, other=other, weights=weights, every_goal_alike=every_goal_alike, connections=connections,
            quantiles=quantiles, minimum_coverage=minimum_coverage,
        )

    def affinity_model(self) -> Record:
        """Gives the store's model of affinity.

        Returns:
            ``weights``, ``every_goal_alike``, and unless that is so ``people`` and ``goals``: how many of them have
            each; by quantiles ``quantiles`` and the ``bounds`` of scores that they are; ``minimum_coverage``;
            ``calibration``: the scores at 119 shares of pairs, from 15 people on.
        """
        return self._object("affinity_model")

    def keep_affinity_model(
        self, *, weights: Mapping[str, float] | None = None, every_goal_alike: bool | None = None,
        connections: Connections | None = None, quantiles: Mapping[str, float] | None = None,
        minimum_coverage: float | None = None, deliveries_per_day: int | None = None,
        minimum_events: float | None = None,
    ) -> Record:
        """Stores settings of affinity; those that are left out stay.

        Args:
            weights: The weights of the blocks, in any unit; the model's when missing.
            every_goal_alike: Whether goals count the same however rare.
            connections: The fixed bounds of the score, or quantiles of the population; the model's when missing.
                ``score`` or ``quantile``.
            quantiles: The shares of pairs that connections exceed, 0 to 1.
            minimum_coverage: The least coverage of every connection; the model's when missing. Number, 0 to 1.
            deliveries_per_day: The most contributions that arrive at a person within 24 hours; 0 for no limit. Whole
                number, 0 to 1,000,000,000.
            minimum_events: The least sum of amounts in the souls of author and recipient. Number, 0 to
                1,000,000,000,000,000.

        Returns:
            As ``affinity_model``.
        """
        return self._object(
            "keep_affinity_model", weights=weights, every_goal_alike=every_goal_alike, connections=connections,
            quantiles=quantiles, minimum_coverage=minimum_coverage, deliveries_per_day=deliveries_per_day,
            minimum_events=minimum_events,
        )

    def contribute(self, user: str, *, contribution: Mapping[str, Any], made: Instant | None = None) -> Record:
        """Stores a contribution of a person.

        Args:
            user: The author.
            contribution: ``{"zone": …}`` or ``{"story": …}``, or what stands inside either by itself; the ``scenes`` of
                a zone are names, or their number.
            made: The instant at which it was made; now when missing.

        Returns:
            ``id``.
        """
        return self._object("contribute", user=user, contribution=contribution, made=made)

    def route(
        self, *, threads: int = 1, weights: Mapping[str, float] | None = None, every_goal_alike: bool | None = None,
        connections: Connections | None = None, quantiles: Mapping[str, float] | None = None,
        minimum_coverage: float | None = None,
    ) -> Record:
        """Delivers contributions to the people whom they fit.

        Args:
            threads: The largest number of threads to use. Whole number, 1 to 65,536.
            weights: The weights of the blocks, in any unit; the model's when missing.
            every_goal_alike: Whether goals count the same however rare.
            connections: The fixed bounds of the score, or quantiles of the population; the model's when missing.
                ``score`` or ``quantile``.
            quantiles: The shares of pairs that connections exceed, 0 to 1.
            minimum_coverage: The least coverage of every connection; the model's when missing. Number, 0 to 1.

        Returns:
            ``contributions``, ``deliveries``, ``waiting`` (for a soul of their authors), ``over_limit`` (deliveries
            left out).
        """
        return self._object(
            "route", threads=threads, weights=weights, every_goal_alike=every_goal_alike, connections=connections,
            quantiles=quantiles, minimum_coverage=minimum_coverage,
        )

    def inbox(self, user: str, *, state: InboxState | None = None) -> Records:
        """Lists a person's inbox, newest first.

        Args:
            user: The person.
            state: The state of the items; all that were not declined when missing. ``delivered``, ``discovered``,
                ``pending``, ``accepted``, ``declined`` or ``visible``.

        Returns:
            List of ``id``, ``state``, ``arrived``, ``author`` (an anonymous name), ``connection``, ``attribution``,
            ``similarities``, ``contribution``.
        """
        return self._list("inbox", user=user, state=state)

    def digest(self, user: str, *, since: Instant) -> Record:
        """Summarises the items that arrived in a person's inbox since an instant.

        Args:
            user: The person.
            since: The first instant.

        Returns:
            ``since``, ``authors``, ``zones``, ``stories``, ``summary`` ("3 zones, 2 stories"), ``counts`` by state,
            ``items``.
        """
        return self._object("digest", user=user, since=since)

    def join_world(self, user: str, *, world: Mapping[str, Any]) -> Record:
        """Joins the zones and stories that others made for a person to a world.

        Args:
            user: The person.
            world: The person's world, as ``world`` or this method answered.

        Returns:
            The world with ``contributed_zones``, each with a portal to the nearest zone of its realm, and
            ``contributed_stories``, each with the ``zone`` that starts it: what is delivered, discovered or accepted in
            the inbox, in place of what was joined before.
        """
        return self._object("join_world", user=user, world=world)

    def accept(self, user: str, item: str) -> Record:
        """Accepts an item of a person's inbox.

        Args:
            user: The person.
            item: The item.

        Returns:
            ``{}``.
        """
        return self._object("accept", user=user, item=item)

    def decline(self, user: str, item: str) -> Record:
        """Declines an item of a person's inbox.

        Args:
            user: The person.
            item: The item.

        Returns:
            ``{}``.
        """
        return self._object("decline", user=user, item=item)

    def block(self, user: str, item: str) -> Record:
        """Declines an item and everything else of its author, for good.

        Args:
            user: The person.
            item: The item.

        Returns:
            ``{}``.
        """
        return self._object("block", user=user, item=item)

    def anonymous_name(self, user: str) -> Record:
        """Gives the anonymous name of a person, from which nobody can tell the id.

        Args:
            user: The person.

        Returns:
            ``name``; null before the store has a naming key.
        """
        return self._object("anonymous_name", user=user)

    def suggest(self, user: str, *, at: Instant | None = None, zone: str | None = None, exclude: Table = ()) -> Any:
        """Suggests the next three challenges, as `assign` would lay them out.

        Args:
            user: The person.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.
            exclude: Challenges to leave out, such as those seen elsewhere.

        Returns:
            Either a list of ``challenge``, ``decision``, ``propensity``, ``is_exploring``, ``expected_reward``,
            ``deviation``, ``reasons`` (``name``, ``contribution`` in log odds), or ``nothing``.
        """
        return self.call("suggest", user=user, at=at, zone=zone, exclude=exclude)

    def today(self, user: str, *, at: Instant | None = None, zone: str | None = None) -> Record:
        """Gives today's content and challenge.

        Args:
            user: The person.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            ``content``, as ``timeline`` has it; ``challenge``: ``given`` (null until it is assigned or answered) and
            ``challenge``, the same all day, or ``nothing``, or null when the store has none; ``has_begun``.
        """
        return self._object("today", user=user, at=at, zone=zone)

    def assign(self, user: str, *, at: Instant | None = None, zone: str | None = None) -> Record:
        """Assigns today's challenge unless one was assigned.

        Args:
            user: The person.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            ``given``, ``challenge``, or ``nothing``. What was assigned on a day before and not answered counts as
            ignored until it is completed or skipped.
        """
        return self._object("assign", user=user, at=at, zone=zone)

    def timeline(self, user: str, *, days: int = 7, at: Instant | None = None, zone: str | None = None) -> Records:
        """Lists the days of content from today on.

        Args:
            user: The person.
            days: The number of days. Whole number, 1 to 1,000.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            List of ``day``, ``date``, ``start``, ``end``, ``refresh``, ``reminder``, ``item``, and ``instead_of``, the
            day whose content needs a newer app; the first is the day of ``at``.
        """
        return self._list("timeline", user=user, days=days, at=at, zone=zone)

    def complete(
        self, user: str, *, challenge: str | None = None, rating: int | None = None, minutes: float | None = None,
        at: Instant | None = None, zone: str | None = None,
    ) -> Record:
        """Marks a challenge of a person as completed.

        Args:
            user: The person.
            challenge: The challenge, whenever it was assigned; that of ``today`` when missing.
            rating: The person's rating. Whole number, 1 to 5.
            minutes: The time that it took. Number, 0 to 1,000,000 min.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            What was given, with its status.
        """
        return self._object(
            "complete", user=user, challenge=challenge, rating=rating, minutes=minutes, at=at, zone=zone,
        )

    def skip(
        self, user: str, *, challenge: str | None = None, at: Instant | None = None, zone: str | None = None,
    ) -> Record:
        """Skips a challenge; `today` has another one.

        Args:
            user: The person.
            challenge: The challenge, whenever it was assigned; that of ``today`` when missing.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            What was given, with its status.
        """
        return self._object("skip", user=user, challenge=challenge, at=at, zone=zone)

    def history(self, user: str, *, count: int = 20) -> Records:
        """Lists the challenges given to a person, newest first.

        Args:
            user: The person.
            count: The number of challenges. Whole number, 1 to 1,000,000,000.

        Returns:
            List of ``given``, ``title``.
        """
        return self._list("history", user=user, count=count)

    def decisions(self, user: str) -> Records:
        """Lists the decisions made for a person, oldest first: a log for off-policy evaluation.

        Args:
            user: The person.

        Returns:
            List of ``number``, ``made``, ``challenge_id``, ``features``, ``propensity``, ``is_exploring``,
            ``expected_reward``, ``reward`` when it is known, and what ``evaluate_policy`` needs: ``learned``,
            ``weight``, ``candidates``, and ``ignored`` where the outcome came after the challenge had counted as
            ignored.
        """
        return self._list("decisions", user=user)

    def evaluate_policy(
        self, *, user: str | None = None, kind: EvaluatePolicyKind | None = None, exploration: float | None = None,
        epsilon: float | None = None, resamples: int = 0, seed: int = 1,
    ) -> Record:
        """Estimates what another policy would have earned, from the log of decisions.

        Args:
            user: The person; everybody when missing.
            kind: The model and the exploration; the present default when missing. ``standard``, ``epsilon-greedy``,
                ``linucb``, ``thompson``, ``logistic-thompson``, ``logistic-ucb``, ``squarecb`` or ``regcb``.
            exploration: The share, width, scale or gain of the exploration; that of the kind when missing. Number, 0 to
                1,000,000,000.
            epsilon: The part of all choices made uniformly at random; that of the kind when missing. Number, 0 to 1.
            resamples: The resamples of a bootstrap, 2 or more; 0: score intervals, and 1,000 resamples for those of the
                gains. Whole number, 0 to 100,000.
            seed: The seed of random numbers. Whole number of 64 bits.

        Returns:
            ``people``, ``rounds``, ``left_out`` (``open``: not answered, ``without_candidates``: of an earlier release
            or long ago, ``certain``: no other choice was possible), ``effective_rounds`` (far fewer than ``rounds``:
            the log says little), ``behaviour``: the mean reward as it was, null without rounds; ``estimates``:
            ``estimator``, ``value``, ``gain`` over the behaviour. Means have ``value``, ``lower``, ``upper`` (95 %;
            null for fewer than 4 rounds or, of everybody, 4 people).
        """
        return self._object(
            "evaluate_policy", user=user, kind=kind, exploration=exploration, epsilon=epsilon, resamples=resamples,
            seed=seed,
        )

    def reflect(
        self, user: str, *, completed: bool = True, text: str = "", at: Instant | None = None, zone: str | None = None,
    ) -> Record:
        """Stores a reflection on the content of a day.

        Args:
            user: The person.
            completed: Whether the day's action was done.
            text: The reflection.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            The reflection on the content of the day of ``at``.
        """
        return self._object("reflect", user=user, completed=completed, text=text, at=at, zone=zone)

    def progress(self, user: str, *, at: Instant | None = None, zone: str | None = None) -> Record:
        """Counts what a person has done.

        Args:
            user: The person.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            ``content``: ``reflected``, ``completed``, ``completion_rate``, ``current_streak``, ``longest_streak``,
            ``domains``; ``challenges`` by status, with ``current_streak`` and ``longest_streak``: consecutive dates
            whose challenge was completed, on that date or later.
        """
        return self._object("progress", user=user, at=at, zone=zone)

    def rotation(
        self, user: str, *, focus: Focus | None = None, refresh: str | None = None, reminder: str | None = None,
        start_advanced_year: bool = False, day: int | None = None, at: Instant | None = None, zone: str | None = None,
    ) -> Record:
        """Changes the rotation of daily content, or shows it when nothing changes.

        Args:
            user: The person.
            focus: The domain to show, or ``none``. ``consciousness``, ``health``, ``wealth``, ``relationships`` or
                ``none``.
            refresh: The time of day at which the content changes. Time of day (``07:30``).
            reminder: The time of day of a reminder, or ``none``. Time of day (``07:30``).
            start_advanced_year: Whether to begin the advanced year.
            day: The new number of the day of ``at``, from which the days are counted on; after 364 the content begins
                again. Whole number, 1 to 364,000.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            The rotation after the change; without one, as it is at ``at``.
        """
        return self._object(
            "rotation", user=user, focus=focus, refresh=refresh, reminder=reminder,
            start_advanced_year=start_advanced_year, day=day, at=at, zone=zone,
        )

    def prefer(
        self, user: str, *, preferences: Mapping[str, Any], at: Instant | None = None, zone: str | None = None,
    ) -> Record:
        """Changes a person's preferences.

        Args:
            user: The person.
            preferences: Those of ``time_window``, ``quiet_hours``, ``daily_budget``, ``notifications``,
                ``preferred_categories``, ``max_time``, ``budget_level``, ``social_comfort``, ``time_zone``,
                ``recovery_days``, ``selection`` (``learned`` or ``random``), ``app_version`` that change;
                ``current_day``, ``domain_focus``, ``refresh_time`` and ``evening_reminder`` change the rotation.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            All preferences.
        """
        return self._object("prefer", user=user, preferences=preferences, at=at, zone=zone)

    def preferences(self, user: str) -> Record:
        """Gives a person's preferences, or the default ones.

        Args:
            user: The person.

        Returns:
            All preferences.
        """
        return self._object("preferences", user=user)

    def next_notification(
        self, user: str, *, phase: Phase = "learned", seed: int = 1, prior: Mapping[str, Any] | None = None,
        at: Instant | None = None, zone: str | None = None,
    ) -> Record:
        """Plans the next notification of a person.

        Args:
            user: The person.
            phase: The choice of the minute: from what was answered, or uniform. ``uniform`` or ``learned``.
            seed: The seed of random numbers. Whole number of 64 bits.
            prior: What is known of when people answer, as ``notification_prior`` counts it; nothing when missing.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            ``at``, ``local_time``, ``date``, ``answer_probability``; or ``refused``.
        """
        return self._object("next_notification", user=user, phase=phase, seed=seed, prior=prior, at=at, zone=zone)

    def notification_prior(self, *, user: str | None = None, prior: Mapping[str, Any] | None = None) -> Record:
        """Counts when people answer notifications, without any of their answers.

        Args:
            user: The person to count alone, of 10 answers or more; 1,000 of everybody when missing.
            prior: What is known of when people answer, as ``notification_prior`` counts it; nothing when missing.

        Returns:
            ``people``, ``centres``: the expected number of people by the half hour of their best time, ``shapes``: by
            width and height of the curve of their answers; sums of several answers may be added up and given to
            ``next_notification`` as its ``prior``.
        """
        return self._object("notification_prior", user=user, prior=prior)

    def notified(
        self, user: str, *, sent: Instant, answered: bool | None = None, at: Instant | None = None,
        zone: str | None = None,
    ) -> Record:
        """Stores that a notification was sent, or answered.

        Args:
            user: The person.
            sent: The instant of the notification.
            answered: Whether it was answered; unknown when missing.
            at: The instant of the question; now when missing.
            zone: The person's time zone; that of their preferences, else UTC, when missing.

        Returns:
            The notification.
        """
        return self._object("notified", user=user, sent=sent, answered=answered, at=at, zone=zone)

    def check_content(self, text: str, *, kind: CheckContentKind = "content") -> Record:
        """Checks a file of daily content or challenges.

        Args:
            text: The text: a record on each line, or an array.
            kind: The kind of records. ``content`` or ``challenges``.

        Returns:
            ``is_sound``, ``records``, ``problems``: ``line``, ``problem``.
        """
        return self._object("check_content", text=text, kind=kind)

    def create_policy(
        self, policy: str, *, dimension: int, kind: EvaluatePolicyKind = "standard", arms: int | None = None,
        pairs: bool = False, seed: int = 0,
    ) -> Record:
        """Makes a policy that has learned nothing yet, under a new name.

        Args:
            policy: The name of the policy.
            dimension: The number of features of an action, or of the context. Whole number, 1 to 4,095.
            kind: The model and the exploration. With 10 arms of 16 features standard has 1 MB, logistic-ucb 14 KB.
                ``standard``, ``epsilon-greedy``, ``linucb``, ``thompson``, ``logistic-thompson``, ``logistic-ucb``,
                ``squarecb`` or ``regcb``.
            arms: The number of arms with a model each; one model when missing. Whole number, 1 to 65,536.
            pairs: Whether products of two features are features too.
            seed: The seed of random numbers. Whole number of 64 bits.

        Returns:
            ``policy``, ``dimension``, ``arms`` (null for one model), ``choices``, ``observations``.
        """
        return self._object(
            "create_policy", policy=policy, kind=kind, dimension=dimension, arms=arms, pairs=pairs, seed=seed,
        )

    def policies(self) -> Records:
        """Lists the policies that are kept.

        Returns:
            List of ``policy``, ``dimension``, ``arms`` (null for one model), ``choices``, ``observations``, by
            ascending name.
        """
        return self._list("policies")

    def choose_action(self, policy: str, *, actions: Sequence[Sequence[float]]) -> Record:
        """Chooses one of several actions by a policy with one model for all.

        Args:
            policy: The name of the policy.
            actions: A list of features for each action.

        Returns:
            ``action`` (the place in the list, or the arm, from 0), ``propensity``, ``expected_reward``,
            ``is_exploring``, and ``event``, which ``learn`` takes.
        """
        return self._object("choose_action", policy=policy, actions=actions)

    def choose_arm(self, policy: str, *, context: Sequence[float], arms: Sequence[float] | None = None) -> Record:
        """Chooses an arm in a context by a policy with a model per arm.

        Args:
            policy: The name of the policy.
            context: The features of the context.
            arms: The arms that may be chosen, from 0; all when missing.

        Returns:
            ``action`` (the place in the list, or the arm, from 0), ``propensity``, ``expected_reward``,
            ``is_exploring``, and ``event``, which ``learn`` takes.
        """
        return self._object("choose_arm", policy=policy, context=context, arms=arms)

    def learn(self, policy: str, *, reward: float, event: Mapping[str, Any]) -> Record:
        """Learns the reward of a choice, at once or days later.

        Args:
            policy: The name of the policy.
            reward: The reward; 0 to 1 for the logistic kinds. Number, -1,000,000,000 to 1,000,000,000.
            event: The ``event`` of the choice.

        Returns:
            ``observations``: the number of rewards learned so far.
        """
        return self._object("learn", policy=policy, reward=reward, event=event)
