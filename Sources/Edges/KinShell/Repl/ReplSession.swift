import Foundation
import Kin

/// The REPL without its terminal: commands in, text out.
final class ReplSession {
    enum Outcome: Equatable {
        case done
        case failed(ProcessStatus)
        case quit
    }

    private(set) var file: IndexFile
    private(set) var path: String
    /// Changes since the last save.
    private(set) var unsavedChanges = 0

    let console: Console
    private let isInteractive: Bool
    private(set) var k = 10
    private(set) var threads: Int
    private(set) var switches: Set<Command.Switch> = []
    /// The filter of every search.
    private(set) var filter: FilterExpression?
    /// The same as the index takes it, made ready once.
    private(set) var prepared: SearchFilter?
    /// The search mode of an inverted file.
    private(set) var mode = SearchMode.exact
    /// The query of the last search.
    var lastTarget: Command.Target?
    /// Whether the last command was a quit that was held back for unsaved changes.
    private var hasWarned = false

    init(_ file: IndexFile, path: String, threads: Int, isInteractive: Bool, console: Console) {
        self.file = file
        self.path = path
        self.threads = threads
        self.isInteractive = isInteractive
        self.console = console
    }

    var prompt: String { unsavedChanges == 0 ? "kin> " : "kin*> " }

    /// Does what one line says and writes the result, or the error with its place in the line.
    func execute(_ line: String) -> Outcome {
        do {
            guard let command = try CommandParser(space: file.space).parse(line) else { return .done }
            let warned = hasWarned
            hasWarned = false
            return try perform(command, hasWarned: warned)
        } catch let error as CommandError {
            console.note(error.report(line: line, style: console.style))
            return .failed(.usage)
        } catch let failure as Failure {
            console.note(console.style.bad("Error") + ": \(failure)")
            return .failed(failure.status)
        } catch {
            let failure = Failure(error as? KinError ?? KinError(.inputOutput, "\(error)"))
            console.note(console.style.bad("Error") + ": \(failure)")
            return .failed(failure.status)
        }
    }

    /// Whether the end of the input may end the session: at a terminal, unsaved changes hold it back once.
    func mayEnd() -> Bool { mayQuit(hasWarned: hasWarned) }

    private func perform(_ command: Command, hasWarned: Bool) throws -> Outcome {
        switch command {
        case .near(let target, let k, let among, let condition):
            try near(target, k: k ?? self.k, where: filter(among, condition))
        case .within(let radius, let target, let among, let condition):
            try within(radius, of: target, where: filter(among, condition))
        case .get(let id): try get(id)
        case .upsert(let id, let text): try upsert(id, text)
        case .remove(let ids): try remove(ids)
        case .save(let path): try save(to: path ?? self.path)
        case .info: info()
        case .lists: try lists()
        case .plan(let target, let k): try plan(target, k: k ?? self.k)
        case .recall(let queries, let file): try recall(queries: queries, file: file)
        case .set(let setting): try set(setting)
        case .showSettings: showSettings()
        case .filter(let expression): try set(expression)
        case .showFilter: showFilter()
        case .turn(let toggle, let isOn):
            if isOn { switches.insert(toggle) } else { switches.remove(toggle) }
            say("\(toggle.rawValue) is \(isOn ? "on" : "off")")
        case .plot(let path): try plot(to: path)
        case .help(let topic): try help(topic)
        case .quit(let isForced): return isForced || mayQuit(hasWarned: hasWarned) ? .quit : .done
        }
        return .done
    }

    private func mayQuit(hasWarned: Bool) -> Bool {
        guard unsavedChanges > 0 else { return true }
        let changes = NumberText.count(unsavedChanges, "change")
        guard isInteractive, !hasWarned else {
            console.note(isInteractive ? "\(changes) dropped" : "\(changes) not saved: end with `save` to keep them")
            return true
        }
        console.note("\(changes) not saved: `save` keeps them, `quit` again drops them")
        self.hasWarned = true
        return false
    }

    /// A remark for people, kept out of JSON.
    func say(_ text: String) {
        if !switches.contains(.json) { console.print("  " + text) }
    }

