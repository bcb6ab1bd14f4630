import Foundation

/// The demo: five questions about a household and its neighbourhood, with the time of each answer.
struct Demo {
    /// A question of the demo.
    enum Topic: String, CaseIterable {
        case near, alike, worlds, next, offer
    }

    /// The answer to a question, with its reason and the time that it took.
    struct Answer {
        let topic: Topic
        let question: String
        let answer: String
        let reason: String
        let duration: Duration

        var record: Record {
            [
                "topic": topic.rawValue, "question": question, "answer": answer, "reason": reason,
                "seconds": duration.seconds,
            ]
        }
    }

    let console: Console
    /// The number of residents among whom the first question searches.
    let count: Int
    /// The folder of the demo's files, which remain.
    var folder: String
    /// Whether the index remains too, about 90 bytes for each resident.
    let keepsIndex: Bool
    let threads: Int
    /// The columns of a line, however wide the terminal is.
    private static let width = 80

    var index: String { folder + "/demo.kin" }
    var store: String { folder + "/demo.db" }
    var style: Style { Style(colour: console.style.colour, width: min(console.style.width ?? Self.width, Self.width)) }

    /// Answers all questions, or one of them in detail. Replaces earlier files; see ``requireReplaceable()``.
    func run(_ topic: Topic?, asJSON isJSON: Bool) throws {
        defer { try? WholeFile.make(note, text: Self.files.compactMap(state).joined(separator: "\n")) }
        try Household.writeFiles(in: folder)
        try Household.fillStore(store)
        let engine = try Engine(store: store, isReadOnly: true)
        defer { try? engine.close() }
        defer { if !keepsIndex { try? FileManager.default.removeItem(atPath: index) } }
        if isJSON {
            let answers = try (topic.map { [$0] } ?? Topic.allCases).map { try answer($0, engine).record }
            return console.print(json: answers.jsonText)
        }
        if let topic {
            show(try answer(topic, engine))
            try engine.close()
            return try more(topic)
        }
        console.print(style.strong("Kin: five questions about a household and its neighbourhood"))
        for topic in Topic.allCases {
            show(try answer(topic, engine))
            if topic == .next { drawing(try engine.forecast(of: "ada", baby: "mia").forecast) }
        }
        console.print()
        console.print("More of each: kin demo " + Topic.allCases.map(\.rawValue).joined(separator: "|"))
        console.print("Left for you: kin repl \(Self.quoted(store))" + (keepsIndex ? " and \(Self.quoted(index))" : ""))
    }

    private func show(_ answer: Answer) {
        let number = Topic.allCases.firstIndex(of: answer.topic).map { $0 + 1 } ?? 0
        let (label, margin) = ("\(number) \(answer.topic.rawValue)", 10)
        let question = String(repeating: " ", count: margin - label.count) + answer.question
        let time = NumberText.duration(answer.duration)
        let gap = max(2, Self.width - label.count - question.count - time.count)
        console.print()
        console.print(style.strong(label) + question + String(repeating: " ", count: gap) + style.faint(time))
        for line in [answer.answer, "because " + answer.reason].flatMap({ style.lines($0, behind: margin) }) {
            console.print(String(repeating: " ", count: margin) + line)
        }
    }

    private func answer(_ topic: Topic, _ engine: Engine) throws -> Answer {
        switch topic {
        case .near: try near()
        case .alike: try alike(engine)
        case .worlds: try worlds(engine)
        case .next: try next(engine)
        case .offer: try offer(engine)
        }
    }

    private func alike(_ engine: Engine) throws -> Answer {
        let ((soul, affinity), time) = try timed(.alike) {
            try engine.similarSouls(to: "ada", k: 1).first.map { soul in
                (soul, try engine.affinity(between: "ada", and: soul.userID))
            }
        }
        let reasons = affinity.blocks.map { block in
            let names = block.shared.map { $0.name.replacing("_", with: " ") }.joined(separator: ", ")
            return "\(block.block.name) \(NumberText.hundredths(Float(block.contribution))) (\(names))"
        }
        return Answer(
            topic: .alike, question: "Who of \(try engine.store.users().count - 1) people around her is most like Ada?",
            answer: "\(soul.userID.capitalized): \(AffinityText.score(soul.affinity)), \(soul.connection.phrase).",
            reason: "of what they share: \(reasons.joined(separator: ", ")).", duration: time)
    }

