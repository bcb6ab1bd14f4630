/// The version of a file's layout: a reader accepts every minor version of the major versions it supports.
///
/// A new minor version only adds what older readers can pass over; anything that they would misread is a new major one.
public struct FormatVersion: Sendable, Hashable {
    /// Raised when older readers could not read the file rightly.
    public let major: UInt16
    /// Raised when something was added that older readers may ignore.
    public let minor: UInt16

    /// The version written "major.minor".
    public init(major: UInt16, minor: UInt16) {
        self.major = major
        self.minor = minor
    }
}

extension FormatVersion: Comparable {
    public static func < (a: FormatVersion, b: FormatVersion) -> Bool {
        (a.major, a.minor) < (b.major, b.minor)
    }
}

extension FormatVersion: CustomStringConvertible {
    public var description: String { "\(major).\(minor)" }
}
