/// Answers of methods as readable text, by their types; other types become a table, or indented JSON.
struct AnswerText {
    let request: MethodRequest
    let console: Console
    let engine: Engine
    let isInRepl: Bool

    /// The person of the request; empty without one.
    var user: String { request.text("user") ?? "" }

    /// The time zone of the request, or the person's time zone.
    func zone() throws(KinError) -> LocalZone {
        if let name = request.text("zone") { return try LocalZone(named: name) }
        return try engine.store.zone(of: user)
    }

    func show(_ answer: any JSONWritable & Sendable) throws {
        let answer = (answer as? any EitherAnswer)?.answer ?? answer
        // An empty list has no element type, so the text depends on the method.
        if let list = answer as? [Any], list.isEmpty { return console.print("  " + nothing) }
        switch answer {
        case let found as [SessionMatch]: show(found)
        case let found as SessionVectors: show(found)
        case let page as LabelledList<PleasureSession>: show(page.elements)
        case let session as PleasureSession: show([session])
        case let profile as PersonProfile: show(profile)
        case let insight as SessionInsight: show(insight)
        case let paths as StatePaths: show(paths)
        case let map as SessionMap: show(map)
        case let items as RankedItems: show(items)
        case let found as FoundMissions: show(found)
        case let souls as [ScoredSoulPair]: try show(souls)
        case let affinity as Affinity: console.print(affinity)
        case let items as [InboxItem]: console.print(items)
        case let digest as InboxDigest: show(digest)
        case let outlook as RhythmOutlook:
            for line in ForecastText.lines(outlook, of: request.choice("kind") ?? .nap) { console.print("  " + line) }
        case let predictions as RhythmPredictions:
            for line in ForecastText.lines([
                (.nap, predictions.nap), (.feed, predictions.feed), (.wakeUp, predictions.wakeUp),
                (.bedtime, predictions.bedtime),
            ]) { console.print("  " + line) }
        case let plan as DayOutlook: console.print(DayPlanText.lines(plan, style: console.style))
        case let report as InsightReport: console.print(InsightReportText.lines(report))
        case let days as [DaySummary]: console.print(RhythmText.days(days))
        case let categories as [CategorySummary]: show(categories)
        case let report as ContentReport: try show(report)
        case let report as RoutingReport: show(report)
        case let report as StoreReport: show(report)
        case let reports as [ShapeReport]: show(reports)
        case let counts as Members<Int> where request.form.name == "forget":
            let people = request.texts("user")
            let who = people.count == 1 ? "\"\(user)\"" : NumberText.count(people.count, "person")
            let erased = counts.values.filter { ![Store.sharedBabyCount, Store.sharedExtraCount].contains($0.key) }
            if counts.values.isEmpty {
                console.print("\(try engine.store.path): nothing was stored about \(who)")
            } else if !erased.isEmpty {
                let text = "\(RecordCounts.text(erased)) of \(who) forgotten, to the last byte"
                console.print("\(try engine.store.path): \(text)")
            }
            if let shared = counts.values[Store.sharedBabyCount] {
                console.print("the other owners keep \(NumberText.count(shared, "shared log")), without \(who)")
            }
            if let cleaned = counts.values[Store.sharedExtraCount] {
                console.print(
                    "\(NumberText.count(cleaned, "shared record")) lost members with \(people.count == 1 ? who : "their ids")"
                )
            }
        case let counts as Members<Int> where ["put", "import"].contains(request.form.name):
            console.print("\(try engine.store.path): \(RecordCounts.text(counts.values)) imported")
            if let note = try RecordCounts.note(counts.values, in: engine.store) { console.note(note) }
        case let world as RealmWorld: RealmCommands.show(world, console)
        default:
            if try !showChallenges(answer) {
                JSONTable(console: console).show(answer.jsonText)
            }
        }
    }

    private var nothing: String {
        switch request.form.name {
        case "near", "sessions": "no session"
        case "match", "similar_souls", "babies": "nobody"
        default: "nothing"
        }
    }

