extension AnswerText {
    func show(_ found: [SessionMatch]) {
        let hasEmbeddings = found.contains { $0.parts != nil }
        console.print(
            ["session", ">distance"] + (hasEmbeddings ? [">point", ">embedding"] : [])
                + ["state", "began", "strongest"], of: found
        ) { match in
            var row = Self.row(match.session)
            var distances = [NumberText.short(match.distance)]
            if let parts = match.parts {
                // In two lines if the terminal is narrow.
                row[2].replace("T", with: " ")
                distances += [parts.pleasure.map(NumberText.short) ?? "-", NumberText.short(parts.embedding)]
            }
            row.insert(contentsOf: distances, at: 1)
            return row
        }
    }

    func show(_ found: SessionVectors) {
        let what = found.model.map { "embeddings of \"\($0)\"" } ?? "points"
        console.print("  \(found.sessions.count, "session"): \(what), \(found.dimension, "dimension")")
        let shown = found.sessions.prefix(10).enumerated().map { number, session in
            let row = found.elements[number * found.dimension..<(number + 1) * found.dimension]
            return [
                session,
                row.prefix(4).map { NumberText.short(Double($0)) }.joined(separator: ", ")
                    + (row.count > 4 ? ", …" : ""),
            ]
        }
        if !shown.isEmpty { console.print(TextTable(["session", "vector"], shown)) }
        console.hint("as a file: kin store export --vectors \(found.model ?? "points") -o vectors.npy")
    }

    func show(_ page: [PleasureSession]) {
        guard !page.isEmpty else { return console.print("  no session") }
        console.print(TextTable(["session", "state", "began", "strongest"], page.map(Self.row)))
        if request.form.name == "sessions", page.count == request.int("count"), let last = page.last {
            func word(_ text: String) -> String { text.quoted == text ? text : isInRepl ? text.jsonText : text.quoted }
            let store = request.isGiven("store") ? " --store \(word(request.word("store")))" : ""
            console.hint(
                "more: \(isInRepl ? "" : "kin ")sessions \(word(user)) count \(page.count) after \(word(last.id))\(store)"
            )
        }
    }

    private static func row(_ session: PleasureSession) -> [String] {
        let point = session.embedding
        let strongest = Pleasure.Dimension.allCases.filter { point[$0] > 0 }
            .sorted { (point[$1], $0) < (point[$0], $1) }.prefix(3)
        return [
            session.id, session.state.name, session.start.description,
            strongest.map { "\($0.name) \(NumberText.hundredths(point[$0]))" }.joined(separator: ", "),
        ]
    }

    func show(_ insight: SessionInsight) {
        let style = console.style
        console.print(style.strong("Similar sessions"))
        console.print(["session", ">distance", "began"], of: insight.similar) {
            [$0.id, NumberText.short($0.distance), $0.start.description]
        }
        console.print(style.strong("Against the usual") + " (effect size: standard deviations, corrected for n)")
        console.print(["dimension", ">effect", ">value", ">usual", ">n", ""], of: insight.shifts) { shift in
            [
                shift.dimension.name, shift.effectSize.map { NumberText.threeDigits($0) } ?? "-",
                NumberText.coordinate(shift.value), NumberText.coordinate(Float(shift.baseline)), "\(shift.n)",
                shift.direction == .usual ? "" : shift.direction.rawValue,
            ]
        }
        console.print(style.strong("Active together") + " (false discoveries below 1 %)")
        console.print(["pair", ">lift", ">together", ">p, adjusted"], of: insight.coActivations) { pair in
            [
                "\(pair.first.name) + \(pair.second.name)", NumberText.threeDigits(pair.lift),
                "\(pair.together) of \(pair.n)", NumberText.threeDigits(pair.adjustedPValue),
            ]
        }
        showUsual(insight.paths)
    }

