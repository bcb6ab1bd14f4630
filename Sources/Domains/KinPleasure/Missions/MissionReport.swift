/// A report on a mission search: the tools and spaces that remain, and the pair nearest to being a mission.
public struct MissionReport: Sendable, Hashable {
    /// The tools after each condition.
    public let tools: InventoryReport
    /// The spaces after each condition.
    public let spaces: InventoryReport
    /// The nearest pair, which is a mission with the minutes and the radius that it needs; nil if there is none.
    public let nearest: Miss?

    /// A tool and a space, with the conditions that they break.
    public struct Miss: Sendable, Hashable {
        /// The tool, with the conditions that it breaks by itself.
        public let tool: InventoryReport.Miss
        /// The space, with the conditions that it breaks by itself.
        public let space: InventoryReport.Miss
        /// The conditions that the tool, the space, or the two together break.
        public let broken: [InventoryCondition]
        /// The minutes for the way there and back and the longer of the two shortest durations.
        public let minutesNeeded: Double
        /// The largest of the distances from the person to the tool and to the space, and between the two.
        public let kilometersNeeded: Double
        /// The kilometres between the two; nil for a tool without a location.
        public let kilometersApart: Double?
    }

    /// The largest minutes and radius that are tried for the nearest pair.
    static let (mostMinutes, mostKilometers) = (1_000_000.0, 100_000.0)

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
    /// The nearest pair would be a mission with more minutes, otherwise with a larger radius, otherwise with both. It is
    /// the pair that needs the fewest minutes, or the smallest radius if the minutes are enough.
    ///
    /// - Throws: As ``missions(for:k:)``.
    /// - Complexity: O(items), about 60 ns each, plus at most three searches for one mission.
    public func report(on request: MissionRequest) throws(KinError) -> MissionReport {
        let tools = InventoryReport(self, try request.query(for: .tool), allowsUnlocated: true)
        let spaces = InventoryReport(self, try request.query(for: .space), allowsUnlocated: false)
        return MissionReport(tools: tools, spaces: spaces, nearest: try miss(for: request))
    }

    private func miss(for request: MissionRequest) throws(KinError) -> MissionReport.Miss? {
        for (isLonger, isWider) in [(true, false), (false, true), (true, true)] {
            var wide = request
            if isLonger { wide.minutes = max(request.minutes, MissionReport.mostMinutes) }
            if isWider { wide.radiusKilometers = max(request.radiusKilometers, MissionReport.mostKilometers) }
            let pairing = try pairing(for: wide)
            guard let (pair, needs) = pairing.nearest(byMinutes: isLonger) else { continue }
            func broken(_ minutes: Double, _ kilometers: Double) -> [InventoryCondition] {
                (minutes > request.minutes ? [.minutes] : [])
                    + (kilometers > request.radiusKilometers ? [.distance] : [])
            }
            func part(_ candidate: MissionPairing.Candidate) -> InventoryReport.Miss {
                let item = item(inSlot: candidate.slot)
                return InventoryReport.Miss(
                    item: item, broken: broken(item.times.durationRange?.lowerBound ?? 0, candidate.distance),
                    distanceKilometers: item.location == nil ? nil : candidate.distance)
            }
            let (tool, space) = (part(pair.tool), part(pair.space))
            return MissionReport.Miss(
                tool: tool, space: space, broken: broken(needs.minutes, needs.kilometers),
                minutesNeeded: needs.minutes, kilometersNeeded: needs.kilometers,
                kilometersApart: tool.item.location.flatMap { space.item.location?.distance(to: $0) })
        }
        return nil
    }
}
