import Foundation
import Kin
import KinEngine
import KinJSON
import KinStore

/// The REPL on a store without its terminal: questions in, text out. It reads, and changes nothing.
final class PeopleSession: Conversation {
    let store: Store
    let console: Console
    private(set) var switches: Set<Command.Switch> = []
    /// The matcher of the last question about affinity, and the state that it shows.
    var matching: (version: StoreVersion, matcher: SoulMatcher)?
    /// The clock, which tests set.
    let now: () throws(KinError) -> Timestamp

    init(
        _ path: String, console: Console,
        now: @escaping () throws(KinError) -> Timestamp = SystemClock.now
    ) throws(KinError) {
        store = try Store(at: path, for: .reading, check: .brief)
        self.console = console
        self.now = now
    }

    var prompt: String { "kin> " }

    var greeting: String { "\(store.path): a store of people. `help` lists the commands." }

    var isJSON: Bool { switches.contains(.json) }

    /// Prints answers as JSON from now on.
    func useJSON() { switches.insert(.json) }

    func mayEnd() -> Bool { true }

    func execute(_ line: String) -> ReplSession.Outcome {
        do {
            guard let command = try PeopleParser().parse(line) else { return .done }
            if command == .quit { return .quit }
            let start = ContinuousClock.now
            try carryOut(command)
            if switches.contains(.timing) {
                console.note(console.style.faint("  \(NumberText.duration(ContinuousClock.now - start))"))
            }
            return .done
        } catch let error as CommandError {
            console.note(error.report(line: line, style: console.style))
            return .failed(.usage)
        } catch {
            let failure = error as? Failure ?? Failure(error as? KinError ?? KinError(.inputOutput, "\(error)"))
            console.note(console.style.bad("Error") + ": \(failure)")
            return .failed(failure.status)
        }
    }

    private func carryOut(_ command: PeopleCommand) throws {
        switch command {
        case .ask(let question, let plot):
            let answer = try store.answer(question, now: now)
            if case .map(let map) = answer, let plot { try draw(map, into: plot) }
            if isJSON { for line in answer.jsonLines { console.print(line) } } else { show(answer) }
            if !isJSON, case .sessions(let user, let count, _) = question, case .sessions(let page) = answer,
                page.count == count, let last = page.last
            {
                console.note(console.style.faint("  more: sessions \(user) count \(count) after \(last.id)"))
            }
            if let plot { console.note("note: the map is drawn in \(plot)") }
        case .affinity(let question): try answer(question)
        case .rhythm(let question): try answer(question)
        case .turn(let toggle, let isOn):
            if isOn { switches.insert(toggle) } else { switches.remove(toggle) }
            if !isJSON { console.note(console.style.faint("  \(toggle.rawValue) is \(isOn ? "on" : "off")")) }
        case .help(let topic):
            guard let lines = CommandGuide.help(on: topic, of: PeopleGuide.all, style: console.style) else {
                throw Failure.usage("there is no command '\(topic ?? "")'; `help` lists them")
            }
            for line in lines { console.print(line) }
        case .quit: break
        }
    }

    private func show(_ answer: PeopleAnswer) {
        switch answer {
        case .matches(let matches): show(matches)
        case .sessions(let sessions): show(sessions)
        case .profile(let profile): show(profile)
        case .insight(let insight): show(insight)
        case .items(let items, let isRanked): show(items, isRanked: isRanked)
        case .missions(let missions): show(missions)
        case .map(let map): show(map)
        case .users(let users): for user in users { console.print("  \(user)") }
        case .info(let people, let sessions, let items):
            var table = TextTable([("", .left), ("", .right)])
            table.append(["people", NumberText.count(people)])
            table.append(["sessions", NumberText.count(sessions)])
            table.append(["items", NumberText.count(items)])
            console.print(table)
        }
    }

    func completion(of text: String) -> Completion {
        let word = String(text.reversed().prefix { !$0.isWhitespace }.reversed())
        let before = text.dropLast(word.count).split { $0.isWhitespace }.map { $0.lowercased() }
        var choices: [String] = []
        if before.count == 1, let verb = before.first, PeopleGuide.aboutPeople.contains(verb) {
            choices = (try? store.users()) ?? []
        }
        switch before.first {
        case nil, "help": choices = PeopleGuide.all.map { $0.name + " " }
        case "near" where before.contains("where"): choices = SessionIndex.schema.attributes.map { $0.name + " " }
        case "near":
            choices =
                ["session:", "user:", "at ", "k ", "metric ", "where "] + Pleasure.Dimension.names.map { $0 + "=" }
        case "insight": choices = ["session:", "k "]
        case "profile" where before.count == 2: choices = ["at "]
        case "map" where before.count == 2: choices = ["--plot "]
        case "kin" where before.count == 2: choices = ["k "]
        case "inbox" where before.count == 2: choices = InboxState.names
        case "digest" where before.count == 2: choices = ["since "]
        case "forecast" where before.count == 3: choices = ["at "]
        case "inventory", "missions": choices = Self.words(after: before.last ?? "")
        case ":json", ":timing": choices = ["on", "off"]
        default: break
        }
        return Completion(typed: word.count, candidates: choices.filter { $0.hasPrefix(word) }.sorted())
    }

    private static func words(after last: String) -> [String] {
        switch last {
        case "at": DayPart.names
        case "in": TemporalTags.Season.names
        case "type": InventoryItem.Kind.allCases.map(\.name)
        case "access": InventoryItem.Access.allCases.map(\.name)
        case "status": InventoryItem.Status.allCases.map(\.name)
        case "state": SessionState.names
        case "weather": MissionRequest.Weather.allCases.map(\.rawValue)
        case "giving": Pleasure.Dimension.names
        default:
            [
                "near ", "within ", "for ", "at ", "in ", "type ", "access ", "status ", "sense ", "context ",
                "giving ",
                "like ", "as ", "k ", "state ", "weather ",
            ]
        }
    }
}
