import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinStore

/// The files of derived data, for every kind of value in `SavedKinds`: used while valid, otherwise rebuilt.
@Suite("Saved derived data") struct SavedValueTests {
    private let folder = StoreFolder()

    /// Creates a store with many records for everything that is saved, and derives all of it.
    private func filled() async throws -> Store {
        let store = try folder.open()
        var sample = SampleRecords()
        try await store.put(sample.sessions(300))
        try await store.put(
            (0..<240).map {
                try SessionEmbedding(
                    userID: "u\($0 % 4)", sessionID: "u\($0 % 4)-\($0 / 4)", model: $0 < 200 ? "m" : "n",
                    vector: [Float($0), 1, 2])
            })
        let souls = SoulGenerator(seed: 5, communities: 4)
        try await store.put((0..<200).map { souls.soul($0) })
        let centre = try GeographicCoordinates(latitude: 52.5, longitude: 13.4)
        try await store.put(PersonGenerator(seed: 5).inventory(count: 200, around: centre))
        try await store.put((0..<40).map { ImageAnalysisGenerator(seed: 5).image($0).analysis })
        try store.deriveSavedValues()
        return store
    }

    /// Saves all values of a new store, and closes the store.
    private func save() async throws { try await filled().close() }

    /// The saved kinds whose values are in memory.
    private func cached(in store: Store) throws -> Set<String> {
        func names<Value: SavedValue>(_ type: Value.Type) throws -> [String] {
            try Value.savedKeys.filter { try store.cache.isAtHand(type, for: $0) }.map { Value.fileName(for: $0) }
        }
        return try Set(SavedKinds.all.flatMap { try names($0) })
    }

    /// The saved kinds with a readable file.
    private func readable() -> Set<String> {
        let folder = IndexFolder(path: folder.indexFolder, files: SystemFiles())
        func names<Value: SavedValue>(_: Value.Type) -> [String] {
            Value.savedKeys.filter { Value.saved(for: $0, in: folder) != nil }.map { Value.fileName(for: $0) }
        }
        return Set(SavedKinds.all.flatMap { names($0) })
    }

    /// Expects every saved value to equal a newly derived one, in a store that reads the existing files.
    private func expectAgreement(_ comment: Comment) throws {
        let store = try folder.open(.reading, check: .brief)
        try store.deriveSavedValues()
        let report = try store.check()
        #expect(report.isIntact, "\(comment): \(report.problems)")
    }

    @Test("every kind of derived data has a file that is read")
    func everyKind() async throws {
        try await save()
        let names = readable()
        #expect(names.count == savedValueCount)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.indexFolder)
        #expect(Set(files) == Set(names.map { "\($0).kin" }))
        try expectAgreement("as saved")
    }

    /// The removal of a person, and records that follow, are applied to the values in memory, which are not saved. Values
    /// of files are derived again.
    @Test("every kind of derived data in memory loses a forgotten person without a new derivation")
    func forgetting() async throws {
        let store = try await filled()
        let reader = try folder.open(.reading, check: .brief)
        try reader.deriveSavedValues()
        let all = try cached(in: store)
        #expect(all.count == savedValueCount)
        func expect(no user: String, in store: Store) throws {
            let matcher = try store.matcher()
            #expect(!matcher.contains(user))
            #expect(try matcher.mostSimilar(to: "u9", k: 300).allSatisfy { $0.userID != user })
            #expect(try store.matcher(AffinityChoice(shrinksScores: false)).contains(user) == false)
            #expect(try store.nearestSessions(to: Pleasure(), k: 300).allSatisfy { $0.session.userID != user })
            let query = try EmbeddingQuery(embedding: [1, 2, 3], model: "m")
            #expect(try store.nearestSessions(to: query, k: 300).allSatisfy { $0.session.userID != user })
            let report = try store.check()
            #expect(report.isIntact, "\(report.problems)")
        }
        _ = try store.matcher(AffinityChoice(shrinksScores: false))
        for user in ["u3", "u1", "u77"] {
            #expect(try await store.forget(user)["soul"] == 1)
            #expect(try cached(in: store) == all, "\(user)")
            for store in [store, reader] { try expect(no: user, in: store) }
            try await store.put([Soul(userID: "later-\(user)", valence: 0.25)])
            #expect(try store.matcher().contains("later-\(user)") && reader.matcher().contains("later-\(user)"))
        }
        try await store.close()
        #expect(readable() == ["inventory", "realms"])
        try await folder.open().close()
        let again = try folder.open()
        try again.deriveSavedValues()
        try await again.close()
        #expect(readable() == all)

        let fromFiles = try folder.open()
        try fromFiles.deriveSavedValues()
        try await fromFiles.forget("u2")
        #expect(try cached(in: fromFiles) == ["inventory", "realms"])
        try fromFiles.deriveSavedValues()
        try expect(no: "u2", in: fromFiles)
        try await fromFiles.close()
        #expect(readable() == all)
        #expect(try folder.found(["u1-0", "u2-0", "u3-0"]) == nil)
    }

