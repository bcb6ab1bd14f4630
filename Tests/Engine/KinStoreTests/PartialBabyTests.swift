import KinTestSupport
import Testing

@testable import KinRhythms
@testable import KinStore

@Suite("The record of a baby, stored in part or with events")
struct PartialBabyTests {
    private let folder = StoreFolder()
    private let otherFolder = StoreFolder()

    /// A record with `merge` replaces only the members that it has; the owners remain too.
    @Test func partialRecordsCompleteTheStoredOne() async throws {
        func line(_ members: [String], _ user: String = "mum", _ companion: String = "") -> String {
            let all = ["\"user_id\":\"\(user)\"", "\"id\":\"ada\""] + members
            return "{\"baby\":{\(all.joined(separator: ","))}\(companion)}"
        }
        func members(_ name: String, _ day: Int, _ zone: String) -> [String] {
            [
                "\"name\":\"\(name)\"", "\"date_of_birth\":\"2026-01-0\(day)\"", "\"time_zone\":\"\(zone)\"",
                "\"extra\":{\"day\":\(day)}",
            ]
        }
        let (old, new) = (members("Ada", 1, "Europe/Rome"), members("Bea", 2, "Asia/Tokyo"))
        let (store, whole) = (try folder.open(), try Store())
        for store in [store, whole] {
            try await store.importLines(line(old), now: hour(0))
            try await store.shareBaby("ada", of: "mum", with: "dad")
        }
        for given in 0..<16 {
            let has = old.indices.map { given >> $0 & 1 == 1 }
            try await store.importLines(line(old), now: hour(0))
            let part = new.indices.filter { has[$0] }.map { new[$0] }
            try await store.importLines(line(part, given % 2 == 0 ? "mum" : "dad", ",\"merge\":true"), now: hour(0))
            try await whole.importLines(line(old.indices.map { has[$0] ? new[$0] : old[$0] }), now: hour(0))
            #expect(try EveryKind.export(store) == EveryKind.export(whole), "\(given)")
        }
        // Without `merge` the record is replaced, and a partial record may be the first.
        try await store.importLines(line([]), now: hour(0))
        #expect(try store.babies(of: "dad")[0].baby == RhythmLog.Baby())
        try await whole.forget(people: ["mum", "dad"])
        try await whole.importLines(line(new, "mum", ",\"merge\":true"), now: hour(0))
        #expect(try whole.babies(of: "mum")[0].baby.name == "Bea")
        let sample = try await EveryKind(in: otherFolder)
        for (type, line) in try EveryKind.lines(sample.store) where type.kind != BabyRecord.kind {
            let partial = "\(line.dropLast()),\"merge\":true}"
            let code = await errorCode { try await store.importLines(partial, now: hour(0)) }
            #expect(code == .malformedInput, "\(type.kind.name)")
        }
    }

    @Test func aLogIsStoredWithItsBabyOrNotAtAll() async throws {
        let store = try folder.open()
        let baby = try BabyRecord(userID: "mum", id: "ada", baby: RhythmLog.Baby(name: "Ada"))
        var invalid = try bottle("e2", of: "mum")
        invalid.extra = "{"
        let code = await errorCode { try await store.put([bottle("e1", of: "mum"), invalid], of: baby) }
        #expect(code == .invalidArgument)
        #expect(try store.users() == [])
        try await store.put([bottle("e1", of: "mum")], of: baby)
        #expect(try store.babies(of: "mum").map(\.baby.name) == ["Ada"])
        #expect(try store.rhythmLog(of: "mum", baby: "ada")?.records.count == 1)
    }
}
