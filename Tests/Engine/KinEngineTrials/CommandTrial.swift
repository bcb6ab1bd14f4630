import Foundation
package import KinEngine
import Synchronization

/// Two concurrent commands, whose answers and records must equal those of the two in sequence.
package struct CommandTrial: Sendable {
    /// The answers of two commands and the records afterwards.
    package struct Outcome: Sendable, Hashable {
        package var first: String
        package var second: String
        package var records: String
    }

    /// The outcomes of both orders. An overlap must equal one of them.
    package struct Orders: Sendable {
        package let forward: Outcome
        package let backward: Outcome

        package func contains(_ outcome: Outcome) -> Bool { outcome == forward || outcome == backward }
    }

    fileprivate let samples: CommandSamples
    /// A closed file with the records.
    private let template: String
    private let folder: String

    /// Creates a trial.
    ///
    /// - Parameters:
    ///   - samples: The commands and records.
    ///   - folder: A folder for stores. Writes are faster in a folder in memory (`/dev/shm`).
    package init(_ samples: CommandSamples, folder: String) throws {
        self.samples = samples
        self.folder = folder
        template = folder + "/template.db"
        let engine = try samples.engine(at: template)
        _ = try engine.call("put", "{\"records\":[\(samples.lines.split(separator: "\n").joined(separator: ","))]}")
        try engine.close()
    }

    /// Creates a store with the records on a disk and returns its path.
    package func store(_ name: String) throws -> String {
        let path = "\(folder)/\(name).db"
        try FileManager.default.copyItem(atPath: template, toPath: path)
        return path
    }

    private func withEngine<Result>(onDisk isOnDisk: Bool, _ body: (Engine) throws -> Result) throws -> Result {
        let path = isOnDisk ? try store("pair") : nil
        defer { if let path { Store.removeFiles(at: path) } }
        let engine = try samples.engine(at: path)
        defer { try? engine.close() }
        return try body(engine)
    }

    /// The answer of a command, or the code and text of its error.
    package static func answer(_ command: CommandSample, of engine: Engine) -> String {
        do throws(KinError) {
            return try engine.call(command.method, command.request)
        } catch {
            return "\(error)"
        }
    }

    /// Runs both orders of two commands.
    package func orders(_ first: CommandSample, _ second: CommandSample) throws -> Orders {
        func run(_ one: CommandSample, _ other: CommandSample) throws -> Outcome {
            try withEngine(onDisk: true) { engine in
                let answer = Self.answer(one, of: engine)
                let next = Self.answer(other, of: engine)
                return Outcome(first: answer, second: next, records: try CommandSamples.export(engine))
            }
        }
        let backward = try run(second, first)
        return Orders(
            forward: try run(first, second),
            backward: Outcome(first: backward.second, second: backward.first, records: backward.records))
    }

    /// Runs two commands on two threads. The threads meet before each command begins, and whenever one has read and not
    /// yet written.
    package func overlap(
        _ first: CommandSample, _ second: CommandSample, onDisk isOnDisk: Bool
    ) throws -> Outcome {
        try withEngine(onDisk: isOnDisk) { engine in
            let meeting = Meeting()
            let answers = Mutex(["", ""])
            let threads = [first, second].enumerated().map { number, command in
                Thread {
                    meeting.arrive()
                    let scope = CommandScope { meeting.arrive() }
                    let answer = CommandScope.$current.withValue(scope) { Self.answer(command, of: engine) }
                    answers.withLock { $0[number] = answer }
                    meeting.leave()
                }
            }
            for thread in threads { thread.start() }
            meeting.waitUntilAllLeft()
            let given = answers.withLock { $0 }
            return Outcome(first: given[0], second: given[1], records: try CommandSamples.export(engine))
        }
    }
}

extension CommandTrial {
    /// Runs two commands in two concurrent processes. Each has the store open and takes its lock again for the command.
    package func overlap(
        _ first: CommandSample, _ second: CommandSample, in processes: [CommandProcess]
    ) throws -> Outcome {
        let path = try store("processes")
        defer { Store.removeFiles(at: path) }
        for process in processes { _ = try process.call("open\t\(path)") }
        for (process, command) in zip(processes, [first, second]) {
            try process.send("\(command.method)\t\(command.request)")
        }
        let answers = try processes.map { try $0.receive() }
        for process in processes { _ = try process.call("close") }
        let engine = try samples.engine(at: path)
        defer { try? engine.close() }
        return Outcome(first: answers[0], second: answers[1], records: try CommandSamples.export(engine))
    }
}

/// Two threads that wait for each other, until both have arrived, or the other has left or takes too long.
private final class Meeting: Sendable {
    private struct State {
        var here = 0
        var gone = 0
        var round = 0
    }

    private let condition = NSCondition()
    private let state = Mutex(State())
    /// The longest wait for a thread that itself waits for this one in a lock.
    private static let patience = 0.02

    func arrive() {
        condition.lock()
        defer { condition.unlock() }
        let (round, isComplete) = state.withLock { state in
            state.here += 1
            return (state.round, state.here + state.gone >= 2)
        }
        if isComplete { return open() }
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while state.withLock({ $0.round }) == round {
            guard condition.wait(until: deadline) else {
                state.withLock { if $0.round == round { $0.here -= 1 } }
                return
            }
        }
    }

    func leave() {
        condition.lock()
        state.withLock { $0.gone += 1 }
        open()
        condition.unlock()
    }

    func waitUntilAllLeft() {
        condition.lock()
        while state.withLock({ $0.gone }) < 2 { condition.wait() }
        condition.unlock()
    }

    private func open() {
        state.withLock { state in
            state.here = 0
            state.round += 1
        }
        condition.broadcast()
    }
}