    private func worlds(_ engine: Engine) throws -> Answer {
        let ((library, world), time) = try timed(.worlds) {
            let library = try engine.realmLibrary()
            return (library, try library.world(WorldRequest(name: "Quiet hills", goals: [.sleep], seed: 7)))
        }
        guard let realm = world.realms.first,
            let photos = library.index.realm(realm.type)?.entries.map({ library.index.images[$0.image] })
        else { throw Self.unanswered(.worlds) }
        var counts: [String: Int] = [:]
        for photo in photos { for name in Set(photo.objects.map(\.category)) { counts[name, default: 0] += 1 } }
        let shown = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
        return Answer(
            topic: .worlds,
            question: "Which of \(library.clusters.imageCount, "photo") make a world for a good night's sleep?",
            answer: "\(library.clusters.clusters.count) groups, and a world of "
                + "\(world.realms.map { $0.type.replacing("_", with: " ") }.joined(separator: ", ")).",
            reason: "\(photos.count, "photo") show a \(realm.type) ("
                + shown.map { "\($0.key) \(NumberText.wholePercent(Double($0.value) / Double(photos.count)))" }
                .joined(separator: ", ") + "), worth \(NumberText.hundredths(Float(realm.goalValue))) of 1 for sleep.",
            duration: time)
    }

    private func next(_ engine: Engine) throws -> Answer {
        let (forecast, time) = try timed(.next) { try engine.forecast(of: "ada", baby: "mia").forecast }
        let (answer, reason) = ForecastText.sentences(forecast)
        return Answer(
            topic: .next, question: "It is \(forecast.now.time). When does baby Mia sleep next?",
            answer: answer.prefix(1).uppercased() + answer.dropFirst() + ".", reason: reason + ".", duration: time)
    }

    private func offer(_ engine: Engine) throws -> Answer {
        var conditions = MissionConditions()
        conditions.slot = .afternoon
        let (mission, time) = try timed(.offer) {
            try engine.missions(for: "ada", near: Household.home, minutes: 90, conditions: conditions, k: 1).first
        }
        let common = mission.tool.pleasures.filter(mission.space.pleasures.contains)
        let parts = mission.parts.map { "\($0.name.rawValue) \(NumberText.hundredths(Float($0.contribution)))" }
        return Answer(
            topic: .offer, question: "Ada has 90 minutes this afternoon. What suits her?",
            answer: "\(mission.tool.name.prefix(1).uppercased() + mission.tool.name.dropFirst()) at the "
                + "\(mission.space.name): \(Int(mission.travelMinutes.rounded(.up))) min on foot, "
                + "\(Int(mission.minutesThere)) min there.",
            reason:
                "both give \(common.map { $0.name.replacing("_", with: " ") }.joined(separator: ", ")); the score is "
                + "\(NumberText.hundredths(Float(mission.score))) of 1: \(parts.joined(separator: ", ")).",
            duration: time)
    }

    static func unanswered(_ topic: Topic) -> KinError {
        KinError(.numericalFailure, "the demo has no answer to \(topic.rawValue): please report this")
    }

    func measure(_ work: () throws -> Void) rethrows -> Duration { try ContinuousClock().measure(work) }

    /// Answers a question, and measures the time.
    private func timed<Value>(_ topic: Topic, _ work: () throws -> Value?) throws -> (Value, Duration) {
        var found: Value?
        let time = try measure { found = try work() }
        guard let found else { throw Self.unanswered(topic) }
        return (found, time)
    }

    /// A path as an argument of a shell in this folder.
    static func quoted(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        let short = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
        return short.quoted
    }

    // MARK: Drawing

    /// Draws the sleep of the last days, a character for half an hour, and the forecast.
    private func drawing(_ forecast: RhythmForecast?) {
        guard let forecast else { return }
        let sleeps = Household.log().records.filter { $0.type == .sleep }.compactMap { record in
            record.end.map { (record.start.reading.localMinutes, $0.reading.localMinutes) }
        }
        let (now, low, high) = (forecast.now, forecast.lower, forecast.upper)
        let today = (now.reading.localMinutes / 1440).rounded(.down)
        func cell(_ minute: Double) -> String {
            if minute + 30 > low.reading.localMinutes, minute < high.reading.localMinutes { return "?" }
            if minute >= now.reading.localMinutes { return " " }
            let asleep = sleeps.reduce(0) { $0 + max(0, min($1.1, minute + 30) - max($1.0, minute)) }
            return asleep >= 15 ? "█" : "·"
        }
        console.print(style.faint("          0     3     6     9     12    15    18    21     █ asleep  ? nap"))
        for day in stride(from: today - 3, through: today, by: 1) {
            let name = LocalDateTime(localMinutes: day * 1440).description.prefix(10).suffix(5)
            let cells = (0..<48).map { cell(day * 1440 + Double($0) * 30) }
            console.print("   \(name)  " + cells[...(cells.lastIndex { $0 != " " } ?? 0)].joined())
        }
    }
}
