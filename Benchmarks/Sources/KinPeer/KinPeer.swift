import Kin

// The smallest C surface that lets Benchmarks/peers time Kin on the arrays it gives the other libraries. Every function
// copies its numbers out of and into the caller's arrays; the copies are inside the measured time.

/// Builds an index of rows × columns floats, row-major; the ids are the row numbers. `kind` is flat or ivf.
///
/// Returns NULL, after a line that says why, when the library refuses. To be freed by `kin_peer_free`.
@c(kin_peer_build)
public func build(
    _ values: UnsafePointer<Float>,
    _ rows: Int,
    _ columns: Int,
    _ metric: UnsafePointer<CChar>,
    _ kind: UnsafePointer<CChar>,
    _ threads: Int32
) -> UnsafeMutableRawPointer? {
    do throws(KinError) {
        let name = unsafe String(cString: metric)
        guard let metric = Metric(rawValue: name) else {
            throw KinError(.invalidArgument, "there is no metric '\(name)'; use l2, ip or cosine")
        }
        let index = try unsafe PeerIndex(
            matrix(values, rows, columns), metric: metric, kind: String(cString: kind), threads: Int(threads))
        return unsafe Unmanaged.passRetained(index).toOpaque()
    } catch {
        report(error)
        return nil
    }
}

/// Restricts the searches that follow to the ids whose bits are set; NULL lifts that.
@c(kin_peer_allow)
public func allow(_ handle: UnsafeRawPointer, _ words: UnsafePointer<UInt64>?, _ count: Int) {
    let index = unsafe peer(handle)
    if let words = unsafe words {
        index.filter = unsafe .bitmap(IDBitmap(words: Array(UnsafeBufferPointer(start: words, count: count))))
    } else {
        index.filter = .all
    }
}

/// The k nearest of every query into `ids` and `distances` (queries × k each).
///
/// An id of 2⁶⁴ − 1 fills places that stay empty. `mode` is 0 for exact, 1 for a recall of `amount`, 2 for `amount`
/// probes; a flat index knows exact only. Returns 0, or the code of the error.
@c(kin_peer_search)
public func search(
    _ handle: UnsafeRawPointer,
    _ queries: UnsafePointer<Float>,
    _ count: Int,
    _ k: Int,
    _ threads: Int32,
    _ mode: Int32,
    _ amount: Double,
    _ ids: UnsafeMutablePointer<UInt64>,
    _ distances: UnsafeMutablePointer<Double>
) -> Int32 {
    let index = unsafe peer(handle)
    let mode: SearchMode = mode == 0 ? .exact : mode == 1 ? .recall(amount) : .probes(Int(amount))
    do throws(KinError) {
        if count == 1 {
            let query = unsafe UnsafeBufferPointer(start: queries, count: index.dimension)
            let found = try unsafe index.search(query.span, k: k, options: .init(mode: mode, threads: Int(threads)))
            unsafe write(found, k: k, ids, distances)
            return 0
        }
        let queries = try unsafe matrix(queries, count, index.dimension)
        let table = try index.search(queries, k: k, options: .init(mode: mode, threads: Int(threads)))
        for query in 0..<count {
            unsafe write(table[query], k: k, ids + query * k, distances + query * k)
        }
        return 0
    } catch {
        report(error)
        return error.code.rawValue
    }
}

/// Writes the name of the kernels in use, cut to `capacity` bytes with the closing zero. Returns 0, or an error's code.
@c(kin_peer_level)
public func level(_ name: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int32 {
    do throws(KinError) {
        let level = try PeerIndex.level()
        for (place, byte) in (level.utf8CString.prefix(capacity - 1) + [0]).enumerated() {
            unsafe name[place] = byte
        }
        return 0
    } catch {
        report(error)
        return error.code.rawValue
    }
}

/// Gives the index back.
@c(kin_peer_free)
public func free(_ handle: UnsafeRawPointer) {
    unsafe Unmanaged<PeerIndex>.fromOpaque(handle).release()
}

private func peer(_ handle: UnsafeRawPointer) -> PeerIndex {
    unsafe Unmanaged<PeerIndex>.fromOpaque(handle).takeUnretainedValue()
}

private func write(
    _ neighbors: ArraySlice<Neighbor>,
    k: Int,
    _ ids: UnsafeMutablePointer<UInt64>,
    _ distances: UnsafeMutablePointer<Double>
) {
    var place = 0
    for neighbor in neighbors {
        unsafe ids[place] = neighbor.id.rawValue
        unsafe distances[place] = neighbor.distance
        place += 1
    }
    for empty in place..<k {
        unsafe ids[empty] = .max
        unsafe distances[empty] = .infinity
    }
}

private func matrix(_ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int) throws(KinError) -> Matrix<Float> {
    try unsafe Matrix(
        rows: rows,
        columns: columns,
        elements: Array(UnsafeBufferPointer(start: values, count: rows * columns))
    )
}

private func report(_ error: KinError) {
    print("kin: \(error)")
}
