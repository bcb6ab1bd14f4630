public import KinCore

/// A report on a mission search: the tools and spaces that remain, and the pair nearest to being a mission.
public struct MissionReport: Sendable, Hashable {
    /// The tools after each condition.
    public let tools: InventoryReport
    /// The spaces after each condition.
    public let spaces: InventoryReport
    /// The nearest pair; nil if there is no tool or no space at all.
    public let nearest: Miss?

    /// A tool and a space, with the conditions that they break.
    public struct Miss: Sendable, Hashable {
        /// The tool, with the conditions that it breaks.
        public let tool: InventoryReport.Miss
        /// The space, with the conditions that it breaks.
        public let space: InventoryReport.Miss
        /// The minutes for the way there and back and the longer of the two shortest durations; nil if the space has no location.
        public let minutesNeeded: Double?
        /// The kilometres between the two; nil if either has no location.
        public let kilometersApart: Double?
    }

    /// The reason why there is no mission.
    public enum Cause: Sendable, Hashable {
        /// A condition that leaves no tool.
        case tools(InventoryCondition)
        /// A condition that leaves no space.
        case spaces(InventoryCondition)
        /// Tools and spaces remain, but no pair is near enough and fits into the time.
        case pairs
    }

    /// The reason why there is no mission; nil for an index without items.
    public var emptiedBy: Cause? {
        if let condition = tools.emptiedBy { return .tools(condition) }
        if let condition = spaces.emptiedBy { return .spaces(condition) }
        return tools.all == 0 ? nil : .pairs
    }
}

extension InventoryIndex {
    /// Counts the tools and spaces that remain after each condition of missions, and finds the pair nearest to being a
    /// mission.
    ///
    /// The nearest pair consists of the tool and the space that break the fewest conditions, ties by their distance
    /// from the person.
    ///
    /// - Throws: As ``missions(for:k:)``.
    /// - Complexity: O(items), about 60 ns each.
    public func report(on request: MissionRequest) throws(KinError) -> MissionReport {
        let tools = InventoryReport(self, try request.query(for: .tool), allowsUnlocated: true)
        let spaces = InventoryReport(self, try request.query(for: .space), allowsUnlocated: false)
        return MissionReport(tools: tools, spaces: spaces, nearest: miss(tools, spaces, for: request))
    }

    private func miss(
        _ tools: InventoryReport, _ spaces: InventoryReport, for request: MissionRequest
    ) -> MissionReport.Miss? {
        guard let tool = tools.nearest, tool.item.kind == .tool, let space = spaces.nearest, space.item.kind == .space
        else { return nil }
        var minutes: Double?
        var apart: Double?
        if let there = space.item.location {
            let back = request.location.distance(to: there)
            var route = back
            if let place = tool.item.location {
                let between = place.distance(to: there)
                (apart, route) = (between, request.location.distance(to: place) + between)
            }
            let durations = [tool, space].map { $0.item.times.durationRange?.lowerBound ?? 0 }
            minutes = request.minutes(forKilometers: route + back) + max(durations[0], durations[1])
        }
        return MissionReport.Miss(tool: tool, space: space, minutesNeeded: minutes, kilometersApart: apart)
    }
}
