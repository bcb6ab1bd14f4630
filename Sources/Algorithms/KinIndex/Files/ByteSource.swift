package import KinCore

/// A source of the bytes of a Kin file: a file that is read, or memory.
///
/// One reader and one verifier work on both, so what fuzzers try in memory is what runs on files.
package protocol ByteSource {
    /// The number of bytes in all.
    var length: Int { get }

    /// Hands the bytes of `range` to `body`, piece by piece in order.
    ///
    /// - Precondition: `range` lies within 0 ..< `length`.
    func scan(_ range: Range<Int>, _ body: (borrowing RawSpan) throws(KinError) -> Void) throws(KinError)
}

extension ByteSource {
    /// A copy of the bytes of `range`.
    package func bytes(in range: Range<Int>) throws(KinError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        try scan(range) { piece throws(KinError) in
            unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
