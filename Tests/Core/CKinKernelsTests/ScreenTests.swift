import CKinKernels
import KinCore
import Testing

@Suite("Screening")
struct ScreenTests {
    /// Checks one case against its expected hits, through the table and at several capacities.
    private func check(_ input: ScreenCase, of table: KernelTable) {
        let expected = input.expectedHits()
        for capacity in [input.queries, input.queries + 3, input.queries * input.blocks] {
            let found = input.hits(of: .table(table), capacity: capacity)
            #expect(found == expected, "\(table.name), capacity \(capacity), \(input)")
        }
    }

    @Test(
        "any number of dimensions matches the reference",
        arguments: KernelTable.all,
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 32, 128, 260]
    )
    func anyDimension(table: KernelTable, groups: Int) {
        // Most instruction sets have a path of their own for 16 dimensions.
        for seed in 0..<UInt64(groups == 4 ? 264 : groups > 16 ? 6 : 24) {
            let queries = groups == 4 && seed >= 200 ? Int(seed) - 199 : [1, 2, 3, 4, 5, 8, 9][Int(seed % 7)]
            let input = ScreenCase(
                seed: 3000 + seed,
                codeBits: table.codeBits,
                groups: groups,
                blocks: 1 + Int(seed % 2),
                queries: queries,
                squared: seed % 3 != 0
            )
            check(input, of: table)
        }
        let full = ScreenCase(
            seed: 3500,
            codeBits: table.codeBits,
            groups: groups,
            blocks: 1,
            queries: tileQueries,
            squared: true
        )
        check(full, of: table)
    }

    @Test(
        "rows that differ only in their last dimensions match the reference", arguments: KernelTable.all,
        [5, 8, 12, 16, 17, 32, 40, 96, 260])
    func lastDimensions(table: KernelTable, groups: Int) {
        for seed in 0..<UInt64(4) {
            for group in [4, groups * 5 / 8, groups - 1] where group < groups {
                let input = ScreenCase(
                    seed: 3600 + seed, codeBits: table.codeBits, groups: groups,
                    queries: [1, 3, 9, 6][Int(seed)],
                    matchingFrom: group)
                check(input, of: table)
            }
        }
    }

    @Test("a call starts at the given block", arguments: KernelTable.all, [4, 6])
    func resume(table: KernelTable, groups: Int) {
        let input = ScreenCase(
            seed: 4000,
            codeBits: table.codeBits,
            groups: groups,
            blocks: 5,
            queries: 7,
            squared: true
        )
        let expected = input.expectedHits().filter { $0.block >= 3 }
        #expect(input.hits(of: .table(table), capacity: 64, startingAt: 3) == expected)
    }

    @Test("the reference reads the given number of leading bits", arguments: [8, 6])
    func reference(bits: Int) {
        for seed in 0..<UInt64(20) {
            let input = ScreenCase(
                seed: 5000 + seed,
                codeBits: bits,
                groups: 1 + Int(seed % 5),
                blocks: 2,
                queries: 3,
                squared: seed % 2 == 0
            )
            let found = input.hits(of: .reference(bits: bits), capacity: 4)
            #expect(found == input.expectedHits(), "\(input)")
        }
    }
}

/// `KIN_TILE_QUERIES` as an Int.
private let tileQueries = Int(KIN_TILE_QUERIES)
