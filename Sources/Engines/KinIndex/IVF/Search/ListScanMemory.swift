import KinCore
import KinLinearAlgebra
import Synchronization

/// The memory of one thread's searches in lists, in one piece.
@safe
final class ListScanMemory: @unchecked Sendable {
    /// The memory for the query, in a search of one.
    let query: QueryMemory
    /// The query on the grid of the lists' boxes.
    let listCodes: UnsafeMutablePointer<UInt8>
    let listBounds: UnsafeMutablePointer<Int32>
    let blockBounds: UnsafeMutablePointer<Int32>
    /// The bounds of the boxes around each block of 64 lists, `.max` once its own boxes were bounded; the blocks where they were.
    let outerBounds: UnsafeMutablePointer<Int32>
    let blockOrder: UnsafeMutablePointer<UInt32>
    var boundedBlocks = 0
    /// Lists or blocks to visit, with their bounds in the upper half; and the same in order.
    let candidates: UnsafeMutablePointer<UInt64>
    let ordered: UnsafeMutablePointer<UInt64>
    /// Blocks to screen, in order, and their rows that passed.
    let blocks: UnsafeMutablePointer<UInt32>
    let passed: UnsafeMutablePointer<UInt64>
    /// Bits of the lists within the radius.
    let within: UnsafeMutablePointer<UInt64>
    /// Rows to be compared.
    let pending: UnsafeMutablePointer<PendingRow>
    /// The distances of the rows to be compared.
    let distances: UnsafeMutablePointer<Double>
    /// The rows of a block with the nearest codes, ascending.
    let seedKeys: UnsafeMutablePointer<UInt64>
    /// Code distances of one block's rows, and the codes of the query they are measured from.
    let seedBounds: UnsafeMutablePointer<Int32>
    let centre: UnsafeMutablePointer<UInt8>
    var counters = SearchCounters()

    /// Rows that are noted before they are compared: as many as the memory brings at a time, and no more, because what
    /// is noted does not shorten the radius yet.
    static let mostPending = 16

    /// Rows that are picked by their codes alone before there is a radius.
    static let mostSeeds = 16

    /// Lists there is room for.
    let lists: Int
    private let memory: UnsafeMutableRawPointer

    init(store: ListStore) {
        let layout = store.layout
        let blocks = Kernels.blockRows
        lists = (store.lists.count + blocks - 1) / blocks * blocks
        // Rounded up so that each part begins at a cache line.
        var end = 0
        func part(_ bytes: Int) -> Int {
            defer { end += (bytes + 63) & ~63 }
            return end
        }
        let parts = [
            part(QueryMemory.bytes(layout)), part(8 * layout.groups), part(lists * 4), part(blocks * 4),
            part(max(lists, blocks) * 8), part(max(lists, blocks) * 8),
            part(Self.mostPending * 16), part(blocks * 4), part(blocks * 8), part(max(lists, 1) / 8 + 8),
            part(blocks * 4), part(4 * layout.groups), part(Self.mostSeeds * 8),
            part(Self.mostPending * 8), part((lists / blocks + blocks - 1) / blocks * blocks * 4),
            part(lists / blocks * 4),
        ]
        let memory = UnsafeMutableRawPointer.allocate(byteCount: end, alignment: 64)
        unsafe self.memory = memory
        func start<T>(_ i: Int, _ type: T.Type) -> UnsafeMutablePointer<T> {
            unsafe (memory + parts[i]).assumingMemoryBound(to: type)
        }
        query = unsafe QueryMemory(memory + parts[0], layout: layout)
        unsafe listCodes = start(1, UInt8.self)
        unsafe listBounds = start(2, Int32.self)
        unsafe blockBounds = start(3, Int32.self)
        unsafe candidates = start(4, UInt64.self)
        unsafe ordered = start(5, UInt64.self)
        unsafe pending = start(6, PendingRow.self)
        unsafe self.blocks = start(7, UInt32.self)
        unsafe passed = start(8, UInt64.self)
        unsafe within = start(9, UInt64.self)
        unsafe seedBounds = start(10, Int32.self)
        unsafe centre = start(11, UInt8.self)
        unsafe seedKeys = start(12, UInt64.self)
        unsafe distances = start(13, Double.self)
        unsafe outerBounds = start(14, Int32.self)
        unsafe blockOrder = start(15, UInt32.self)
    }

    deinit { unsafe memory.deallocate() }

    /// The blocks of a list whose bounds are within a limit, block b at bit b.
    func blocks(_ count: Int, within limit: Int32) -> UInt64 {
        var within: UInt64 = 0
        unsafe Kernels.active.bounds(blockBounds, count: Kernels.blockRows, within: limit, into: &within)
        return count < Kernels.blockRows ? within & ((1 << UInt64(count)) - 1) : within
    }

    /// Writes the numbers of blocks, block b at bit b, to `blocks`, ascending; returns how many they are.
    func list(_ chosen: UInt64) -> Int {
        var rest = chosen
        var n = 0
        while rest != 0 {
            unsafe blocks[n] = UInt32(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest - 1
            n += 1
        }
        return n
    }
}

/// A row that may be a neighbour.
@safe
struct PendingRow {
    let row: UnsafePointer<Float>
    let id: UnsafePointer<VectorID>
}

/// Memory that was used and may be used again: so that a search by one query allocates nothing.
///
/// Copies of an index share it; a search takes memory out and puts it back.
final class ListScanPool: Sendable {
    private let free = Mutex<[ListScanMemory]>([])

    /// Memory for a search in a store.
    func take(for store: ListStore) -> ListScanMemory {
        let found = free.withLock { $0.popLast() }
        guard let found, found.lists >= store.lists.count else { return ListScanMemory(store: store) }
        found.counters = SearchCounters()
        return found
    }

    func giveBack(_ memory: ListScanMemory) {
        free.withLock { if $0.count < 8 { $0.append(memory) } }
    }
}