    func show(_ profile: PersonProfile) {
        console.print(
            "  \(profile.user) at \(profile.instant), \(profile.slot.name), after \(profile.sessionCount, "session")"
        )
        if let mood = profile.mood {
            console.print("  in the mood \(mood.moods.names), learned from \(mood.sessionCount, "session")")
        }
        console.print(
            ["dimension", ">declared", ">learned"] + (profile.mood == nil ? [] : [">mood"]) + [">target"],
            of: Pleasure.Dimension.allCases
        ) { dimension in
            [
                dimension.name, profile.declared.map { NumberText.hundredths($0.pleasure[dimension]) } ?? "-",
                NumberText.hundredths(profile.learned[dimension]),
            ] + (profile.mood.map { [Self.signed($0.effects[dimension])] } ?? [])
                + [NumberText.hundredths(profile.target[dimension])]
        }
    }

    /// A number with its sign, in hundredths: `+0.35`; an empty text for 0.
    private static func signed(_ number: Float) -> String {
        number == 0 ? "" : (number < 0 ? "-" : "+") + NumberText.hundredths(abs(number))
    }

    func show(_ paths: StatePaths) {
        showUsual(paths)
        console.print(["from", "to", ">count", ">share"], of: paths.steps) {
            [$0.from.name, $0.to.name, NumberText.count($0.count), NumberText.percent($0.share)]
        }
    }

    private func showUsual(_ paths: StatePaths) {
        let usual = paths.usual.map(\.name).joined(separator: " → ")
        console.print(console.style.strong("Usual path") + " \(usual) (\(paths.usualCount) of \(paths.n) sessions)")
    }

    func show(_ answer: SessionMap) {
        let (map, types) = (answer.map, answer.types)
        for (i, axis) in map.axes.enumerated() {
            let names = axis.strongest(3).map { "\(axis.loadings[$0.rawValue] < 0 ? "-" : "+")\($0.name)" }
            console.print(
                "  axis \(i + 1)   \(NumberText.percent(axis.explainedVarianceRatio)) of the variance   "
                    + names.joined(separator: " "))
        }
        let silhouette = types.silhouette.map { "silhouette \(NumberText.threeDigits($0))" } ?? "no kinds"
        console.print("  \(types.kinds.count, "kind") of session, \(silhouette)")
        console.print(["kind", ">sessions"], of: types.kinds) { [$0.name, NumberText.count($0.count)] }
    }

    // MARK: Inventory

    func show(_ items: RankedItems) {
        let (found, isRanked) = (items.matches, items.isRanked)
        if let report = items.report { return console.print("  \(report.explanation())") }
        func text(_ kilometers: Double) -> String {
            kilometers < 1 ? "\(Int((kilometers * 1000).rounded())) m" : "\(NumberText.threeDigits(kilometers)) km"
        }
        console.print(["item", "name", "type", "status", ">distance", ">match", "gives"], of: found) { match in
            [
                match.item.id, match.item.name, match.item.kind.name, match.item.status.name,
                match.distanceKilometers.map(text) ?? "-", isRanked ? NumberText.hundredths(Float(match.match)) : "-",
                match.item.pleasures.map(\.name).joined(separator: ", "),
            ]
        }
    }

    func show(_ found: FoundMissions) {
        if let report = found.report { return console.print("  no mission fits: \(report.explanation)") }
        let missions = found.missions
        if let moods = missions.first?.mood?.moods {
            console.print(
                "  in the mood \(moods.names), whose effect on the score is part of \(Mission.Name.target.rawValue)")
        }
        let hasMood = missions.contains { $0.mood != nil }
        console.print(
            ["tool", "space", ">score"] + Mission.Name.allCases.map { ">\($0.rawValue)" } + (hasMood ? [">mood"] : [])
                + [">way", ">there"], of: missions
        ) { mission in
            [
                "\(mission.tool.name) (\(mission.tool.id))", "\(mission.space.name) (\(mission.space.id))",
                NumberText.hundredths(Float(mission.score)),
            ] + mission.parts.map { NumberText.hundredths(Float($0.contribution)) }
                + (mission.mood.map { [Self.signed(Float($0.change))] } ?? [])
                + ["\(Int(mission.travelMinutes.rounded(.up))) min", "\(Int(mission.minutesThere)) min"]
        }
    }
}
