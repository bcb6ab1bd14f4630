// The numbers in a forecast's state. Magnitudes are bounded, so that no arithmetic on a damaged state traps.

extension LittleEndianReader {
    /// Creates a reader of a forecast's state.
    package init(state bytes: [UInt8]) {
        self.init(bytes, of: "a state of this release", advice: "rebuild the state from the log")
    }

    /// Reads a float of magnitude at most 10⁹.
    ///
    /// - Throws: `.corruptFile` for any other number, including NaN.
    package mutating func readFloat() throws(KinError) -> Float {
        let number = try read(Float.self)
        guard abs(number) <= 1e9 else { throw damaged("a number in it is out of range") }
        return number
    }

    /// Reads a double of magnitude at most 5 · 10⁹, the year 9999 in minutes.
    ///
    /// - Parameter allowsNaN: Whether NaN is accepted, for unknown features.
    /// - Throws: `.corruptFile` for any other number.
    package mutating func readDouble(allowsNaN: Bool = false) throws(KinError) -> Double {
        let number = try read(Double.self)
        guard abs(number) <= 5e9 || (allowsNaN && number.isNaN) else {
            throw damaged("a number in it is out of range")
        }
        return number
    }

    /// Reads a 16-bit count of at most `limit`.
    ///
    /// - Throws: `.corruptFile` for a larger count.
    package mutating func readCount(limit: Int) throws(KinError) -> Int {
        let count = Int(try read(UInt16.self))
        guard count <= limit else { throw damaged("its count of \(count) is above the limit of \(limit)") }
        return count
    }
}
