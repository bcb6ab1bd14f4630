package import Foundation
import KinEngine
import Synchronization

/// Calls an engine with generated requests and checks every answer against the rules for all answers.
///
/// If a request ends the process, it is in `last-request` in the folder. A request that takes longer than ``patience``
/// also ends the process.
package struct RequestTrial: Sendable {
    /// The results of the requests.
    package struct Tally: Sendable {
        package var calls = 0
        package var answered: [String: Int] = [:]
        package var refused: [String: Int] = [:]
        /// Faults: an invalid answer, an instant without zone, a query that wrote, an error without a name.
        package var faults: [String] = []
        /// The longest call in seconds, and its request.
        package var slowest: (seconds: Double, request: String) = (0, "")
    }

    private let seed: UInt64
    private let folder: URL
    /// The number of requests per store, so that no store grows forever.
    private let epoch: Int
    /// The longest that a call may take, in seconds.
    package static let patience = 60.0

    /// - Parameter folder: The folder for stores. Writes are faster in a folder in memory (`/dev/shm`).
    package init(seed: UInt64, folder: URL, epoch: Int = 20_000) {
        self.seed = seed
        self.folder = folder
        self.epoch = epoch
    }

    /// Makes the given number of calls; stops early after twenty faults.
    package func run(
        calls: Int, progress: (Tally) -> Void = { _ in }
    ) throws -> Tally {
        var tally = Tally()
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let last = folder.appendingPathComponent("last-request").path
        _ = files.createFile(atPath: last, contents: nil)
        let note = try FileHandle(forWritingTo: URL(fileURLWithPath: last))
        defer { try? note.close() }
        let watch = Watch(note: last)
        defer { watch.end() }
        while tally.calls < calls, tally.faults.count < 20 {
            let number = UInt64(tally.calls / epoch)
            let world = try SampleWorld(seed: seed &+ number)
            let lines = folder.appendingPathComponent("lines.jsonl")
            try world.records.prefix(30).map(\.json).joined(separator: "\n")
                .write(to: lines, atomically: true, encoding: .utf8)
            let generator = RequestGenerator(world, files: [lines.path, "/nowhere/at/all", ""])
            let path = folder.appendingPathComponent("people-\(number).db").path
            let engine = try Engine(store: path)
            try world.fill(engine)
            let reader = try Store(at: path, for: .reading, check: .brief)
            var random = SeededGenerator.stream(number, of: seed)
            let methods = RequestGenerator.methods
            for _ in 0..<min(epoch, calls - tally.calls) where tally.faults.count < 20 {
                let request = generator.request(&random, of: methods)
                try note.seek(toOffset: 0)
                try note.write(contentsOf: Data("\(request.method)\n\(request.json)\n".utf8))
                try note.truncate(atOffset: try note.offset())
                watch.begin()
                let start = ContinuousClock.now
                try call(engine, request, reader, &tally)
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                watch.rest()
                if seconds > tally.slowest.seconds {
                    tally.slowest = (seconds, "\(request.method) \(request.json.prefix(300))")
                }
                tally.calls += 1
                if tally.calls % 10_000 == 0 { progress(tally) }
            }
            try engine.close()
            for name in try files.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("people-\(number).db") {
                try files.removeItem(at: folder.appendingPathComponent(name))
            }
        }
        return tally
    }

    private func call(
        _ engine: Engine, _ request: RequestGenerator.Request, _ reader: Store, _ tally: inout Tally
    ) throws {
        let isQuestion = RequestGenerator.questions.contains(request.method)
        let before = isQuestion ? try reader.version().number : 0
        var problem: String?
        do throws(KinError) {
            let answer = try engine.call(request.method, request.json)
            tally.answered[request.method, default: 0] += 1
            problem = AnswerCheck.problem(in: answer, of: request.method)
        } catch {
            tally.refused[request.method, default: 0] += 1
            if !error.context.contains(where: { $0.name == "method" }) {
                problem = "an error without the method: \(error)"
            }
            // If a query finds a damaged store, a request damaged it.
            if error.code == .corruptFile { problem = "a damaged record: \(error)" }
        }
        if isQuestion, problem == nil, try reader.version().number != before { problem = "a question wrote" }
        if let problem { tally.faults.append("\(request.method): \(problem)\n  \(request.json.prefix(2000))") }
    }
}

/// Ends the process if a call does not end.
private final class Watch: Sendable {
    private let begun = Mutex<ContinuousClock.Instant?>(nil)
    private let isOver = Mutex(false)

    init(note: String) {
        let thread = Thread { [self] in
            while !isOver.withLock({ $0 }) {
                Thread.sleep(forTimeInterval: 0.2)
                guard let start = begun.withLock({ $0 }) else { continue }
                if ContinuousClock.now - start > .seconds(RequestTrial.patience) {
                    fatalError("a call takes longer than \(RequestTrial.patience) s; it is in \(note)")
                }
            }
        }
        thread.start()
    }

    func begin() { begun.withLock { $0 = .now } }
    func rest() { begun.withLock { $0 = nil } }
    func end() { isOver.withLock { $0 = true } }
}
