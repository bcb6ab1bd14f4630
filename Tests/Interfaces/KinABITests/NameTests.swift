import CKin
import KinLinearAlgebra
import KinTestSupport
import Testing

@testable import KinABI

struct NameTests {
    private func index(_ names: [String], _ rows: Matrix<Float>) throws -> (handle: Owned, ids: [UInt64]) {
        let index = try unsafe Owned(kin_index_free) { unsafe kin_index_create_ivf(rows.columns, 0, 0, $0) }
        var ids = [UInt64](repeating: 77, count: names.count)
        let status = unsafe with(names) { names in
            unsafe kin_index_upsert_named(index.handle, rows.elements, rows.rows, 0, names, 1, &ids)
        }
        try #require(status == kin_status(KIN_OK), "\(lastError())")
        return (index, ids)
    }

    /// The names of ids; nil if the call fails.
    private func names(_ index: Owned, _ ids: [UInt64]) -> [String]? {
        var needed = 0
        let counted = unsafe kin_index_names(index.handle, ids, ids.count, nil, 0, &needed)
        var bytes = [CChar](repeating: 7, count: needed + 1)
        if needed > 0 {
            let status = unsafe kin_index_names(index.handle, ids, ids.count, &bytes, needed - 1, &needed)
            #expect(status == kin_status(KIN_OK) && bytes.allSatisfy { $0 == 7 })
        }
        let status = unsafe kin_index_names(index.handle, ids, ids.count, &bytes, needed, &needed)
        guard counted == kin_status(KIN_OK), status == kin_status(KIN_OK) else { return nil }
        #expect(bytes.removeLast() == 7)
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    @Test func namesAreAddedAndRemoved() throws {
        var random = TestSeed().generator
        let rows: Matrix<Float> = random.gaussianMatrix(rows: 3, columns: 4)
        let (c, ids) = try index(["a", "Zürich", "東京"], rows)
        #expect(unsafe kin_index_has_names(c.handle) == 1 && kin_index_has_names(nil) == 0)
        #expect(names(c, ids) == ["a", "Zürich", "東京"] && names(c, []) == [])
        #expect(names(c, [ids[2], .max, 99]) == ["東京", "", ""])
        var nearest = [UInt64](repeating: 7, count: 4)
        let query = Array(rows.row(1))
        #expect(unsafe kin_index_search(c.handle, query, 1, 0, 4, nil, &nearest, nil, nil) == kin_status(KIN_OK))
        #expect(names(c, nearest)?.first == "Zürich" && names(c, nearest)?.last == "")
        var found = [UInt64](repeating: 7, count: 3)
        let status = unsafe with(["東京", "b", "a"]) { unsafe kin_index_find(c.handle, $0, 3, &found) }
        #expect(status == kin_status(KIN_OK) && found == [ids[2], .max, ids[0]])
        var removed = 7
        let some = unsafe with(["a", "b", "a"]) { unsafe kin_index_remove_named(c.handle, $0, 3, &removed) }
        #expect(some == kin_status(KIN_OK) && removed == 1 && names(c, [ids[0]]) == [""])
        #expect(unsafe kin_index_count(c.handle) == 2)
        let rest = unsafe with(["東京", "Zürich"]) { unsafe kin_index_remove_named(c.handle, $0, 2, nil) }
        #expect(rest == kin_status(KIN_OK))
        #expect(unsafe kin_index_has_names(c.handle) == 0)
        #expect(unsafe kin_index_append(c.handle, query, 1, 0, 1, nil) == kin_status(KIN_OK))
    }

    @Test func filtersTakeNames() throws {
        let (c, ids) = try index(["a", "b", "c"], Matrix(rows: [[0, 0], [1, 1], [2, 2]]))
        let filter = try unsafe Owned(kin_filter_free) { place in
            unsafe with(["c", "nobody", "a"]) { unsafe kin_filter_create_names($0, 3, place) }
        }
        let others = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_not(filter.handle, $0) }
        for (filter, expected) in [(filter, [ids[0], ids[2]]), (others, [ids[1]])] {
            var (found, count) = ([UInt64](repeating: 7, count: 3), 7)
            let status = unsafe kin_index_ids_where(c.handle, filter.handle, &found, 3, &count)
            #expect(status == kin_status(KIN_OK) && Array(found.prefix(count)) == expected, "\(lastError())")
        }
        var made: OpaquePointer?
        let broken = unsafe with(["a", nil]) { unsafe kin_filter_create_names($0, 2, &made) }
        #expect(broken == kin_status(KIN_INVALID_ARGUMENT) && lastError().contains("row 1"))
    }

    @Test func aBuildTakesNames() throws {
        let folder = TemporaryFolder()
        let path = folder.path("named.kin")
        let built = try unsafe Owned(kin_index_builder_free) { unsafe kin_index_builder_create(path, 2, 0, 0, 0, $0) }
        func append(_ names: [String], _ rows: [Float]) -> kin_status {
            unsafe with(names) { unsafe kin_index_builder_append_named(built.handle, rows, names.count, 0, $0) }
        }
        #expect(append(["a", "b"], [0, 0, 1, 1]) == kin_status(KIN_OK))
        #expect(append(["c", "b"], [0, 0, 1, 1]) == kin_status(KIN_DUPLICATE_ID))
        #expect(append(["c"], [2, 2]) == kin_status(KIN_OK))
        #expect(unsafe kin_index_builder_append(built.handle, [0, 0], 1, 0, nil) == kin_status(KIN_INVALID_ARGUMENT))
        let index = try unsafe Owned(kin_index_free) { unsafe kin_index_builder_finish(built.handle, 1, $0) }
        #expect(names(index, [0, 1, 2]) == ["a", "b", "c"])
    }

    @Test func anExplanationNamesTheNeighbours() throws {
        let (c, _) = try index(["a", "b"], Matrix(rows: [[0, 0], [1, 1]]))
        let json = try unsafe text { unsafe kin_index_explain(c.handle, [1, 1], 1, nil, $0) }
        #expect(json.contains(#""name":"b""#), "\(json)")
    }

    @Test func wrongCallsChangeNothing() throws {
        let (c, ids) = try index(["a", "b"], Matrix(rows: [[0, 0], [1, 1]]))
        let row: [Float] = [2, 2, 3, 3]
        var (found, needed) = ([UInt64](repeating: 7, count: 2), 7)
        for (names, words, code) in [
            (["c", nil], "names must not be NULL", KIN_INVALID_ARGUMENT), (["c", ""], "row 1", KIN_INVALID_ARGUMENT),
            (["c", "d\n"], "row 1", KIN_INVALID_ARGUMENT), (["c", "c"], "row 1", KIN_DUPLICATE_ID),
        ] as [([String?], String, Int)] {
            unsafe with(names) {
                unsafe refused(kin_index_upsert_named(c.handle, row, 2, 0, $0, 1, &found), words, code)
            }
        }
        unsafe with(["c", "d"]) { names in
            unsafe refused(kin_index_upsert_named(c.handle, row, 2, 0, names, 0, nil), "threads must be")
        }
        unsafe refused(kin_index_names(c.handle, ids, 2, nil, 5, &needed), "names must not be NULL")
        unsafe refused(kin_index_append(c.handle, row, 2, 0, 1, nil), "texts")
        unsafe refused(kin_index_upsert(c.handle, row, 1, 0, ids, 1), "texts")
        #expect(found == [7, 7] && needed == 7 && names(c, ids) == ["a", "b"])
        #expect(unsafe kin_index_count(c.handle) == 2)
    }
}
