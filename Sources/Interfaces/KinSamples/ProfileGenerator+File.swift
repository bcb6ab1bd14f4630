extension ProfileGenerator {
    /// The formats of ``write(to:format:threads:)``.
    package static let formats: [VectorFormat] = [.csv, .npy, .fvecs]

    /// Writes all profiles to a file as they are generated; memory is a few blocks per thread.
    ///
    /// With sixteen dimensions, the header of a CSV file has the names of a pleasure profile.
    ///
    /// - Parameters:
    ///   - path: The file, which appears when it is complete; `-` is standard output.
    ///   - format: CSV, NPY or fvecs.
    ///   - threads: The most threads to use, 1 or more; the file does not depend on it.
    /// - Throws: `.invalidArgument` for other formats and numbers, `.inputOutput` if the file cannot be written;
    ///   `.cancelled` as described in `withProgressHandler`, with rows as units.
    public func write(to path: String, format: VectorFormat, threads: Int = 1) throws {
        try requireThreads(threads)
        guard Self.formats.contains(format) else {
            throw KinError(.invalidArgument, "profiles are written as csv, npy or fvecs, not \(format.rawValue)")
        }
        let work = LongWork(of: count)
        try WholeFile.make(path) { file in
            try file.write(header(format))
            try forEachBlock(threads: threads) { (block, millionths) throws(KinError) in
                try file.write(encoded(millionths, firstRow: block * Self.blockRows, format))
                try work.step(to: min(count, (block + 1) * Self.blockRows))
            }
        }
    }

    private func header(_ format: VectorFormat) -> [UInt8] {
        switch format {
        case .csv:
            let names =
                dimension == Pleasure.Dimension.names.count
                ? Pleasure.Dimension.names : (0..<dimension).map { "x\($0)" }
            return Array("id,\(names.joined(separator: ","))\n".utf8)
        case .npy: return NPYFile.header(rows: count, columns: dimension)
        case .fvecs, .bvecs, .ivecs: return []
        }
    }

    private func encoded(_ millionths: [UInt32], firstRow: Int, _ format: VectorFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(millionths.count * 9)
        for (offset, value) in millionths.enumerated() {
            let isRowStart = offset % dimension == 0
            switch format {
            case .csv:
                if isRowStart { bytes.append(contentsOf: String(firstRow + offset / dimension).utf8) }
                bytes.append(0x2C)
                Self.appendDecimal(value, to: &bytes)
                if offset % dimension == dimension - 1 { bytes.append(0x0A) }
            default:
                if isRowStart && format == .fvecs { Self.append(UInt32(dimension), to: &bytes) }
                Self.append(Self.coordinate(value).bitPattern, to: &bytes)
            }
        }
        return bytes
    }

    /// Millionths as a decimal without trailing zeros: `0.25`, `1`, `0.000001`.
    private static func appendDecimal(_ millionths: UInt32, to bytes: inout [UInt8]) {
        bytes.append(0x30 + UInt8(millionths / 1_000_000))
        var rest = millionths % 1_000_000
        guard rest > 0 else { return }
        bytes.append(0x2E)
        var unit: UInt32 = 100_000
        while rest > 0 {
            bytes.append(0x30 + UInt8(rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