    // MARK: Affinity

    private func show(_ matches: [ScoredSoulPair]) throws(KinError) {
        console.print(matches.map(\.match), to: user.isEmpty ? matches.map(\.first) : [])
        guard request.isOn("explain") else { return }
        for match in matches {
            console.print()
            console.print(console.style.strong("\(user) and \(match.second)"))
            console.print(try engine.affinity(between: user, and: match.second))
        }
    }

    private func show(_ digest: InboxDigest) {
        guard !digest.items.isEmpty else { return console.print("  nothing new since then") }
        let counts = InboxState.allCases.compactMap { state in
            digest.counts[state].map { "\(NumberText.count($0)) \(state.name)" }
        }
        console.print(
            "  since then: \(digest.summary) (\(counts.joined(separator: ", "))), from \(digest.authorCount, "person")"
        )
        console.print(digest.items)
    }

    private func show(_ report: RoutingReport) {
        console.print(
            "  \(report.contributions, "contribution") routed to "
                + NumberText.count(report.deliveries, "inbox"))
        if report.overLimit > 0 {
            console.note("\(report.overLimit, "delivery") left out by the limit of a day")
        }
        if report.waiting > 0 {
            console.note("\(report.waiting, "contribution") waiting until there is a soul of the author")
        }
    }

    // MARK: Images

    /// Shows categories with their objects, images and strongest goals.
    private func show(_ categories: [CategorySummary]) {
        console.print(["category", ">count", ">images", "focus"], of: categories) { category in
            [
                category.category, NumberText.count(category.objects), NumberText.count(category.images),
                category.focus.text(),
            ]
        }
    }

    /// Prints the result of a check of the store.
    private func show(_ report: StoreReport) {
        console.print(
            TextTable(
                ["", ">"],
                [["people", NumberText.count(report.people)]]
                    + report.counts.sorted { $0.key < $1.key }.map { kind, count in
                        [NumberText.plural(of: kind.replacing("_", with: " ")), NumberText.count(count)]
                    } + [["naming key", report.namingKey == .caller ? "kept outside" : report.namingKey.rawValue]]))
        for warning in report.warnings { console.print("\(console.style.strong("look at")): \(warning)") }
        for problem in report.problems { console.print("\(console.style.bad("damaged")): \(problem)") }
        guard report.isIntact else {
            return console.print("restore a copy; `kin store export` writes what can be read, up to the damage")
        }
        let bytes = NumberText.bytes(report.totalBytes)
        console.print("\(console.style.good("intact")): \(report.path), \(bytes), \(report.version)")
    }

    // MARK: Records of apps

    private func show(_ reports: [ShapeReport]) {
        for report in reports {
            let count = NumberText.count(report.count, "record")
            guard let shape = report.shape, let record = report.record, let kind = report.kind else {
                console.print("\(count) of no known app, with \(report.unknown.joined(separator: ", "))")
                continue
            }
            console.print(console.style.strong("\(record) of \(shape.rawValue): \(count), stored as \(kind)"))
            console.print(["field", "becomes", "conversion"], of: report.fields) {
                [$0.field, $0.becomes, $0.conversion ?? ""]
            }
            for (title, names) in [
                ("stored unread", report.unread), ("unknown, an error unless extra is yes", report.unknown),
                ("to be given", report.needs), ("assumed", report.assumption.map { [$0] } ?? []),
            ] where !names.isEmpty { console.print("  \(title): \(names.joined(separator: ", "))") }
        }
    }

    // MARK: Content

    /// Shows the problems of a content file by line.
    ///
    /// - Throws: `Failure` with the status of invalid data if there are problems.
    private func show(_ report: ContentReport) throws {
        let what = NumberText.count(report.records, "record")
        for problem in report.problems { console.print("  \(problem.error)") }
        guard report.problems.isEmpty else {
            let count = NumberText.count(report.problems.count, "problem")
            throw Failure(KinError(.malformedInput, "\(count); \(what) without one"))
        }
        console.print("  \(what), nothing wrong")
    }
}
