import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

/// Words of enumerations in records of apps, in the spellings that people and programs use.
@Suite("Words in records of apps") struct ShapeWordTests {
    private let folder = StoreFolder()

    /// Respells the words of enumerations in a record, and counts them.
    private func respelt(_ tree: JSONTree, _ spelling: (String) -> String) -> (tree: JSONTree, count: Int) {
        switch tree {
        case .object(let members):
            let parts = members.map { ($0.name, respelt($0.value, spelling)) }
            return (
                .object(parts.map { JSONTree.Member(name: $0.0, value: $0.1.tree) }),
                parts.reduce(0) { $0 + $1.1.count }
            )
        case .list(let values):
            let parts = values.map { respelt($0, spelling) }
            return (.list(parts.map(\.tree)), parts.reduce(0) { $0 + $1.count })
        case .text(let text) where AppDocuments.words.contains(text): return (.text(spelling(text)), 1)
        default: return (tree, 0)
        }
    }

    /// The records of a store without `extra`, which preserves the app's spelling.
    private func meanings(_ store: Store) throws -> [JSONTree] {
        func plain(_ tree: JSONTree) -> JSONTree {
            guard case .object(let members) = tree else { return tree }
            return .object(
                members.filter { $0.name != "extra" }.map { JSONTree.Member(name: $0.name, value: plain($0.value)) })
        }
        return try EveryKind.export(store).split(separator: "\n").map { plain(try JSONTree(parsing: String($0))) }
    }

    @Test(arguments: AppDocuments.all, AppDocuments.spellings.indices)
    func wordsAreReadInAnySpelling(_ documents: (RecordShape, [String]), spelling: Int) async throws {
        let other = StoreFolder()
        let (store, expected) = (try folder.open(), try other.open())
        try await Self.put(documents.1, to: expected)
        var count = 0
        let records = try documents.1.map { record in
            let (tree, words) = respelt(try JSONTree(parsing: record), AppDocuments.spellings[spelling])
            count += words
            return tree.jsonText
        }
        #expect(count > 1 || documents.0 == .serenity)
        try await Self.put(records, to: store)
        #expect(try meanings(store) == meanings(expected), "\(records)")
    }

    private static func put(_ records: [String], to store: Store) async throws {
        try await store.importArray("[\(records.joined(separator: ","))]", now: hour(0))
    }
}
