import KinFiles
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
        let raw = [1.5, -20, 5]
        let scaled = VectorSpace(dimension: 3, scaling: ColumnScaling(.minmax, of: table))
        for (value, expected) in zip(scaled.raw(scaled.stored(raw)), raw) { #expect(abs(value - expected) < 1e-4) }
    }
}
