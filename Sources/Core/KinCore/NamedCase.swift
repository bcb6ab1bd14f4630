/// An enumeration whose cases have names, which stand in a list in their order.
public protocol NamedCase: RawRepresentable<Int>, CaseIterable {
    /// The names of all cases, in their order.
    static var names: [String] { get }
}

extension NamedCase {
    /// The name in files and JSON.
    @inlinable
    public var name: String { Self.names[rawValue] }

    /// Finds the case with a name; nil when there is none.
    @inlinable
    public init?(name: String) {
        guard let value = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: value)
    }
}
