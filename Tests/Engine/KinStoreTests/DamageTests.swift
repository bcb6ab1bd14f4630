import Foundation
import KinStore
import KinStoreTrials
import KinTestSupport
import Testing

@Suite("Damage to a file is detected")
struct DamageTests {
    private let folder = StoreFolder()

    /// A store with records of every kind and an empty log.
    private func fill() async throws -> Model {
        let store = try await folder.openFilled()
        let model = try Model(reading: store)
        try await store.close()
        return model
    }

    /// A complete check finds any damage to the files, unless the damage is harmless. A brief check may miss damage to
    /// an index, which then hides rows. All rows that are read are right.
    private func expectNoticed(_ model: Model, _ place: Comment) {
        for check in [Store.OpeningCheck.complete, .brief] {
            do {
                let store = try folder.open(.reading, check: check)
                let found = try Model(reading: store)
                let isRight = check == .complete ? found == model : found.isPart(of: model)
                #expect(isRight, "\(place), \(check)")
            } catch let error as KinError {
                let isClear = [.corruptFile, .unsupportedFormat, .inputOutput].contains(error.code)
                #expect(isClear, "\(place): \(error)")
            } catch {
                Issue.record("\(place): \(error)")
            }
        }
    }

    @Test func flippedBitsAreErrorsOrHarmless() async throws {
        let model = try await fill()
        let good = try folder.contents("people.db")
        var random = TestSeed().generator
        for _ in 0..<150 {
            var bytes = good
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= 1 << Int.random(in: 0..<8, using: &random)
            try folder.write(bytes, to: "people.db")
            expectNoticed(model, "bit flipped in byte \(place)")
        }
    }

    @Test func aTruncatedDatabaseIsDetected() async throws {
        let model = try await fill()
        let good = try folder.contents("people.db")
        #expect(!model.sessions.isEmpty)
        for length in [0, 1, 99, 100, 4095, 4096, 8192, good.count / 2, good.count - 4096, good.count - 1] {
            try folder.write(Array(good.prefix(length)), to: "people.db")
            expectNoticed(model, "\(length) bytes")
            // An unused part of the last page may be missing.
            guard length <= good.count - 4096 else { continue }
            #expect(errorCode { try folder.open() } != nil, "\(length) bytes")
        }
    }

    /// SQLite treats a truncated or damaged log as one that ends earlier, so acknowledged changes would be missing.
    @Test func aDamagedLogIsDetected() async throws {
        let before = try await fill()
        var sample = SampleRecords(seed: 2)
        let store = try folder.open()
        for number in 0..<8 { try await store.put([sample.session("late-\(number)", of: "u1")]) }
        let model = try Model(reading: store)
        let hasMore = model != before
        #expect(hasMore)
        let good = try folder.contents("people.db-wal")
        var random = TestSeed().generator
        for round in 0..<40 {
            let copy = try folder.copy()
            try? FileManager.default.removeItem(atPath: "\(copy.path)/people.db-shm")
            var bytes = good
            if round % 2 == 0 {
                bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            } else {
                bytes[Int.random(in: 32..<bytes.count, using: &random)] ^= 0x10
            }
            try copy.write(bytes, to: "people.db-wal")
            do {
                let store = try copy.open()
                // Damage to unused frames past the last change is harmless.
                let isWhole = try Model(reading: store) == model
                #expect(isWhole, "round \(round)")
            } catch let error as KinError {
                #expect(error.code == .corruptFile, "round \(round): \(error)")
            }
        }
        try await store.close()
    }

    /// A database that was replaced by a copy is older than its note. The store works again after a restore from this
    /// file.
    @Test func anOlderCopyIsDetected() async throws {
        _ = try await fill()
        let old = try folder.contents("people.db")
        var sample = SampleRecords(seed: 3)
        let store = try folder.open()
        try await store.put([sample.session("later", of: "u1")])
        try await store.close()
        try folder.write(old, to: "people.db")
        for access in [Store.Access.reading, .writing] {
            let error = kinError { try folder.open(access) }
            #expect(error.says("restore from this very file", code: .corruptFile) && !error.says("-writer"))
        }
        try Store.restore(from: folder.database, to: folder.database)
        #expect(try folder.open().check().counts["session"] == 60)
    }
}
