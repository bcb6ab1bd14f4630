package import KinCore
package import KinJSON

/// The parameters of a call: the members of a JSON object, read by name.
///
/// Members that no method reads are errors, which ``finish()`` throws.
package struct EngineRequest {
    private var members: [(name: String, value: String)]
    /// The names read so far, for suggestions.
    private var known: [String] = []

    /// Reads the members of a request.
    ///
    /// - Parameters:
    ///   - json: A JSON object; empty or white space for one without members.
    ///   - deprecated: Deprecated names of parameters with their replacements.
    /// - Throws: `.malformedInput`; `.invalidArgument` for a parameter given under both names.
    package init(_ json: String, renaming deprecated: [String: String] = [:]) throws(KinError) {
        guard !json.allSatisfy(\.isWhitespace) else {
            members = []
            return
        }
        members = try JSONReader.read(json) { reader throws(KinError) in try reader.rawMembers() }
        for index in members.indices {
            let old = members[index].name
            guard let name = deprecated[old] else { continue }
            guard !members.contains(where: { $0.name == name }) else {
                throw KinError(
                    .invalidArgument, "\"\(old)\" is the deprecated name of \"\(name)\"; give \"\(name)\" alone")
            }
            members[index].name = name
        }
    }

    /// Reads a parameter; nil when it is missing or null.
    ///
    /// - Throws: What `read` throws, with the parameter's name.
    package mutating func optional<Value>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Value
    ) throws(KinError) -> Value? {
        known.append(name)
        guard let place = members.firstIndex(where: { $0.name == name }) else { return nil }
        let json = members.remove(at: place).value
        do throws(KinError) {
            return try JSONReader.read(json) { reader throws(KinError) in
                if try reader.takesNull() { return nil }
                return try read(&reader)
            }
        } catch {
            throw error.inField(name)
        }
    }

    /// Reads a required parameter.
    ///
    /// - Throws: `.invalidArgument` when it is missing; what `read` throws.
    package mutating func required<Value>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Value
    ) throws(KinError) -> Value {
        guard let value = try optional(name, read) else { throw Self.missing(name) }
        return value
    }

    private static func missing(_ name: String) -> KinError {
        KinError(.invalidArgument, "the parameter \"\(name)\" is missing").inField(name)
    }

    /// Requires that every parameter was read.
    ///
    /// - Throws: `.invalidArgument` with the unknown parameter and a suggestion.
    package func finish() throws(KinError) {
        guard let (name, _) = members.first else { return }
        let near = Spelling.nearest(to: name, in: known)
        throw KinError(
            .invalidArgument,
            "there is no parameter \"\(name.prefix(40))\"; "
                + (near.map { "did you mean \"\($0)\"?" } ?? "there are \(known.joined(separator: ", "))"))
    }
}

extension EngineRequest {
    /// Reads a required text.
    package mutating func string(_ name: String) throws(KinError) -> String {
        try required(name) { reader throws(KinError) in try reader.string() }
    }

    /// Reads an optional text.
    package mutating func optionalString(_ name: String) throws(KinError) -> String? {
        try optional(name) { reader throws(KinError) in try reader.string() }
    }

    /// Reads a required id, in normal form.
    package mutating func id(_ name: String) throws(KinError) -> String {
        guard let id = try optionalID(name) else { throw Self.missing(name) }
        return id
    }

    /// Reads an optional id, in normal form.
    package mutating func optionalID(_ name: String) throws(KinError) -> String? {
        guard let text = try optionalString(name) else { return nil }
        return try RecordID.checked(text, field: name)
    }

    /// Reads an optional number of a range, which every method has to state.
    ///
    /// - Throws: `.invalidArgument` with the range.
    package mutating func number(_ name: String, in range: ClosedRange<Double>) throws(KinError) -> Double? {
        try optional(name) { reader throws(KinError) in
            let number = try reader.number()
            guard range.contains(number) else { throw Self.outside(range, number) }
            // Negative zero becomes zero, so that no answer has "-0".
            return number == 0 ? 0 : number
        }
    }

