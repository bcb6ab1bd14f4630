public import KinCore

/// A report of the tools and spaces that remain for missions, and of the pair that comes nearest to one.
public struct MissionReport: Sendable, Hashable {
    /// The tools after each condition.
    public let tools: InventoryReport
    /// The spaces after each condition.
    public let spaces: InventoryReport
    /// The pair that comes nearest; nil when there is no tool or no space at all.
    public let nearest: Miss?

    /// A tool and a space, with what they lack for a mission.
    public struct Miss: Sendable, Hashable {
        /// The tool, with the conditions that it breaks.
        public let tool: InventoryReport.Miss
        /// The space, with the conditions that it breaks.
        public let space: InventoryReport.Miss
        /// The minutes that the travel and the longer one of the shortest durations take; nil when the space has no location.
        public let minutesNeeded: Double?
        /// The kilometres between the two; nil when either has no location.
        public let kilometersApart: Double?
    }

    /// The reason for which there is no mission.
    public enum Cause: Sendable, Hashable {
        /// A condition that leaves no tool.
        case tools(InventoryCondition)
        /// A condition that leaves no space.
        case spaces(InventoryCondition)
        /// Tools and spaces are there, but no two of them are near enough to each other and to be reached and used in the time.
        case pairs
    }

    /// The condition that left no tool or space, or the pairs; nil when there are no items.
    public var emptiedBy: Cause? {
        if let condition = tools.emptiedBy { return .tools(condition) }
        if let condition = spaces.emptiedBy { return .spaces(condition) }
        return tools.all == 0 ? nil : .pairs
    }
}

extension InventoryIndex {
    /// Counts the tools and spaces that each condition of missions leaves, and finds the pair that comes nearest to a mission.
    ///
    /// The nearest pair is made of the tool and the space that break the fewest conditions, the nearest ones to the person of them.
    ///
    /// - Throws: As ``missions(for:k:)``.
    /// - Complexity: O(items), some 60 ns each.
    public func report(on request: MissionRequest) throws(KinError) -> MissionReport {
        var query = InventoryQuery(
            location: request.location, radiusKilometers: request.radiusKilometers, kinds: [.tool],
            statuses: [.available], slot: request.slot, minutes: request.minutes, season: request.season)
        try query.check()
        let tools = InventoryReport(self, query, allowsUnlocated: true)
        query.kinds = [.space]
        let spaces = InventoryReport(self, query, allowsUnlocated: false)
        return MissionReport(tools: tools, spaces: spaces, nearest: miss(tools, spaces, from: request.location))
    }

    private func miss(
        _ tools: InventoryReport, _ spaces: InventoryReport, from start: GeographicCoordinates
    ) -> MissionReport.Miss? {
        guard let tool = tools.nearest, tool.item.kind == .tool, let space = spaces.nearest, space.item.kind == .space
        else { return nil }
        var minutes: Double?
        var apart: Double?
        if let there = space.item.location {
            var route = start.distance(to: there)
            if let place = tool.item.location {
                let between = place.distance(to: there)
                (apart, route) = (between, start.distance(to: place) + between)
            }
            let durations = [tool, space].map { $0.item.times.durationRange?.lowerBound ?? 0 }
            minutes = route / MissionRequest.walkingSpeed * 60 + max(durations[0], durations[1])
        }
        return MissionReport.Miss(tool: tool, space: space, minutesNeeded: minutes, kilometersApart: apart)
    }
}
