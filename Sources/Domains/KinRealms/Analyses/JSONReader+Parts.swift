import KinCore
import KinJSON

extension JSONReader {
    /// Reads a value that may be null.
    mutating func orNull(_ body: (inout JSONReader) throws(KinError) -> Void) throws(KinError) {
        if try !takesNull() { try body(&self) }
    }

    /// An error without a place, at the next byte.
    func error(_ other: KinError) -> KinError {
        var found = error(other.message, code: other.code)
        for fact in other.context.reversed() { found = found.within(fact.name, fact.value) }
        return found
    }
}
