/// A parameter of a method: its description, and the function that reads its value from a request.
struct Parameter<Value: Sendable>: Sendable {
    /// The name, type, default and help; several if the value is read from several members.
    let descriptions: [ParameterDescription]
    /// Reads the value; for a missing parameter, returns the default.
    let read: @Sendable (EngineRequest) throws(KinError) -> Value
}

extension Parameter {
    /// Declares a parameter that every request must have.
    ///
    /// - Parameters:
    ///   - name: The name in snake case.
    ///   - form: The form of the value.
    ///   - help: One sentence.
    init(_ name: String, _ form: ParameterForm<Value>, _ help: String) {
        descriptions = [ParameterDescription(name, form.type, .required, help)]
        read = { request throws(KinError) in
            guard let value = try request.optional(name, form) else {
                throw KinError(.invalidArgument, "the parameter \"\(name)\" is missing").inField(name)
            }
            return value
        }
    }

    /// Declares a parameter with a default.
    init(_ name: String, _ form: ParameterForm<Value>, default value: Value, _ help: String) {
        descriptions = [ParameterDescription(name, form.type, .standard(form.json(value)), help)]
        read = { request throws(KinError) in try request.optional(name, form) ?? value }
    }

    /// Declares a parameter that may be missing.
    init<Wrapped>(_ name: String, _ form: ParameterForm<Wrapped>, _ help: String) where Value == Wrapped? {
        descriptions = [ParameterDescription(name, form.type, .optional, help)]
        read = { request throws(KinError) in try request.optional(name, form) }
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
    /// Records in JSON as a text, usually of a file. Its type in METHODS.md is `text`.
    case document
    /// A number of minutes, or one of some words. Only for parameters of the tool.
    case duration([String])
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
