/// The version of a file's layout: a reader accepts every minor version of the major versions it supports.
///
/// A new minor version only adds content that older readers can skip. Content that they would misread requires a new
/// major version.
public struct FormatVersion: Sendable, Hashable {
    /// Incremented when older readers could not read the file correctly.
    public let major: UInt16
    /// Incremented for additions that older readers may ignore.
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
