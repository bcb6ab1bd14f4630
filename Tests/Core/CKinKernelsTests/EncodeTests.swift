import CKinKernels
import KinCore
import Testing

@Suite("Row encoding")
struct EncodeTests {
    struct Coded: Equatable {
        var codes: [UInt8]
        var errors: [UInt32]  // bit patterns, so that even infinities and zeros are distinguished
    }

    private func encode(
        _ table: KernelTable,
        _ rows: Rows,
        firstRow: Int,
        normalise: Bool,
        offsets: [Double],
        scale: Double
    ) -> Coded {
        let groups = (rows.dimension + 3) / 4
        let blocks = (firstRow + rows.count + 63) / 64
        var codes = [UInt8](repeating: 0xAA, count: blocks * groups * 256)
        var errors = [Float](repeating: -1, count: 2 * rows.count)
        unsafe table.functions.encode(
            rows.elements,
            rows.count,
            rows.stride,
            rows.dimension,
            normalise ? 1 : 0,
            offsets,
            scale,
            &codes,
            firstRow,
            &errors
        )
        return Coded(codes: codes, errors: errors.map(\.bitPattern))
    }

    private struct Grid {
        var rows: Rows
        var offsets: [Double]
        var scale: Double
        var normalise: Bool
        var firstRow: Int
    }

    /// Rows and a grid of one character: a good fit, rows far outside the grid, a grid far too coarse, ties in
    /// rounding.
    private func grid(seed: UInt64, dimension: Int) -> Grid {
        var random = SeededGenerator(seed: seed)
        let magnitude = [1, 1, 1e6, 1e-6, 3e38][random.below(5)]
        var rows = Rows(count: 70, dimension: dimension, using: &random, magnitude: magnitude)
        let normalise = seed % 3 == 0
        var offsets = (0..<dimension).map { _ in (random.uniform() - 1) * (normalise ? 1 : magnitude) }
        var scale = (normalise ? 1 : magnitude) / 250 * [1, 1, 1e-3, 1e-30, 100][random.below(5)]
        if seed % 4 == 1 {
            // Halves on a grid of exact numbers, which show rounding to even.
            scale = 0.5
            offsets = offsets.map { _ in -3 }
            for i in rows.elements.indices where i % rows.stride < dimension {
                rows.elements[i] = Float(random.below(600)) / 4 - 2
            }
        }
        for i in 0..<rows.count { rows.elements[i * rows.stride] += Float(scale > 1e-3 ? 1 : 1e-3) }  // no zero row
        return Grid(rows: rows, offsets: offsets, scale: scale, normalise: normalise, firstRow: random.below(130))
    }

    @Test(
        "every kernel table gives the reference codes and errors",
        arguments: KernelTable.all,
        [1, 3, 4, 5, 8, 13, 16, 17, 48, 100]
    )
    func bits(table: KernelTable, dimension: Int) {
        for seed in 8000..<UInt64(8024) {
            let grid = grid(seed: seed, dimension: dimension)
            let found = encode(
                table,
                grid.rows,
                firstRow: grid.firstRow,
                normalise: grid.normalise,
                offsets: grid.offsets,
                scale: grid.scale
            )
            let reference = encode(
                .serial,
                grid.rows,
                firstRow: grid.firstRow,
                normalise: grid.normalise,
                offsets: grid.offsets,
                scale: grid.scale
            )
            #expect(found == reference, "\(table.name), dimension \(dimension), seed \(seed)")
        }
    }

    @Test("codes are the nearest grid points, and errors bound the distance to them", arguments: [1, 5, 16, 30])
    func definition(dimension: Int) {
        for seed in 8100..<UInt64(8148) {
            let grid = grid(seed: seed, dimension: dimension)
            let coded = encode(
                .serial,
                grid.rows,
                firstRow: grid.firstRow,
                normalise: grid.normalise,
                offsets: grid.offsets,
                scale: grid.scale
            )
            var written: Set<Int> = []
            for i in 0..<grid.rows.count {
                let at = grid.firstRow + i
                let x = grid.rows.row(i).map(Double.init)
                let length = grid.normalise ? x.map { $0 * $0 }.reduce(0, +).squareRoot() : 1
                var error8 = 0.0
                var error6 = 0.0
                for j in 0..<((dimension + 3) / 4 * 4) {
                    let index = (at / 64 * ((dimension + 3) / 4) + j / 4) * 256 + at % 64 * 4 + j % 4
                    written.insert(index)
                    let code = coded.codes[index]
                    guard j < dimension else {
                        #expect(code == 1)
                        continue
                    }
                    let t = (x[j] / length - grid.offsets[j]) / grid.scale
                    if !grid.normalise {
                        #expect(Double(code) == min(max(t.rounded(.toNearestOrEven), 1), 255), "seed \(seed)")
                    }
                    #expect(code >= 1)
                    error8 += (t - Double(code)) * (t - Double(code))
                    let centre = Double(code & 0xFC) + 1.5
                    error6 += (t - centre) * (t - centre)
                }
                let bounds = coded.errors[(2 * i)...(2 * i + 1)].map { Double(Float(bitPattern: $0)) }
                for (bound, error) in zip(bounds, [error8.squareRoot(), error6.squareRoot()]) {
                    #expect(bound >= error * (1 - 1e-14), "seed \(seed), row \(i)")
                    let slack = 1e-13 * (1 + (grid.normalise ? Double(dimension) / grid.scale : 0))
                    #expect(bound <= error * (1 + 2e-7) + Double(dimension) * slack || error > 3e38)
                }
            }
            // Rows before the first and after the last are unchanged.
            #expect(coded.codes.indices.allSatisfy { written.contains($0) || coded.codes[$0] == 0xAA })
        }
    }
}
