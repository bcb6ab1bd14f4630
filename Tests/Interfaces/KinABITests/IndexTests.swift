import CKin
import Foundation
import KinLinearAlgebra
import KinTestSupport
import Testing

@testable import KinABI

struct IndexTests {
    private let rows: Matrix<Float>

    init() {
        var random = TestSeed(test: "index").generator
        rows = random.uniformMatrix(rows: 500, columns: 16)
    }

    @Test func vectorsAreAddedAndRemoved() throws {
        let c = try index(rows)
        #expect(unsafe kin_index_count(c.handle) == 500)
        #expect(unsafe kin_index_dimension(c.handle) == 16)
        #expect(unsafe kin_index_bytes(c.handle) >= 500 * 88)
        var first: UInt64 = 0
        #expect(unsafe kin_index_append(c.handle, rows.elements, 10, 0, 1, &first) == kin_status(KIN_OK))
        #expect(first == 500)
        var removed = 0
        #expect(unsafe kin_index_remove(c.handle, [3, 3, 9999, 509], 4, &removed) == kin_status(KIN_OK))
        #expect(removed == 2)
        var found = [UInt8](repeating: 7, count: 3)
        #expect(unsafe kin_index_contains(c.handle, [3, 4, 508], 3, &found) == kin_status(KIN_OK))
        #expect(found == [0, 1, 1])
        #expect(unsafe kin_index_reserve(c.handle, 1000) == kin_status(KIN_OK))
        #expect(unsafe kin_index_compact(c.handle) == kin_status(KIN_OK))
        #expect(unsafe kin_index_calibrate(c.handle, 2) == kin_status(KIN_OK))
        var ids = [UInt64](repeating: 0, count: 508)
        var count = 0
        #expect(unsafe kin_index_ids(c.handle, nil, 0, &count) == kin_status(KIN_OK))
        #expect(count == 508)
        count = 0
        #expect(unsafe kin_index_ids(c.handle, &ids, 0, &count) == kin_status(KIN_INVALID_ARGUMENT))
        #expect(unsafe kin_index_ids(c.handle, &ids, 507, &count) == kin_status(KIN_INVALID_ARGUMENT))
        #expect(count == 0)
        #expect(unsafe kin_index_ids(c.handle, &ids, 508, &count) == kin_status(KIN_OK))
        #expect(count == 508)
        #expect(Set(ids) == Set(0..<509).subtracting([3]))
    }

    @Test func aCopyIsASnapshot() throws {
        let c = try index(rows)
        let copy = try unsafe Owned(kin_index_free) { unsafe kin_index_copy(c.handle, $0) }
        #expect(unsafe kin_index_remove(c.handle, [1, 2], 2, nil) == kin_status(KIN_OK))
        #expect(unsafe kin_index_count(copy.handle) == 500)
        #expect(unsafe kin_index_count(c.handle) == 498)
    }

    @Test func filesAreSavedMappedAndVerified() throws {
        let folder = TemporaryFolder()
        let path = folder.path("index.kin")
        let c = try index(rows)
        let cells = try unsafe Owned(kin_index_free) { unsafe kin_index_create_ivf(16, 0, 0, $0) }
        #expect(unsafe kin_index_append(cells.handle, rows.elements, 500, 0, 1, nil) == kin_status(KIN_OK))
        #expect(unsafe kin_index_save(cells.handle, path) == kin_status(KIN_OK))
        let mappedCells = try unsafe Owned(kin_index_free) { unsafe kin_index_map(path, $0) }
        #expect(unsafe kin_index_kind(mappedCells.handle) == kin_index_type(KIN_INDEX_IVF))
        #expect(try verify(path).0 == 1)

        #expect(unsafe kin_index_save(c.handle, path) == kin_status(KIN_OK))
        let mapped = try unsafe Owned(kin_index_free) { unsafe kin_index_map(path, $0) }
        let queries = Array(rows.elements.prefix(160))
        #expect(
            try unsafe search(mapped.handle, queries, count: 10, k: 5) == search(c.handle, queries, count: 10, k: 5))

        let (intact, report) = try verify(path)
        #expect(intact == 1 && report["intact"] as? Bool == true)
        #expect((report["facts"] as? [String: String])?["vectors"] == "500")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[bytes.count / 2] ^= 1
        // A new file, because the mapped file must not change.
        try FileManager.default.removeItem(atPath: path)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let (damaged, damage) = try verify(path)
        #expect(damaged == 0 && damage["damage"] != nil)
        try Data("no index".utf8).write(to: URL(fileURLWithPath: path))
        var none: OpaquePointer?
        #expect(unsafe kin_index_map(path, &none) != kin_status(KIN_OK))
        #expect(unsafe none == nil)
        unsafe refused(kin_index_map("/nowhere/at/all", &none), "/nowhere/at/all", KIN_INPUT_OUTPUT)
    }

    private func verify(_ path: String) throws -> (Int32, [String: Any]) {
        var intact: Int32 = -1
        let report = try unsafe text { unsafe kin_index_verify(path, &intact, $0) }
        return (intact, try jsonObject(report))
    }

    @Test func explanationsAreJSON() throws {
        let c = try index(rows)
        let report = try jsonObject(
            unsafe text { unsafe kin_index_explain(c.handle, Array(rows.row(7)), 3, nil, $0) })
        let neighbors = try #require(report["neighbors"] as? [[String: Any]])
        #expect(neighbors.count == 3)
        #expect(neighbors[0]["id"] as? Int == 7 && neighbors[0]["distance"] as? Double == 0)
        #expect(report["rows"] as? Int == 500)
        #expect(
            Set(report.keys) == [
                "neighbors", "plan", "rows", "blocks_screened", "survivors", "exact_distances", "bytes_read", "simd",
                "code_bits",
            ])
        let info = try jsonObject(unsafe String(cString: kin_build_info()))
        #expect(info["simd"] as? String == report["simd"] as? String)
        #expect(info["version"] as? String == KIN_VERSION)
    }
}
