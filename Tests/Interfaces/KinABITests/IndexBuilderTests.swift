import CKin
import Foundation
import KinLinearAlgebra
import KinTestSupport
import Testing

@testable import KinABI

@Suite("Building an index file through the C interface")
struct IndexBuilderTests {
    private let folder = TemporaryFolder()

    private func builder(_ path: String, memory: Int = 0) throws -> Owned {
        try unsafe Owned(kin_index_builder_free) { unsafe kin_index_builder_create(path, 6, 0, 0, memory, $0) }
    }

    @Test("the file has the same bytes as an index built at once")
    func sameBytes() throws {
        var random = TestSeed().generator
        let rows: Matrix<Float> = random.gaussianMatrix(rows: 9_000, columns: 6)
        let whole = try unsafe Owned(kin_index_free) { unsafe kin_index_create_ivf(6, 0, 0, $0) }
        #expect(unsafe kin_index_append(whole.handle, rows.elements, 9_000, 0, 1, nil) == kin_status(KIN_OK))
        let (expected, path) = (folder.path("whole.kin"), folder.path("built.kin"))
        #expect(unsafe kin_index_save(whole.handle, expected) == kin_status(KIN_OK))

        let built = try builder(path)
        for first in stride(from: 0, to: 9_000, by: 3_000) {
            // Every other row of a table with twice the rows, by the stride.
            var wide: [Float] = []
            for r in first..<first + 3_000 { wide += Array(rows.row(r)) + [Float](repeating: 0, count: 6) }
            let ids = (first..<first + 3_000).map { UInt64($0) }
            let given = first == 3_000 ? ids : nil
            let status = unsafe kin_index_builder_append(built.handle, wide, 3_000, 48, given)
            #expect(status == kin_status(KIN_OK), "\(lastError())")
        }
        let index = try unsafe Owned(kin_index_free) { unsafe kin_index_builder_finish(built.handle, 2, $0) }
        #expect(unsafe kin_index_count(index.handle) == 9_000)
        let files = try [path, expected].map { try Data(contentsOf: URL(filePath: $0)) }
        #expect(files[0] == files[1])
        unsafe refused(kin_index_builder_finish(built.handle, 2, nil), "has ended")
    }

    @Test("a failed call adds nothing, and an unfinished build leaves no file")
    func failures() throws {
        let path = folder.path("a.kin")
        do {
            let built = try builder(path)
            let row: [Float] = [1, 2, 3, 4, 5, 6]
            let broken: [Float] = [1, 2, 3, 4, 5, .nan]
            #expect(unsafe kin_index_builder_append(built.handle, broken, 1, 0, nil) == kin_status(KIN_NOT_FINITE))
            #expect(
                unsafe kin_index_builder_append(built.handle, row, 1, 0, [.max]) == kin_status(KIN_INVALID_ARGUMENT))
            #expect(unsafe kin_index_builder_append(built.handle, row, 1, 0, nil) == kin_status(KIN_OK))
            #expect(unsafe kin_index_builder_append(built.handle, row, 1, 0, [0]) == kin_status(KIN_OK))
            #expect(unsafe kin_index_builder_finish(built.handle, 0, nil) == kin_status(KIN_INVALID_ARGUMENT))
            #expect(unsafe kin_index_builder_finish(built.handle, 1, nil) == kin_status(KIN_DUPLICATE_ID))
            #expect(unsafe kin_index_builder_append(built.handle, row, 1, 0, nil) == kin_status(KIN_INVALID_ARGUMENT))
        }
        var none: OpaquePointer?
        #expect(unsafe kin_index_builder_create(path, 6, 0, 0, 4096, &none) == kin_status(KIN_INVALID_ARGUMENT))
        #expect(
            unsafe kin_index_builder_create(folder.path("no/a"), 6, 0, 0, 0, &none) == kin_status(KIN_INPUT_OUTPUT))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }
}
