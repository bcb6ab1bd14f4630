import Foundation
import KinFiles
import KinIndex
import KinTestSupport
import Testing

@Suite("Column scaling")
struct ColumnScalingTests {
    private let table = VectorTable(dimension: 3, elements: [1, 100, 5, 2, 300, 5, 3, 200, 5, 6, 0, 5])

    @Test("standard scaling gives mean 0 and deviation 1")
    func standard() {
        let scaling = ColumnScaling(.standard, of: table)
        #expect(scaling.mean == [3, 150, 5])
        var scaled = table
        scaling.apply(to: &scaled)
        for column in 0..<2 {
            let values = (0..<4).map { Double(scaled.elements[$0 * 3 + column]) }
            #expect(abs(values.reduce(0, +)) < 1e-6)
            let variance = values.map { $0 * $0 }.reduce(0, +) / 4
            #expect(abs(variance - 1) < 1e-6)
        }
        let constant: [Float] = (0..<4).map { scaled.elements[$0 * 3 + 2] }
        #expect(constant == [0, 0, 0, 0], "a constant column becomes 0")
    }

    @Test("min–max scaling gives 0…1")
    func minmax() {
        var scaled = table
        ColumnScaling(.minmax, of: table).apply(to: &scaled)
        let large: [Float] = (0..<4).map { scaled.elements[$0 * 3 + 1] }
        let expected: [Float] = [1.0 / 3, 1, 2.0 / 3, 0]
        #expect(large == expected)
        let small: [Float] = (0..<4).map { scaled.elements[$0 * 3] }
        #expect(small == [0, 0.2, 0.4, 1])
    }

    @Test("numbers are scaled in the precision of their file", arguments: ["csv", "npy", "npy by columns"])
    func preciseNumbers(form: String) throws {
        let seconds = (0..<40).map { 1.7e9 + Double($0 * 37 % 40) / 4 }
        let rows = zip(seconds, 0..<40).map { [$0, Double($1) / 7] }
        let folder = TemporaryFolder()
        var path = try folder.file("t.csv", "t,v\n" + rows.map { "\($0[0]),\($0[1])\n" }.joined())
        if form != "csv" {
            let isByColumns = form != "npy"
            let numbers = isByColumns ? rows.map { $0[0] } + rows.map { $0[1] } : rows.flatMap { $0 }
            let body = littleEndian(numbers.map(\.bitPattern))
            path = try folder.file("t.npy", npy("<f8", "(40, 2)", body, isColumnMajor: isByColumns))
        }
        var selection = ColumnSelection()
        selection.isScaled = true
        for kind in ColumnScaling.Kind.allCases {
            let table = try VectorTable(reading: path, columns: selection)
            #expect(table.notes.isEmpty && table.elements[0] == Float(seconds[0]))
            var scaled = table.rows(1..<40)
            let scaling = ColumnScaling(kind, of: table)
            scaling.apply(to: &scaled)
            let mean = seconds.reduce(0, +) / 40
            let spread = (seconds.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 40).squareRoot()
            for row in 1..<40 {
                let expected = kind == .standard ? (seconds[row] - mean) / spread : (seconds[row] - 1.7e9) / 9.75
                #expect(abs(Double(scaled.row(row - 1)[0]) - expected) < 1e-6)
            }
        }
        let notes = try VectorTable(reading: path).notes
        #expect(form == "npy by columns" || notes.contains { $0.contains("float") })
    }

    @Test("a column file is written only for names or scaling, and is read back")
    func spaces() throws {
        let folder = TemporaryFolder()
        let index = folder.path("index.kin")
        for space in [
            VectorSpace(dimension: 3, names: ["a", "b", "c"], scaling: ColumnScaling(.standard, of: table)),
            VectorSpace(dimension: 3, names: ["a", "b", "c"]), VectorSpace(dimension: 3), VectorSpace(dimension: 16),
        ] {
            try space.write(beside: index)
            #expect(try VectorSpace(beside: index, dimension: space.dimension) == space)
            #expect(space.needsFile == (space.names.first == "a"))
        }
        _ = try folder.file("index.kin.columns.json", "another file")
        for space in [VectorSpace(dimension: 3), VectorSpace(dimension: 3, names: ["a", "b", "c"])] {
            #expect(errorCode { try space.write(beside: index) } == .invalidArgument)
            #expect(try folder.bytes("index.kin.columns.json") == Array("another file".utf8))
        }
        let raw = [1.5, -20, 5]
        let scaled = VectorSpace(dimension: 3, scaling: ColumnScaling(.minmax, of: table))
        for (value, expected) in zip(scaled.raw(scaled.stored(raw)), raw) { #expect(abs(value - expected) < 1e-4) }
    }

    @Test("an index whose columns file cannot be written leaves the older index")
    func pairs() throws {
        let folder = TemporaryFolder()
        let path = folder.path("p.kin")
        var index = VectorIndex(dimension: 3)
        try IndexFile(index: index, space: VectorSpace(dimension: 3)).save(to: path)
        let old = try folder.bytes("p.kin")
        try FileManager.default.createDirectory(atPath: path + ".columns.json", withIntermediateDirectories: false)
        try index.upsert(Matrix(rows: 1, columns: 3, elements: [1, 2, 3]), ids: [7])
        let named = IndexFile(index: index, space: VectorSpace(dimension: 3, names: ["a", "b", "c"]))
        #expect(errorCode { try named.save(to: path) } == .inputOutput)
        #expect(try folder.bytes("p.kin") == old && folder.names.sorted() == ["p.kin", "p.kin.columns.json"])
    }
}
