// The answers about inventory, missions and geofences in JSON, including the reports for empty results.

/// Items found by conditions, optionally ranked by their match with a target. If the list is empty, a report with the
/// reason replaces it.
package struct RankedItems: JSONWritable, Sendable {
    package let matches: [InventoryMatch]
    package let isRanked: Bool
    private let hasWeight: Bool
    /// The report on the conditions; nil if there are items.
    package let report: InventoryReport?

    init(
        _ matches: [InventoryMatch], isRanked: Bool, hasWeight: Bool, report: () throws(KinError) -> InventoryReport
    ) throws(KinError) {
        self.matches = matches
        self.isRanked = isRanked
        self.hasWeight = hasWeight
        // The request's excluded ids are not a condition to report on.
        let found = matches.isEmpty ? try report() : nil
        self.report = found.flatMap { $0.emptiedBy != nil || $0.all == 0 ? $0 : nil }
    }

    package static var jsonType: JSONType { .list(of: RankedItem.self, orNothing: InventoryReport.self) }

    package func write(to writer: inout JSONWriter) {
        if let report { return writer.object { $0.member("nothing", report) } }
        writer.array(matches) { RankedItem(match: $0, isRanked: isRanked, hasWeight: hasWeight).write(to: &$1) }
    }
}

/// An item of a list, with its match if the list is ranked.
private struct RankedItem: DeclaredObject {
    let match: InventoryMatch
    let isRanked: Bool
    let hasWeight: Bool

    static let schema = ObjectSchema<RankedItem>(
        .optional("match", { $0.isRanked ? $0.match.match : nil }, "when ranked"),
        .optional("score", { $0.isRanked && $0.hasWeight ? $0.match.score : nil }, "if the distance has a weight"),
        .field("km", \.match.distanceKilometers),
        .field("item", \.match.item))
}

/// Items read by their ids.
package struct ItemList: DeclaredObject, Sendable {
    let ids: [String]
    /// The item of each id; nil for an id without an item.
    let items: [InventoryItem?]

    package static let schema = ObjectSchema<ItemList>(
        .field("items", { $0.items.compactMap(\.self) }, "in the order of `ids`, as `put` takes them"),
        .field("missing", { list in zip(list.ids, list.items).filter { $1 == nil }.map(\.0) }, "ids without an item"))
}

extension InventoryReport: DeclaredObject {
    /// The report in words, about items of a kind.
    package func explanation(of noun: String = "item") -> String {
        guard all > 0 else { return "there are no items; import some" }
        guard let emptiedBy else { return "\(left.last ?? 0) of \(all) items fulfil all conditions" }
        var (before, steps) = (all, [String]())
        for (condition, count) in zip(InventoryCondition.allCases, left) where count < before {
            steps.append("\(count) left by \(condition.rawValue)")
            before = count
        }
        var text = "no \(noun): of \(all) items \(steps.joined(separator: ", "))"
        if let nearest, emptiedBy != .kind || !nearest.broken.contains(.kind) {
            text += "; the nearest miss is \(nearest.item.id), which breaks \(nearest.breaks)"
        }
        return text
    }

    package static let schema = ObjectSchema<InventoryReport>(
        .field("emptied_by", \.emptiedBy?.rawValue, "the condition that left no item"),
        .field("explanation", { $0.explanation() }),
        .field("items", \.all, "the number of all items"),
        .members("left", { zip(InventoryCondition.allCases, $0.left).map { ($0.rawValue, $1) } }, by: "condition"),
        .field("nearest_miss", \.nearest))
}

extension InventoryReport.Miss: DeclaredObject {
    /// The conditions that it does not meet, joined.
    fileprivate var breaks: String { broken.map(\.rawValue).joined(separator: " and ") }

    package static let schema = ObjectSchema<InventoryReport.Miss>(
        .field("item", \.item.id),
        .field("km", \.distanceKilometers),
        .field("breaks", { $0.broken.map(\.rawValue) }, "conditions"))
}

/// Missions, or a report with the reason for an empty list.
package struct FoundMissions: JSONWritable, Sendable {
    package let missions: [Mission]
    /// The report on the conditions; nil if there are missions.
    package let report: MissionReport?

    init(_ missions: [Mission], report: () throws(KinError) -> MissionReport) throws(KinError) {
        self.missions = missions
        if missions.isEmpty { self.report = try report() } else { self.report = nil }
    }

    package static var jsonType: JSONType { .list(of: Mission.self, orNothing: MissionReport.self) }

    package func write(to writer: inout JSONWriter) {
        guard let report else { return missions.write(to: &writer) }
        writer.object { $0.member("nothing", report) }
    }
}

extension MissionReport: DeclaredObject {
    /// The report in words.
    package var explanation: String {
        switch emptiedBy {
        case nil: return "there are no items; import some"
        case .tools: return tools.explanation(of: "tool")
        case .spaces: return spaces.explanation(of: "space")
        case .pairs:
            guard let nearest else {
                return "no two of the suitable tools and spaces that are not excluded have a useful duration in common"
            }
            let needs = nearest.broken.map {
                $0 == .minutes
                    ? "\(Int(nearest.minutesNeeded.rounded(.up))) minutes"
                    : "\($0.rawValue) \((nearest.kilometersNeeded * 100).rounded(.up) / 100)"
            }
            return "no remaining tool and space are near enough to each other to be reached and used in the time; "
                + "\(nearest.tool.item.id) and \(nearest.space.item.id) need \(needs.joined(separator: " and "))"
        }
    }

    package static let schema = ObjectSchema<MissionReport>(
        .field("emptied_by", \.causeName, "such as `space.slot`, or `pairs`"),
        .field("explanation", \.explanation),
        .field("tools", \.tools),
        .field("spaces", \.spaces),
        .field("nearest_miss", \.nearest, "a pair that is a mission with its `minutes_needed` and `km_needed`"))

    private var causeName: String? {
        switch emptiedBy {
        case nil: nil
        case .tools(let condition): "tool.\(condition.rawValue)"
        case .spaces(let condition): "space.\(condition.rawValue)"
        case .pairs: "pairs"
        }
    }
}

extension MissionReport.Miss: DeclaredObject {
    package static let schema = ObjectSchema<MissionReport.Miss>(
        .field("tool", \.tool),
        .field("space", \.space),
        .field(
            "breaks", { $0.broken.map(\.rawValue) },
            "conditions that the two break, alone or together, such as `minutes`"),
        .field("minutes_needed", \.minutesNeeded, "the smallest `minutes` for this pair"),
        .field("km_needed", \.kilometersNeeded, "the smallest `within_km` for this pair"),
        .field("km_apart", \.kilometersApart, "null for a tool without a location"))
}

/// Crossings of geofences, and the items whose geofences contain the person afterwards.
package struct GeofenceCrossings: DeclaredObject, Sendable {
    let events: [GeofenceTracker.Event]
    let inside: [String]

    package static let schema = ObjectSchema<GeofenceCrossings>(
        .list(
            "events", \.events,
            .field("event", { $0.isEntry ? "enter" : "exit" }, "`enter` or `exit`"),
            .field("item", \.item),
            .field("name", \.name, "null for an item that is no longer stored"),
            .field("at", \.instant),
            .field("km", \.distanceKilometers)),
        .field("inside", \.inside, "the items entered and not left"))
}
