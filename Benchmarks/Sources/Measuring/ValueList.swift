public import ArgumentParser
public import Kin

/// The values of an option, separated by commas: `1,2`.
package struct ValueList<Value: ExpressibleByArgument>: ExpressibleByArgument, ExpressibleByArrayLiteral {
    package let values: [Value]

    package init(arrayLiteral values: Value...) { self.values = values }

    /// nil if a value is invalid.
    package init?(argument: String) {
        let texts = argument.split(separator: ",")
        values = texts.compactMap { Value(argument: String($0)) }
        if values.count < texts.count { return nil }
    }

    package var defaultValueDescription: String { values.map(\.defaultValueDescription).joined(separator: ",") }
    package static var allValueStrings: [String] { Value.allValueStrings }

    package func contains(_ value: Value) -> Bool where Value: Equatable { values.contains(value) }
}

extension ValueList: Sendable where Value: Sendable {}

extension Metric: @retroactive ExpressibleByArgument {}

extension Option where Value == Int {
    /// An option whose value is at least 1, such as a size or a number of threads.
    package init(wrappedValue: Int, positive help: String) {
        self.init(wrappedValue: wrappedValue, help: "\(help) (default: \(wrappedValue))", transform: positive)
    }
}

extension Option where Value == Double {
    /// An option whose value is above 0, such as seconds.
    package init(wrappedValue: Double, positive help: String) {
        self.init(wrappedValue: wrappedValue, help: "\(help) (default: \(wrappedValue))") { text in
            guard let number = Double(text), number > 0 else { throw ValidationError("it must be a number above 0") }
            return number
        }
    }
}

/// Parses a whole number of at least 1.
package func positive(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 1 else { throw ValidationError("it must be a whole number of at least 1") }
    return number
}
