import KinCore
import KinIndex
import KinJSON
import KinPleasure

extension JSONReader {
    /// Reads an id and converts it to its normal form. The error does not name the field; the caller adds it.
    mutating func id() throws(KinError) -> String { try Self.id(string()) }

    /// Converts an id to its normal form, as ``id()``.
    static func id(_ text: String) throws(KinError) -> String {
        do throws(KinError) { return try RecordID.checked(text, field: "") } catch { throw error.without(["field"]) }
    }
}

extension Parameter<String> {
    /// A required id, in normal form.
    static func id(_ name: String, _ help: String) -> Parameter {
        required(name, .id, help) { reader throws(KinError) in try reader.id() }
    }

    /// A required text of any length.
    static func text(_ name: String, _ type: ParameterType, _ help: String) -> Parameter {
        required(name, type, help) { reader throws(KinError) in try reader.string() }
    }

    /// A text of any length. Default: empty.
    static func textOrEmpty(_ name: String, _ help: String) -> Parameter {
        standard(name, .text, default: "", "\"\"", help) { reader throws(KinError) in try reader.string() }
    }
}

extension Parameter<String?> {
    /// An optional id, in normal form.
    static func id(_ name: String, _ help: String) -> Parameter {
        optional(name, .id, help) { reader throws(KinError) in try reader.id() }
    }

    /// An optional text of any length.
    static func text(_ name: String, _ help: String) -> Parameter {
        optional(name, .text, help) { reader throws(KinError) in try reader.string() }
    }
}

extension Parameter<Bool> {
    /// A boolean with a default.
    static func flag(_ name: String, default value: Bool = false, _ help: String) -> Parameter {
        standard(name, .boolean, default: value, "\(value)", help) { reader throws(KinError) in try reader.boolean() }
    }
}

extension Parameter<Bool?> {
    /// An optional boolean without a default.
    static func flag(_ name: String, _ help: String) -> Parameter {
        optional(name, .boolean, help) { reader throws(KinError) in try reader.boolean() }
    }
}

extension Parameter<Int> {
    /// A number of results. Default range: 1 to ``ParameterRange/mostResults``.
    static func count(
        _ name: String, default value: Int, in range: ClosedRange<Int> = 1...ParameterRange.mostResults, _ help: String
    ) -> Parameter {
        standard(name, .integer(range), default: value, "\(value)", help) { reader throws(KinError) in
            try ParameterRange.integer(&reader, in: range)
        }
    }

    /// The number of threads. Default: 1. No result depends on it.
    static var threads: Parameter {
        count("threads", default: 1, in: 1...65_536, "The largest number of threads to use.")
    }
}

extension Parameter<Int?> {
    /// An optional whole number in a range.
    static func integer(_ name: String, in range: ClosedRange<Int>, _ help: String) -> Parameter {
        optional(name, .integer(range), help) { reader throws(KinError) in
            try ParameterRange.integer(&reader, in: range)
        }
    }
}

extension Parameter<UInt64> {
    /// The parameter `seed`: an unsigned 64-bit number.
    static func seed(default value: UInt64) -> Parameter {
        standard("seed", .seed, default: value, "\(value)", "The seed of random numbers.") { reader throws(KinError) in
            let text = try reader.verbatim()
            guard let seed = UInt64(text) else {
                throw KinError(.invalidArgument, "must be a whole number from 0 to 2^64 - 1, not \(text.prefix(40))")
            }
            return seed
        }
    }
}

extension Parameter<Double> {
    /// A required number in a range, with a unit.
    static func number(
        _ name: String, in range: ClosedRange<Double>, unit: String = "", _ help: String
    ) -> Parameter {
        required(name, .number(range, unit: unit), help) { reader throws(KinError) in
            try ParameterRange.number(&reader, in: range)
        }
    }

    /// A number in a range, with a default and a unit.
    static func number(
        _ name: String, default value: Double, in range: ClosedRange<Double>, unit: String = "", _ help: String
    ) -> Parameter {
        standard(name, .number(range, unit: unit), default: value, "\(value)", help) { reader throws(KinError) in
            try ParameterRange.number(&reader, in: range)
        }
    }
}

extension Parameter<Double?> {
    /// An optional number in a range, with a unit.
    static func number(
        _ name: String, in range: ClosedRange<Double>, unit: String = "", _ help: String
    ) -> Parameter {
        optional(name, .number(range, unit: unit), help) { reader throws(KinError) in
            try ParameterRange.number(&reader, in: range)
        }
    }
}

extension Parameter<Timestamp> {
    /// A required instant with its offset.
    static func instant(_ name: String, _ help: String) -> Parameter {
        required(name, .instant, help) { reader throws(KinError) in try Timestamp(parsing: reader.string()) }
    }
}

extension Parameter<Timestamp?> {
    /// An optional instant with its offset.
    static func instant(_ name: String, _ help: String) -> Parameter {
        optional(name, .instant, help) { reader throws(KinError) in try Timestamp(parsing: reader.string()) }
    }

    /// The parameter `at`: the instant of a query. Default: now.
    static var at: Parameter { instant("at", "The instant of the call. Default: now.") }
}

extension Parameter<LocalDay?> {
    /// An optional date, without a time of day.
    static func date(_ name: String, _ help: String) -> Parameter {
        optional(name, .date, help) { reader throws(KinError) in try LocalDay(parsing: reader.string()) }
    }
}

extension Parameter<LocalZone?> {
    /// The parameter `zone`: a person's time zone. Default: the zone in their preferences.
    static var zone: Parameter {
        optional("zone", .zone, "The person's time zone. Default: the zone of their preferences, else UTC.") {
            reader throws(KinError) in try LocalZone(named: reader.string())
        }
    }
}

