import Kin

// The parts that questions to a store are made of.

extension TokenStream {
    /// `k N`, where that comes next.
    mutating func width(hint: String) throws(CommandError) -> Int? {
        guard isWidth, take(word: "k") else { return nil }
        _ = take(.equals)
        return try positive("how many", hint: hint)
    }

    /// `at TIME`, where that comes next.
    mutating func time(hint: String) throws(CommandError) -> Timestamp? {
        guard take(word: "at") else { return nil }
        return try instant(hint: hint)
    }

    /// Takes an instant in ISO 8601.
    mutating func instant(hint: String) throws(CommandError) -> Timestamp {
        let token = try word("a time", hint: hint)
        do throws(KinError) {
            return try Timestamp(parsing: token.text)
        } catch {
            throw CommandError(message: error.message, range: token.range)
        }
    }

    /// One of some words.
    mutating func choice<Value>(
        _ what: String, _ words: [String], _ value: (String) -> Value?
    ) throws(CommandError) -> Value {
        let list = "one of \(words.joined(separator: ", "))"
        let token = try word("a \(what)", hint: list)
        if let value = value(token.text.lowercased()) { return value }
        throw CommandError(
            message: "there is no \(what) '\(token.text)'", range: token.range,
            hint: Spelling.nearest(to: token.text, in: words).map { "did you mean \($0)?" } ?? list)
    }

    /// A pleasure by its name.
    mutating func dimension() throws(CommandError) -> Pleasure.Dimension {
        try choice("dimension", Pleasure.Dimension.names) { Pleasure.Dimension(name: $0) }
    }

    /// A point by some of its dimensions: `nature_mirror=0.9 mobility=0.7`.
    mutating func pleasure(hint: String) throws(CommandError) -> Pleasure {
        var values: [Pleasure.Dimension: Float] = [:]
        let first = next
        while afterNext?.kind == .equals, let name = next {
            let dimension = try dimension()
            _ = take(.equals)
            let token = try word("a number", hint: "write \(name.text)=0.5")
            let value = Float(try TokenStream.number(token))
            guard value >= 0, value <= 1 else {
                throw CommandError(message: "\(name.text)=\(token.text) is outside 0…1", range: token.range)
            }
            guard values.updateValue(value, forKey: dimension) == nil else {
                throw CommandError(message: "\(name.text) is given twice", range: name.range)
            }
            _ = take(.comma)
        }
        guard !values.isEmpty, let point = try? Pleasure(values) else {
            guard let first else { throw missing("a point", hint: hint) }
            throw CommandError(
                message: "'\(first.text)' is no session:ID, no user:ID and no dimension with a value",
                range: first.range,
                hint: hint)
        }
        return point
    }

    /// Takes a place, `LAT,LNG` in degrees.
    mutating func coordinates(hint: String) throws(CommandError) -> GeographicCoordinates {
        let start = next?.range.lowerBound ?? 0
        let latitude = try degrees(hint)
        guard take(.comma) != nil else { throw missing("a comma and the longitude", hint: hint) }
        let last = next?.range.upperBound ?? start + 1
        let longitude = try degrees(hint)
        do throws(KinError) {
            return try GeographicCoordinates(latitude: latitude, longitude: longitude)
        } catch {
            throw CommandError(message: error.description, range: start..<last)
        }
    }

    private mutating func degrees(_ hint: String) throws(CommandError) -> Double {
        let token = try word("degrees", hint: hint)
        guard let value = Double(token.text), value.isFinite else {
            throw CommandError(message: "'\(token.text)' is not a number of degrees", range: token.range, hint: hint)
        }
        return value
    }

    /// `500m`, `2km` or a number of kilometres.
    mutating func kilometers(hint: String) throws(CommandError) -> Double {
        try quantity("a distance", ["km": 1, "m": 0.001], hint)
    }

    /// `45min`, `2h` or a number of minutes.
    mutating func minutes(hint: String) throws(CommandError) -> Double {
        try quantity("a time", ["min": 1, "h": 60], hint)
    }

    private mutating func quantity(
        _ what: String, _ units: [String: Double], _ hint: String
    ) throws(CommandError) -> Double {
        let token = try word(what, hint: hint)
        let digits = token.text.prefix { $0.isNumber || $0 == "." }
        let names = units.keys.sorted().joined(separator: " or ")
        var unit = String(token.text.dropFirst(digits.count)).lowercased()
        // The unit may stand apart.
        if unit.isEmpty, let next, next.kind == .word, units[next.text.lowercased()] != nil {
            unit = next.text.lowercased()
            _ = take()
        }
        guard let value = Double(String(digits)), value.isFinite, let factor = unit.isEmpty ? 1 : units[unit] else {
            throw CommandError(
                message: "'\(token.text)' is not \(what): a number followed by \(names)", range: token.range, hint: hint
            )
        }
        return value * factor
    }
}