    @Test("missing, damaged, foreign and outdated files are rebuilt")
    func damage() async throws {
        try await save()
        var random = TestSeed().generator
        let names = readable().sorted()
        var good: [String: [UInt8]] = [:]
        for name in names { good[name] = try folder.contents("people.db-indexes/\(name).kin") }
        for (name, bytes) in good {
            let path = "people.db-indexes/\(name).kin"
            var damages: [(String, [UInt8])] = [
                ("empty", []), ("no Kin file", Array("hello".utf8)), ("longer", bytes + [0]),
                ("cut short", Array(bytes.prefix(random.below(bytes.count)))),
                ("foreign", good[names[(names.firstIndex(of: name)! + 1) % names.count]]!),
            ]
            for _ in 0..<3 {
                var damaged = bytes
                for _ in 0...random.below(3) { damaged[random.below(bytes.count)] ^= UInt8(1 + random.below(255)) }
                damages.append(("damaged", damaged))
            }
            for (what, damaged) in damages where damaged != bytes {
                try folder.write(damaged, to: path)
                #expect(!readable().contains(name), "\(name), \(what)")
                try expectAgreement("\(name), \(what)")
            }
            // A different major version of the same kind.
            try folder.write(bytes, to: path)
            try otherVersion(of: name, at: "\(folder.path)/\(path)")
            #expect(!readable().contains(name), "\(name) of another version")
            try expectAgreement("\(name) of another version")
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
            try expectAgreement("\(name) absent")
            try folder.write(bytes, to: path)
        }
        #expect(readable() == Set(names))
    }

    /// Rewrites a whole file as a file of the kind's next major version.
    private func otherVersion(of name: String, at path: String) throws {
        let folder = IndexFolder(path: folder.indexFolder, files: SystemFiles())
        func write<Value: SavedValue>(_: Value.Type) throws {
            guard let key = Value.savedKeys.first(where: { Value.fileName(for: $0) == name }) else { return }
            let (value, version) = try #require(Value.saved(for: key, in: folder))
            let next = FormatVersion(major: Value.fileVersion.major + 1, minor: 0)
            try SectionFileWriter.write(to: path, kind: Value.fileKind, kindVersion: next) { writer throws(KinError) in
                try value.write(to: &writer)
                let bytes = version.bytes
                try writer.write(bytes.span, to: "NOTE")
            }
        }
        for kind in SavedKinds.all { try write(kind) }
    }

    @Test("row ids read from a file exclude removed rows")
    func removedRows() throws {
        let path = folder.path + "/ids.kin"
        let made = RowIDs([(3, "a"), (5, "b"), (9, "c")])
        try SectionFileWriter.write(to: path, kind: "TEST", kindVersion: FormatVersion(major: 1, minor: 0)) {
            writer throws(KinError) in try made.write(to: &writer)
        }
        var ids = try RowIDs(file: SectionFile(mapping: path))
        #expect(ids[3] == "a" && ids[4] == nil && ids[9] == "c" && ids.count == 3)
        #expect(ids.remove(5) == "b" && ids.remove(5) == nil && ids[5] == nil && ids.count == 2)
        #expect(ids.remove(4) == nil && ids.count == 2)
        ids[5] = "d"
        ids[7] = "e"
        #expect(ids[5] == "d" && ids[7] == "e" && ids.count == 4)
        #expect(ids.remove(7) == "e" && ids.remove(3) == "a" && ids.count == 2)
    }

    @Test("saved values are updated from the change log and saved again")
    func changes() async throws {
        try await save()
        var random = TestSeed().generator
        for round in 0..<8 {
            let store = try folder.open()
            let isLarge = round % 4 == 3
            var sample = SampleRecords(seed: random.next())
            for _ in 0..<(isLarge ? 90 : 3) {
                let number = random.below(260)
                switch random.below(8) {
                case 7:
                    let session = "u3-\(number % 75)"
                    if random.below(2) == 0, try store.session(session) != nil {
                        try await store.put([
                            SessionEmbedding(
                                userID: "u3", sessionID: session, model: "m", vector: [1, 2, Float(number)])
                        ])
                    } else {
                        try await store.remove("session_embedding", key: ["session_id": session, "model": "m"])
                    }
                case 0: try await store.put([sample.session("u1-\(number)", of: "u1")])
                case 1: try await store.removeSession("u2-\(number)")
                case 2: try await store.put([sample.item("item-\(number)")])
                case 3:
                    if let item = try store.inventory().randomElement(using: &random) {
                        try await store.removeItem(item.id)
                    }
                case 4: try await store.put([SoulGenerator(seed: random.next(), communities: 4).soul(number)])
                case 5: try await store.put([ImageAnalysisGenerator(seed: random.next()).image(number).analysis])
                default:
                    if let soul = try store.souls().randomElement(using: &random) {
                        try await store.remove("soul", key: ["user": soul.userID])
                    }
                }
            }
            try expectAgreement("round \(round), by a reader")
            try store.deriveSavedValues()
            try await store.close()
            #expect(readable().count == savedValueCount)
            try expectAgreement("round \(round), saved again")
        }
    }
}

/// The number of values that a store saves.
var savedValueCount: Int {
    func keyCount<Value: SavedValue>(_: Value.Type) -> Int { Value.savedKeys.count }
    return SavedKinds.all.reduce(0) { $0 + keyCount($1) }
}
