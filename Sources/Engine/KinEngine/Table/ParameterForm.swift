extension JSONReader {
    /// Reads an id and converts it to its normal form. The error does not name the field; the caller adds it.
    mutating func id() throws(KinError) -> String { try Self.id(string()) }

    /// Converts an id to its normal form, as ``id()``.
    static func id(_ text: String) throws(KinError) -> String {
        do throws(KinError) { return try RecordID.checked(text, field: "") } catch { throw error.without(["field"]) }
    }
}

/// The form of a parameter's value in a request.
struct ParameterForm<Value: Sendable>: Sendable {
    /// The type, for documentation and for reading from text.
    let type: ParameterType
    /// Reads the value of the parameter with a name.
    let read: @Sendable (inout JSONReader, String) throws(KinError) -> Value
    /// The JSON of a default.
    var json: @Sendable (Value) -> String = { "\($0)" }
}

extension ParameterForm {
    /// Declares a form by the function that reads a value from JSON.
    init(_ type: ParameterType, _ read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Value) {
        self.init(type: type, read: { reader, _ throws(KinError) in try read(&reader) })
    }

    /// A JSON object of a kind, named for the documentation.
    static func object(
        _ kind: String, _ read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Value
    ) -> ParameterForm {
        ParameterForm(.object(kind), read)
    }

    /// A list of values of a kind, named for the documentation.
    static func list<Element: Sendable>(
        _ kind: String, _ read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Element
    ) -> ParameterForm where Value == [Element] {
        ParameterForm(.list(kind)) { reader throws(KinError) in try reader.list(read) }
    }

    /// A word from a list, in any spelling.
    static func words(_ values: [Value], _ names: [String]) -> ParameterForm where Value: Equatable {
        let words = JSONKeys(names, aliases: WordSynonyms.synonyms(of: names))
        return ParameterForm(
            type: .choice(names), read: { reader, name throws(KinError) in values[try reader.choice(of: words, name)] },
            json: { value in "\"\(names[values.firstIndex(of: value)!])\"" })
    }

    /// A list of words, or a single word, in any spelling.
    static func wordSet<Word: CaseIterable & Hashable & Sendable>(_ names: [String]) -> ParameterForm
    where Value == Set<Word> {
        let word = ParameterForm<Word>.words(Array(Word.allCases), names)
        return ParameterForm(
            type: .choices(names),
            read: { reader, name throws(KinError) in
                guard reader.isAtArray() else { return [try word.read(&reader, name)] }
                return Set(try reader.list { reader throws(KinError) in try word.read(&reader, name) })
            })
    }
}

extension ParameterForm where Value: CaseIterable & Equatable & RawRepresentable<String> {
    /// The raw value of a case, in any spelling.
    static var words: ParameterForm { words(Array(Value.allCases), Value.allCases.map(\.rawValue)) }
}

extension ParameterForm where Value: NamedCase & Equatable {
    /// The name of a case, in any spelling.
    static var words: ParameterForm { words(Array(Value.allCases), Value.names) }
}

extension ParameterForm<String> {
    /// An id, in normal form.
    static let id = ParameterForm(.id) { reader throws(KinError) in try reader.id() }

    /// A text of any length. The only default is the empty text.
    static let text = text(as: .text)

    /// A text of any length with a meaning, such as a path.
    static func text(as type: ParameterType) -> ParameterForm {
        ParameterForm(type: type, read: { reader, _ throws(KinError) in try reader.string() }, json: { _ in "\"\"" })
    }

    /// An object of a kind, read later.
    static func object(_ kind: String) -> ParameterForm { verbatim(.object(kind)) }

    /// A list of values of a kind, read later.
    static func list(_ kind: String) -> ParameterForm { verbatim(.list(kind)) }

    private static func verbatim(_ type: ParameterType) -> ParameterForm {
        ParameterForm(type) { reader throws(KinError) in try reader.verbatim() }
    }
}

extension ParameterForm<Bool> {
    static let boolean = ParameterForm(.boolean) { reader throws(KinError) in try reader.boolean() }
}

extension ParameterForm<Int> {
    /// A whole number in a range.
    static func integer(_ range: ClosedRange<Int>) -> ParameterForm {
        ParameterForm(.integer(range)) { reader throws(KinError) in try ParameterRange.integer(&reader, in: range) }
    }

    /// A number of results, 1 to ``ParameterRange/mostResults``.
    static let count = integer(1...ParameterRange.mostResults)
}

extension ParameterForm<UInt64> {
    /// An unsigned 64-bit number.
    static let seed = ParameterForm(.seed) { reader throws(KinError) in
        var number = reader
        let text = try reader.verbatim()
        guard let seed = UInt64(text) ?? (try? number.integer()).flatMap(UInt64.init(exactly:)) else {
            throw KinError(.invalidArgument, "must be a whole number from 0 to 2^64 - 1, not \(text.prefix(40))")
        }
        return seed
    }
}

extension ParameterForm<Double> {
    /// A number in a range, with a unit.
    static func number(_ range: ClosedRange<Double>, unit: String = "") -> ParameterForm {
        ParameterForm(.number(range, unit: unit)) { reader throws(KinError) in
            try ParameterRange.number(&reader, in: range)
        }
    }
}

extension ParameterForm<Timestamp> {
    /// An instant with its offset.
    static let instant = ParameterForm(.instant) { reader throws(KinError) in
        try Timestamp(reader.string(), needsOffset: true)
    }
}

extension ParameterForm<LocalDay> {
    /// A date, without a time of day.
    static let date = ParameterForm(.date) { reader throws(KinError) in try LocalDay(parsing: reader.string()) }
}

extension ParameterForm<LocalZone> {
    static let zone = ParameterForm(.zone) { reader throws(KinError) in try LocalZone(named: reader.string()) }
}

extension ParameterForm<GeographicCoordinates> {
    /// A place on the earth.
    static let coordinates = ParameterForm(.coordinates) { reader throws(KinError) in
        try GeographicCoordinates(from: &reader)
    }
}

extension ParameterForm<Pleasure> {
    /// A point of the pleasure space; missing dimensions are 0.
    static let point = ParameterForm(.point) { reader throws(KinError) in try PartialPleasure(from: &reader).point }
}

extension ParameterForm<PartialPleasure> {
    /// A point of the pleasure space with the named dimensions only.
    static let point = ParameterForm(.point) { reader throws(KinError) in try PartialPleasure(from: &reader) }
}

extension ParameterForm<FilterExpression> {
    /// A condition on attributes; ids in it are converted to normal form.
    static let filter = ParameterForm(.filter) { reader throws(KinError) in
        try FilterExpression(parsing: RecordID.normalized(reader.string()))
    }
}
