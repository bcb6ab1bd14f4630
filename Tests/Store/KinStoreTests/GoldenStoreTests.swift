import Foundation
import KinCore
import KinStore
import Testing

/// `Golden/store-5.db` was written when the store had its fifth step ("rhythms"), and `store-5.jsonl` is what an export of it gave
/// then; neither is ever written again. Since then an instant at midnight has got its time and zone.
@Suite("A store of an earlier release")
struct GoldenStoreTests {
    private let folder = StoreFolder()

    private func golden(_ ending: String) throws -> [UInt8] {
        let place = try #require(Bundle.module.url(forResource: "Golden/store-5", withExtension: ending))
        return try Array(Data(contentsOf: place))
    }

    @Test func isOpenedBroughtUpToDateAndRead() async throws {
        try folder.write(golden("db"), to: "people.db")
        let store = try folder.open()
        let report = try store.check()
        #expect(report.isIntact, "\(report.problems)")
        #expect(report.people == 2)
        var bytes: [UInt8] = []
        try store.exportLines(of: nil) { bytes += $0 }
        let lines = try String(decoding: golden("jsonl"), as: UTF8.self)
            .replacing(#""since":"2025-01-01""#, with: #""since":"2025-01-01T00:00:00Z""#)
        #expect(String(decoding: bytes, as: UTF8.self) == lines)
        try await store.close()
        // Once more, now that it is in its newest form.
        #expect(try folder.open(.reading).check().isIntact)
    }
}
