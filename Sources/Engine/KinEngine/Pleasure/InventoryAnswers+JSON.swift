import KinCore
package import KinJSON
package import KinPleasure

// The answers about inventory, missions and geofences in JSON, with what they say when nothing was found.

/// Items found by conditions, ranked by their match with a target or not, or a report of why there are none.
package struct RankedItems: JSONWritable, Sendable {
    package let matches: [InventoryMatch]
    package let isRanked: Bool
    private let hasWeight: Bool
    /// The report on the conditions; nil when there are items.
    package let report: InventoryReport?

    init(
        _ matches: [InventoryMatch], isRanked: Bool, hasWeight: Bool, report: () throws(KinError) -> InventoryReport
    ) throws(KinError) {
        self.matches = matches
        self.isRanked = isRanked
        self.hasWeight = hasWeight
        // What the request leaves out by id is no condition to report on.
        let found = matches.isEmpty ? try report() : nil
        self.report = found.flatMap { $0.emptiedBy != nil || $0.all == 0 ? $0 : nil }
    }

    package func write(to writer: inout JSONWriter) {
        if let report { return writer.object { writer in writer.member("nothing", report) } }
        writer.array(matches) { match, writer in
            writer.object { writer in
                if isRanked { writer.member("match", match.match) }
                if isRanked, hasWeight { writer.member("score", match.score) }
                writer.member("km", match.distanceKilometers)
                writer.member("item", match.item)
            }
        }
    }
}

extension InventoryReport: JSONObject {
    /// The report in words, about items of some kind.
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

    /// Writes the report as an object.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("emptied_by", emptiedBy?.rawValue)
        writer.member("explanation", explanation())
        writer.member("items", all)
        writer.object("left") { writer in
            for (condition, count) in zip(InventoryCondition.allCases, left) {
                writer.member(condition.rawValue, count)
            }
        }
        writer.member("nearest_miss", nearest)
    }
}

extension InventoryReport.Miss: JSONObject {
    /// The conditions that it breaks, joined.
    fileprivate var breaks: String { broken.map(\.rawValue).joined(separator: " and ") }

    /// Writes the id, the distance and the conditions that are broken.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("item", item.id)
        writer.member("km", distanceKilometers)
        writer.member("breaks", broken.map(\.rawValue))
    }
}

/// Missions, or a report of why there are none.
package struct FoundMissions: JSONWritable, Sendable {
    package let missions: [Mission]
    /// The report on the conditions; nil when there are missions.
    package let report: MissionReport?

    init(_ missions: [Mission], report: () throws(KinError) -> MissionReport) throws(KinError) {
        self.missions = missions
        if missions.isEmpty { self.report = try report() } else { self.report = nil }
    }

    package func write(to writer: inout JSONWriter) {
        guard let report else { return writer.array(missions) { $0.write(to: &$1) } }
        writer.object { writer in writer.member("nothing", report) }
    }
}

extension MissionReport: JSONObject {
    /// The report in words.
    package var explanation: String {
        switch emptiedBy {
        case nil: return "there are no items; import some"
        case .tools: return tools.explanation(of: "tool")
        case .spaces: return spaces.explanation(of: "space")
        case .pairs:
            var text = "no tool and space that suit are near enough to each other, to be reached and used in the time"
            if let nearest, let minutes = nearest.minutesNeeded {
                text +=
                    "; \(nearest.tool.item.id) and \(nearest.space.item.id) need \(Int(minutes.rounded(.up))) minutes"
            }
            return text
        }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("emptied_by") { writer in
            switch emptiedBy {
            case nil: writer.null()
            case .tools(let condition): writer.string("tool.\(condition.rawValue)")
            case .spaces(let condition): writer.string("space.\(condition.rawValue)")
            case .pairs: writer.string("pairs")
            }
        }
        writer.member("explanation", explanation)
        writer.member("tools", tools)
        writer.member("spaces", spaces)
        writer.member("nearest_miss") { writer in
            guard let nearest else { return writer.null() }
            writer.object { writer in
                writer.member("tool", nearest.tool)
                writer.member("space", nearest.space)
                writer.member("minutes_needed", nearest.minutesNeeded)
                writer.member("km_apart", nearest.kilometersApart)
            }
        }
    }
}

/// Crossings of geofences, and the items that are entered after them.
package struct GeofenceCrossings: JSONObject, Sendable {
    let events: [GeofenceTracker.Event]
    let inside: [String]

    package func writeMembers(to writer: inout JSONWriter) {
        writer.objects("events", events) { event, writer in
            writer.member("event", event.isEntry ? "enter" : "exit")
            writer.member("item", event.item)
            writer.member("at", event.instant.description)
            writer.member("km", event.distanceKilometers)
        }
        writer.member("inside", inside)
    }
}
