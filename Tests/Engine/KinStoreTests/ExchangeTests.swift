import Foundation
import KinStore
import KinTestSupport
import Testing

@Suite("Import and export as JSON lines")
struct ExchangeTests {
    private let folder = StoreFolder()

    /// Wherever a file's error is, the error says that nothing was stored, and nothing is; a table is named as such.
    @Test func aFailedImportSaysThatNothingWasStored() async throws {
        let store = try folder.open()
        let lines = (0..<5).map { "{\"uid\":\"u\($0)\",\"goals\":{\"sleep\":1}}" }
        for wrong in ["{\"uid\":\"u9\",\"goals\":7}", "uid,goals", "\"text\"", "7", "{\"unknown\":1}", "{"] {
            for place in 0...5 {
                for isDocument in [false, true] {
                    var text = lines
                    text.insert(wrong, at: place)
                    let content = isDocument ? "[\(text.joined(separator: ",\n"))]" : text.joined(separator: "\n")
                    try folder.write(Array(content.utf8), to: "souls.jsonl")
                    let error = await #expect(throws: KinError.self) {
                        try await store.importLines(from: "\(folder.path)/souls.jsonl", now: hour(0))
                    }
                    let message = try #require(error?.message)
                    #expect(message.hasSuffix("(nothing of the file was stored)"), "\(content) \(message)")
                    if wrong.hasPrefix("u"), !isDocument { #expect(message.contains("CSV"), "\(message)") }
                }
            }
        }
        #expect(try store.users() == [])
    }

