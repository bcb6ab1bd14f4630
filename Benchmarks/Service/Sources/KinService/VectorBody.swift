import Hummingbird
import Kin
import NIOCore

/// The vectors of a request: numbers in JSON, or 32-bit floats, little-endian, one vector after the other.
struct VectorBody {
    /// The content type of floats.
    static let binaryType = "application/octet-stream"

    /// The elements of all vectors, one vector after the other.
    let elements: [Float]
    /// Whether the request has floats; the answer then has bytes too.
    let isBinary: Bool

    /// Reads the body of a request: floats if its content type is `application/octet-stream`, otherwise a list of
    /// numbers in JSON.
    ///
    /// - Throws: An `HTTPError` of status 400 if the body is not a list of numbers, of 413 for more than
    ///   ``ServiceContext/maxUploadSize``; `.malformedInput` for bytes that are not whole floats.
    init(of request: Request, context: ServiceContext) async throws {
        isBinary = request.mediaType == Self.binaryType
        guard isBinary else {
            elements = try await request.decode(as: [Float].self, context: context)
            return
        }
        var bytes = try await request.body.collect(upTo: context.maxUploadSize)
        guard bytes.readableBytes % 4 == 0 else {
            throw KinError(
                .malformedInput, "the body must be floats of 4 bytes each, not \(bytes.readableBytes) bytes")
        }
        elements = (0..<bytes.readableBytes / 4).compactMap { _ in
            bytes.readInteger(endianness: .little, as: UInt32.self).map(Float.init(bitPattern:))
        }
    }

    /// The vectors as rows.
    ///
    /// - Parameter dimension: The number of dimensions of the index.
    /// - Throws: `.dimensionMismatch` unless the elements are 1 to `most` vectors of that dimension.
    func rows(of dimension: Int, most: Int) throws(KinError) -> Matrix<Float> {
        let (count, rest) = elements.count.quotientAndRemainder(dividingBy: dimension)
        guard rest == 0, (1...most).contains(count) else {
            throw KinError(
                .dimensionMismatch,
                "the body has \(elements.count) numbers, and must have \(dimension) for each of 1 to \(most) vectors")
        }
        return try Matrix(rows: count, columns: dimension, elements: elements)
    }
}
