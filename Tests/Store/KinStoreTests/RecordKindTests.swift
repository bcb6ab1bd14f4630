import GRDB
import Testing

@testable import KinStore

@Suite("The list of record kinds")
struct RecordKindTests {
    private let folder = StoreFolder()

    /// A table whose rows have checksums is a kind of record, and is on the list by which everything is done.
    @Test func theListHasEveryTableOfRecords() async throws {
        let store = try folder.open()
        let tables = try store.read("list the tables") { database in
            try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'").filter { table in
                try database.columns(in: table).contains { $0.name == "seal" }
            }
        }
        #expect(Set(tables) == Set(RecordKind.all.map(\.name)))
        #expect(RecordKind.all.count == RecordKind.types.count)
    }

    @Test func theListSaysWhatTheTablesAre() async throws {
        let store = try folder.open()
        for kind in RecordKind.all {
            let columns = try store.read("list the columns") { try $0.columns(in: kind.name).map(\.name) }
            #expect(columns == ["number"] + kind.columns + ["seal"])
            #expect(Set(kind.key).isSubset(of: kind.columns) && kind.columns.last == "body")
        }
    }
}