extension Parameter<GeographicCoordinates> {
    /// A required place on the earth.
    static func coordinates(_ name: String, _ help: String) -> Parameter {
        required(name, .coordinates, help) { reader throws(KinError) in try GeographicCoordinates(from: &reader) }
    }
}

extension Parameter<GeographicCoordinates?> {
    /// An optional place on the earth.
    static func coordinates(_ name: String, _ help: String) -> Parameter {
        optional(name, .coordinates, help) { reader throws(KinError) in try GeographicCoordinates(from: &reader) }
    }
}

extension Parameter<Pleasure?> {
    /// An optional point of the pleasure space; missing dimensions are 0.
    static func point(_ name: String, _ help: String) -> Parameter {
        optional(name, .point, help) { reader throws(KinError) in try Pleasure(fromSome: &reader) }
    }
}

extension Parameter<PartialPleasure?> {
    /// An optional point of the pleasure space with the named dimensions only.
    static func partialPoint(_ name: String, _ help: String) -> Parameter {
        optional(name, .point, help) { reader throws(KinError) in try PartialPleasure(from: &reader) }
    }
}

extension Parameter<FilterExpression?> {
    /// An optional condition on attributes; ids in it are converted to normal form.
    static func filter(_ name: String, _ help: String) -> Parameter {
        optional(name, .filter, help) { reader throws(KinError) in
            try FilterExpression(parsing: RecordID.normalized(reader.string()))
        }
    }
}

extension Parameter {
    /// A required word from a list, in any spelling.
    static func choice(
        _ name: String, of values: [Value], named names: [String], _ help: String
    ) -> Parameter {
        let words = JSONKeys(names, aliases: WordSynonyms.synonyms(of: names))
        return required(name, .choice(names), help) { reader throws(KinError) in
            values[try reader.choice(of: words, name)]
        }
    }

    /// A word from a list, in any spelling. Default: the word at an index.
    static func choice(
        _ name: String, of values: [Value], named names: [String], default index: Int, _ help: String
    ) -> Parameter {
        let words = JSONKeys(names, aliases: WordSynonyms.synonyms(of: names))
        return standard(name, .choice(names), default: values[index], "\"\(names[index])\"", help) {
            reader throws(KinError) in values[try reader.choice(of: words, name)]
        }
    }

    /// An optional word from a list, in any spelling.
    static func choice<Word: Sendable>(
        _ name: String, of values: [Word], named names: [String], _ help: String
    ) -> Parameter where Value == Word? {
        let words = JSONKeys(names, aliases: WordSynonyms.synonyms(of: names))
        return optional(name, .choice(names), help) { reader throws(KinError) in
            values[try reader.choice(of: words, name)]
        }
    }

    /// A list of words, or a single word, in any spelling; nil if missing.
    static func choices<Word: Sendable>(
        _ name: String, of values: [Word], named names: [String], _ help: String
    ) -> Parameter where Value == Set<Word>? {
        let words = JSONKeys(names, aliases: WordSynonyms.synonyms(of: names))
        return optional(name, .choices(names), help) { reader throws(KinError) in
            func word(_ reader: inout JSONReader) throws(KinError) -> Word {
                values[try reader.choice(of: words, name)]
            }
            return Set(reader.isAtArray() ? try reader.list(word) : [try word(&reader)])
        }
    }

    /// An optional value read from a JSON object.
    static func object<Wrapped: Sendable>(
        _ name: String, _ kind: String, _ help: String,
        _ read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Wrapped
    ) -> Parameter where Value == Wrapped? {
        optional(name, .object(kind), help, read)
    }

    /// A list of values. Default: empty.
    static func list<Element: Sendable>(
        _ name: String, _ kind: String, _ help: String,
        _ read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Element
    ) -> Parameter where Value == [Element] {
        standard(name, .list(kind), default: [], "[]", help) { reader throws(KinError) in try reader.list(read) }
    }
}

/// The ranges of numbers in requests; every number has a range.
enum ParameterRange {
    /// The largest number of results of a call.
    static let mostResults = 1_000_000_000
    /// Distances on the ground in km; 20,015 km is half the earth's circumference.
    static let kilometers = 0.0...100_000
    /// Durations in minutes; the upper end is almost two years.
    static let minutes = 0.0...1_000_000
    /// Shares and scores, 0…1.
    static let unit = 0.0...1

    /// Reads a number in a range.
    ///
    /// - Throws: `.invalidArgument` with the range.
    static func number(_ reader: inout JSONReader, in range: ClosedRange<Double>) throws(KinError) -> Double {
        let number = try reader.number()
        guard range.contains(number) else { throw outside(range, number) }
        // Negative zero becomes zero, so that no answer has "-0".
        return number == 0 ? 0 : number
    }

    /// Reads a whole number in a range.
    ///
    /// - Throws: `.invalidArgument` with the range.
    static func integer(_ reader: inout JSONReader, in range: ClosedRange<Int>) throws(KinError) -> Int {
        let number = try reader.integer()
        guard let integer = Int(exactly: number), range.contains(integer) else { throw outside(range, number) }
        return integer
    }

    private static func outside<Number>(_ range: ClosedRange<Number>, _ number: some Any) -> KinError {
        func text(_ number: some Any) -> Substring {
            let text = "\(number)"
            return text.dropLast(text.hasSuffix(".0") ? 2 : 0)
        }
        return KinError(
            .invalidArgument,
            "must be from \(text(range.lowerBound)) to \(text(range.upperBound)), not \(text(number))")
    }
}
