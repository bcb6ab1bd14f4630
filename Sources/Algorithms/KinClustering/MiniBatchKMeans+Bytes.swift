extension MiniBatchKMeans {
    /// Encodes the whole stream except ``threads``, little-endian. ``init(decoding:threads:)`` returns a stream that
    /// continues exactly like this one.
    ///
    /// With k clusters of d dimensions it has 96 + 8·k·(d + 1) bytes, plus 4·k·d for cosine. While n points are held
    /// back, it has 48 + n·(4·d + 8).
    public func encoded() -> [UInt8] {
        var writer = LittleEndianWriter()
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(UInt8(metric == .cosine ? 1 : 0))
        writer.write(UInt8(means.isEmpty ? 0 : 1))
        writer.write(UInt64(clamping: k))
        writer.write(UInt64(dimension ?? 0))
        writer.write(reassignmentRatio)
        writer.write(seed)
        writer.write(UInt64(pointCount))
        guard !means.isEmpty else {
            for x in heldRows { writer.write(x) }
            writer.write(heldWeights)
            return writer.bytes
        }
        writer.write(UInt64(pointsSinceReassignment))
        writer.write(latestInertia ?? 0)
        for word in generator.state { writer.write(word) }
        writer.write(weights)
        writer.write(means)
        // For squared L2 a centroid is the rounded mean.
        if metric == .cosine { for x in centroidRows.elements { writer.write(x) } }
        return writer.bytes
    }

    /// Decodes a stream with its complete state.
    ///
    /// - Parameters:
    ///   - bytes: The result of ``encoded()``.
    ///   - threads: The largest number of threads; the result does not depend on it.
    /// - Throws: `.corruptFile` if the bytes are not a stream, `.unsupportedFormat` for a stream of a later version,
    ///   and `.invalidArgument` for parameters that ``partialFit(_:weights:)`` rejects. Memory is bounded by the number
    ///   of bytes.
    public init(decoding bytes: [UInt8], threads: Int = 1) throws(KinError) {
        var reader = LittleEndianReader(bytes, of: "a stream of k-means")
        guard try reader.read(UInt32.self) == Self.magic else { throw reader.damaged("it begins otherwise") }
        let version = try reader.read(UInt16.self)
        guard version == Self.version else {
            throw KinError(
                .unsupportedFormat, "the stream has version \(version), and this release reads \(Self.version)")
        }
        let flags: (isCosine: UInt8, hasStarted: UInt8) = (try reader.read(), try reader.read())
        guard max(flags.isCosine, flags.hasStarted) <= 1 else {
            throw reader.damaged("it names an unknown metric or state")
        }
        let sizes: (k: UInt64, dimension: UInt64) = (try reader.read(), try reader.read())
        let (ratio, seed, count): (Double, UInt64, UInt64) = (try reader.read(), try reader.read(), try reader.read())
        // The number of points is incremented later.
        guard let k = Int(exactly: sizes.k), let dimension = Int(exactly: sizes.dimension), count < 1 << 62 else {
            throw reader.damaged("its sizes are out of range")
        }
        self.init(
            k: k, metric: flags.isCosine == 1 ? .cosine : .squaredL2, reassignmentRatio: ratio, seed: seed,
            threads: threads)
        try check(Matrix(rows: 0, columns: max(dimension, 1)), weights: nil)
        self.dimension = dimension == 0 ? nil : dimension
        pointCount = Int(count)
        if flags.hasStarted == 1 { try readMeans(from: &reader) } else { try readHeldPoints(from: &reader) }
    }

    /// Requires a number of bytes after the header. The product of the two numbers must not overflow.
    private func require(
        _ rows: Int, of bytes: Int, plus more: Int, in reader: LittleEndianReader
    ) throws(KinError) {
        let (product, overflow) = rows.multipliedReportingOverflow(by: bytes)
        guard !overflow, reader.rest >= more, reader.rest - more == product else {
            throw reader.damaged("its length differs from the length in its header")
        }
    }

    private mutating func readHeldPoints(from reader: inout LittleEndianReader) throws(KinError) {
        let columns = dimension ?? 0
        guard pointCount / 3 < k, columns > 0 || pointCount == 0, columns < 1 << 40 else {
            throw reader.damaged("it has too many points, or points without dimensions")
        }
        try require(pointCount, of: 4 * columns + 8, plus: 0, in: reader)
        for _ in 0..<pointCount * columns { heldRows.append(try reader.read()) }
        heldWeights = try reader.readDoubles(count: pointCount)
        guard pointCount > 0 else { return }
        do throws(KinError) {
            try check(Matrix(rows: pointCount, columns: columns, elements: heldRows), weights: heldWeights)
        } catch {
            throw reader.damaged("of its points, \(error.message)")
        }
    }

    private mutating func readMeans(from reader: inout LittleEndianReader) throws(KinError) {
        guard let d = dimension, d < 1 << 40 else { throw reader.damaged("its centroids have no dimensions") }
        try require(k, of: 8 + (metric == .cosine ? 12 : 8) * d, plus: 48, in: reader)
        let since: UInt64 = try reader.read()
        let inertia: Double = try reader.read()
        let words: [UInt64] = [try reader.read(), try reader.read(), try reader.read(), try reader.read()]
        guard since <= pointCount, inertia.isFinite, let generator = SeededGenerator(state: words) else {
            throw reader.damaged("its counts, inertia or random numbers are out of range")
        }
        (pointsSinceReassignment, latestInertia, self.generator) = (Int(since), inertia, generator)
        weights = try reader.readDoubles(count: k)
        means = try reader.readDoubles(count: k * d)
        // 2⁶² points of the largest weight; means of unit vectors are no longer than unit vectors.
        let largest = metric == .cosine ? 1.0001 : Double(Float.greatestFiniteMagnitude)
        guard weights.allSatisfy({ (0...1e119).contains($0) }), means.allSatisfy({ abs($0) <= largest }) else {
            throw reader.damaged("a weight or a mean is out of range")
        }
        guard metric == .cosine else {
            centroidRows = try Matrix(rows: k, columns: d, elements: means.map { Float($0) })
            return
        }
        var elements: [Float] = []
        for _ in 0..<k * d { elements.append(try reader.read()) }
        centroidRows = try Matrix(rows: k, columns: d, elements: elements)
        for c in 0..<k {
            let square = centroidRows.row(c).reduce(0.0) { $0 + Double($1) * Double($1) }
            guard abs(square - 1) < 1e-4 else { throw reader.damaged("a centroid is not of length 1") }
        }
    }

    /// The first four bytes, "KNMB".
    private static let magic: UInt32 = 0x424D_4E4B
    private static let version: UInt16 = 1
}
