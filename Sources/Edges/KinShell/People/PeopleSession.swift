import Foundation
import Kin
import KinJSON
import KinStore

/// The REPL on a store without its terminal: questions in, text out. It reads, and changes nothing.
final class PeopleSession: Conversation {
    let store: Store
    let console: Console
    private(set) var switches: Set<Command.Switch> = []
    /// The clock, which tests set.
    let now: () throws(KinError) -> Timestamp

    init(
        _ path: String, console: Console,
        now: @escaping () throws(KinError) -> Timestamp = { () throws(KinError) in
            try Timestamp(seconds: Date().timeIntervalSince1970)
        }
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
            guard let question = try PeopleParser().parse(line) else { return .done }
            if question == .quit { return .quit }
            let start = ContinuousClock.now
            try answer(question)
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

    private func answer(_ question: PeopleQuestion) throws {
        switch question {
        case .near(let target, let k, let metric, let filter):
            try near(target, k: k, metric: metric, where: filter)
        case .sessions(let user, let count, let after): try sessions(of: user, count: count, after: after)
        case .profile(let user, let instant): try profile(user, at: instant)
        case .insight(let id, let k): try insight(id, k: k)
        case .inventory(let query, let wish, let k): try inventory(query, wish: wish, k: k)
        case .missions(let wish, let k): try missions(wish, k: k)
        case .map(let user, let plot): try map(user, plot: plot)
        case .users:
            for user in try store.users() {
                if isJSON {
                    say { $0.object { $0.member("user") { $0.string(user) } } }
                } else {
                    console.print("  \(user)")
                }
            }
        case .info: try info()
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

    private func info() throws {
        let sessions = try store.sessionIndex().count
        let (people, items) = (try store.users().count, try store.inventory().count)
        if isJSON {
            return say { writer in
                writer.object { writer in
                    writer.member("people") { $0.integer(people) }
                    writer.member("sessions") { $0.integer(sessions) }
                    writer.member("items") { $0.integer(items) }
                }
            }
        }
        var table = TextTable([("", .left), ("", .right)])
        table.append(["people", NumberText.count(people)])
        table.append(["sessions", NumberText.count(sessions)])
        table.append(["items", NumberText.count(items)])
        console.print(table)
    }

    func completion(of text: String) -> Completion {
        let word = String(text.reversed().prefix { !$0.isWhitespace }.reversed())
        let before = text.dropLast(word.count).split { $0.isWhitespace }.map { $0.lowercased() }
        var choices: [String] = []
        switch before.first {
        case nil, "help": choices = PeopleGuide.all.map { $0.name + " " }
        case "near" where before.contains("where"): choices = SessionIndex.schema.attributes.map { $0.name + " " }
        case "near":
            choices =
                ["session:", "user:", "at ", "k ", "metric ", "where "] + Pleasure.Dimension.names.map { $0 + "=" }
        case "insight": choices = ["session:", "k "]
        case "profile" where before.count == 2: choices = ["at "]
        case "map" where before.count == 2: choices = ["--plot "]
        case "inventory", "missions": choices = Self.words(after: before.last ?? "")
        case ":json", ":timing": choices = ["on", "off"]
        default: break
        }
        return Completion(typed: word.count, candidates: choices.filter { $0.hasPrefix(word) }.sorted())
    }

    private static func words(after last: String) -> [String] {
        switch last {
        case "at": TimeSlot.names
        case "in": Season.names
        case "type": InventoryItem.Kind.allCases.map(\.name)
        case "access": InventoryItem.Access.allCases.map(\.name)
        case "status": InventoryItem.Status.allCases.map(\.name)
        case "state": SessionState.names
        case "weather": Weather.allCases.map(\.rawValue)
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
