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
        if let report { return writer.object { writer in writer.member("nothing") { report.write(to: &$0) } } }
        writer.array(matches) { match, writer in
            writer.object { writer in
                if isRanked { writer.member("match") { $0.number(match.match) } }
                if isRanked, hasWeight { writer.member("score") { $0.number(match.score) } }
                writer.member("km") { $0.number(match.distanceKilometers) }
                writer.member("item") { match.item.write(to: &$0) }
            }
        }
    }
}

extension InventoryReport {
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
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("emptied_by") { $0.string(emptiedBy?.rawValue) }
            writer.member("explanation") { $0.string(explanation()) }
            writer.member("items") { $0.integer(all) }
            writer.member("left") { writer in
                writer.object { writer in
                    for (condition, count) in zip(InventoryCondition.allCases, left) {
                        writer.member(condition.rawValue) { $0.integer(count) }
                    }
                }
            }
            writer.member("nearest_miss") { writer in
                if let nearest { nearest.write(to: &writer) } else { writer.null() }
            }
        }
    }
}

extension InventoryReport.Miss {
    /// The conditions that it breaks, joined.
    fileprivate var breaks: String { broken.map(\.rawValue).joined(separator: " and ") }

    /// Writes the id, the distance and the conditions that are broken.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("item") { $0.string(item.id) }
            writer.member("km") { $0.number(distanceKilometers) }
            writer.member("breaks") { $0.array(broken.map(\.rawValue)) }
        }
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
        writer.object { writer in writer.member("nothing") { report.write(to: &$0) } }
    }
}

extension MissionReport {
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

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("emptied_by") { writer in
                switch emptiedBy {
                case nil: writer.null()
                case .tools(let condition): writer.string("tool.\(condition.rawValue)")
                case .spaces(let condition): writer.string("space.\(condition.rawValue)")
                case .pairs: writer.string("pairs")
                }
            }
            writer.member("explanation") { $0.string(explanation) }
            writer.member("tools") { tools.write(to: &$0) }
            writer.member("spaces") { spaces.write(to: &$0) }
            writer.member("nearest_miss") { writer in
                guard let nearest else { return writer.null() }
                writer.object { writer in
                    writer.member("tool") { nearest.tool.write(to: &$0) }
                    writer.member("space") { nearest.space.write(to: &$0) }
                    writer.member("minutes_needed") { $0.number(nearest.minutesNeeded) }
                    writer.member("km_apart") { $0.number(nearest.kilometersApart) }
                }
            }
        }
    }
}

/// Crossings of geofences, and the items that are entered after them.
package struct GeofenceCrossings: JSONWritable, Sendable {
    let events: [GeofenceTracker.Event]
    let inside: [String]

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("events") { writer in
                writer.array(events) { event, writer in
                    writer.object { writer in
                        writer.member("event") { $0.string(event.isEntry ? "enter" : "exit") }
                        writer.member("item") { $0.string(event.item) }
                        writer.member("at") { $0.string(event.instant.description) }
                        writer.member("km") { $0.number(event.distanceKilometers) }
                    }
                }
            }
            writer.member("inside") { $0.array(inside) }
        }
    }
}
