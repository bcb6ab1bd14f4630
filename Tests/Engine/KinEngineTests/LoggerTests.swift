import Foundation
import KinEngine
import KinEngineTrials
import KinTestSupport
import Logging
import Synchronization
import Testing

/// A logger receives the store's actions, and nothing about any person.
@Suite("Logger") struct LoggerTests {
    /// A handler that stores all lines.
    private struct Capture: LogHandler {
        final class Lines: Sendable {
            let all = Mutex<[String]>([])
        }

        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }
            lines.all.withLock {
                $0.append("\(event.level): \(event.message) \(metadata.map { "\($0.key)=\($0.value)" })")
            }
        }
    }

    private func capture() -> (Logger, Capture.Lines) {
        let lines = Capture.Lines()
        return (Logger(label: "kin") { _ in Capture(lines: lines) }, lines)
    }

    @Test("the log covers openings, derived data, evictions and closings but no person") func tellsOfNobody() throws {
        var random = TestSeed().generator
        let world = try SampleWorld(seed: TestSeed.value)
        let folder = TemporaryFolder()
        let (logger, lines) = capture()
        let engine = try Engine(store: folder.path("people.db"), memoryBudget: 20_000, logger: logger)
        _ = try engine.call("put", "{\"records\":[\(world.records.map(\.json).joined(separator: ","))]}")
        let generator = RequestGenerator(world, files: [])
        let methods = Engine.methods.filter { !["import", "suspend"].contains($0) }
        for _ in 0..<700 {
            let request = generator.request(&random, of: methods)
            _ = try? engine.call(request.method, request.json)
        }
        try engine.close()
        let found = lines.all.withLock { $0 }
        for event in ["opened a store", "closed a store", "derived data anew", "evicted derived data"] {
            #expect(found.contains { $0.contains(event) }, "nothing tells \"\(event)\"")
        }
        let ids = world.ids.values.joined().filter { !$0.allSatisfy(\.isNumber) }
        let texts = ids + Self.texts(in: world.records.map(\.json))
        let told = Set(
            found.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }.map(String.init) })
        for text in texts {
            #expect(!told.contains(text), "a logger is told \"\(text)\"")
            if text.count > 6 {
                #expect(!found.contains { $0.contains(text) }, "a logger is told \"\(text)\"")
            }
        }
        #expect(!found.contains { $0.contains(folder.path) }, "a logger is told a path")
    }

    @Test("the log reports a previous writer that ended without closing") func tellsOfRecovery() throws {
        let folder = TemporaryFolder()
        let path = folder.path("people.db")
        do {
            // The engine is released without closing.
            let engine = try Engine(store: path)
            _ = try engine.call("put", #"{"records":[{"uid":"u1","goals":{"calm":2}}]}"#)
        }
        let (logger, lines) = capture()
        // The writing task releases the store a moment after the call has returned.
        var reopened: Engine?
        for _ in 0..<1000 where reopened == nil {
            reopened = try? Engine(store: path, logger: logger)
            if reopened == nil { Thread.sleep(forTimeInterval: 0.01) }
        }
        let engine = try reopened ?? Engine(store: path, logger: logger)
        #expect(lines.all.withLock { $0 }.contains { $0.hasPrefix("notice: the last writer ended without closing") })
        #expect(try engine.store.users() == ["u1"])
        try engine.close()
        let (second, after) = capture()
        try Engine(store: path, logger: second).close()
        #expect(after.all.withLock { $0 }.count == 2)
    }

    /// The texts that people wrote or received, in records as JSON: string values, without words from a small fixed
    /// set.
    private static func texts(in records: [String]) -> [String] {
        let notes = records.flatMap { record -> [String] in
            record.matches(of: /"(?:notes|text|title|name|body|story)":"([^"]{4,})"/).map { String($0.1) }
        }
        let words = notes.flatMap { note -> [String] in
            note.split(separator: " ").map { String($0) }.filter { $0.count > 3 }
        }
        let ours: Set = ["data", "store", "with", "last", "closed", "change", "cache"]
        return (notes + words).filter { !ours.contains($0) }
    }
}
