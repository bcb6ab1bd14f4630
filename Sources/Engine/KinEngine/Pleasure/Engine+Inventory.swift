public import KinCore
public import KinIndex
public import KinPleasure
import KinStore

extension Engine {
    /// Reads inventory items by their ids.
    ///
    /// - Returns: The items in the order of the ids; nil for an id without an item.
    /// - Throws: `.invalidArgument` for a malformed id; `.corruptFile`, `.inputOutput`.
    public func items(_ ids: [String]) throws(KinError) -> [InventoryItem?] { try store.items(ids) }

    /// Finds inventory items by conditions, ranked by how well they match a target when there is one.
    ///
    /// Only what is available is ranked, unless the query says which states of availability are wanted.
    ///
    /// - Parameters:
    ///   - query: The conditions.
    ///   - ranking: The target of the ranking; without one the nearest items come first.
    ///   - taste: The liked and disliked items, and the variety of the list. An item's cost is its score below 1, its category its kind,
    ///     and the distance between two one minus the cosine of their pleasures.
    ///   - k: The largest number of items.
    /// - Throws: `.unknownID` for a person without records, and an example that is no item; `.invalidArgument` for a diversity without
    ///   anything to rank by; `.corruptFile`, `.inputOutput`.
    public func inventory(
        _ query: InventoryQuery = InventoryQuery(), ranking: InventoryRanking? = nil, taste: ListTaste = .none,
        k: Int = 10
    ) throws(KinError) -> [InventoryMatch] {
        let query = query.preferringAvailable(ranking != nil)
        let target: Pleasure?
        switch ranking {
        case nil: target = nil
        case .point(let point): target = point
        case .user(let user, let instant, let zone, let mood):
            target = try profile(of: user, in: query.slot, at: instant, zone: zone, mood: mood).target
        }
        return try store.withInventoryIndex { (index) throws(KinError) in
            try index.search(query, for: target, taste: taste, k: k)
        }
    }

    /// Counts the items that each condition of a search leaves, and finds the one that comes nearest to fulfilling all.
    ///
    /// - Parameters:
    ///   - query: The conditions.
    ///   - isRanked: Whether the search is ranked, so that only what is available counts unless the query says otherwise.
    /// - Throws: `.invalidArgument` for a negative radius or time; `.corruptFile`, `.inputOutput`.
    public func inventoryReport(_ query: InventoryQuery, isRanked: Bool = false) throws(KinError) -> InventoryReport {
        try store.withInventoryIndex { (index) throws(KinError) in
            try index.report(on: query.preferringAvailable(isRanked))
        }
    }

    /// Follows a stream of positions into and out of the geofences of items.
    ///
    /// - Parameters:
    ///   - tracker: The distances, and the items entered before; it has those entered at the end afterwards.
    ///   - positions: The positions, by ascending instant.
    ///   - query: Conditions on the items; its location and radius have no part.
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
                throw KinError(.invalidArgument, "the positions are not by ascending instant").within("row", place)
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
    ///   - minutes: The available minutes, travel included.
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

    private func missionRequest(
        for user: String, near place: GeographicCoordinates, minutes: Double, conditions: MissionConditions
    ) throws(KinError) -> MissionRequest {
        let instant = try instant(conditions.instant)
        let zone = try zone(of: user, conditions.zone)
        let slot = conditions.slot ?? DayPart(at: zone.timeOfDay(at: instant))
        let profile = try profile(of: user, in: slot, at: instant, zone: zone, mood: conditions.mood)
        var request = MissionRequest(
            target: profile.target, mood: profile.mood,
            state: conditions.state ?? profile.declared?.sessionState ?? .idle, weather: conditions.weather, slot: slot,
            season: conditions.season,
            minutes: minutes, location: place, radiusKilometers: conditions.radiusKilometers)
        request.excluded = Set(conditions.excluded.map { RecordID.normalized($0) })
        request.diversity = conditions.diversity
        return request
    }
}

/// The target by which items are ranked.
public enum InventoryRanking: Sendable, Hashable {
    /// A person's target profile at an instant, now when nil, in a time zone and a mood, that of their profile when nil.
    case user(String, at: Timestamp? = nil, in: LocalZone? = nil, mood: Mood? = nil)
    /// A point of the pleasure space.
    case point(Pleasure)
}

/// The conditions of missions beside person, place and minutes.
public struct MissionConditions: Sendable, Hashable {
    /// The part of the day; that of the instant when nil.
    public var slot: DayPart?
    /// The state of the person's session; that of the profile in force at ``instant`` when nil.
    public var state: SessionState?
    /// The person's mood; the one that their profile's `current_state` names, if any, when nil.
    public var mood: Mood?
    /// The weather; nil when it is unknown.
    public var weather: MissionRequest.Weather?
    /// The season; nil for any.
    public var season: TemporalTags.Season?
    /// The largest distance in kilometres from the person to the tool and the space, and between the two.
    public var radiusKilometers = 3.0
    /// The ids of the tools and spaces that no mission uses.
    public var excluded: Set<String> = []
    /// The weight of being unlike the missions before, 0 to less than 1; a third when nil.
    public var diversity: Double?
    /// The instant; now when nil.
    public var instant: Timestamp?
    /// The person's time zone; that of their preferences, else UTC, when nil.
    public var zone: LocalZone?

    /// Creates the default conditions: within three kilometres, now.
    public init() {}
}

extension InventoryQuery {
    /// The query of a ranking: only what is available, unless it says which states of availability are wanted.
    ///
    /// - Parameter isRanked: Whether the search is ranked; the query stays as it is otherwise.
    fileprivate func preferringAvailable(_ isRanked: Bool) -> InventoryQuery {
        guard isRanked, statuses == nil else { return self }
        var query = self
        query.statuses = [.available]
        return query
    }
}
