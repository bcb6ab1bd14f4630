import KinIndex

/// A condition as a tree, written as text and evaluated row by row in the plainest way. It shares only the values with
/// the library.
indirect enum NaiveCondition {
    case compare(String, String, Operand)
    case isIn(String, [Operand])
    case between(String, Operand, Operand)
    case overlaps(Int, Int)
    case contains([String], isNegated: Bool)
    case presence(String, isPresent: Bool)
    case not(NaiveCondition)
    case all([NaiveCondition])
    case any([NaiveCondition])

    /// A value and its text.
    struct Operand {
        let text: String
        let value: AttributeValue
    }
}

extension NaiveCondition {
    var text: String {
        switch self {
        case .compare(let name, let comparison, let operand): "\(name) \(comparison) \(operand.text)"
        case .isIn(let name, let operands): "\(name) in (\(operands.map(\.text).joined(separator: ",")))"
        case .between(let name, let low, let high): "\(name) between \(low.text) and \(high.text)"
        case .overlaps(let from, let to): "stay overlaps [\(SampleRows.time(from)), \(SampleRows.time(to)))"
        case .contains(let tags, let isNegated):
            "tags \(isNegated ? "not " : "")"
                + (tags.count == 1
                    ? "contains \"\(tags[0])\"" : "overlaps (\(tags.map { "\"\($0)\"" }.joined(separator: ", ")))")
        case .presence(let name, let isPresent): "\(name) is \(isPresent ? "present" : "missing")"
        case .not(let inner): "not (\(inner.text))"
        case .all(let parts): parts.map { "(\($0.text))" }.joined(separator: " and ")
        case .any(let parts): parts.map { "(\($0.text))" }.joined(separator: " or ")
        }
    }

    func holds(_ id: VectorID, _ row: [String: AttributeValue]) -> Bool {
        func value(_ name: String) -> AttributeValue? {
            if name == "id" { return .integer(Int64(id.rawValue)) }
            if name.hasPrefix("stay."), case .timeRange(let range)? = row["stay"] {
                return .time(name == "stay.start" ? range.start : range.end)
            }
            return row[name.replacing("\"", with: "")]
        }
        switch self {
        case .compare(let name, let comparison, let operand):
            guard let value = value(name) else { return false }
            let order = Self.order(value, operand.value)
            switch comparison {
            case "=": return order == 0
            case "!=": return order != 0
            case "<": return order < 0
            case "<=": return order <= 0
            case ">": return order > 0
            default: return order >= 0
            }
        case .isIn(let name, let operands):
            return value(name).map { value in operands.contains { Self.order(value, $0.value) == 0 } } ?? false
        case .between(let name, let low, let high):
            guard let value = value(name) else { return false }
            return Self.order(value, low.value) >= 0 && Self.order(value, high.value) <= 0
        case .overlaps(let from, let to):
            guard case .timeRange(let stay)? = row["stay"] else { return false }
            // Instants are six hours apart, so steps of a quarter of an hour distinguish a span from an instant.
            let a = Set(
                stay.start.microseconds == stay.end.microseconds
                    ? [stay.start.microseconds]
                    : Array(stride(from: stay.start.microseconds, to: stay.end.microseconds, by: 900_000_000)))
            let (start, end) = (SampleRows.time(from).microseconds, SampleRows.time(to).microseconds)
            let b = start == end ? [start] : Array(stride(from: start, to: end, by: 900_000_000))
            return b.contains { a.contains($0) }
        case .contains(let tags, let isNegated):
            guard case .tags(let set)? = row["tags"] else { return false }
            // Tags are the same if their bytes are.
            let bytes = Set(set.tags.map { Array($0.utf8) })
            return tags.contains { bytes.contains(Array($0.utf8)) } != isNegated
        case .presence(let name, let isPresent): return (value(name) != nil) == isPresent
        case .not(let inner): return !inner.holds(id, row)
        case .all(let parts): return parts.allSatisfy { $0.holds(id, row) }
        case .any(let parts): return parts.contains { $0.holds(id, row) }
        }
    }

    /// −1, 0 or 1 as the first is less than, equal to or greater than the second.
    private static func order(_ a: AttributeValue, _ b: AttributeValue) -> Int {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.number(let a), .number(let b)): a < b ? -1 : a > b ? 1 : 0
        // The integer fits a double exactly, or is so large that the order is clear.
        case (.integer(let a), .number(let b)): Double(a) < b ? -1 : Double(a) > b ? 1 : 0
        case (.number(let a), .integer(let b)): a < Double(b) ? -1 : a > Double(b) ? 1 : 0
        case (.time(let a), .time(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.category(let a), .category(let b)): a == b ? 0 : 1
        case (.boolean(let a), .boolean(let b)): a == b ? 0 : 1
        default: preconditionFailure("the test compares like with like")
        }
    }
}

