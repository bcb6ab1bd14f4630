package import KinCore
package import KinJSON

/// The parameters of a call: the members of one JSON object, each asked for by name.
///
/// What nobody asked for is a mistake of the caller's, which ``finish()`` finds.
package struct EngineRequest {
    private var members: [(name: String, value: String)]
    /// The names that were asked for, to suggest one in place of another.
    private var known: [String] = []

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - json: An object; nothing at all is one without members.
    ///   - deprecated: Deprecated names of parameters, each with the one that replaces it.
    /// - Throws: `.malformedInput`; `.invalidArgument` for a parameter that is given by both names.
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

    /// A parameter that may be missing or null.
    ///
    /// - Throws: What `read` throws, naming the field.
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

    /// A parameter that has to be there.
    ///
    /// - Throws: `.invalidArgument` when it is not; what `read` throws.
    package mutating func required<Value>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Value
    ) throws(KinError) -> Value {
        guard let value = try optional(name, read) else { throw Self.missing(name) }
        return value
    }

    private static func missing(_ name: String) -> KinError {
        KinError(.invalidArgument, "the parameter \"\(name)\" is missing").inField(name)
    }

    /// Checks that nothing is left.
    ///
    /// - Throws: `.invalidArgument` naming a parameter that there is not.
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
    /// A text that has to be there.
    package mutating func string(_ name: String) throws(KinError) -> String {
        try required(name) { reader throws(KinError) in try reader.string() }
    }

    /// A text, or nil.
    package mutating func optionalString(_ name: String) throws(KinError) -> String? {
        try optional(name) { reader throws(KinError) in try reader.string() }
    }

    /// An id that has to be there, in the form of all ids.
    package mutating func id(_ name: String) throws(KinError) -> String {
        guard let id = try optionalID(name) else { throw Self.missing(name) }
        return id
    }

    /// An id in the form of all ids, or nil.
    package mutating func optionalID(_ name: String) throws(KinError) -> String? {
        guard let text = try optionalString(name) else { return nil }
        return try RecordID.checked(text, field: name)
    }

    /// A number, or nil. There is none without a range, so that no method can forget one.
    ///
    /// - Throws: `.invalidArgument` saying the range.
    package mutating func number(_ name: String, in range: ClosedRange<Double>) throws(KinError) -> Double? {
        try optional(name) { reader throws(KinError) in
            let number = try reader.number()
            guard range.contains(number) else { throw Self.outside(range, number) }
            // Without its sign, so that no answer says that something is −0 away.
            return number == 0 ? 0 : number
        }
    }

    /// Whether something is so; not if there is no such parameter.
    package mutating func boolean(_ name: String) throws(KinError) -> Bool { try optionalBoolean(name) ?? false }

    /// Whether something is so, or nil.
    package mutating func optionalBoolean(_ name: String) throws(KinError) -> Bool? {
        try optional(name) { reader throws(KinError) in try reader.boolean() }
    }

    /// The elements of an array, or nil.
    package mutating func optionalList<Element>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Element
    ) throws(KinError) -> [Element]? {
        try optional(name) { reader throws(KinError) in
            var elements: [Element] = []
            try reader.array { reader throws(KinError) in elements.append(try read(&reader)) }
            return elements
        }
    }

    /// The elements of an array that has to be there.
    package mutating func list<Element>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Element
    ) throws(KinError) -> [Element] {
        guard let elements = try optionalList(name, read) else { throw Self.missing(name) }
        return elements
    }

    /// A number that has to be there; see ``number(_:in:)``.
    package mutating func required(_ name: String, in range: ClosedRange<Double>) throws(KinError) -> Double {
        guard let number = try number(name, in: range) else { throw Self.missing(name) }
        return number
    }

    /// A whole number, or nil; see ``number(_:in:)``.
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

    /// How many results to return at most, 1 to ``mostResults``: more than there are gives all of them.
    package mutating func count(_ name: String, default other: Int) throws(KinError) -> Int {
        try integer(name, in: 1...Self.mostResults) ?? other
    }

    /// How many threads may be used, 1 when nothing is said.
    package mutating func threads() throws(KinError) -> Int { try integer("threads", in: 1...65_536) ?? 1 }

    /// What random numbers start from: any whole number of 64 bits without a sign.
    package mutating func seed(default other: UInt64) throws(KinError) -> UInt64 {
        try optional("seed") { reader throws(KinError) in
            let text = try reader.verbatim()
            guard let seed = UInt64(text) else {
                throw KinError(.invalidArgument, "\(text.prefix(40)) is no whole number from 0 to 2^64 - 1")
            }
            return seed
        } ?? other
    }

    /// The most results that can be asked for.
    package static let mostResults = 1_000_000_000
    /// A distance on the ground; from 20,015 km on it reaches all of the earth.
    package static let kilometers = 0.0...100_000
    /// A time that somebody has or took; the upper end is almost two years.
    package static let minutes = 0.0...1_000_000

    private static func outside<Number>(_ range: ClosedRange<Number>, _ number: some Any) -> KinError {
        KinError(.invalidArgument, "it is \(number), and must be from \(range.lowerBound) to \(range.upperBound)")
    }

    /// An instant, `"2026-11-20T06:30:00Z"`.
    package mutating func instant(_ name: String) throws(KinError) -> Timestamp? {
        try optional(name) { reader throws(KinError) in try Timestamp(parsing: reader.string()) }
    }

    /// An instant that has to be there.
    package mutating func requiredInstant(_ name: String) throws(KinError) -> Timestamp {
        guard let instant = try instant(name) else { throw Self.missing(name) }
        return instant
    }

    /// One of some words.
    package mutating func choice<Value>(
        _ name: String, of values: [Value], named names: [String]
    ) throws(KinError) -> Value? {
        try optional(name) { reader throws(KinError) in
            values[try reader.choice(of: JSONKeys(names), name)]
        }
    }

    /// Some of some words; nil when there is no such parameter.
    package mutating func choices<Value>(
        _ name: String, of values: [Value], named names: [String]
    ) throws(KinError) -> [Value]? {
        let words = JSONKeys(names)
        return try optionalList(name) { reader throws(KinError) in values[try reader.choice(of: words, name)] }
    }
}
