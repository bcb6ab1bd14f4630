import Foundation

/// The value of a parameter, or an element or member of it.
enum ParameterPart {
    case text(String)
    /// A number, a Boolean or a JSON value; for an object, its members without the brackets.
    case json(String)

    /// Parses a JSON value as a part.
    init(_ json: String) {
        let text = try? JSONReader.read(json) { reader throws(KinError) in try reader.string() }
        self = text.map { .text($0) } ?? .json(json)
    }

    /// The value as JSON.
    var json: String {
        switch self {
        case .text(let text): text.jsonText
        case .json(let json): json
        }
    }

    /// The texts in this part of a list; empty if its JSON has other elements.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .json(let json):
            (try? JSONReader.read("[\(json)]") { reader throws(KinError) in
                try reader.list { reader throws(KinError) in try reader.string() }
            }) ?? []
        }
    }
}

/// Values of parameters as people type them, by type.
///
/// A list or object is returned as its elements or members, so that a parameter can be given in several words.
struct ParameterText {
    let type: ParameterType
    let text: String

    /// The value or, for a list or an object, its parts.
    ///
    /// - Throws: `.invalidArgument` for a text that does not have the type; the errors of reading a file.
    func parts() throws(KinError) -> [ParameterPart] {
        switch type {
        case .id, .instant, .localTime, .date, .zone, .timeOfDay, .filter, .path, .output: return [.text(text)]
        case .choice(let words): return [.text(WordSynonyms.word(text, of: words) ?? text)]
        case .text: return [.text(try Self.contents(text, escaping: true))]
        case .document where !text.contains { "[{@".contains($0) }:
            throw Self.wrong("must be JSON or @FILE, not '\(text)'")
        case .document: return [.text(try Self.contents(text))]
        case .boolean: return [.json(try boolean())]
        case .integer:
            guard let number = Int64(text.filter { $0 != "," }) else { return [.json(try number([:]))] }
            return [.json(number.description)]
        case .seed:
            guard let seed = UInt64(text) else {
                throw Self.wrong("must be a whole number from 0 to 2^64 - 1, not '\(text)'")
            }
            return [.json(seed.description)]
        case .duration(let words) where words.contains(text): return [.text(text)]
        case .number, .duration: return [.json(try number(Self.units(of: type)))]
        case .choices: return Self.elements(text).map { .text($0) }
        case .coordinates: return try isJSON ? [object(text)] : coordinates()
        case .point: return try isJSON ? [object(text)] : try members()
        case .object("vector"): return try vector()
        case .object("mode"): return [.text(try SearchMode(text: text).text)]
        case .object: return try isJSON || !text.contains("=") ? [object(Self.contents(text))] : members()
        case .list(let kind): return try list(of: kind)
        }
    }

    /// The JSON of a parameter with these parts.
    static func json(_ parts: [ParameterPart], of type: ParameterType) -> String {
        if case .text(let text)? = parts.first, type == .object("vector") { return text.jsonText }
        let parts = parts.map(\.json)
        let all = parts.joined(separator: ",")
        return switch type {
        case .object("vector") where parts.first?.hasPrefix("\"") == false: parts[0]
        case .choices, .list: "[\(all)]"
        case .point, .coordinates: all.hasPrefix("[") ? all : "{\(all)}"
        case .object(let kind) where kind != "mode": all.hasPrefix("[") ? all : "{\(all)}"
        default: parts.last ?? "null"
        }
    }

    /// Whether a parameter of a type can be given in several words.
    static func isRepeatable(_ type: ParameterType) -> Bool {
        switch type {
        case .object("mode"): false
        case .choices, .list, .point, .object: true
        default: false
        }
    }

    /// Requires that numbers are in their range, words belong to the choice, and times and zones exist.
    static func check(_ parts: [ParameterPart], of type: ParameterType) throws(KinError) {
        guard let part = parts.last?.json else { return }
        if case .text(let text)? = parts.last { try check(text, of: type) }
        switch type {
        case .integer(let range):
            guard let number = Double(part), number == number.rounded() else {
                throw wrong("must be a whole number, not \(part)")
            }
            guard Double(range.lowerBound) <= number, number <= Double(range.upperBound) else {
                let ends = (NumberText.count(range.lowerBound), NumberText.count(range.upperBound))
                throw wrong("must be from \(ends.0) to \(ends.1), not \(part)")
            }
        case .number(let range, _):
            guard let number = Double(part), range.contains(number) else {
                let ends = (MethodHelp.limit(range.lowerBound), MethodHelp.limit(range.upperBound))
                throw wrong("must be from \(ends.0) to \(ends.1), not \(part)")
            }
        case .choice(let words):
            let word = part.lowercased().filter { $0 != "\"" }
            guard WordSynonyms.word(word, of: words) == nil else { return }
            throw wrong("there is no \(part); \(Spelling.advice(on: word, among: words))")
        default: break
        }
    }