// MARK: - Drawing one

extension NaiveCondition {
    static func random(_ random: inout SeededGenerator, depth: Int) -> NaiveCondition {
        guard depth > 0, random.below(3) > 0 else { return leaf(&random) }
        switch random.below(3) {
        case 0: return .not(.random(&random, depth: depth - 1))
        case 1: return .all((0..<2 + random.below(3)).map { _ in .random(&random, depth: depth - 1) })
        default: return .any((0..<2 + random.below(3)).map { _ in .random(&random, depth: depth - 1) })
        }
    }

    private static func leaf(_ random: inout SeededGenerator) -> NaiveCondition {
        let names = [
            "user", "visits", "score", "start", "done", "stay", "\"my state\"", "id", "stay.start", "stay.end", "tags",
        ]
        let name = names[random.below(names.count)]
        if random.below(6) == 0 { return .presence(name, isPresent: random.below(2) == 0) }
        switch name {
        case "stay":
            let from = random.below(12)
            return .overlaps(from, from + random.below(3))
        case "tags":
            let words = SampleRows.words + ["nobody"]
            let tags = (0..<[1, random.below(5)][random.below(2)]).map { _ in words[random.below(words.count)] }
            return .contains(tags, isNegated: random.below(3) == 0)
        case "done": return .compare(name, ["=", "!="][random.below(2)], operand(name, &random))
        case "user", "\"my state\"":
            if random.below(2) == 0 { return .compare(name, ["=", "!="][random.below(2)], operand(name, &random)) }
            return .isIn(name, (0..<random.below(4)).map { _ in operand(name, &random) })
        default:
            switch random.below(4) {
            case 0: return .isIn(name, (0..<random.below(14)).map { _ in operand(name, &random) })
            case 1: return .between(name, operand(name, &random), operand(name, &random))
            default:
                let comparison = ["=", "!=", "<", "<=", ">", ">="][random.below(6)]
                return .compare(name, comparison, operand(name, &random))
            }
        }
    }

    private static func operand(_ name: String, _ random: inout SeededGenerator) -> Operand {
        switch name {
        case "visits", "score":
            if random.below(2) == 0 {
                let value = random.below(11) - 5
                return Operand(text: "\(value)", value: .integer(Int64(value)))
            }
            let value = [-1e300, -2.5, -0.5, 0.0, 0.5, 1.0, 2.0, 1e300][random.below(8)]
            return Operand(text: "\(value)", value: .number(value))
        case "id":
            let value = random.below(1_000)
            return Operand(text: "\(value)", value: .integer(Int64(value)))
        case "user":
            let value = (SampleRows.users + ["nobody"])[random.below(SampleRows.users.count + 1)]
            let text = "\"" + value.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
            return Operand(text: text, value: .category(value))
        case "\"my state\"":
            let value = ["drift", "mastery"][random.below(2)]
            return Operand(text: value, value: .category(value))
        case "done":
            let value = random.below(2) == 0
            return Operand(text: "\(value)", value: .boolean(value))
        default:
            let value = SampleRows.time(random.below(12))
            return Operand(text: "\(value)", value: .time(value))
        }
    }
}
