import KinCore
import KinLinearAlgebra

/// Rows to build lists from.
@safe
struct RowSource {
    let rows: UnsafePointer<Float>
    let ids: UnsafePointer<VectorID>
    let count: Int
    let layout: RowLayout
    /// The work that building lists is a part of, in rows; nil where it is short.
    var work: LongWork?
    /// The files that rows and ids are mapped from, whose pages need not stay in memory; nil where they lie in memory.
    private var files: (rows: FileImage, ids: FileImage)?

    init(rows: UnsafePointer<Float>, ids: UnsafePointer<VectorID>, count: Int, layout: RowLayout) {
        unsafe self.rows = rows
        unsafe self.ids = ids
        self.count = count
        self.layout = layout
    }

    /// Rows of a mapped file, `stride` floats each, and their ids in another.
    init(mapping rows: FileImage, ids: FileImage, count: Int, layout: RowLayout) {
        unsafe self.init(
            rows: rows.unsafeBytes.baseAddress!.assumingMemoryBound(to: Float.self),
            ids: ids.unsafeBytes.baseAddress!.assumingMemoryBound(to: VectorID.self), count: count, layout: layout)
        files = (rows, ids)
    }

    func row(_ r: Int) -> UnsafePointer<Float> { unsafe rows + r * layout.stride }

    /// Rows evenly spread over all.
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

    /// Rows that are read before the pages of a mapped file are let go.
    static let windowRows = 1 << 18

    /// Lets go of the memory of rows that have been read, if it is that of a mapped file.
    func release(_ rows: Range<Int>) {
        guard let files else { return }
        let floats = unsafe UnsafeBufferPointer(start: row(rows.lowerBound), count: rows.count * layout.stride)
        unsafe files.rows.release(UnsafeRawBufferPointer(floats))
        let ids = unsafe UnsafeBufferPointer(start: ids + rows.lowerBound, count: rows.count)
        unsafe files.ids.release(UnsafeRawBufferPointer(ids))
    }
}
