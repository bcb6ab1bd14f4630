/// The rows for a build of lists.
@safe
struct RowSource {
    let rows: UnsafePointer<Float>
    let ids: UnsafePointer<VectorID>
    let count: Int
    let layout: RowLayout
    /// The progress of the work that includes building lists, in rows; nil for short work.
    var work: LongWork?
    /// The files that back mapped rows and ids, whose pages need not stay in memory; nil if rows and ids are in memory.
    private var files: (rows: FileImage, ids: FileImage)?

    init(rows: UnsafePointer<Float>, ids: UnsafePointer<VectorID>, count: Int, layout: RowLayout) {
        unsafe self.rows = rows
        unsafe self.ids = ids
        self.count = count
        self.layout = layout
    }

    /// Creates a source from rows in a mapped file, `stride` floats each, and their ids in a second file.
    init(mapping rows: FileImage, ids: FileImage, count: Int, layout: RowLayout) {
        unsafe self.init(
            rows: rows.unsafeBytes.baseAddress!.assumingMemoryBound(to: Float.self),
            ids: ids.unsafeBytes.baseAddress!.assumingMemoryBound(to: VectorID.self), count: count, layout: layout)
        files = (rows, ids)
    }

    func row(_ r: Int) -> UnsafePointer<Float> { unsafe rows + r * layout.stride }

    /// A sample of rows, evenly spaced.
    func sample(atMost most: Int) -> RowBuffer {
        let n = min(most, count)
        var list = RowBuffer(capacity: n, stride: layout.stride)
        var first = 0
        for i in 0..<n {
            let r = i * count / n
            unsafe list.append(row(r), id: ids[r])
            guard r - first >= Self.windowRows else { continue }
            release(first..<r)
            first = r
        }
        release(first..<count)
        return list
    }

    /// The number of rows read before the pages of a mapped file are released.
    static let windowRows = 1 << 18

    /// Releases the memory of rows that have been read, if they are in a mapped file.
    func release(_ rows: Range<Int>) {
        guard let files else { return }
        let floats = unsafe UnsafeBufferPointer(start: row(rows.lowerBound), count: rows.count * layout.stride)
        unsafe files.rows.release(UnsafeRawBufferPointer(floats))
        let ids = unsafe UnsafeBufferPointer(start: ids + rows.lowerBound, count: rows.count)
        unsafe files.ids.release(UnsafeRawBufferPointer(ids))
    }
}
