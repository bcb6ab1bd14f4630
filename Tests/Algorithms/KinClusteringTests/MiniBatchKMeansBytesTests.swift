import KinClustering
import KinTestSupport
import Testing

@Suite("Mini-batch k-means as bytes")
struct MiniBatchKMeansBytesTests {
    /// Streams in every state: without points, while points are held back, after the start, after reassignments.
    private static func streams(_ metric: Metric, _ random: inout SeededGenerator) throws -> [MiniBatchKMeans] {
        var stream = MiniBatchKMeans(k: 6, metric: metric, reassignmentRatio: 0.3, seed: 5)
        var streams = [stream]
        for rows in [0, 1, 10, 30, 100, 100] {
            let weights = rows == 10 ? (0..<rows).map { Double($0) } : nil
            try stream.partialFit(random.gaussianMatrix(rows: rows, columns: 3), weights: weights)
            streams.append(stream)
        }
        return streams
    }

    @Test("a decoded stream continues like the original", arguments: [Metric.squaredL2, .cosine])
    func roundTrip(metric: Metric) throws {
        var random = TestSeed().generator
        for (age, stream) in try Self.streams(metric, &random).enumerated() {
            let bytes = stream.encoded()
            var (whole, decoded) = (stream, try MiniBatchKMeans(decoding: bytes, threads: 2))
            #expect(decoded.encoded() == bytes && decoded.threads == 2)
            let points: Int = stream.pointCount
            let (held, begun) = (48 + points * 20, 96 + 6 * (metric == .cosine ? 44 : 32))
            #expect(bytes.count == (stream.centroids == nil ? held : begun), "\(age)")
            for _ in 0..<3 {
                let batch: Matrix<Float> = random.gaussianMatrix(rows: 70, columns: 3)
                try whole.partialFit(batch)
                try decoded.partialFit(batch)
                #expect(decoded.centroids == whole.centroids && decoded.latestInertia == whole.latestInertia)
                #expect(decoded.encoded() == whole.encoded(), "\(age)")
            }
        }
    }

    @Test(
        "bytes of the wrong length are refused, and changed bytes never trap", arguments: [Metric.squaredL2, .cosine])
    func damage(metric: Metric) throws {
        var random = TestSeed().generator
        let batch: Matrix<Float> = random.gaussianMatrix(rows: 12, columns: 3)
        let streams = try Self.streams(metric, &random)
        for stream in [streams[0], streams[3], streams[6]] {
            let bytes = stream.encoded()
            for count in stride(from: 0, to: bytes.count, by: 3) {
                #expect(errorCode { try MiniBatchKMeans(decoding: Array(bytes[..<count])) } != nil)
            }
            #expect(errorCode { try MiniBatchKMeans(decoding: bytes + [0]) } == .corruptFile)
            func use(_ hostile: [UInt8], _ what: String) {
                guard var decoded = try? MiniBatchKMeans(decoding: hostile) else { return }
                // A stream that opens must also work or throw an error, and open again.
                _ = try? decoded.partialFit(batch)
                _ = try? decoded.clustering(of: batch)
                #expect(decoded.centroids?.elements.allSatisfy(\.isFinite) ?? true, "\(what)")
                #expect(throws: Never.self, "\(what)") { try MiniBatchKMeans(decoding: decoded.encoded()) }
            }
            for place in bytes.indices {
                for value in [UInt8(0), 255] {
                    var hostile = bytes
                    hostile[place] = value
                    use(hostile, "byte \(place) is \(value)")
                }
            }
            let numbers: [Double] = [-1, 1e60, 1e308, .infinity, .nan]
            for place in stride(from: 8, to: bytes.count - 7, by: 8) {
                for number in numbers.map(\.bitPattern) + [1 << 62, .max] {
                    var hostile = bytes
                    for i in 0..<8 { hostile[place + i] = UInt8(truncatingIfNeeded: number >> (8 * i)) }
                    use(hostile, "the number at \(place) is \(number)")
                }
            }
        }
    }

    @Test("errors distinguish damage, unknown versions and invalid settings")
    func errors() throws {
        var random = TestSeed().generator
        let bytes = try Self.streams(.squaredL2, &random)[6].encoded()
        func code(_ place: Int, _ value: UInt8) -> KinError.Code? {
            var changed = bytes
            changed[place] = value
            return errorCode { try MiniBatchKMeans(decoding: changed) }
        }
        #expect(code(0, 0) == .corruptFile && code(4, 2) == .unsupportedFormat && code(6, 2) == .corruptFile)
        for k in [0, -4] {
            #expect(errorCode { try MiniBatchKMeans(decoding: MiniBatchKMeans(k: k).encoded()) } == .invalidArgument)
        }
        #expect(errorCode { try MiniBatchKMeans(decoding: bytes, threads: 0) } == .invalidArgument)
        #expect(errorCode { try MiniBatchKMeans(decoding: []) } == .corruptFile)
    }
}
