import Kin
import KinJSON
import KinStore

extension PeopleSession {
    func near(
        _ target: PeopleQuestion.Target, k: Int, metric: Metric, where expression: FilterExpression?
    ) throws {
        var found: [SessionMatch]
        switch target {
        case .session(let id):
            let session = try session(id)
            // One more, for the session itself.
            found = try nearest(to: session.embedding, k: k + 1, metric: metric, where: expression)
            found.removeAll { $0.session.id == id }
            found = Array(found.prefix(k))
        case .person(let user, let instant):
            let instant = try instant ?? now()
            let wish = try taste(of: user, at: instant).wish(at: LocalTime(of: instant))
            found = try nearest(to: wish, k: k, metric: metric, where: expression)
        case .point(let point):
            found = try nearest(to: point, k: k, metric: metric, where: expression)
        }
        if isJSON {
            for match in found { say { Self.write(match.session, distance: match.distance, to: &$0) } }
            return
        }
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

    private func nearest(
        to point: Pleasure, k: Int, metric: Metric, where expression: FilterExpression?
    ) throws -> [SessionMatch] {
        guard let expression else { return try store.nearestSessions(to: point, k: k, metric: metric) }
        return try store.nearestSessions(to: point, k: k, metric: metric, where: expression)
    }

    func sessions(of user: String, count: Int, after: String?) throws {
        let last = try after.map { try session($0) }
        let page = try store.sessions(of: user, limit: count, after: last)
        if isJSON {
            for session in page { say { Self.write(session, distance: nil, to: &$0) } }
            return
        }
        guard !page.isEmpty else { return console.print("  no session") }
        var table = TextTable([("session", .left), ("state", .left), ("began", .left), ("strongest", .left)])
        for session in page {
            table.append([
                session.id, session.state.name, session.start.description, Self.strongest(session.embedding),
            ])
        }
        console.print(table)
        if page.count == count, let last = page.last {
            console.note(console.style.faint("  more: sessions \(user) count \(count) after \(last.id)"))
        }
    }

    func insight(_ id: String, k: Int) throws {
        let session = try session(id)
        let insight = try SessionInsight(of: session, among: lived(by: session.userID), k: k)
        if isJSON { return say { Self.write(insight, to: &$0) } }
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

    private static func write(_ session: Session, distance: Double?, to writer: inout JSONWriter) {
        writer.object { writer in
            if let distance { writer.member("distance") { $0.number(distance) } }
            writer.member("session") { $0.raw(session.json) }
        }
    }

    private static func write(_ insight: SessionInsight, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("similar") { writer in
                writer.array { writer in
                    for match in insight.similar {
                        writer.object { writer in
                            writer.member("id") { $0.string(match.id) }
                            writer.member("distance") { $0.number(match.distance) }
                        }
                    }
                }
            }
            writer.member("shifts") { writer in
                writer.array { writer in
                    for shift in insight.shifts {
                        writer.object { writer in
                            writer.member("dimension") { $0.string(shift.dimension.name) }
                            writer.member("value") { $0.number(shift.value) }
                            writer.member("baseline") { $0.number(shift.baseline) }
                            writer.member("effect_size") { $0.raw(shift.effectSize?.description ?? "null") }
                            writer.member("n") { $0.integer(shift.n) }
                            writer.member("direction") { $0.string(shift.direction.rawValue) }
                        }
                    }
                }
            }
            writer.member("co_activations") { writer in
                writer.array { writer in
                    for pair in insight.coActivations {
                        writer.object { writer in
                            writer.member("pair") { $0.array([pair.first.name, pair.second.name]) }
                            writer.member("lift") { $0.number(pair.lift) }
                            writer.member("together") { $0.integer(pair.together) }
                            writer.member("n") { $0.integer(pair.n) }
                            writer.member("p") { $0.number(pair.pValue) }
                            writer.member("p_adjusted") { $0.number(pair.adjustedPValue) }
                        }
                    }
                }
            }
            writer.member("usual_path") { $0.array(insight.paths.usual.map(\.name)) }
            writer.member("usual_path_count") { $0.integer(insight.paths.usualCount) }
            writer.member("past_sessions") { $0.integer(insight.paths.n) }
        }
    }
}
