import Kin
import KinJSON
import KinStore

extension PeopleSession {
    func inventory(_ query: InventoryQuery, wish: PeopleQuestion.Wish?, k: Int) throws {
        let point: Pleasure? =
            switch wish {
            case nil: nil
            case .point(let point): point
            case .person(let user): try self.wish(of: user, in: query.slot)
            }
        let found = try InventoryIndex(store.inventory()).search(query, for: point, k: k)
        if isJSON {
            for match in found {
                say { writer in
                    writer.object { writer in
                        if point != nil { writer.member("match") { $0.number(match.match) } }
                        writer.member("km") { $0.raw(match.distanceKilometers?.description ?? "null") }
                        writer.member("item") { $0.raw(match.item.json) }
                    }
                }
            }
            return
        }
        guard !found.isEmpty else { return console.print("  no item") }
        var table = TextTable([
            ("item", .left), ("name", .left), ("type", .left), ("status", .left), ("distance", .right),
            ("match", .right),
            ("gives", .left),
        ])
        for match in found {
            table.append([
                match.item.id, match.item.name, match.item.kind.name, match.item.status.name,
                match.distanceKilometers.map { Self.distance($0) } ?? "-",
                point == nil ? "-" : NumberText.hundredths(Float(match.match)),
                match.item.pleasures.map(\.name).joined(separator: ", "),
            ])
        }
        console.print(table)
    }

    /// What a person is after in the middle of a time slot, or now.
    private func wish(of user: String, in slot: TimeSlot?) throws -> Pleasure {
        let instant = try now()
        let time = try slot.map { LocalTime(middleOf: $0) } ?? LocalTime(of: instant)
        return try taste(of: user, at: instant).wish(at: time)
    }

    func missions(_ wish: PeopleQuestion.MissionWish, k: Int) throws {
        let state = try wish.state ?? store.profile(of: wish.person)?.sessionState ?? .idle
        let request = MissionRequest(
            wish: try self.wish(of: wish.person, in: wish.slot), state: state, weather: wish.weather, slot: wish.slot,
            season: wish.season, minutes: wish.minutes, place: wish.place, radiusKilometers: wish.radiusKilometers)
        let missions = try InventoryIndex(store.inventory()).missions(for: request, k: k)
        if isJSON {
            for mission in missions { say { Self.write(mission, to: &$0) } }
            return
        }
        guard !missions.isEmpty else { return console.print("  no mission fits") }
        var table = TextTable(
            [("tool", .left), ("space", .left), ("score", .right)]
                + Mission.Name.allCases.map { ($0.rawValue, .right) } + [("way", .right), ("there", .right)])
        for mission in missions {
            table.append(
                ["\(mission.tool.name) (\(mission.tool.id))", "\(mission.space.name) (\(mission.space.id))"]
                    + [NumberText.hundredths(Float(mission.score))]
                    + mission.parts.map { NumberText.hundredths(Float($0.contribution)) }
                    + ["\(Int(mission.travelMinutes.rounded(.up))) min", "\(Int(mission.minutesThere)) min"])
        }
        console.print(table)
    }

    private static func distance(_ kilometers: Double) -> String {
        kilometers < 1 ? "\(Int((kilometers * 1000).rounded())) m" : "\(NumberText.threeDigits(kilometers)) km"
    }

    private static func write(_ mission: Mission, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("tool") { $0.string(mission.tool.id) }
            writer.member("space") { $0.string(mission.space.id) }
            writer.member("score") { $0.number(mission.score) }
            writer.member("parts") { writer in
                writer.object { writer in
                    for part in mission.parts { writer.member(part.name.rawValue) { $0.number(part.contribution) } }
                }
            }
            writer.member("travel_minutes") { $0.number(mission.travelMinutes) }
            writer.member("minutes_there") { $0.number(mission.minutesThere) }
        }
    }
}
