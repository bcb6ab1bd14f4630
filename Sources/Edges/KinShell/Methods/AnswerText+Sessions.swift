import Kin
import KinEngine
import KinStore

extension AnswerText {
    func show(_ found: [SessionMatch]) {
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
        if let count = request.values["count"]?.parts.first ?? (page.count == 10 ? "10" : nil),
            "\(page.count)" == count,
            request.method.name == "sessions", let last = page.last
        {
            console.note(console.style.faint("  more: sessions \(user) count \(count) after \(last.id)"))
        }
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

    func show(_ profile: PersonProfile) {
        console.print(
            "  \(profile.user) at \(profile.instant), \(profile.slot.name), after \(NumberText.count(profile.sessionCount, "session"))"
        )
        var table = TextTable([("dimension", .left), ("declared", .right), ("learned", .right), ("target", .right)])
        for dimension in Pleasure.Dimension.allCases {
            table.append([
                dimension.name, profile.declared.map { NumberText.hundredths($0.pleasure[dimension]) } ?? "-",
                NumberText.hundredths(profile.learned[dimension]), NumberText.hundredths(profile.target[dimension]),
            ])
        }
        console.print(table)
    }

    func show(_ paths: StatePaths) {
        let usual = paths.usual.map(\.name).joined(separator: " → ")
        console.print(console.style.strong("Usual path") + " \(usual) (\(paths.usualCount) of \(paths.n) sessions)")
        var table = TextTable([("from", .left), ("to", .left), ("count", .right), ("share", .right)])
        for step in paths.steps {
            table.append([
                step.from.name, step.to.name, NumberText.count(step.count), NumberText.percent(step.share),
            ])
        }
        console.print(table)
    }

    func show(_ answer: SessionMap) {
        let (map, types) = (answer.map, answer.types)
        for (i, axis) in map.axes.enumerated() {
            let names = axis.strongest(3).map { "\(axis.loadings[$0.rawValue] < 0 ? "-" : "+")\($0.name)" }
            console.print(
                "  axis \(i + 1)   \(NumberText.percent(axis.explainedVarianceRatio)) of the variance   "
                    + names.joined(separator: " "))
        }
        let silhouette = types.silhouette.map { "silhouette \(NumberText.threeDigits($0))" } ?? "no kinds to tell apart"
        console.print("  \(NumberText.count(types.kinds.count, "kind")) of session, \(silhouette)")
        var table = TextTable([("kind", .left), ("sessions", .right)])
        for kind in types.kinds { table.append([kind.name, NumberText.count(kind.count)]) }
        console.print(table)
    }

    /// The three strongest dimensions of a point, with their values.
    static func strongest(_ point: Pleasure) -> String {
        Pleasure.Dimension.allCases.filter { point[$0] > 0 }.sorted { (point[$1], $0) < (point[$0], $1) }.prefix(3)
            .map { "\($0.name) \(NumberText.hundredths(point[$0]))" }.joined(separator: ", ")
    }
}
