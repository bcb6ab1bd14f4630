import Foundation
import KinStore
import KinTestSupport
import Testing

@Suite("Checking in parts") struct CheckPartTests {
    private let folder = StoreFolder()

    /// All parts of a check with the given number of rows each.
    private func parts(of store: Store, rows: Int) throws -> [StoreCheckPart] {
        var parts = [try store.checkPart(rows: rows)]
        while let next = parts.last!.next { parts.append(try store.checkPart(after: next, rows: rows)) }
        return parts
    }

    @Test(arguments: [1, 7, 60, 10_000]) func partsReadEveryRowOnce(_ rows: Int) async throws {
        try await folder.openFilled().close()
        let parts = try parts(of: folder.open(.reading), rows: rows)
        #expect(parts.reduce(0) { $0 + $1.rows } == 80)
        #expect(parts.allSatisfy { $0.rows <= rows && $0.problems.isEmpty })
        if rows == 10_000 { #expect(parts.count == 1) }
        if rows == 1 { #expect(parts.count > 80) }
    }

    @Test func otherCursorsAreRefused() async throws {
        try await folder.openFilled().close()
        let store = try folder.open(.reading)
        for cursor in ["", "nothing", "session x", "session 1 2", "sqlite_master", "session; DROP TABLE session"] {
            #expect(errorCode { try store.checkPart(after: cursor) } == .invalidArgument, "\(cursor)")
        }
        #expect(errorCode { try store.checkPart(rows: 0) } == .invalidArgument)
        // A row removed in the meantime is no problem.
        #expect(try store.checkPart(after: "session 1000000").problems == [])
    }

    @Test("a check in parts finds the damage that a whole check finds") func partsFindDamage() async throws {
        try await folder.openFilled().close()
        let good = try folder.contents("people.db")
        var random = TestSeed().generator
        for _ in 0..<100 {
            var bytes = good
            let place = Int.random(in: 100..<bytes.count, using: &random)
            bytes[place] ^= 1 << Int.random(in: 0..<8, using: &random)
            try folder.write(bytes, to: "people.db")
            guard let store = try? folder.open(.reading, check: .brief) else { continue }
            let whole = Result { () throws(KinError) in try store.check().problems }
            let found = Result {
                try parts(of: store, rows: Int.random(in: 1...50, using: &random)).flatMap(\.problems)
            }
            switch (whole, found) {
            case (.success(let whole), .success(let found)):
                // Pages that no table uses are in no part.
                let problems = whole.filter { !$0.contains("reelist") && !$0.contains("never used") }
                #expect(problems.isEmpty == found.isEmpty, "byte \(place): \(whole), in parts \(found)")
            default: break
            }
        }
    }
}
