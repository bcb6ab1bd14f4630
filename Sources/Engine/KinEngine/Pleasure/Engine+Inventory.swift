extension Engine {
    /// Finds inventory items by conditions; with a target, ranks them by their match with it.
    ///
    /// A ranking has only available items, unless the query names the states of availability.
    ///
    /// - Parameters:
    ///   - query: The conditions.
    ///   - ranking: The target of the ranking; nil for the nearest items first.
    ///   - taste: The liked and disliked items, and the variety of the list. An item's cost is its score below 1, its
    ///     category is its kind, and the distance between two items is one minus the cosine of their pleasures.
    ///   - k: The largest number of items.
    /// - Throws: `.unknownID` for a person without records, and for an example that is not an item; `.invalidArgument`
    ///   for a diversity without a target or a liked item to rank by; `.corruptFile`, `.inputOutput`.
    public func inventory(
        _ query: InventoryQuery = InventoryQuery(), ranking: InventoryRanking? = nil, taste: ListTaste = .none,
        k: Int = 10
    ) throws(KinError) -> [InventoryMatch] {
        let query = query.preferringAvailable(ranking != nil)
        let target: Pleasure?
        switch ranking {
        case nil: target = nil
        case .point(let point): target = point
        case .user(let user, let instant, let zone, let moods):
            target = try profile(of: user, in: query.slot, at: instant, zone: zone, moods: moods).target
        }
        return try store.withInventoryIndex { (index) throws(KinError) in
            try index.search(query, for: target, taste: taste, k: k)
        }
    }

    /// Counts the items that each condition of a search leaves, and finds the item that comes nearest to meeting all
    /// conditions.
    ///
    /// - Parameters:
    ///   - query: The conditions.
    ///   - isRanked: Whether the search is ranked. A ranked search has only available items, unless the query names the
    ///     states of availability.
    /// - Throws: `.invalidArgument` for a negative radius or time; `.corruptFile`, `.inputOutput`.
    public func inventoryReport(_ query: InventoryQuery, isRanked: Bool = false) throws(KinError) -> InventoryReport {
        try store.withInventoryIndex { (index) throws(KinError) in
            try index.report(on: query.preferringAvailable(isRanked))
        }
    }

    /// Follows a stream of positions into and out of the geofences of items.
    ///
    /// - Parameters:
    ///   - tracker: The distances and the items entered before; updated with the items entered at the end.
    ///   - positions: The positions, by ascending instant.
    ///   - query: Conditions on the items; its location and radius are ignored.
    /// - Returns: The crossings in order.
    /// - Throws: `.invalidArgument` for positions out of order; `.corruptFile`, `.inputOutput`.
    public func geofenceEvents(
        _ tracker: inout GeofenceTracker, along positions: [TimedPosition],
        where query: InventoryQuery = InventoryQuery()
    ) throws(KinError) -> [GeofenceTracker.Event] {
        let index = try store.inventoryIndex()
        var events: [GeofenceTracker.Event] = []
        for (place, position) in positions.enumerated() {
            if place > 0, position.instant < positions[place - 1].instant {
                throw KinError(.invalidArgument, "the positions are not in order of time").within("row", place)
            }
            events += try tracker.move(to: position, among: index, where: query)
        }
        return events
    }

    /// Finds missions: pairs of a tool and a space for a person's target, place and time, the best first.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - place: The location of the person.
    ///   - minutes: The available minutes, including the way there and back.
    ///   - conditions: The part of the day, state, weather, season and radius.
    ///   - k: The number of missions, 1 to `InventoryIndex.mostMissions`.
    /// - Throws: `.unknownID` for a person without records; `.invalidArgument`; `.corruptFile`, `.inputOutput`.
    public func missions(
        for user: String, near place: GeographicCoordinates, minutes: Double,
        conditions: MissionConditions = MissionConditions(), k: Int = 5
    ) throws(KinError) -> [Mission] {
        let request = try missionRequest(for: user, near: place, minutes: minutes, conditions: conditions)
        return try store.withInventoryIndex { (index) throws(KinError) in try index.missions(for: request, k: k) }
    }

    /// Counts the tools and spaces that each condition of missions leaves, and finds the pair that comes nearest to a mission.
    ///
    /// - Throws: As ``missions(for:near:minutes:conditions:k:)``.
    public func missionReport(
        for user: String, near place: GeographicCoordinates, minutes: Double,
        conditions: MissionConditions = MissionConditions()
    ) throws(KinError) -> MissionReport {
        let request = try missionRequest(for: user, near: place, minutes: minutes, conditions: conditions)
        return try store.withInventoryIndex { (index) throws(KinError) in try index.report(on: request) }
    }

    /// Finds the smallest change of each condition that changes a person's first mission: fewer and more minutes, a
    /// smaller and a larger radius, one coordinate of the target, the weather and the means of travel.
    ///
    /// - Returns: As `InventoryIndex.flips(for:)`.
    /// - Throws: As ``missions(for:near:minutes:conditions:k:)``.
    public func flipPoints(
        for user: String, near place: GeographicCoordinates, minutes: Double,
        conditions: MissionConditions = MissionConditions()
    ) throws(KinError) -> [MissionFlip] {
        let request = try missionRequest(for: user, near: place, minutes: minutes, conditions: conditions)
        return try store.withInventoryIndex { (index) throws(KinError) in try index.flips(for: request) }
    }

    private func missionRequest(
        for user: String, near place: GeographicCoordinates, minutes: Double, conditions: MissionConditions
    ) throws(KinError) -> MissionRequest {
        let instant = try instant(conditions.instant)
        let zone = try zone(of: user, conditions.zone)
        let slot = conditions.slot ?? DayPart(at: zone.timeOfDay(at: instant))
        let profile = try profile(of: user, in: slot, at: instant, zone: zone, moods: conditions.moods)
        let running = try store.withHistory(of: user) { $0.sessionState(at: instant) }
        var request = MissionRequest(
            target: profile.target, mood: profile.mood,
            state: conditions.state ?? running ?? profile.declared?.sessionState ?? .idle,
            weather: conditions.weather, slot: slot, season: conditions.season,
            minutes: minutes, location: place, radiusKilometers: conditions.radiusKilometers)
        request.excluded = Set(conditions.excluded.map { RecordID.normalized($0) })
        request.diversity = conditions.diversity
        request.travel = conditions.travel
        return request
    }
}

