import Kin
import KinEngine
import KinStore

extension PeopleSession {
    func show(_ found: [SessionMatch]) {
        guard !found.isEmpty else { return console.print("  no session") }
        var table = TextTable([
            ("session", .left), ("distance", .right), ("state", .left), ("began", .left), ("strongest", .left),
        ])
        for match in found {
            table.append([
                match.session.id, NumberText.short(match.distance), match.session.state.name,
                match.session.start.description,
                Self.strongest(match.session.embedding),
            ])
        }
        console.print(table)
    }

    func show(_ page: [PleasureSession]) {
        guard !page.isEmpty else { return console.print("  no session") }
        var table = TextTable([("session", .left), ("state", .left), ("began", .left), ("strongest", .left)])
        for session in page {
            table.append([
                session.id, session.state.name, session.start.description, Self.strongest(session.embedding),
            ])
        }
        console.print(table)
    }

    func show(_ insight: SessionInsight) {
        console.print(console.style.strong("Similar sessions"))
        var similar = TextTable([("session", .left), ("distance", .right), ("began", .left)])
        for match in insight.similar {
            similar.append([match.id, NumberText.short(match.distance), match.start.description])
        }
        console.print(similar)
        console.print(
            console.style.strong("Against the usual") + " (effect size: standard deviations, corrected for n)")
        var shifts = TextTable([
            ("dimension", .left), ("effect", .right), ("value", .right), ("usual", .right), ("n", .right), ("", .left),
        ])
        for shift in insight.shifts {
            shifts.append([
                shift.dimension.name, shift.effectSize.map { NumberText.threeDigits($0) } ?? "-",
                NumberText.coordinate(shift.value), NumberText.coordinate(Float(shift.baseline)), "\(shift.n)",
                shift.direction == .usual ? "" : shift.direction.rawValue,
            ])
        }
        console.print(shifts)
        console.print(console.style.strong("Fire together") + " (false discoveries below 1 %)")
        var pairs = TextTable([("pair", .left), ("lift", .right), ("together", .right), ("p, adjusted", .right)])
        for pair in insight.coActivations {
            pairs.append([
                "\(pair.first.name) + \(pair.second.name)", NumberText.threeDigits(pair.lift),
                "\(pair.together) of \(pair.n)", NumberText.threeDigits(pair.adjustedPValue),
            ])
        }
        console.print(pairs)
        let path = insight.paths.usual.map(\.name).joined(separator: " → ")
        console.print(
            console.style.strong("Usual path") + " \(path) (\(insight.paths.usualCount) of \(insight.paths.n) sessions)"
        )
    }

    /// The three strongest dimensions of a point, with their values.
    static func strongest(_ point: Pleasure) -> String {
        Pleasure.Dimension.allCases.filter { point[$0] > 0 }.sorted { (point[$1], $0) < (point[$0], $1) }.prefix(3)
            .map { "\($0.name) \(NumberText.hundredths(point[$0]))" }.joined(separator: ", ")
    }
}