    @Test(arguments: [([0x1F, 0x8B, 8], "compressed"), ([0xFF, 0xFE, 0x7B, 0], "UTF-16")] as [([UInt8], String)])
    func otherFormsOfTextAreNamed(bytes: [UInt8], name: String) async throws {
        let store = try folder.open()
        try folder.write(bytes, to: "souls.jsonl")
        let error = await #expect(throws: KinError.self) {
            try await store.importLines(from: "\(folder.path)/souls.jsonl", now: hour(0))
        }
        #expect(error?.message.contains("the file is \(name); convert it") == true, "\(String(describing: error))")
    }

    /// Records of all kinds; some refer to others.
    @Test func theRecordsOfOneImportMayBeInAnyOrder() async throws {
        var random = TestSeed().generator
        let sample = try await EveryKind()
        let whole = try EveryKind.export(sample.store)
        var lines = whole.split(separator: "\n")
        for threads in 0...2 {
            lines.shuffle(using: &random)
            let folder = StoreFolder()
            let store = try folder.open()
            if threads == 0 {
                try await store.importArray("[\(lines.joined(separator: ","))]", now: hour(99))
            } else {
                try await store.importLines(lines.joined(separator: "\n"), now: hour(99), threads: threads)
            }
            #expect(try EveryKind.export(store) == whole && store.check().isIntact)
        }
        // A record whose other record is nowhere is refused with its position.
        for kind in ["session_embedding", "inbox"] {
            let line = try #require(lines.first { $0.hasPrefix("{\"\(kind)\"") })
            let store = try folder.open()
            let error = await kinError {
                try await store.importLines("{\"uid\":\"u\",\"valence\":1}\n\(line)", now: hour(99))
            }
            #expect(error?.code == .unknownID && error?.fact("line") == "2")
            #expect(try store.users().isEmpty)
            try await store.close()
        }
    }

    @Test func recordsAreRecognizedByTheirFields() async throws {
        var sample = SampleRecords()
        let (session, profile, item) = try (
            sample.session("s", of: "u1", notes: "\"access_mode\" and pleasure_profile"), sample.profile(of: "u2"),
            sample.item("i")
        )
        let lines = [
            session.json, "", profile.json, item.json, "  ", "{\"session\":\(try sample.session("t", of: "u1").json)}",
            "{\"since\":\"2026-01-01\",\"profile\":\(profile.json)}", "{\"inventory_item\": \(item.json) }\r",
            session.json,
        ]
        let store = try folder.open()
        let text = lines.joined(separator: "\n")
        #expect(
            try await store.importLines(text, now: hour(3)) == ["session": 3, "profile": 2, "inventory_item": 2])
        #expect(try store.session("s") == session)
        #expect(try store.item("i") == item)
        #expect(try store.profileHistory(of: "u2").map(\.since) == [hour(0), hour(3)])
    }

    @Test(arguments: [
        ("{\"id\":1}", "record"), ("[]", "object"), ("{\"session\":{}}", "id"),
        ("{\"since\":\"2026-01-01\"}", "one record"),
        ("{\"pleasure_vector\":{}}", "id"), ("nonsense", "object"), ("{", "text ends"),
    ])
    func anInvalidLineIsNamedAndNothingIsImported(_ line: String, _ mention: String) async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        let text = try sample.session("s", of: "u1").json + "\n\n" + line + "\n"
        for threads in [1, 2] {
            let error = await #expect(throws: KinError.self) {
                try await store.importLines(text, now: hour(0), threads: threads)
            }
            #expect(error?.context.contains { $0.name == "line" && $0.value == "3" } == true, "\(error!)")
            #expect(error?.description.contains(mention) == true, "\(error!)")
        }
        #expect(try store.users().isEmpty)
    }

    @Test(arguments: [1, 2, 7]) func filesAreReadInPieces(_ threads: Int) async throws {
        var sample = SampleRecords()
        // Several pieces of a megabyte, and a line longer than one piece; the last line has no line end.
        var sessions = try sample.sessions(9000)
        sessions[4000].notes = String(repeating: "x", count: 5_000_000)
        let path = "\(folder.path)/sessions.jsonl"
        try Data(sessions.map(\.json).joined(separator: "\n").utf8).write(to: URL(filePath: path))
        let store = try folder.open()
        #expect(try await store.importLines(from: path, now: hour(0), threads: threads) == ["session": 9000])
        for number in [0, 3999, 4000, 4001, 8999] {
            #expect(try store.session(sessions[number].id) == sessions[number])
        }
        let missing = await #expect(throws: KinError.self) {
            try await store.importLines(from: "\(folder.path)/none.jsonl", now: hour(0), threads: threads)
        }
        #expect(missing?.code == .inputOutput && missing?.context.first?.value.hasSuffix("none.jsonl") == true)
        #expect(await errorCode { try await store.importLines("", now: hour(0), threads: 0) } == .invalidArgument)
    }

    /// The error is always the first wrong line of a text of several pieces, whether reading or writing finds it. A record
    /// whose other record is missing is wrong only at the end.
    @Test func theFirstWrongLineIsReportedWithAnyNumberOfThreads() async throws {
        var sample = SampleRecords()
        var random = TestSeed().generator
        let lines = try sample.sessions(9000).map(\.json)
        let store = try folder.open()
        try await store.put([sample.session("taken", of: "somebody")])
        let version = try store.version()
        let wrong = try [
            "{\"session\":", sample.session("taken", of: "u1").json,
            #"{"session_embedding":{"session_id":"none","user_id":"u1","model":"m","vector":[1]}}"#,
        ]
        for round in 0..<6 {
            var text = lines
            let places = (0..<2).map { _ in Int.random(in: 0..<lines.count, using: &random) }
            for place in places { text[place] = wrong.randomElement(using: &random)! }
            let ends = Set(places).filter { text[$0] == wrong[2] }
            let first = Set(places).subtracting(ends).min() ?? ends.min()!
            let joined = text.joined(separator: "\n")
            var errors: [String] = []
            for threads in [1, 2] {
                let error = await #expect(throws: KinError.self) {
                    try await store.importLines(joined, now: hour(0), threads: threads)
                }
                errors.append("\(error!)")
            }
            #expect(errors[0] == errors[1], "round \(round)")
            #expect(errors[0].contains("line \(first + 1)"), "\(errors[0])")
            #expect(try store.version() == version)
        }
    }
}