    // MARK: - Changes

    private func upsert(_ id: VectorID, _ text: Command.VectorText) throws(KinError) {
        let isNew = !file.index.contains(id)
        try file.index.upsert(file.space.stored(text), id: id)
        unsavedChanges += 1
        say("\(isNew ? "added" : "replaced") \(id)")
    }

    private func remove(_ list: IDList) throws(KinError) {
        let ids = list.members(of: file.index)
        guard !ids.isEmpty else { throw KinError(.unknownID, "none of these ids is in the index") }
        let removed = file.index.remove(ids)
        unsavedChanges += removed
        say("removed \(NumberText.count(removed, "vector"))")
    }

    private func save(to destination: String) throws(Failure) {
        let clock = ContinuousClock()
        var failure: Failure?
        let time = clock.measure {
            do throws(Failure) { try file.save(to: destination) } catch { failure = error }
        }
        if let failure { throw failure }
        path = destination
        unsavedChanges = 0
        say("saved \(NumberText.count(file.index.count, "vector")) to \(destination) in \(NumberText.duration(time))")
    }

    private func set(_ setting: Command.Setting) throws(KinError) {
        switch setting {
        case .k(let value): k = value
        case .threads(let value): threads = value
        case .metric(let metric):
            guard metric != file.index.metric else { break }
            file.index = try file.rebuilt(under: metric, threads: threads)
            prepared = try preparing(filter)
            unsavedChanges += 1
        case .mode(let value):
            if value != .exact {
                _ = try file.index.invertedFile(for: "it always looks at everything, so its only mode is exact")
            }
            mode = value
        }
        showSettings()
    }

    private func set(_ expression: FilterExpression?) throws(KinError) {
        try expression?.check(against: file.index.attributes.schema)
        prepared = try preparing(expression)
        filter = expression
        showFilter()
    }

    private func preparing(_ expression: FilterExpression?) throws(KinError) -> SearchFilter? {
        guard let expression else { return nil }
        return try file.index.prepare(.matching(expression), threads: threads)
    }

    // MARK: - Views

    private func showFilter() {
        let allowed = filter.flatMap { try? file.index.attributes.count(where: $0) }
        if switches.contains(.json) {
            let count = file.index.attributes.schema.isEmpty ? nil : allowed
            return console.print(JSONText.line(FilterRecord(filter: filter.map { "\($0)" }, vectorsAllowed: count)))
        }
        guard let filter else { return say("no filter: every vector is searched") }
        let share = allowed.map { ": \(NumberText.count($0)) of \(NumberText.count(file.index.count, "vector"))" }
        say("filter \(filter)\(file.index.attributes.schema.isEmpty ? "" : share ?? "")")
    }

    private func showSettings() {
        let cellMode = file.index.kind == .ivf ? mode.text : nil
        if switches.contains(.json) {
            let record = SettingsRecord(k: k, metric: file.index.metric.rawValue, mode: cellMode, threads: threads)
            return console.print(JSONText.line(record))
        }
        say("k \(k), metric \(file.index.metric.rawValue)\(cellMode.map { ", mode \($0)" } ?? ""), threads \(threads)")
    }

    private func info() {
        if switches.contains(.json) {
            console.print(JSONText.line(IndexRecord(file, path: path)))
        } else {
            console.print(file, path: path)
        }
    }

    private func help(_ topic: String?) throws(Failure) {
        guard let lines = CommandGuide.help(on: topic, style: console.style) else {
            let near = Spelling.nearest(to: topic ?? "", in: CommandGuide.all.map(\.name))
            throw .usage("there is no command '\(topic ?? "")'\(near.map { "; did you mean \($0)?" } ?? "")")
        }
        for line in lines { console.print(line) }
    }
}

/// The filter that searches go by, as JSON; `vectorsAllowed` is left out where only ids decide.
private struct FilterRecord: Encodable {
    let filter: String?
    let vectorsAllowed: Int?
}

/// The settings of a session, as JSON.
private struct SettingsRecord: Encodable {
    let k: Int
    let metric: String
    let mode: String?
    let threads: Int
}
