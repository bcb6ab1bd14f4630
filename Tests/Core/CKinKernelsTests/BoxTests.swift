import CKinKernels
import KinCore
import Testing

@Suite("Box bounds")
struct BoxTests {
    @Test("every instruction set gives the reference sums", arguments: KernelTable.all)
    func levels(table: KernelTable) {
        var random = SeededGenerator(seed: 7200)
        for groups in [1, 2, 4, 5, 12, 33] {
            let blocks = 1 + random.below(3)
            let bytes = blocks * groups * 256
            // Codes must be aligned to 64 bytes.
            let memory = unsafe UnsafeMutableRawPointer.allocate(byteCount: 2 * bytes, alignment: 64)
                .bindMemory(to: UInt8.self, capacity: 2 * bytes)
            defer { unsafe memory.deallocate() }
            for i in 0..<bytes {
                let low = random.below(256)
                unsafe memory[i] = UInt8(low)
                unsafe memory[bytes + i] = UInt8(low + random.below(256 - low))
            }
            let above = (0..<4 * groups).map { _ in UInt8(random.below(256)) }
            let below = above.map { $0 == 0 ? 0 : $0 - UInt8(random.below(2)) }
            var expected = [Int32](repeating: 0, count: blocks * 64)
            var found = expected
            unsafe KernelTable.serial.functions.box_bounds(
                memory, memory + bytes, groups, blocks, above, below, &expected)
            unsafe table.functions.box_bounds(memory, memory + bytes, groups, blocks, above, below, &found)
            #expect(found == expected, "\(groups) groups, seed 7200")
            let weights = (0..<8 * groups).map { _ in Int8(random.below(129) - 64) }
            unsafe weights.withUnsafeBufferPointer { weights in
                let (low, high) = unsafe (weights.baseAddress!, weights.baseAddress! + 4 * groups)
                unsafe KernelTable.serial.functions.box_products(
                    memory, memory + bytes, groups, blocks, low, high, &expected)
                unsafe table.functions.box_products(memory, memory + bytes, groups, blocks, low, high, &found)
            }
            #expect(found == expected, "\(groups) groups, seed 7200")
        }
    }

    @Test("a box bound never exceeds the distance to a corner")
    func corners() {
        var random = SeededGenerator(seed: 7300)
        let memory = unsafe UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 64)
            .bindMemory(to: UInt8.self, capacity: 512)
        defer { unsafe memory.deallocate() }
        for i in 0..<256 {
            let low = random.below(256)
            unsafe memory[i] = UInt8(low)
            unsafe memory[256 + i] = UInt8(low + random.below(256 - low))
        }
        let query = (0..<4).map { _ in random.uniform() * 255 }
        var bounds = [Int32](repeating: 0, count: 64)
        unsafe KernelTable.serial.functions.box_bounds(
            memory, memory + 256, 1, 1, query.map { UInt8($0.rounded(.up)) }, query.map { UInt8($0) }, &bounds)
        for box in 0..<64 {
            for corner in 0..<16 {
                var distance = 0.0
                for j in 0..<4 {
                    let side = unsafe memory[(corner >> j & 1) * 256 + box * 4 + j]
                    distance += (Double(side) - query[j]) * (Double(side) - query[j])
                }
                #expect(distance >= Double(bounds[box]), "box \(box), seed 7300")
            }
        }
    }
}