/// The target for ranking items.
public enum InventoryRanking: Sendable, Hashable {
    /// A person's target profile at an instant (nil: now), in a time zone (nil: the zone in their preferences, else
    /// UTC) and in moods (nil: the mood in their profile).
    case user(String, at: Timestamp? = nil, in: LocalZone? = nil, moods: Set<Mood>? = nil)
    /// A point of the pleasure space.
    case point(Pleasure)
}

/// The conditions of missions, in addition to person, place and minutes.
public struct MissionConditions: Sendable, Hashable {
    /// The part of the day; nil for the part at ``instant``.
    public var slot: DayPart?
    /// The state of the person's session; nil for that of the session that runs at ``instant``, else the state in the
    /// profile then.
    public var state: SessionState?
    /// The person's moods; nil for the mood, if any, that their profile's `current_state` names.
    public var moods: Set<Mood>?
    /// The weather; nil if unknown.
    public var weather: MissionRequest.Weather?
    /// The means of travel.
    public var travel = MissionRequest.Travel.walk
    /// The season; nil for any.
    public var season: TemporalTags.Season?
    /// The largest distance in kilometres from the person to the tool and the space, and between the two.
    public var radiusKilometers = 3.0
    /// The ids of tools and spaces that missions must not use.
    public var excluded: Set<String> = []
    /// The weight of the difference from the preceding missions, 0 to less than 1; nil for a third.
    public var diversity: Double?
    /// The instant; nil for now.
    public var instant: Timestamp?
    /// The person's time zone; nil for the zone in their preferences, else UTC.
    public var zone: LocalZone?

    /// Creates the default conditions: within three kilometres, now.
    public init() {}
}

extension InventoryQuery {
    /// The query of a ranking, which has only available items unless the query names the states of availability.
    ///
    /// - Parameter isRanked: Whether the search is ranked; otherwise the query is returned unchanged.
    fileprivate func preferringAvailable(_ isRanked: Bool) -> InventoryQuery {
        guard isRanked, statuses == nil else { return self }
        var query = self
        query.statuses = [.available]
        return query
    }
}