    /// Requires that a text is a time, a date or a time zone, if the type is one.
    private static func check(_ text: String, of type: ParameterType) throws(KinError) {
        switch type {
        case .instant: _ = try Timestamp(text, needsOffset: true)
        case .localTime: _ = try LoggedTime(parsing: text)
        case .date: _ = try LocalDay(parsing: text)
        case .zone: _ = try LocalZone(named: text)
        case .timeOfDay where text != "none": _ = try TimeOfDay(parsing: text)
        default: break
        }
    }

    /// The units in a number's text, with their sizes.
    static func units(of type: ParameterType) -> [String: Double] {
        switch type {
        case .duration, .number(_, "min"): ["min": 1, "h": 60, "d": 1440]
        case .number(_, "km"): ["km": 1, "m": 0.001]
        default: [:]
        }
    }

    static func wrong(_ message: String) -> KinError { KinError(.invalidArgument, message) }

    private var isJSON: Bool { text.hasPrefix("{") || text.hasPrefix("[") || text.hasPrefix("@") }

    private func boolean() throws(KinError) -> String {
        switch text.lowercased() {
        case "true", "yes", "on": "true"
        case "false", "no", "off": "false"
        default: throw Self.wrong("must be yes or no, not '\(text)'")
        }
    }

    /// A number, with an optional unit if the type has units. Default: the first unit of size 1.
    private func number(_ units: [String: Double]) throws(KinError) -> String {
        let unit = units.keys.filter { text.lowercased().hasSuffix($0) }.max { $0.count < $1.count }
        let digits = text.dropLast(unit?.count ?? 0).trimmingCharacters(in: .whitespaces)
        guard let value = Double(digits), value.isFinite else {
            let names = units.keys.sorted().joined(separator: ", ")
            throw Self.wrong("must be a number\(units.isEmpty ? "" : ", with \(names) or without"), not '\(text)'")
        }
        let scaled = value * (unit.flatMap { units[$0] } ?? 1)
        // Whole numbers are written without a fraction, for integer parameters.
        if let whole = Int64(exactly: scaled), whole.magnitude < 1 << 53 { return whole.description }
        return scaled.jsonText
    }

    private func coordinates() throws(KinError) -> [ParameterPart] {
        let numbers = Self.elements(text)
        guard numbers.count == 2, numbers.allSatisfy({ Double($0)?.isFinite == true }) else {
            throw Self.wrong("must be LAT,LNG in degrees, such as 40.7,-73.9, not '\(text)'")
        }
        return try zip(["lat", "lng"], numbers).map { name, digits throws(KinError) in
            .json("\"\(name)\":\(try ParameterText(type: .number(0...0, unit: ""), text: digits).number([:]))")
        }
    }

    /// The members of an object of numbers: `nature_mirror=0.9,mobility=0.7`.
    private func members() throws(KinError) -> [ParameterPart] {
        try Self.elements(text).map { member throws(KinError) in
            let pair = member.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { throw Self.wrong("must be NAME=NUMBER,…, not '\(member)'") }
            let value = ParameterText(type: type, text: pair[1])
            let name = type == .object("vector") ? pair[0] : pair[0].replacing("-", with: "_")
            return .json("\(name.jsonText):\(try value.number([:]))")
        }
    }

    /// A vector: an id or another text, all numbers between brackets or commas, some numbers by dimension, or a file with one of these.
    private func vector() throws(KinError) -> [ParameterPart] {
        let given = try Self.contents(text)
        guard given == text else {
            guard !given.hasPrefix("@") else { throw Self.wrong("the file names another file in place of a vector") }
            return try ParameterText(type: type, text: given).vector()
        }
        if let id = UInt64(text), VectorID(id) != .none { return [.json(id.description)] }
        let inner = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if inner.contains("="), !inner.hasPrefix("[") {
            guard inner.count(where: { $0 == "=" }) > 1, let words = try? Word.words(of: inner) else {
                return try members()
            }
            return try words.map { word throws(KinError) in
                try ParameterText(type: type, text: word.text).members()
            }.flatMap(\.self)
        }
        // An id that is a text, which the index knows or refuses.
        guard inner.hasPrefix("[") || inner.contains(",") else { return [.text(text)] }
        guard !inner.hasPrefix("[") || inner.hasSuffix("]") else { throw Self.wrong("must end with ]") }
        let list = inner.filter { $0 != "[" && $0 != "]" }.split(separator: ",", omittingEmptySubsequences: false)
        var numbers: [String] = []
        for part in list {
            let parts = part.split(whereSeparator: \.isWhitespace)
            for digits in parts.isEmpty ? [part] : parts {
                numbers.append(try ParameterText(type: type, text: String(digits)).number([:]))
            }
        }
        return [.json("[\(numbers.joined(separator: ","))]")]
    }

