import Kin

// The smallest C surface that lets Benchmarks/peers time Kin on the arrays it gives the other libraries. Every function
// copies its numbers out of and into the caller's arrays; the copies are inside the measured time.

/// An index as the caller of C sees it: one reference it must give back.
private final class PeerIndex {
    let index: FlatIndex

    init(_ index: FlatIndex) { self.index = index }
}

/// Builds an index of rows × columns floats, row-major; the ids are the row numbers.
///
/// Returns NULL, after a line that says why, when the library refuses. To be freed by `kin_peer_free`.
@c(kin_peer_build)
public func build(
    _ values: UnsafePointer<Float>,
    _ rows: Int,
    _ columns: Int,
    _ metric: UnsafePointer<CChar>
) -> UnsafeMutableRawPointer? {
    do throws(KinError) {
        let name = unsafe String(cString: metric)
        guard let metric = Metric(rawValue: name) else {
            throw KinError(.invalidArgument, "there is no metric '\(name)'; use l2, ip or cosine")
        }
        var index = FlatIndex(dimension: columns, metric: metric)
        _ = try unsafe index.append(matrix(values, rows, columns))
        return unsafe Unmanaged.passRetained(PeerIndex(index)).toOpaque()
    } catch {
        report(error)
        return nil
    }
}

/// The k nearest of every query into `ids` and `distances` (queries × k each). Returns 0, or the code of the error.
@c(kin_peer_search)
public func search(
    _ handle: UnsafeRawPointer,
    _ queries: UnsafePointer<Float>,
    _ count: Int,
    _ k: Int,
    _ threads: Int32,
    _ ids: UnsafeMutablePointer<UInt64>,
    _ distances: UnsafeMutablePointer<Double>
) -> Int32 {
    let index = unsafe peer(handle).index
    do throws(KinError) {
        if count == 1 {
            let query = unsafe Array(UnsafeBufferPointer(start: queries, count: index.dimension))
            for (rank, neighbor) in try index.search(query, k: k, threads: Int(threads)).enumerated() {
                unsafe ids[rank] = neighbor.id.rawValue
                unsafe distances[rank] = neighbor.distance
            }
            return 0
        }
        let table = try unsafe index.search(matrix(queries, count, index.dimension), k: k, threads: Int(threads))
        for query in 0..<count {
            for (rank, neighbor) in table[query].enumerated() {
                unsafe ids[query * k + rank] = neighbor.id.rawValue
                unsafe distances[query * k + rank] = neighbor.distance
            }
        }
        return 0
    } catch {
        report(error)
        return error.code.rawValue
    }
}

/// Writes the name of the kernels in use, cut to `capacity` bytes with the closing zero. Returns 0, or an error's code.
@c(kin_peer_level)
public func level(_ handle: UnsafeRawPointer, _ name: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int32 {
    let index = unsafe peer(handle).index
    do throws(KinError) {
        let plan = try index.explain([Float](repeating: 1, count: index.dimension), k: 1)
        for (place, byte) in (plan.simdLevel.utf8CString.prefix(capacity - 1) + [0]).enumerated() {
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
