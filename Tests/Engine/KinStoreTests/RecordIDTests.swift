import Foundation
import Testing

@testable import KinStore

@Suite("Canonical form of ids")
struct RecordIDTests {
    private let copyFolder = StoreFolder()

    private static func decomposed(_ id: String) -> String { id.decomposedStringWithCanonicalMapping }

    @Test func theFormIsTheSameAsFoundations() throws {
        for text in [
            "e\u{301}", "\u{212B}", "\u{1100}\u{1161}\u{11A8}", "a\u{323}\u{307}", "\u{1F468}\u{200D}\u{1F469}", "क्षि",
        ] {
            let id = try RecordID.checked(text, field: "id")
            #expect(Array(id.utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8))
            #expect(try Array(RecordID.checked(id, field: "id").utf8) == Array(id.utf8))
        }
    }

    /// For every id of every kind: an id in a different Unicode form is the same id.
    @Test func idsInAnyFormAreOneRecord() async throws {
        let sample = try await EveryKind()
        let text = try EveryKind.export(sample.store)
        let lines = try text.split(separator: "\n").map { line in
            let type = try #require(RecordKind.types.first { line.hasPrefix("{\"\($0.kind.name)\":") })
            return try EveryKind.changed(String(line), of: type, Self.decomposed)
        }
        let other = lines.joined(separator: "\n")
        #expect(Array(other.utf8) != Array(text.utf8) && other.utf8.count > text.utf8.count)
        try await sample.store.importLines(other, now: hour(99))
        #expect(try Array(EveryKind.export(sample.store).utf8) == Array(text.utf8))
        let copy = try copyFolder.open()
        try await copy.importLines(other, now: hour(99))
        #expect(try Array(EveryKind.export(copy).utf8) == Array(text.utf8))
        #expect(try copy.users().count == EveryKind.people.count)
        // A query in either form has the same answer.
        let (user, same) = (EveryKind.reader, Self.decomposed(EveryKind.reader))
        #expect(try Array(EveryKind.export(copy, of: same).utf8) == Array(EveryKind.export(copy, of: user).utf8))
        #expect(try copy.inbox(of: same) == copy.inbox(of: user) && !copy.inbox(of: same).isEmpty)
        #expect(try copy.sessions(of: same).count == 3)
        let filter = SessionFilter.user(same)
        #expect(try copy.nearestSessions(to: Pleasure(), k: 9, where: filter).count == 3)
        #expect(try copy.matcher().contains(same))
        #expect(try await copy.forget(Self.decomposed(EveryKind.person)).isEmpty == false)
    }

    /// For every id of every kind: an id that is too long or has a control character is refused by name.
    @Test func everyIDHasALimitAndNoControlCharacters() async throws {
        let sample = try await EveryKind()
        let before = try EveryKind.export(sample.store)
        var tried = 0
        for (type, line) in try EveryKind.lines(sample.store) {
            #expect(!type.idPaths.isEmpty || ["content_day", "affinity_model"].contains(type.kind.name))
            for path in type.idPaths {
                for (id, mention) in [
                    (String(repeating: "x", count: 513), "at most 512"), ("a\u{0}b", "U+0000"), ("a\nb", "U+000A"),
                    ("a\u{85}b", "U+0085"), ("", "empty"), (String(repeating: "é", count: 300), "at most 512"),
                ] {
                    let wrong = try EveryKind.changed(line, of: type, at: [path]) { _ in id }
                    #expect(wrong != line)
                    let error = await #expect(throws: KinError.self) {
                        try await sample.store.importLines(wrong, now: hour(99))
                    }
                    let text = "\(error!)"
                    #expect(error?.code == .invalidArgument, "\(type.kind.name) \(path): \(text)")
                    #expect(
                        text.contains(mention) || (id.isEmpty && text.contains("id")),
                        "\(type.kind.name) \(path): \(text)")
                    #expect(text.contains(path.last!) && text.utf8.count < 700, "\(type.kind.name) \(path): \(text)")
                    tried += 1
                }
            }
        }
        #expect(tried > 150)
        #expect(try EveryKind.export(sample.store) == before)
        let long = String(repeating: "x", count: 1 << 20)
        for error in [
            #expect(throws: KinError.self) { try sample.store.soul(of: long) },
            #expect(throws: KinError.self) { try sample.store.session("a\u{7F}") },
            #expect(throws: KinError.self) { try sample.store.rhythmLog(of: EveryKind.reader, baby: long) },
            #expect(throws: KinError.self) { try EveryKind.export(sample.store, of: long) },
            #expect(throws: KinError.self) { try sample.store.anonymousName(of: long) },
        ] {
            #expect(error?.code == .invalidArgument)
        }
        let id = String(repeating: "x", count: 512)
        #expect(try RecordID.checked(id, field: "id") == id)
    }

    /// For every kind: a new id with a hidden character is refused, and an existing one stays valid.
    @Test func newIDsWithHiddenCharactersAreRefused() async throws {
        let sample = try await EveryKind()
        let before = try EveryKind.export(sample.store)
        for (type, line) in try EveryKind.lines(sample.store) where !type.idPaths.isEmpty {
            for hidden in ["\u{202E}", "\u{200B}", "\u{E0041}"] {
                let wrong = try EveryKind.changed(line, of: type) { $0 + hidden }
                let error = await #expect(throws: KinError.self, "\(type.kind.name)") {
                    try await sample.store.importLines(wrong, now: hour(99))
                }
                // Embeddings and inbox items need the records that their ids name, which do not exist.
                let text = "\(error!)"
                #expect(
                    text.contains("hidden character U+") || text.contains("there is no "), "\(type.kind.name): \(text)")
            }
        }
        #expect(try EveryKind.export(sample.store) == before)
        let old = "a\u{202E}b"
        try await sample.store.transaction { transaction in
            try SQLStatement("UPDATE person SET uid = ? WHERE uid = ?", in: transaction.writer.database)
                .run([.text(old), .text(EveryKind.reader)])
        }
        let text = try EveryKind.export(sample.store, of: old)
        #expect(!text.isEmpty)
        #expect(try await !sample.store.forget(old).isEmpty)
    }
}
