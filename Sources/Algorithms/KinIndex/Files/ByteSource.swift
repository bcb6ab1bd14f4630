/// A source of the bytes of a Kin file: an open file or memory.
///
/// The same reader and verifier handle both, so fuzzing in memory also tests the code for files.
package protocol ByteSource {
    /// The total number of bytes.
    var length: Int { get }

    /// Passes the bytes of `range` to `body`, piece by piece in order.
    ///
    /// - Precondition: `range` is within 0 ..< `length`.
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
