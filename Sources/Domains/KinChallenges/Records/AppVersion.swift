/// The version of an app: up to four numbers; missing ones are 0.
public struct AppVersion: Sendable, Hashable {
    /// The four numbers, the most important first.
    private let numbers: [Int]

    /// Reads a version such as `2`, `1.4` or `1.4.0.12`.
    ///
    /// - Parameter text: One to four numbers, each at most 999,999,999, with points between them.
    /// - Throws: `.malformedInput` for anything else.
    public init(parsing text: String) throws(KinError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count <= 9 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard (1...4).contains(parts.count), numbers.count == parts.count else {
            throw KinError(
                .malformedInput, "\"\(text.prefix(40))\" is not a version; write up to four numbers, such as 1.4.2")
        }
        self.numbers = numbers + Array(repeating: 0, count: 4 - numbers.count)
    }
}

extension AppVersion: Comparable {
    public static func < (a: AppVersion, b: AppVersion) -> Bool { a.numbers.lexicographicallyPrecedes(b.numbers) }
}

extension AppVersion: CustomStringConvertible {
    /// The first two numbers, and the rest up to the last that is not 0: `1.4`, `1.4.2`.
    public var description: String {
        let count = max(2, (numbers.lastIndex { $0 != 0 } ?? 0) + 1)
        return numbers.prefix(count).map(String.init).joined(separator: ".")
    }
}

extension JSONForm<AppVersion> {
    /// The version of an app, `1.4.2`; numbers such as 2 or 1.4 are read too.
    static let appVersion = JSONForm(
        "app version",
        read: { reader throws(KinError) in
            if reader.isAtString() {
                return try reader.parsed { text throws(KinError) in try AppVersion(parsing: text) }
            }
            return try AppVersion(parsing: reader.verbatim())
        },
        write: { $1.string($0.description) })
}
