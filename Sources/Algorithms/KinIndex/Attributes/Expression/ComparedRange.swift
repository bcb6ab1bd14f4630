extension FilterExpression.Literal {
    /// The closed range of the values of an integer column that satisfy `value comparison self`. For `!=` it is the
    /// excluded range. Nil if the range is empty or the literal is not a number.
    ///
    /// Exact for every literal: 2.5 is between 2 and 3, and a literal outside the type's range is beyond all its
    /// values.
    func range<Value: FixedWidthInteger>(
        _ comparison: FilterExpression.Comparison, of type: Value.Type
    ) -> ClosedRange<Value>? {
        let floor: Int128
        let ceiling: Int128
        // Wider than both column types, with room to add 1 without overflow.
        let limit: Int128 = 1 << 70
        switch self {
        case .integer(let value):
            floor = min(max(value, -limit), limit)
            ceiling = floor
        case .time(let value):
            floor = Int128(value.microseconds)
            ceiling = floor
        case .number(let value):
            let clamped = min(max(value, -0x1p70), 0x1p70)
            floor = Int128(clamped.rounded(.down))
            ceiling = Int128(clamped.rounded(.up))
        case .text, .boolean: return nil
        }
        var low = Int128(Value.min)
        var high = Int128(Value.max)
        switch comparison {
        case .equal, .notEqual:
            guard floor == ceiling else { return nil }
            (low, high) = (max(low, floor), min(high, floor))
        case .less: high = min(high, ceiling - 1)
        case .lessOrEqual: high = min(high, floor)
        case .greater: low = max(low, floor + 1)
        case .greaterOrEqual: low = max(low, ceiling)
        }
        return low <= high ? Value(low)...Value(high) : nil
    }

    /// The same range for a column of numbers, which are finite.
    ///
    /// Exact even for integers that are not doubles, which are between two doubles.
    func range(_ comparison: FilterExpression.Comparison) -> ClosedRange<Double>? {
        let below: Double
        let above: Double
        switch self {
        case .number(let value): (below, above) = (value, value)
        case .integer(let value):
            let near = Double(value)
            if Int128(exactly: near) == value {
                (below, above) = (near, near)
            } else {
                let isAbove = Int128(exactly: near).map { $0 > value } ?? (near > 0)
                (below, above) = isAbove ? (near.nextDown, near) : (near, near.nextUp)
            }
        case .text, .time, .boolean: return nil
        }
        let isValue = below == above
        let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        let low: Double
        let high: Double
        switch comparison {
        case .equal, .notEqual:
            guard isValue else { return nil }
            (low, high) = (below, below)
        case .less: (low, high) = (all.lowerBound, isValue ? below.nextDown : below)
        case .lessOrEqual: (low, high) = (all.lowerBound, below)
        case .greater: (low, high) = (isValue ? above.nextUp : above, all.upperBound)
        case .greaterOrEqual: (low, high) = (above, all.upperBound)
        }
        return low <= high ? low...high : nil
    }
}

/// A closed range of 64-bit words, for signed and unsigned numbers. It contains x if x − low, modulo 2⁶⁴, is at most
/// the width: one comparison instead of two.
struct WordRange: Sendable, Hashable {
    let low: UInt64
    let width: UInt64

    init(_ range: ClosedRange<Int64>) {
        low = UInt64(bitPattern: range.lowerBound)
        width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    }

    init(_ range: ClosedRange<UInt64>) {
        low = range.lowerBound
        width = range.upperBound - range.lowerBound
    }

    @inline(__always)
    func contains(_ word: UInt64) -> Bool { word &- low <= width }
}
