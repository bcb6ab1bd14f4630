/// An enumeration whose cases have names, listed in the order of the cases.
public protocol NamedCase: RawRepresentable<Int>, CaseIterable {
    /// The names of all cases, in their order.
    static var names: [String] { get }
}

extension NamedCase {
    /// The name in files and JSON.
    @inlinable
    public var name: String { Self.names[rawValue] }

    /// Finds the case with a name; nil if there is no such case.
    @inlinable
    public init?(name: String) {
        guard let value = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: value)
    }

    /// Finds the case with a name in any spelling (`Spelling.plain`); nil if there is no such case.
    package init?(spelled text: String) {
        let plain = Spelling.plain(text)
        guard let value = Self.names.firstIndex(where: { Spelling.plain($0) == plain }) else { return nil }
        self.init(rawValue: value)
    }
}
