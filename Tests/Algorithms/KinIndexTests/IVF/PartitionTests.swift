import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Partitions")
struct PartitionTests {
    @Test("changing an unshared partition keeps its memory in place")
    func changesInPlace() throws {
        var random = TestSeed().generator
        for partitioning in [IndexLayout.medianSplits, .centroids(20)] {
            var index = VectorIndex(smallListsOf: 8, partition: partitioning, shift: 8)
            try index.append(random.gaussianMatrix(rows: 4_000, columns: 8))
            var partition = index.lists.partition
            // The first change copies the nodes, because the index also refers to them.
            partition.remove(1)
            let lists = partition.listCount
            let before = partition.memory
            partition.remove(2)
            #expect(partition.memory == before && partition.listCount == lists - 1, "\(partitioning)")
            let shared = partition
            partition.remove(0)
            #expect(partition.memory != before && shared.memory == before, "\(partitioning)")
            #expect(shared.listCount == lists - 1 && index.lists.partition.listCount == lists + 1, "\(partitioning)")
        }
    }
}

extension Partition {
    /// The address of the nodes, or of the rows of the first list of centroids.
    fileprivate var memory: UInt {
        switch self {
        case .medianTree(let tree):
            unsafe tree.nodes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        case .centroidLists(let lists):
            unsafe UInt(bitPattern: lists.centroids.lists.store.lists[0].chunk.rows)
        }
    }
}