    /// Reads an optional boolean, false when missing.
    package mutating func boolean(_ name: String) throws(KinError) -> Bool { try optionalBoolean(name) ?? false }

    /// Reads an optional boolean, nil when missing.
    package mutating func optionalBoolean(_ name: String) throws(KinError) -> Bool? {
        try optional(name) { reader throws(KinError) in try reader.boolean() }
    }

    /// Reads the elements of an optional array.
    package mutating func optionalList<Element>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Element
    ) throws(KinError) -> [Element]? {
        try optional(name) { reader throws(KinError) in
            try reader.list(read)
        }
    }

    /// Reads the elements of a required array.
    package mutating func list<Element>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Element
    ) throws(KinError) -> [Element] {
        guard let elements = try optionalList(name, read) else { throw Self.missing(name) }
        return elements
    }

    /// Reads a required number; see ``number(_:in:)``.
    package mutating func required(_ name: String, in range: ClosedRange<Double>) throws(KinError) -> Double {
        guard let number = try number(name, in: range) else { throw Self.missing(name) }
        return number
    }

    /// Reads an optional whole number of a range.
    ///
    /// - Throws: `.invalidArgument` saying the range.
    package mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(KinError) -> Int? {
        try optional(name) { reader throws(KinError) in
            let number = try reader.integer()
            guard let integer = Int(exactly: number), range.contains(integer) else {
                throw Self.outside(range, number)
            }
            return integer
        }
    }

    /// Reads a number of results, 1 to ``mostResults``.
    package mutating func count(_ name: String, default other: Int) throws(KinError) -> Int {
        try integer(name, in: 1...Self.mostResults) ?? other
    }

    /// Reads the parameter `threads`, 1 to 65,536; 1 when missing.
    package mutating func threads() throws(KinError) -> Int { try integer("threads", in: 1...65_536) ?? 1 }

    /// Reads the parameter `seed`, an unsigned number of 64 bits.
    package mutating func seed(default other: UInt64) throws(KinError) -> UInt64 {
        try optional("seed") { reader throws(KinError) in
            let text = try reader.verbatim()
            guard let seed = UInt64(text) else {
                throw KinError(.invalidArgument, "\(text.prefix(40)) is no whole number from 0 to 2^64 - 1")
            }
            return seed
        } ?? other
    }

    /// The largest number of results of a call.
    package static let mostResults = 1_000_000_000
    /// The range of distances on the ground in km; 20,015 km is half the earth's circumference.
    package static let kilometers = 0.0...100_000
    /// The range of durations in minutes; its upper end is almost two years.
    package static let minutes = 0.0...1_000_000

    private static func outside<Number>(_ range: ClosedRange<Number>, _ number: some Any) -> KinError {
        KinError(.invalidArgument, "it is \(number), and must be from \(range.lowerBound) to \(range.upperBound)")
    }

    /// Reads an optional instant such as `"2026-11-20T06:30:00Z"`.
    package mutating func instant(_ name: String) throws(KinError) -> Timestamp? {
        try optional(name) { reader throws(KinError) in try Timestamp(parsing: reader.string()) }
    }

    /// Reads a required instant.
    package mutating func requiredInstant(_ name: String) throws(KinError) -> Timestamp {
        guard let instant = try instant(name) else { throw Self.missing(name) }
        return instant
    }

    /// Reads an optional word of a list, in any case.
    package mutating func choice<Value>(
        _ name: String, of values: [Value], named names: [String]
    ) throws(KinError) -> Value? {
        try optional(name) { reader throws(KinError) in
            values[try reader.choice(of: JSONKeys(names), name)]
        }
    }

    /// Reads an optional array of words of a list.
    package mutating func choices<Value>(
        _ name: String, of values: [Value], named names: [String]
    ) throws(KinError) -> [Value]? {
        let words = JSONKeys(names)
        return try optionalList(name) { reader throws(KinError) in values[try reader.choice(of: words, name)] }
    }
}
