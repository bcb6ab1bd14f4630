import Kin
import KinEngine
import KinStore

extension AnswerText {
    func show(_ items: RankedItems) {
        let (found, isRanked) = (items.matches, items.isRanked)
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
                !isRanked ? "-" : NumberText.hundredths(Float(match.match)),
                match.item.pleasures.map(\.name).joined(separator: ", "),
            ])
        }
        console.print(table)
    }

    func show(_ missions: [Mission]) {
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
}
