import KinCore
import KinJSON

/// A parameter of a method: its description, and the function that reads its value from a request.
struct Parameter<Value: Sendable>: Sendable {
    /// The name, type, default and help; several if the value is read from several members.
    let descriptions: [ParameterDescription]
    /// Reads the value; for a missing parameter, returns the default.
    let read: @Sendable (EngineRequest) throws(KinError) -> Value

    /// A parameter that every request must have.
    ///
    /// - Parameters:
    ///   - name: The name in snake case.
    ///   - type: The type, for documentation and for reading from text.
    ///   - help: One sentence.
    ///   - read: Reads the value from JSON.
    static func required(
        _ name: String, _ type: ParameterType, _ help: String,
        _ read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Value
    ) -> Parameter {
        Parameter(descriptions: [ParameterDescription(name, type, .required, help)]) { request throws(KinError) in
            try request.required(name, read)
        }
    }

    /// A parameter with a default.
    ///
    /// - Parameter value: The default; its JSON form appears in the documentation.
    static func standard(
        _ name: String, _ type: ParameterType, default value: Value, _ json: String, _ help: String,
        _ read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Value
    ) -> Parameter {
        Parameter(descriptions: [ParameterDescription(name, type, .standard(json), help)]) { request throws(KinError) in
            try request.optional(name, read) ?? value
        }
    }

    /// A parameter that may be missing.
    static func optional<Wrapped: Sendable>(
        _ name: String, _ type: ParameterType, _ help: String,
        _ read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Wrapped
    ) -> Parameter where Value == Wrapped? {
        Parameter(descriptions: [ParameterDescription(name, type, .optional, help)]) { request throws(KinError) in
            try request.optional(name, read)
        }
    }
}

/// The name, type, default and help of a parameter.
package struct ParameterDescription: Sendable, Hashable {
    /// The presence of a parameter in a request.
    package enum Presence: Sendable, Hashable {
        case required, optional
        /// With the default in JSON.
        case standard(String)
    }

    package let name: String
    package let type: ParameterType
    package let presence: Presence
    /// One sentence in plain English.
    package let help: String

    package init(_ name: String, _ type: ParameterType, _ presence: Presence, _ help: String) {
        self.name = name
        self.type = type
        self.presence = presence
        self.help = help
    }
}

/// The type of a parameter: its JSON form, its range, and its form on a command line.
package enum ParameterType: Sendable, Hashable {
    /// An id of a person or record: a text of 1 to 512 bytes in normal form C, without control characters.
    case id
    case text
    case boolean
    /// An instant with its offset: `2026-11-20T06:30:00Z`.
    case instant
    /// A date and time by the wall clock: `2026-11-20T06:30`.
    case localTime
    /// A date without a time of day: `2026-11-20`.
    case date
    /// A name of a time zone or an offset: `Europe/Berlin`, `+05:30`.
    case zone
    /// A time of day, `07:30`.
    case timeOfDay
    case integer(ClosedRange<Int>)
    /// An unsigned 64-bit number.
    case seed
    /// A number in a range, with a unit.
    case number(ClosedRange<Double>, unit: String)
    /// One word from a list.
    case choice([String])
    /// A list of words from a list.
    case choices([String])
    /// A condition on attributes: `state = drift and start >= 2026-01-01`.
    case filter
    /// A point of the pleasure space, by the names of dimensions: `{"food": 0.5}`.
    case point
    /// A place on the earth: `{"lat": 40.7, "lng": -73.9}`.
    case coordinates
    /// The path of a file that is read, or of a store.
    case path
    /// The path of a file or folder that is written.
    case output
    /// A JSON object of a kind, named for the documentation.
    case object(String)
    /// A list of JSON values of a kind, named for the documentation.
    case list(String)
}