    /// Whether an element of a list of a kind is a word as it is, with its commas.
    static func isWhole(_ kind: String) -> Bool { ["path", "request", "definition", "user id"].contains(kind) }

    /// The elements of a list: JSON, a file, or words between commas.
    private func list(of kind: String) throws(KinError) -> [ParameterPart] {
        if Self.isWhole(kind) { return [.text(text)] }
        if kind == "id" {
            return try text.split(separator: ",", omittingEmptySubsequences: false).map { part throws(KinError) in
                let part = part.trimmingCharacters(in: .whitespaces)
                guard !part.isEmpty else { throw Self.wrong("must be ids or ranges such as 1,2,10-19, not '\(part)'") }
                return .text(part)
            }
        }
        if kind == "record" { return try records() }
        if !isJSON {
            return try Self.elements(text).map { element throws(KinError) in
                kind == "number" ? .json(try ParameterText(type: type, text: element).number([:])) : .text(element)
            }
        }
        let contents = try Self.contents(text)
        let inner = contents.trimmingCharacters(in: .whitespacesAndNewlines)
        if inner.hasPrefix("[") { return try array(contents) }
        // One record, or a record per line.
        return try Self.checked(text.hasPrefix("@") ? ByteReader.lines(contents) : [(1, inner)])
    }

    /// The records of a file, with one record per line or one document, or of the text itself.
    private func records() throws(KinError) -> [ParameterPart] {
        let inner = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if inner.hasPrefix("[") { return try array(text) }
        if inner.hasPrefix("{") { return try Self.checked([(1, inner)]) }
        var parts: [ParameterPart] = []
        let path = text.hasPrefix("@") ? String(text.dropFirst()) : text
        try ByteReader(path: path).forEachJSONLine { reader throws(KinError) in
            guard reader.isAtObject() else { throw reader.error(Store.recordsAdvice) }
            parts.append(.json(try reader.verbatim()))
        }
        return parts
    }

    /// The elements of a JSON array.
    private func array(_ json: String) throws(KinError) -> [ParameterPart] {
        let inside = try unwrapped(json)
        return inside.isEmpty ? [] : [.json(inside)]
    }

    /// The inside of a JSON object. An array is returned unchanged; the parameter accepts it or reports an error.
    private func object(_ json: String) throws(KinError) -> ParameterPart {
        let inside = try unwrapped(json)
        let isArray = try Self.contents(json).first { !$0.isWhitespace } == "["
        return .json(isArray ? "[\(inside)]" : inside)
    }

    /// The inside of a JSON object or array.
    private func unwrapped(_ json: String) throws(KinError) -> String {
        let whole = try Self.contents(json).trimmingCharacters(in: .whitespacesAndNewlines)
        let value = try JSONReader.read(whole) { reader throws(KinError) in try reader.verbatim() }
        guard value.hasPrefix("{") || value.hasPrefix("[") else {
            throw KinError(.malformedInput, "must be JSON or @FILE, not '\(text.prefix(40))'")
        }
        return String(value.dropFirst().dropLast()).trimmingCharacters(in: .whitespaces)
    }

    /// The texts of numbered lines that are not empty. A line that starts with a brace is one JSON object.
    private static func checked(_ lines: [(number: Int, text: String)]) throws(KinError) -> [ParameterPart] {
        for (number, part) in lines where part.hasPrefix("{") {
            do throws(KinError) {
                _ = try JSONReader.read(part) { reader throws(KinError) in try reader.verbatim() }
            } catch {
                throw KinError(error.code, error.message).within("line", number)
            }
        }
        return lines.filter { !$0.text.isEmpty }.map { .json($0.text) }
    }

    private static func elements(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The text of the file after an `@`, or the text itself.
    ///
    /// - Parameter escaping: Whether `@@` means a literal `@`.
    private static func contents(_ text: String, escaping: Bool = false) throws(KinError) -> String {
        guard text.hasPrefix("@") else { return text }
        if escaping, text.hasPrefix("@@") { return String(text.dropFirst()) }
        return try ByteReader(path: String(text.dropFirst())).text()
    }
}
