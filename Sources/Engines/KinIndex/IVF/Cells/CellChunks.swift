/// The chunks of all cells in order, for a scan of everything.
struct CellChunks: ChunkRows {
    let layout: RowLayout
    let chunks: [Chunk]
    let count: Int
    /// The number of rows before each chunk.
    private let starts: [Int]

    init(_ store: CellStore) {
        layout = store.layout
        count = store.count
        chunks = store.cells.lazy.map(\.chunk).filter { $0.count > 0 }
        var starts: [Int] = []
        var total = 0
        for chunk in chunks {
            starts.append(total)
            total += chunk.count
        }
        self.starts = starts
    }

    func place(_ row: Int) -> (chunk: Int, row: Int) {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return (low, row - starts[low])
    }
}
